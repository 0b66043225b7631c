//! A book: its data, the form to buy it, its ratings, and what else may please.

use maud::{Markup, html};

use super::rating::{self, Opinion};
use super::{browse, listing};
use crate::faults::Fault;
use crate::pages::finding::keyword::KeywordSearch;
use crate::pages::inputs::{tick, token};
use crate::pages::layout;
use crate::pages::wording::{counted, date, money, stars};
use crate::store::{Book, Rating};
use crate::web::{Outcome, Problems, Refusal, Reply, Visit};

pub(crate) fn show(visit: &mut Visit<'_>) -> Outcome {
    Ok(Reply::Page(page(visit, &Problems::default())?))
}

pub(crate) fn rate(visit: &mut Visit<'_>) -> Outcome {
    let member = visit.member()?.id;
    let book = Book::find(visit.db, visit.id()?)?.ok_or(Refusal::NotFound)?;
    let mut problems = Problems::default();
    match Opinion::read(visit, &mut problems) {
        Some(opinion) => opinion.save(visit, member, &book),
        None => Ok(Reply::Invalid(page(visit, &problems)?)),
    }
}

fn page(visit: &Visit<'_>, problems: &Problems) -> Result<Markup, Refusal> {
    let shop = visit.shop;
    let book = Book::find(visit.db, visit.id()?)?.ok_or(Refusal::NotFound)?;
    let ratings = Rating::of_book(visit.db, book.id)?;
    let mut others = Book::others(visit.db, book.id)?;
    shop.chance.generator("also like", book.id).shuffle(&mut others);
    others.truncate(4);
    let others: Vec<(i64, String)> = others
        .into_iter()
        .map(|id| Ok((id, Book::title_of(visit.db, id)?)))
        .collect::<rusqlite::Result<_>>()?;
    let sought = if shop.faulty(Fault::AuthorLinkWrong) { &book.title } else { &book.author };
    Ok(layout::page(
        visit,
        &book.title,
        html! {
            p.crumbs {
                (browse::crumbs(shop.release))
                @if !shop.faulty(Fault::CrumbMissing) {
                    " › " a href={ "/category/" (book.category_id) } { (book.category) }
                }
                " › " (book.title)
            }
            article.book {
                @if !shop.faulty(Fault::CoverMissing) {
                    img.cover src={ "/static/cover-" (listing::tone(&book)) ".svg" }
                        alt={ "Cover of " (book.title) } width="180" height="260";
                }
                div {
                    h1 { (book.title) }
                    p { "by " a href=(KeywordSearch::of(shop.release).address(sought)) { (book.author) } }
                    p { (average(visit, &book)) }
                    p.price.large { (price(visit, &book)) }
                    (stock(visit, &book))
                    p.blurb { (book.blurb) }
                    dl.facts {
                        dt { "ISBN" } dd { (book.isbn) }
                        dt { "Published" } dd { (date(&book.published)) }
                        dt { "Pages" } dd { (book.pages) }
                    }
                    (buying(visit, &book))
                }
            }
            section.ratings {
                h2 { "Ratings" }
                @if ratings.is_empty() { p { "Nobody has rated this book yet." } }
                @for rating in &ratings {
                    blockquote {
                        p { b { (stars(rating.stars)) } " " (rating.by) ", " (date(&rating.rated)) }
                        @if !rating.comment.is_empty() { p { (rating.comment) } }
                    }
                }
                (rating::on_book_page(visit, &book, problems))
            }
            section.also {
                h2 { "You may also like" }
                ul {
                    @for (id, title) in &others { li { a href={ "/book/" (id) } { (title) } } }
                }
            }
        },
    )?)
}

fn average(visit: &Visit<'_>, book: &Book) -> Markup {
    let Some(average) = book.average else { return listing::rating(visit.shop, book) };
    let number = match visit.shop.faulty(Fault::AverageTruncated) {
        true => format!("{}", average as i64),
        false => format!("{average:.1}"),
    };
    html! {
        (listing::rating(visit.shop, book)) " " (number) " of 5, from " (counted(book.rated, "rating"))
    }
}

fn price(visit: &Visit<'_>, book: &Book) -> String {
    let release = visit.shop.release;
    let full = money(release, release.selling_price(book.price));
    match visit.shop.faulty(Fault::PriceWithoutZero) {
        true => full.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => full,
    }
}

fn stock(visit: &Visit<'_>, book: &Book) -> Markup {
    let in_stock = book.stock > 0;
    let class = match in_stock && !visit.shop.faulty(Fault::StockBadgeWrong) {
        true => "badge in",
        false => "badge out",
    };
    html! {
        p {
            span class=(class) {
                @if in_stock { (book.stock) " in stock" } @else { "Sold out, to be reprinted" }
            }
        }
    }
}

fn buying(visit: &Visit<'_>, book: &Book) -> Markup {
    html! {
        form.buy id="add" method="post" action="/cart/add" {
            (token(visit))
            input type="hidden" name="book" value=(book.id);
            label { "Copies " input type="number" name="quantity" value="1" min="1" max="99"; }
            (tick("gift", "Gift wrapped", false, &Problems::default()))
            button type="submit" { "Add to cart" }
        }
    }
}
