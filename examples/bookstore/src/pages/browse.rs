//! The books of a category, the best rated first. Books rated alike come in no particular order.

use maud::html;

use super::wording::counted;
use super::{layout, listing};
use crate::faults::Fault;
use crate::store::{Book, Category};
use crate::web::{Outcome, Refusal, Reply, Visit};

pub(crate) fn show(visit: &mut Visit<'_>) -> Outcome {
    let shop = visit.shop;
    let id = visit.id()?;
    let name = Category::name_of(visit.db, id)?.ok_or(Refusal::NotFound)?;
    let mut books = Book::of_category(visit.db, id)?;
    // The sort is stable: shuffling first leaves ties in the shuffled order.
    shop.chance.generator("ties", id).shuffle(&mut books);
    books.sort_by(|one, other| other.average.unwrap_or(0.0).total_cmp(&one.average.unwrap_or(0.0)));
    let paging = listing::Paging::of(visit.query.number("page"), books.len());
    let next = paging.page + usize::from(!shop.faulty(Fault::NextPageStuck));
    let address = |page: usize| format!("/category/{id}?page={page}");
    Ok(Reply::Page(layout::page(
        visit,
        &name,
        html! {
            p.crumbs { a href="/" { "Home" } " › " (name) }
            @if !shop.faulty(Fault::CategoryHeadingMissing) { h1 { (name) } }
            p { (counted(books.len() as i64, "book")) ", best rated first" }
            (listing::rows(shop, paging.slice(&books), |book| book.title.clone()))
            (paging.links_with_next(&address, next))
        },
    )?))
}
