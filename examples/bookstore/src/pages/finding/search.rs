//! Keyword search as a page of its own, until release 4.

use maud::html;

use crate::faults::Fault;
use crate::pages::books::listing;
use crate::pages::layout;
use crate::pages::wording::counted;
use crate::store::{Book, MatchedColumns};
use crate::web::{Outcome, Reply, Visit, query};

pub(crate) fn by_keyword(visit: &mut Visit<'_>) -> Outcome {
    let shop = visit.shop;
    let keyword = visit.query.get("q");
    let columns = match shop.faulty(Fault::SearchIgnoresAuthor) {
        true => MatchedColumns::TitleOnly,
        false => MatchedColumns::TitleAndAuthor,
    };
    let found = match keyword {
        "" => Vec::new(),
        keyword => Book::with_keyword(visit.db, keyword, columns)?,
    };
    let paging = listing::Paging::of(visit.query.number("page"), found.len());
    let skipped = usize::from(paging.page > 1 && shop.faulty(Fault::PagingOffByOne));
    let shown = Book::load(visit.db, paging.slice_from(&found, skipped))?;
    let kept = if shop.faulty(Fault::NextPageLosesQuery) { "a" } else { keyword };
    let title = |book: &Book| match shop.faulty(Fault::TitleEscapedTwice) {
        true => book.title.replace('&', "&amp;"),
        false => book.title.clone(),
    };
    Ok(Reply::Page(layout::page(
        visit,
        "Search",
        html! {
            h1 { "Search" }
            @if keyword.is_empty() {
                p { "Enter a word of the title or of the author's name above." }
            } @else {
                p { (counted(found.len() as i64, "book")) " found for " q { (keyword) } "." }
                (listing::rows(shop, &shown, title))
                (paging.links(|page| format!("/search?{}", query(&[("q", kept), ("page", &page.to_string())]))))
            }
            p { "Not found? Try the " a href="/search/advanced" { "advanced search" } "." }
        },
    )?))
}
