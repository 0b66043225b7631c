//! Browsing: the categories, and the books of each, the best rated first. Books rated alike come in no
//! particular order.

use maud::{Markup, html};

use super::listing;
use crate::faults::Fault;
use crate::pages::layout;
use crate::pages::wording::counted;
use crate::release::Release;
use crate::store::{Book, Category};
use crate::web::{Outcome, Refusal, Reply, Visit};

/// The page of all categories (from release 9 on).
pub(crate) fn index(visit: &mut Visit<'_>) -> Outcome {
    let content = html! {
        p.crumbs { a href="/" { "Home" } " › Browse" }
        h1 { "Browse" }
        p { "All our books, by what they are about." }
        (categories(visit)?)
    };
    Ok(Reply::Page(layout::page(visit, "Browse", content)?))
}

/// The list of all categories.
pub(crate) fn categories(visit: &Visit<'_>) -> rusqlite::Result<Markup> {
    let shifted = i64::from(visit.shop.faulty(Fault::HomeCategoryWrong));
    Ok(html! {
        ul.categories {
            @for category in &Category::all(visit.db)? {
                li {
                    a href={ "/category/" (category.id + shifted) } { (category.name) }
                    " " span.count { "(" (category.books) ")" }
                }
            }
        }
    })
}

/// The way from the home page to a category.
pub(super) fn crumbs(release: Release) -> Markup {
    html! {
        a href="/" { "Home" }
        @if release.has_browse_page() { " › " a href="/browse" { "Browse" } }
    }
}

pub(crate) fn show(visit: &mut Visit<'_>) -> Outcome {
    let shop = visit.shop;
    let id = visit.id()?;
    let name = Category::name_of(visit.db, id)?.ok_or(Refusal::NotFound)?;
    let mut books = Book::of_category(visit.db, id)?;
    // The sort is stable: shuffling first leaves ties in the shuffled order.
    shop.chance.generator("ties", id).shuffle(&mut books);
    books.sort_by(|(_, one), (_, other)| other.unwrap_or(0.0).total_cmp(&one.unwrap_or(0.0)));
    let books: Vec<i64> = books.into_iter().map(|(book, _)| book).collect();
    let paging = listing::Paging::of(visit.query.number("page"), books.len());
    let shown = Book::load(visit.db, paging.slice(&books))?;
    let next = paging.page + usize::from(!shop.faulty(Fault::NextPageStuck));
    let address = |page: usize| format!("/category/{id}?page={page}");
    Ok(Reply::Page(layout::page(
        visit,
        &name,
        html! {
            p.crumbs { (crumbs(shop.release)) " › " (name) }
            @if !shop.faulty(Fault::CategoryHeadingMissing) { h1 { (name) } }
            p { (counted(books.len() as i64, "book")) ", best rated first" }
            (listing::rows(shop, &shown, |book| book.title.clone()))
            (paging.links_with_next(&address, next))
        },
    )?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store;

    #[test]
    fn every_page_lists_at_least_five_books_rated_alike() {
        let folder = tempfile::tempdir().unwrap();
        let db = store::open(&folder.path().join("shop.db")).unwrap();
        for category in Category::all(&db).unwrap() {
            let mut books = Book::of_category(&db, category.id).unwrap();
            books.sort_by_key(|(_, average)| average.is_none());
            assert!(books.len() > listing::PAGE_SIZE, "{} has one page only", category.name);
            for page in books.chunks(listing::PAGE_SIZE) {
                let unrated = page.iter().filter(|(_, average)| average.is_none()).count();
                assert!(unrated >= 5, "{unrated} in {}", category.name);
            }
        }
    }
}
