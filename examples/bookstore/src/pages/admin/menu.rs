//! The frame of the administration's pages.

use maud::{Markup, html};

use crate::pages::layout;
use crate::web::Visit;

/// A page with the administration's menu.
pub(super) fn page(visit: &Visit<'_>, title: &str, content: Markup) -> rusqlite::Result<Markup> {
    layout::page(
        visit,
        title,
        html! {
            nav.admin {
                a href="/admin" { "Dashboard" }
                a href="/admin/books" { "Books" }
                a href="/admin/categories" { "Categories" }
                a href="/admin/members" { "Members" }
                a href="/admin/orders" { "Orders" }
            }
            h1 { (title) }
            (content)
        },
    )
}
