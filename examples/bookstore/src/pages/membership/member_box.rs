//! The box on the home page (from release 2 on): strangers log in there, members find their own pages.

use maud::{Markup, html};

use super::login;
use crate::pages::inputs::{line, password, token};
use crate::release::RatingForm;
use crate::store::Member;
use crate::web::{Problems, Visit};

/// The box; `problems` are those of a form to log in that was not accepted.
pub(crate) fn show(visit: &Visit<'_>, problems: &Problems) -> Markup {
    html! {
        @if visit.shop.release.has_member_box() {
            section.member id="member" {
                @match &visit.member {
                    Some(member) => (links(visit, member)),
                    None => (form(visit, problems)),
                }
            }
        }
    }
}

fn form(visit: &Visit<'_>, problems: &Problems) -> Markup {
    let next = visit.form.given("next").unwrap_or_else(|| visit.query.get("next"));
    html! {
        h2 { "Log in" }
        form id="login" method="post" action="/" {
            (token(visit))
            input type="hidden" name="next" value=(next);
            (line("text", "username", "User name", visit.form.get("username"), problems))
            (password("password", "Password", problems))
            p.actions { button type="submit" { "Log in" } }
        }
        p { "New here? " a href="/register" { "Register" } }
    }
}

fn links(visit: &Visit<'_>, member: &Member) -> Markup {
    html! {
        h2 { "Hello, " (member.draft.name) }
        ul {
            @if !visit.shop.release.links_account_everywhere() {
                li { a href="/account" { "My account" } }
            }
            li { a href="/orders" { "My orders" } }
            @if visit.shop.release.rating_form() == RatingForm::ListsBooks {
                li { a href="/rate" { "Rate a book" } }
            }
            @if member.is_admin() { li { a href="/admin" { "Administration" } } }
        }
        @if !visit.shop.release.signs_out_everywhere() { (login::log_out_button(visit, "Log out")) }
    }
}
