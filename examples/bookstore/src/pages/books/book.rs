//! A book: its data, the forms to buy and to rate it, its ratings, and what else may please.

use maud::{Markup, html};

use super::listing;
use crate::faults::Fault;
use crate::pages::inputs::{complaint, summary, tick, token};
use crate::pages::layout;
use crate::pages::membership::login;
use crate::pages::wording::{counted, date, money, stars};
use crate::store::{Book, Rating};
use crate::web::{Outcome, Problems, Refusal, Reply, Visit, query};

const STARS: [(&str, &str); 5] =
    [("5", "5 stars"), ("4", "4 stars"), ("3", "3 stars"), ("2", "2 stars"), ("1", "1 star")];

pub(crate) fn show(visit: &mut Visit<'_>) -> Outcome {
    Ok(Reply::Page(page(visit, &Problems::default())?))
}

pub(crate) fn rate(visit: &mut Visit<'_>) -> Outcome {
    let member = visit.member()?.id;
    let book = Book::find(visit.db, visit.id()?)?.ok_or(Refusal::NotFound)?;
    let stars = visit.form.number("stars").filter(|stars| (1..=5).contains(stars));
    let mut problems = Problems::default();
    problems.expect(stars.is_some(), "stars", "Choose a number of stars.");
    let comment = visit.form.text("comment");
    problems.expect(comment.chars().count() <= 400, "comment", "A comment may have at most 400 letters.");
    match stars {
        Some(stars) if problems.none() => {
            if !visit.shop.faulty(Fault::RatingNotSaved) {
                let now = visit.shop.clock.stamp();
                Rating::save(visit.db, (book.id, member), stars, &comment, &now)?;
            }
            visit.go_well(format!("/book/{}", book.id), format!("Thank you for rating {}.", book.title))
        }
        _ => Ok(Reply::Invalid(page(visit, &problems)?)),
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
                a href="/" { "Home" }
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
                    p { "by " a href={ "/search?" (query(&[("q", sought)])) } { (book.author) } }
                    p { (average(visit, &book)) }
                    p.price.large { (price(visit, book.price)) }
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
                (rating_form(visit, &book, problems))
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

fn price(visit: &Visit<'_>, cents: i64) -> String {
    let full = money(cents);
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

fn rating_form(visit: &Visit<'_>, book: &Book, problems: &Problems) -> Markup {
    let shop = visit.shop;
    let here = format!("/book/{}", book.id);
    if visit.member.is_none() {
        let next = if shop.faulty(Fault::LoginForgetsPage) { "" } else { &here };
        return html! { p { a href=(login::address(shop.release, next)) { "Log in to rate this book" } } };
    }
    let chosen = visit.form.get("stars");
    let longest = if shop.faulty(Fault::CommentCutShort) { "12" } else { "400" };
    html! {
        form.boxed id="rate" method="post" action={ (here) "/rate" } {
            h3 { "Rate this book" }
            @if !shop.faulty(Fault::RatingTokenMissing) { (token(visit)) }
            (summary(problems))
            fieldset.field {
                legend { "Your rating" }
                @for (index, (value, label)) in STARS.iter().enumerate() {
                    @let sent = if shop.faulty(Fault::RatingReversed) { STARS[4 - index].0 } else { value };
                    label.choice {
                        input type="radio" name="stars" value=(sent) checked[sent == chosen];
                        " " (label)
                    }
                }
                (complaint(problems, "stars"))
            }
            p.field {
                label for="comment" { "Comment" }
                textarea id="comment" name="comment" rows="3" cols="40" maxlength=(longest) {
                    (visit.form.get("comment"))
                }
                (complaint(problems, "comment"))
            }
            p.actions { button type="submit" { "Send rating" } }
        }
    }
}
