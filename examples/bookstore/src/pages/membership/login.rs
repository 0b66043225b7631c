//! Logging in and out.

use maud::{Markup, html};

use crate::faults::Fault;
use crate::pages::inputs::{line, password, tick, token};
use crate::pages::layout;
use crate::store::{Member, Session};
use crate::web::{Outcome, Problems, Reply, Visit};

pub(crate) fn form(visit: &mut Visit<'_>) -> Outcome {
    Ok(Reply::Page(page(visit, visit.query.get("next"), &Problems::default())?))
}

pub(crate) fn send(visit: &mut Visit<'_>) -> Outcome {
    let username = visit.form.get("username");
    let secret = visit.form.raw("password");
    let any_case = visit.shop.faulty(Fault::PasswordAnyCase);
    let fits = |member: &Member| {
        member.has_password(secret) || (any_case && member.has_password(&secret.to_lowercase()))
    };
    let mut problems = Problems::default();
    problems.expect_text(&visit.form, "username", "The user name", 30);
    problems.expect(!secret.is_empty(), "password", "The password is required.");
    let member = match problems.none() {
        true => Member::named(visit.db, username)?.filter(fits),
        false => None,
    };
    problems.expect(member.is_some() || !problems.none(), "password", "User name or password is wrong.");
    match member {
        Some(member) => {
            visit.session = visit.session.renew(visit.db, visit.shop, member.id)?;
            let next = own_page(visit.form.get("next")).to_owned();
            visit.go_well(next, format!("Welcome, {}.", member.draft.name))
        }
        None => Ok(Reply::Invalid(page(visit, visit.form.get("next"), &problems)?)),
    }
}

pub(crate) fn log_out(visit: &mut Visit<'_>) -> Outcome {
    visit.session.end(visit.db)?;
    visit.session = Session::start(visit.db, visit.shop, None)?;
    visit.go_well("/", "You are logged out. Come back soon.")
}

/// Where to go after logging in: only ever a page of this shop.
fn own_page(next: &str) -> &str {
    let own = next.starts_with('/') && !next.starts_with("//") && !next.contains(['\\', '\r', '\n']);
    if own { next } else { "/" }
}

fn page(visit: &Visit<'_>, next: &str, problems: &Problems) -> rusqlite::Result<Markup> {
    layout::page(
        visit,
        "Log in",
        html! {
            h1 { "Log in" }
            form.boxed id="login" method="post" action="/login" {
                (token(visit))
                input type="hidden" name="next" value=(next);
                (line("text", "username", "User name", visit.form.get("username"), problems))
                (password("password", "Password", problems))
                (tick("remember", "Remember my name", visit.form.has("remember"), problems))
                p.actions { button type="submit" { "Log in" } }
            }
            p { "New here? " a href="/register" { "Register" } }
        },
    )
}

#[cfg(test)]
mod tests {
    use super::own_page;

    #[test]
    fn login_leads_only_to_own_pages() {
        assert_eq!(own_page("/book/3?x=1"), "/book/3?x=1");
        assert_eq!(own_page("//evil.example"), "/");
        assert_eq!(own_page("https://evil.example"), "/");
    }
}
