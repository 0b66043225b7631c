//! The search on author and title that the home page has (from release 8 on), in place of the box in the
//! header.

use maud::{Markup, html};

use super::search_fields::SearchFields;
use crate::faults::Fault;
use crate::pages::inputs::{line, token};
use crate::web::{Problems, Visit};

/// The form; nothing in releases that have none.
pub(crate) fn show(visit: &Visit<'_>) -> Markup {
    let problems = Problems::default();
    let method = if visit.shop.faulty(Fault::SearchFormPosts) { "post" } else { "get" };
    html! {
        @if visit.shop.release.searches_on_home() {
            form.boxed id="find-books" method=(method) action=(SearchFields::FIND.path) role="search" {
                (token(visit))
                (line("text", "author", "Author", "", &problems))
                (line("text", "title", "Title", "", &problems))
                p.actions {
                    button type="submit" { "Search" } " " a href=(SearchFields::FIND.path) { "More options" }
                }
            }
        }
    }
}
