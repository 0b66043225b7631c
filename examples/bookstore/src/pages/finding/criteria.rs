//! Searching by several criteria: the advanced search and, from release 5 on, the only one, which takes
//! keywords as well.

use maud::{Markup, html};

use super::search_fields::SearchFields;
use crate::faults::Fault;
use crate::pages::books::listing;
use crate::pages::guidance::{self, Topic};
use crate::pages::inputs::{line, radios, select, tick, token};
use crate::pages::layout;
use crate::pages::wording::counted;
use crate::store::{Book, Category, SortBy, Wanted};
use crate::web::{Outcome, Problems, Reply, Visit};

const SORTS: [(&str, &str); 4] = [
    ("title", "Title"),
    ("price", "Price, lowest first"),
    ("-price", "Price, highest first"),
    ("newest", "Newest first"),
];

const STATES: [(&str, &str); 2] = [("all", "All books"), ("stock", "Only books in stock")];

pub(crate) fn advanced(visit: &mut Visit<'_>) -> Outcome {
    show(visit, &SearchFields::ADVANCED)
}

pub(crate) fn find(visit: &mut Visit<'_>) -> Outcome {
    show(visit, &SearchFields::FIND)
}

fn show(visit: &Visit<'_>, names: &SearchFields) -> Outcome {
    let mut categories = Category::all(visit.db)?;
    if visit.shop.faulty(Fault::CategoryOptionMissing) {
        categories.pop();
    }
    let mut problems = Problems::default();
    for name in [names.price_from, names.price_to] {
        let fine = visit.query.given(name).is_none() || visit.query.cents(name).is_some();
        problems.expect(fine, name, "Enter an amount such as 12.50.");
    }
    let asked = names.asked(&visit.query) && problems.none();
    let results = if asked {
        results(visit, names)?
    } else {
        html! {}
    };
    let options: Vec<(String, String)> = std::iter::once((String::new(), "Any category".to_owned()))
        .chain(categories.into_iter().map(|category| (category.id.to_string(), category.name)))
        .collect();
    let fields = &visit.query;
    Ok(Reply::Page(layout::page(
        visit,
        names.title,
        html! {
            h1 { (names.title) }
            (guidance::note(visit.shop.release, Topic::Searching))
            @if names.words.is_some() && !asked {
                p { "Enter a word of the title or of the author's name, or whatever else you know." }
            }
            form.boxed id=(names.form) method="get" action=(names.path) {
                (token(visit))
                @if let Some(words) = names.words {
                    (line("text", words, "Title or author", fields.get(words), &problems))
                }
                (line("text", "title", "Title", fields.get("title"), &problems))
                (line("text", "author", "Author", fields.get("author"), &problems))
                (select("category", "Category", &options, fields.get("category"), &problems))
                (line("text", names.price_from, "Price from", fields.get(names.price_from), &problems))
                (line("text", names.price_to, "Price up to", fields.get(names.price_to), &problems))
                (radios("show", "Show", &STATES, fields.given("show").unwrap_or("all"), &problems))
                (select("sort", "Sort by", &SORTS, fields.get("sort"), &problems))
                (tick("details", "Show descriptions", fields.has("details"), &problems))
                p.actions { button type="submit" { "Find books" } " " a href=(names.path) { "Clear" } }
            }
            (results)
        },
    )?))
}

fn results(visit: &Visit<'_>, names: &SearchFields) -> rusqlite::Result<Markup> {
    let shop = visit.shop;
    let fields = &visit.query;
    // The faults of keyword search came with it.
    let faulty = |fault| names.words.is_some() && shop.faulty(fault);
    let wanted = if shop.faulty(Fault::AdvancedMatchesAny) { Wanted::Any } else { Wanted::All };
    let sort = match fields.get("sort") {
        "price" if shop.faulty(Fault::PriceSortedAsText) => SortBy::PriceText,
        "price" => SortBy::PriceUp,
        "-price" => SortBy::PriceDown,
        "newest" => SortBy::Newest,
        _ => SortBy::Title,
    };
    let found = Book::matching(visit.db, &names.criteria(shop, fields), wanted, sort)?;
    let paging = listing::Paging::sized(fields.number("page"), found.len(), shop.release.results_per_page());
    let skipped = usize::from(paging.page > 1 && faulty(Fault::PagingOffByOne));
    let shown = Book::load(visit.db, paging.slice_from(&found, skipped))?;
    let title = |book: &Book| match faulty(Fault::TitleEscapedTwice) {
        true => book.title.replace('&', "&amp;"),
        false => book.title.clone(),
    };
    Ok(html! {
        h2 { (counted(found.len() as i64, "book")) " found" }
        (listing::rows(shop, &shown, title))
        @if fields.has("details") {
            dl.details {
                @for book in &shown { dt { (book.title) } dd { (book.blurb) } }
            }
        }
        (paging.links(|page| names.page_address(shop, fields, page)))
    })
}
