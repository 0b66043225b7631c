//! Pages for what cannot be shown.

use maud::{DOCTYPE, Markup, html};

use super::layout;
use crate::web::{Outcome, Refusal, Visit};

pub(crate) fn not_found(_: &mut Visit<'_>) -> Outcome {
    Err(Refusal::NotFound)
}

pub(crate) fn method_not_allowed(_: &mut Visit<'_>) -> Outcome {
    Err(Refusal::WrongMethod)
}

/// The page that says why there is no other.
pub(crate) fn refusal(visit: &Visit<'_>, refusal: &Refusal) -> rusqlite::Result<Markup> {
    let (title, text) = match refusal {
        Refusal::NotFound => {
            ("Page not found", "We looked on every shelf, but there is no such page.".to_owned())
        }
        Refusal::Forbidden(why) => ("Not allowed", (*why).to_owned()),
        other => ("That did not work", format!("Sorry, {other}.")),
    };
    layout::page(
        visit,
        title,
        html! {
            h1 { (title) }
            p { (text) }
            p { a href="/" { "Back to the shop" } }
        },
    )
}

/// The page for when not even the session can be read.
pub(crate) fn out_of_order() -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head { meta charset="utf-8"; title { "Out of order - Folio & Finch" } }
            body {
                h1 { "Out of order" }
                p { "Sorry, something went wrong on our side. Please try again." }
                p { a href="/" { "Back to the shop" } }
            }
        }
    }
}
