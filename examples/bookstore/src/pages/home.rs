//! The home page: the box for members, categories, new arrivals, the best rated.

use maud::{Markup, html};

use super::books::{browse, listing};
use super::finding::home_search;
use super::layout::{self, Frame};
use super::membership::member_box;
use super::wording::money;
use crate::faults::Fault;
use crate::store::{Book, DISCOUNT_FROM, FREE_POSTAGE_FROM};
use crate::web::{Outcome, Problems, Reply, Visit};

pub(crate) fn show(visit: &mut Visit<'_>) -> Outcome {
    Ok(Reply::Page(page(visit, &Problems::default())?))
}

/// The page, with the problems of a form to log in that was not accepted.
pub(super) fn page(visit: &Visit<'_>, problems: &Problems) -> rusqlite::Result<Markup> {
    let shop = visit.shop;
    let arrivals = Book::newest(visit.db, 8)?;
    let best = Book::best(visit.db, 5)?;
    let book_path = if shop.faulty(Fault::ArrivalsDead) { "/books/" } else { "/book/" };
    let frame = Frame { search_box: !shop.release.searches_on_home(), ..Frame::default() };
    layout::page_in(
        &frame,
        visit,
        "Welcome",
        html! {
            section.hero {
                h1 { "Good books, kindly sold" }
                p {
                    "Free delivery for orders of " (money(shop.release, FREE_POSTAGE_FROM)) " and more, 5% off from "
                    (money(shop.release, DISCOUNT_FROM)) "."
                }
            }
            div.columns {
                aside {
                    (member_box::show(visit, problems))
                    @if !shop.release.has_browse_page() {
                        h2 { "Categories" }
                        (browse::categories(visit)?)
                    }
                    h2 { "Best rated" }
                    ol.best {
                        @for book in &best {
                            li { a href={ "/book/" (book.id) } { (book.title) } " " (listing::rating(shop, book)) }
                        }
                    }
                }
                section {
                    (home_search::show(visit))
                    h2 { "New arrivals" }
                    (listing::tiles(shop, &arrivals, |book| format!("{book_path}{}", book.id)))
                }
            }
        },
    )
}
