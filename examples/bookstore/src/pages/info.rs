//! About the shop, and help.

use maud::html;

use super::guidance;
use super::layout::{self, Frame};
use super::membership::login;
use super::wording::money;
use crate::faults::Fault;
use crate::release::RatingForm;
use crate::store::{COUNTRIES, Category, EXPRESS_POSTAGE, FREE_POSTAGE_FROM, STANDARD_POSTAGE};
use crate::web::{Outcome, Reply, Visit};

pub(crate) fn about(visit: &mut Visit<'_>) -> Outcome {
    let categories = Category::all(visit.db)?;
    let books: i64 = categories.iter().map(|category| category.books).sum();
    Ok(Reply::Page(layout::page(
        visit,
        "About us",
        html! {
            h1 { "About us" }
            p { "Folio & Finch has sold books since 1987, first from a barrow, now from here. We keep "
                (books) " titles in " (categories.len()) " categories, and have read most of them." }
            h2 { "Where to find us" }
            address { "12 Quill Street" br; "Bookham BK1 2AB" br; "Open Monday to Saturday, 9 to 18" }
            p { "We deliver to " (COUNTRIES.join(", ")) "." }
            p { "Questions? See our " a href="/help" { "help page" } "." }
        },
    )?))
}

pub(crate) fn help(visit: &mut Visit<'_>) -> Outcome {
    let release = visit.shop.release;
    let frame = Frame { styled: !visit.shop.faulty(Fault::HelpUnstyled), ..Frame::default() };
    let rating = match release.rating_form() {
        RatingForm::OnBook => "use the form on the book's page",
        RatingForm::LinkedFromBook => "choose \"Rate this book\" on the book's page",
        RatingForm::ListsBooks => "choose \"Rate a book\" on the home page",
    };
    let more = guidance::answers(release);
    let content = html! {
        h1 { "Help" }
        ul.contents {
            li { a href="#ordering" { "How do I order?" } }
            li { a href="#delivery" { "What does delivery cost?" } }
            li { a href="#rating" { "How do I rate a book?" } }
            @for (id, question, _) in &more { li { a href={ "#" (id) } { (question) } } }
        }
        h2 id="ordering" { "How do I order?" }
        p { "Put books in your " a href="/cart" { "cart" } ", then check out. You need an account: "
            a href="/register" { "register here" } "." }
        h2 id="delivery" { "What does delivery cost?" }
        table {
            tr { th { "Delivery" } th { "Cost" } }
            tr { td { "Standard, 3 to 5 days" } td {
                    (money(release, STANDARD_POSTAGE)) "; free from " (money(release, FREE_POSTAGE_FROM))
                } }
            tr { td { "Express, next day" } td { (money(release, EXPRESS_POSTAGE)) } }
        }
        h2 id="rating" { "How do I rate a book?" }
        p { a href=(login::address(release, "")) { "Log in" } " and " (rating) "." }
        @for (id, question, answer) in &more { h2 id=(id) { (question) } p { (answer) } }
    };
    Ok(Reply::Page(layout::page_in(&frame, visit, "Help", content)?))
}
