//! Logging in and out.

use maud::{Markup, html};

use crate::faults::Fault;
use crate::pages::inputs::{line, password, tick, token};
use crate::pages::{home, layout};
use crate::release::Release;
use crate::store::{Member, Session};
use crate::web::{Outcome, Problems, Reply, Visit, query};

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
        None if visit.shop.release.has_member_box() => Ok(Reply::Invalid(home::page(visit, &problems)?)),
        None => Ok(Reply::Invalid(page(visit, visit.form.get("next"), &problems)?)),
    }
}

pub(crate) fn log_out(visit: &mut Visit<'_>) -> Outcome {
    visit.session.end(visit.db)?;
    visit.session = Session::start(visit.db, visit.shop, None)?;
    visit.go_well("/", "You are logged out. Come back soon.")
}

/// Where one logs in, to come back to `next` afterwards (or to the home page, if empty).
pub(crate) fn address(release: Release, next: &str) -> String {
    let page = if release.has_member_box() { "/" } else { "/login" };
    match next {
        "" => page.to_owned(),
        next => format!("{page}?{}", query(&[("next", next)])),
    }
}

/// Where one logs in, to come back to the page of this visit.
pub(crate) fn address_from(visit: &Visit<'_>) -> String {
    let release = visit.shop.release;
    match visit.address.split('?').next() {
        // The home page has the form, and knows already where to go next.
        Some("/") if release.has_member_box() => visit.address.clone(),
        // Whoever logs in has no need to register.
        Some("/register") => address(release, ""),
        _ => address(release, &visit.address),
    }
}

/// The button to log out.
pub(crate) fn log_out_button(visit: &Visit<'_>, label: &str) -> Markup {
    html! {
        form id="logout" method="post" action="/logout" {
            (token(visit))
            button.plain type="submit" { (label) }
        }
    }
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
