//! Changing one's password: on a page of its own or, from release 5 to release 9, with the rest of the
//! account.

use maud::{Markup, html};

use super::register;
use crate::faults::Fault;
use crate::pages::inputs::{complaint, password as secret_field, summary, token};
use crate::pages::layout;
use crate::store::Member;
use crate::web::{Outcome, Problems, Refusal, Reply, Visit};

pub(crate) fn form(visit: &mut Visit<'_>) -> Outcome {
    visit.member()?;
    Ok(Reply::Page(page(visit, &Problems::default())?))
}

pub(crate) fn send(visit: &mut Visit<'_>) -> Outcome {
    let member = visit.member()?;
    let mut problems = Problems::default();
    check(visit, member, &mut problems);
    if !problems.none() {
        return Ok(Reply::Invalid(page(visit, &problems)?));
    }
    change(visit, member)?;
    visit.go_well("/account", "Your password is changed.")
}

/// The present password, the new one, and the new one again.
pub(super) fn fields(visit: &Visit<'_>, problems: &Problems) -> Markup {
    let kind = if visit.shop.faulty(Fault::NewPasswordVisible) { "text" } else { "password" };
    html! {
        (secret_field("old", "Present password", problems))
        p.field {
            label for="password" { "New password" }
            input type=(kind) id="password" name="password" autocomplete="off";
            (complaint(problems, "password"))
        }
        (secret_field("repeated", "New password again", problems))
    }
}

/// Whether one of the fields is filled in.
pub(super) fn is_sent(visit: &Visit<'_>) -> bool {
    ["old", "password", "repeated"].iter().any(|name| !visit.form.raw(name).is_empty())
}

/// Complains of a wrong present password, and of a new one that will not do.
pub(super) fn check(visit: &Visit<'_>, member: &Member, problems: &mut Problems) {
    let known = member.has_password(visit.form.raw("old")) || visit.shop.faulty(Fault::OldPasswordUnchecked);
    problems.expect(known, "old", "This is not your password.");
    register::check_password(visit, problems);
}

/// Gives the member the new password.
pub(super) fn change(visit: &Visit<'_>, member: &Member) -> rusqlite::Result<()> {
    let salt = visit.shop.chance.token("salt", member.id);
    Member::set_password(visit.db, member.id, &salt, visit.form.raw("password"))
}

fn page(visit: &Visit<'_>, problems: &Problems) -> Result<Markup, Refusal> {
    Ok(layout::page(
        visit,
        "Change password",
        html! {
            p.crumbs { a href="/account" { "My account" } " › Change password" }
            h1 { "Change password" }
            (summary(problems))
            form.boxed id="change-password" method="post" action="/account/password" {
                (token(visit))
                (fields(visit, problems))
                p.actions { button type="submit" { "Change password" } }
            }
        },
    )?)
}
