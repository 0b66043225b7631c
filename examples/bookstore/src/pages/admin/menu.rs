//! The frame of the administration's pages.

use maud::{Markup, html};

use crate::pages::layout;
use crate::web::Visit;

/// A part of the administration, with a menu of its own from release 7 on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    /// The first page, which leads to all others.
    Overview,
    Catalogue,
    Customers,
}

/// Where a page of the administration is.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) section: Section,
    /// The address of the page above it.
    pub(super) above: String,
}

impl Place {
    pub(super) fn new(section: Section, above: impl Into<String>) -> Place {
        Place { section, above: above.into() }
    }
}

/// Addresses and names of pages.
type Links = &'static [(&'static str, &'static str)];

/// Until release 6: every page leads to every other.
const ALL: Links = &[
    ("/admin", "Dashboard"),
    ("/admin/books", "Books"),
    ("/admin/categories", "Categories"),
    ("/admin/members", "Members"),
    ("/admin/orders", "Orders"),
];
const CATALOGUE: Links =
    &[("/admin/books", "Books"), ("/admin/books/new", "Add a book"), ("/admin/categories", "Categories")];
const CUSTOMERS: Links = &[("/admin/members", "Members"), ("/admin/orders", "Orders")];

/// A page with the administration's menu.
pub(super) fn page(
    visit: &Visit<'_>,
    place: &Place,
    title: &str,
    content: Markup,
) -> rusqlite::Result<Markup> {
    let menu = match visit.shop.release.groups_admin_menu() {
        true => grouped(place.section),
        false => html! { nav.admin { (links(ALL)) } },
    };
    layout::page(
        visit,
        title,
        html! {
            (menu)
            h1 { (title) }
            (content)
            @if visit.shop.release.has_back_buttons() { p.back { a.button href=(place.above) { "Back" } } }
        },
    )
}

/// The menu of one section; the overview has those of all.
fn grouped(section: Section) -> Markup {
    let catalogue = html! { nav.admin aria-label="Catalogue" { b { "Catalogue" } (links(CATALOGUE)) } };
    let customers = html! { nav.admin aria-label="Customers" { b { "Customers" } (links(CUSTOMERS)) } };
    let overview = html! { p.crumbs { a href="/admin" { "Overview" } } };
    match section {
        Section::Overview => html! { (catalogue) (customers) },
        Section::Catalogue => html! { (overview) (catalogue) },
        Section::Customers => html! { (overview) (customers) },
    }
}

fn links(links: Links) -> Markup {
    html! {
        @for (address, name) in links { a href=(address) { (name) } }
    }
}
