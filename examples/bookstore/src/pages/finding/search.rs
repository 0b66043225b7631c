//! Keyword search and advanced search.

use maud::{Markup, html};

use crate::faults::Fault;
use crate::pages::books::listing;
use crate::pages::inputs::{line, radios, select, tick, token};
use crate::pages::layout;
use crate::pages::wording::counted;
use crate::store::{Book, Category, Criteria, MatchedColumns, SortBy, Wanted};
use crate::web::{Fields, Outcome, Problems, Reply, Visit, query};

const SORTS: [(&str, &str); 4] = [
    ("title", "Title"),
    ("price", "Price, lowest first"),
    ("-price", "Price, highest first"),
    ("newest", "Newest first"),
];

const STATES: [(&str, &str); 2] = [("all", "All books"), ("stock", "Only books in stock")];

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

pub(crate) fn advanced(visit: &mut Visit<'_>) -> Outcome {
    let mut categories = Category::all(visit.db)?;
    if visit.shop.faulty(Fault::CategoryOptionMissing) {
        categories.pop();
    }
    let mut problems = Problems::default();
    for name in ["min", "max"] {
        let fine = visit.query.given(name).is_none() || visit.query.cents(name).is_some();
        problems.expect(fine, name, "Enter an amount such as 12.50.");
    }
    let asked = visit.query.has("sort") && problems.none();
    let results = if asked {
        results(visit)?
    } else {
        html! {}
    };
    let options: Vec<(String, String)> = std::iter::once((String::new(), "Any category".to_owned()))
        .chain(categories.into_iter().map(|category| (category.id.to_string(), category.name)))
        .collect();
    let fields = &visit.query;
    Ok(Reply::Page(layout::page(
        visit,
        "Advanced search",
        html! {
            h1 { "Advanced search" }
            form.boxed id="advanced" method="get" action="/search/advanced" {
                (token(visit))
                (line("text", "title", "Title", fields.get("title"), &problems))
                (line("text", "author", "Author", fields.get("author"), &problems))
                (select("category", "Category", &options, fields.get("category"), &problems))
                (line("text", "min", "Price from", fields.get("min"), &problems))
                (line("text", "max", "Price up to", fields.get("max"), &problems))
                (radios("show", "Show", &STATES, fields.given("show").unwrap_or("all"), &problems))
                (select("sort", "Sort by", &SORTS, fields.get("sort"), &problems))
                (tick("details", "Show descriptions", fields.has("details"), &problems))
                p.actions { button type="submit" { "Find books" } " " a href="/search/advanced" { "Clear" } }
            }
            (results)
        },
    )?))
}

fn results(visit: &Visit<'_>) -> rusqlite::Result<Markup> {
    let shop = visit.shop;
    let fields = &visit.query;
    let max = fields.cents("max").map(|max| max - i64::from(shop.faulty(Fault::MaxPriceExclusive)));
    let criteria = Criteria {
        title: fields.given("title").map(str::to_owned),
        author: fields.given("author").map(str::to_owned),
        category_id: fields.number("category"),
        min_price: fields.cents("min").map(|min| shop.release.lowest_price_sold_from(min)),
        max_price: max.map(|max| shop.release.highest_price_sold_up_to(max)),
        in_stock: fields.get("show") == "stock",
    };
    let wanted = if shop.faulty(Fault::AdvancedMatchesAny) { Wanted::Any } else { Wanted::All };
    let sort = match fields.get("sort") {
        "price" if shop.faulty(Fault::PriceSortedAsText) => SortBy::PriceText,
        "price" => SortBy::PriceUp,
        "-price" => SortBy::PriceDown,
        "newest" => SortBy::Newest,
        _ => SortBy::Title,
    };
    let found = Book::matching(visit.db, &criteria, wanted, sort)?;
    let paging = listing::Paging::of(fields.number("page"), found.len());
    let shown = Book::load(visit.db, paging.slice(&found))?;
    Ok(html! {
        h2 { (counted(found.len() as i64, "book")) " found" }
        (listing::rows(shop, &shown, |book| book.title.clone()))
        @if fields.has("details") {
            dl.details {
                @for book in &shown { dt { (book.title) } dd { (book.blurb) } }
            }
        }
        (paging.links(|page| page_address(fields, page)))
    })
}

fn page_address(fields: &Fields, page: usize) -> String {
    let number = page.to_string();
    let kept = ["title", "author", "category", "min", "max", "show", "sort", "details"];
    let mut pairs: Vec<(&str, &str)> =
        kept.iter().filter_map(|name| Some((*name, fields.given(name)?))).collect();
    pairs.push(("page", &number));
    format!("/search/advanced?{}", query(&pairs))
}
