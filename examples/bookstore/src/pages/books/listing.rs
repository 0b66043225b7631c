//! Lists of books, and paging through them.

use maud::{Markup, html};

use crate::faults::Fault;
use crate::pages::wording::{money, stars};
use crate::shop::Shop;
use crate::store::Book;

/// How many books a page of a list shows.
pub(crate) const PAGE_SIZE: usize = 8;

/// One page of a longer list.
#[derive(Debug)]
pub(crate) struct Paging {
    pub(crate) page: usize,
    pub(crate) pages: usize,
    size: usize,
}

impl Paging {
    /// The page asked for, within what there is.
    pub(crate) fn of(asked: Option<i64>, items: usize) -> Paging {
        Paging::sized(asked, items, PAGE_SIZE)
    }

    /// The same, of pages that show `size` items each.
    pub(crate) fn sized(asked: Option<i64>, items: usize, size: usize) -> Paging {
        let pages = items.div_ceil(size).max(1);
        let page = asked.and_then(|page| usize::try_from(page).ok()).unwrap_or(1).clamp(1, pages);
        Paging { page, pages, size }
    }

    /// The items of the page.
    pub(crate) fn slice<'a, T>(&self, items: &'a [T]) -> &'a [T] {
        self.slice_from(items, 0)
    }

    /// The items of the page, the first `skipped` of it left out.
    pub(crate) fn slice_from<'a, T>(&self, items: &'a [T], skipped: usize) -> &'a [T] {
        let first = (self.page - 1) * self.size;
        let end = (first + self.size).min(items.len());
        &items[(first + skipped).min(end)..end]
    }

    /// Links to the pages, where `address` makes one of a page's number.
    pub(crate) fn links(&self, address: impl Fn(usize) -> String) -> Markup {
        self.links_with_next(&address, self.page + 1)
    }

    /// The same, with "Next" leading to the page of that number.
    pub(crate) fn links_with_next(&self, address: &impl Fn(usize) -> String, next: usize) -> Markup {
        html! {
            @if self.pages > 1 {
                nav.paging aria-label="Pages" {
                    @if self.page > 1 { a href=(address(self.page - 1)) { "Previous" } }
                    @for page in 1..=self.pages {
                        @if page == self.page { b { (page) } } @else { a href=(address(page)) { (page) } }
                    }
                    @if self.page < self.pages { a href=(address(next)) { "Next" } }
                }
            }
        }
    }
}

/// A book's average rating.
pub(crate) fn rating(shop: &Shop, book: &Book) -> Markup {
    let Some(average) = book.average else {
        return html! { span.rating.unrated { "not yet rated" } };
    };
    let shown = average.round() as i64 - i64::from(shop.faulty(Fault::StarsOneShort));
    html! { span.rating title={ "from " (book.rated) } { (stars(shown)) } }
}

/// Books side by side, as on the home page.
pub(crate) fn tiles(shop: &Shop, books: &[Book], address: impl Fn(&Book) -> String) -> Markup {
    html! {
        ul.tiles {
            @for book in books {
                li {
                    a class={ "cover tone-" (tone(book)) } href=(address(book)) { (book.title) }
                    span.author { (book.author) }
                    span.price { (money(shop.release, shop.release.selling_price(book.price))) }
                    (rating(shop, book))
                }
            }
        }
    }
}

/// Books one below the other, with what `title` makes of each title.
pub(crate) fn rows(shop: &Shop, books: &[Book], title: impl Fn(&Book) -> String) -> Markup {
    html! {
        ol.books {
            @for book in books {
                li {
                    span class={ "spine tone-" (tone(book)) } {}
                    div {
                        (heading(shop, html! { a href={ "/book/" (book.id) } { (title(book)) } }))
                        p { "by " (book.author) ", " (book.published.get(..4).unwrap_or_default()) }
                        (rating(shop, book))
                    }
                    span.price { (money(shop.release, shop.release.selling_price(book.price))) }
                }
            }
        }
    }
}

/// The title of a book in a list.
fn heading(shop: &Shop, title: Markup) -> Markup {
    match shop.release.has_large_titles() {
        true => html! { h2 { (title) } },
        false => html! { h3 { (title) } },
    }
}

/// Which of the six cover colours a book has.
pub(crate) fn tone(book: &Book) -> i64 {
    (book.category_id - 1).rem_euclid(6) + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paging_stays_within_the_list() {
        let items: Vec<usize> = (0..20).collect();
        let last = Paging::of(Some(99), items.len());
        assert_eq!((last.page, last.pages, last.slice(&items)), (3, 3, &items[16..]));
        assert_eq!(Paging::of(Some(-1), 20).page, 1);
        assert_eq!(Paging::of(None, 0).pages, 1);
        assert_eq!(Paging::of(Some(2), 20).slice_from(&items, 1), &items[9..16]);
        assert_eq!(Paging::sized(Some(4), 20, 5).slice(&items), &items[15..]);
    }
}
