//! Registering as a member.

use maud::{Markup, html};

use super::member_form;
use crate::faults::Fault;
use crate::pages::guidance::{self, Topic};
use crate::pages::inputs::{line, password, summary, tick, token};
use crate::pages::layout;
use crate::store::{Flash, Member, MemberDraft};
use crate::web::{Outcome, Problems, Reply, Visit};

const SHORTEST_PASSWORD: usize = 6;

pub(crate) fn form(visit: &mut Visit<'_>) -> Outcome {
    if is_second(visit) {
        return refuse_second(visit);
    }
    let empty = MemberDraft { contact: "email".to_owned(), ..MemberDraft::default() };
    Ok(Reply::Page(page(visit, &empty, &Problems::default())?))
}

pub(crate) fn send(visit: &mut Visit<'_>) -> Outcome {
    if is_second(visit) {
        return refuse_second(visit);
    }
    let mut draft = member_form::read(&visit.form);
    let mut problems = Problems::default();
    let username = visit.form.get("username").to_owned();
    let plain = username.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    problems.expect_text(&visit.form, "username", "The user name", 30);
    problems.expect(plain, "username", "A user name has letters and digits only.");
    let taken = Member::named(visit.db, &username)?.is_some();
    problems.expect(!taken, "username", "This user name is taken.");
    check_password(visit, &mut problems);
    member_form::check(&visit.form, &mut problems);
    problems.expect(visit.form.has("terms"), "terms", "Please accept our terms.");
    if !problems.none() {
        if visit.shop.faulty(Fault::ErrorsNameless) {
            problems = problems.blurred("Invalid value");
        }
        return Ok(Reply::Invalid(page(visit, &draft, &problems)?));
    }
    if visit.shop.faulty(Fault::AddressNotRegistered) {
        draft.address.clear();
    }
    let salt = visit.shop.chance.token("salt", Member::next_id(visit.db)?);
    let id = draft.add(visit.db, &username, &visit.shop.clock.stamp())?;
    Member::set_password(visit.db, id, &salt, visit.form.raw("password"))?;
    visit.session = visit.session.renew(visit.db, visit.shop, id)?;
    visit.go_well("/account", format!("Welcome, {}. You are now a member.", draft.name))
}

/// Whether somebody registers who is a member already, where that is not allowed.
fn is_second(visit: &Visit<'_>) -> bool {
    visit.shop.release.refuses_second_registration() && visit.member.is_some()
}

fn refuse_second(visit: &Visit<'_>) -> Outcome {
    visit.go("/account", Flash::Bad("You are a member already. Sign out to register again.".to_owned()))
}

/// Complains of a new password that is too short or not repeated.
pub(crate) fn check_password(visit: &Visit<'_>, problems: &mut Problems) {
    let secret = visit.form.raw("password");
    let long_enough = secret.chars().count() >= SHORTEST_PASSWORD;
    problems.expect(long_enough, "password", "A password has at least 6 letters.");
    problems.expect(secret == visit.form.raw("repeated"), "repeated", "The passwords differ.");
}

fn page(visit: &Visit<'_>, draft: &MemberDraft, problems: &Problems) -> rusqlite::Result<Markup> {
    let with_phone = !visit.shop.faulty(Fault::PhoneFieldMissing);
    layout::page(
        visit,
        "Register",
        html! {
            h1 { "Register" }
            (guidance::note(visit.shop.release, Topic::Registering))
            (summary(problems))
            form.boxed id="register" method="post" action="/register" {
                (token(visit))
                (line("text", "username", "User name", visit.form.get("username"), problems))
                (password("password", "Password", problems))
                (password("repeated", "Password again", problems))
                (member_form::fields(draft, &draft.country, problems, with_phone))
                (tick("terms", "I accept the terms of membership", visit.form.has("terms"), problems))
                p.actions { button type="submit" { "Register" } }
            }
        },
    )
}
