//! What all pages share: head, header with the search box, message, footer.

use maud::{DOCTYPE, Markup, html};

use super::finding::keyword::KeywordSearch;
use super::inputs::token;
use super::membership::login;
use super::wording::today;
use crate::faults::Fault;
use crate::store::{CartLine, Flash};
use crate::web::Visit;

/// What surrounds the content of a page.
#[derive(Debug)]
pub(super) struct Frame {
    /// With the stylesheet.
    pub(super) styled: bool,
    /// With the search box in the header.
    pub(super) search_box: bool,
}

impl Default for Frame {
    fn default() -> Self {
        Frame { styled: true, search_box: true }
    }
}

/// A whole page.
pub(super) fn page(visit: &Visit<'_>, title: &str, content: Markup) -> rusqlite::Result<Markup> {
    page_in(&Frame::default(), visit, title, content)
}

/// A whole page in a frame of its own.
pub(super) fn page_in(
    frame: &Frame,
    visit: &Visit<'_>,
    title: &str,
    content: Markup,
) -> rusqlite::Result<Markup> {
    let header = header(frame, visit)?;
    Ok(html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " - Folio & Finch" }
                @if frame.styled { link rel="stylesheet" href="/static/style.css"; }
                link rel="icon" type="image/svg+xml" href="/favicon.ico";
            }
            body {
                (header)
                main {
                    @match &visit.session.flash {
                        Some(Flash::Good(text)) => p.flash.good role="status" { (text) },
                        Some(Flash::Bad(text)) => p.flash.bad role="alert" { (text) },
                        None => {}
                    }
                    (content)
                }
                (footer(visit))
            }
        }
    })
}

fn header(frame: &Frame, visit: &Visit<'_>) -> rusqlite::Result<Markup> {
    let (copies, titles) = CartLine::count(visit.db, visit.session.id)?;
    let in_cart = if visit.shop.faulty(Fault::CartCountsLines) { titles } else { copies };
    Ok(html! {
        header.site {
            a.brand href="/" { img src="/static/logo.svg" alt="Folio & Finch" width="190" height="44"; }
            @if frame.search_box { (search_box(visit)) }
            nav.who {
                a.basket href="/cart" { "Cart (" (in_cart) ")" }
                @if visit.shop.release.has_member_box() { (few_links(visit)) } @else { (member_links(visit)) }
            }
        }
    })
}

fn search_box(visit: &Visit<'_>) -> Markup {
    let release = visit.shop.release;
    let search = KeywordSearch::of(release);
    let method = if visit.shop.faulty(Fault::SearchFormPosts) { "post" } else { "get" };
    html! {
        form.search id="search" method=(method) action=(search.path) role="search" {
            (token(visit))
            input type="search" name=(search.field) placeholder="Title or author" aria-label="Title or author"
                value=(visit.query.get(search.field));
            button type="submit" { "Search" }
            @if release.has_one_search() {
                a href=(search.path) { "More options" }
            } @else {
                a href="/search/advanced" { "Advanced search" }
            }
        }
    }
}

/// Release 1: everything of a member is in the header.
fn member_links(visit: &Visit<'_>) -> Markup {
    html! {
        @match &visit.member {
            Some(member) => {
                @if member.is_admin() { a href="/admin" { "Administration" } }
                a href="/orders" { "My orders" }
                a href="/account" { "My account" }
                (login::log_out_button(visit, &format!("Log out {}", member.username)))
            }
            None => {
                a href="/login" { "Log in" }
                a href="/register" { "Register" }
            }
        }
    }
}

/// From release 2 on: what the box on the home page leaves to the header.
fn few_links(visit: &Visit<'_>) -> Markup {
    html! {
        @if visit.shop.release.has_browse_page() { a href="/browse" { "Browse" } }
        @match &visit.member {
            Some(member) => {
                @if visit.shop.release.links_account_everywhere() { a href="/account" { "My account" } }
                span.signed-in { "Logged in as " (member.username) }
                @if visit.shop.release.signs_out_everywhere() { (login::log_out_button(visit, "Sign out")) }
            },
            None => a href={ (login::address_from(visit)) "#login" } { "Log in" },
        }
    }
}

fn footer(visit: &Visit<'_>) -> Markup {
    let help = if visit.shop.faulty(Fault::HelpLinkDead) { "/hlep" } else { "/help" };
    html! {
        footer.site {
            p.today { (today(visit.shop)) }
            nav {
                a href="/" { "Home" }
                a href="/about" { "About us" }
                a href=(help) { "Help" }
            }
            p { "Folio & Finch, booksellers. Release " (visit.shop.release.number()) "." }
        }
    }
}
