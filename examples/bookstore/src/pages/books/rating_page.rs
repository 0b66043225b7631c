//! The page to rate a book on (from release 4 on). Release 4 has a list to choose the book from; later,
//! the book's own page leads here and says which one it is.

use maud::{Markup, html};

use super::rating::{self, Opinion};
use crate::pages::guidance::{self, Topic};
use crate::pages::inputs::select;
use crate::pages::layout;
use crate::store::{Book, Flash};
use crate::web::{Fields, Outcome, Problems, Refusal, Reply, Visit};

/// Release 4: any book, from a list.
pub(crate) fn list(visit: &mut Visit<'_>) -> Outcome {
    visit.member()?;
    Ok(Reply::Page(list_page(visit, &Problems::default())?))
}

pub(crate) fn send_from_list(visit: &mut Visit<'_>) -> Outcome {
    let member = visit.member()?.id;
    let mut problems = Problems::default();
    problems.expect(visit.form.given("book").is_some(), "book", "Choose a book.");
    match Opinion::read(visit, &mut problems) {
        Some(opinion) => opinion.save(visit, member, &asked(visit, &visit.form)?),
        None => Ok(Reply::Invalid(list_page(visit, &problems)?)),
    }
}

/// From release 5 on: the book whose page one comes from.
pub(crate) fn form(visit: &mut Visit<'_>) -> Outcome {
    visit.member()?;
    if !visit.query.has("book") {
        return visit.go("/", Flash::Bad("Open the page of a book to rate it.".to_owned()));
    }
    Ok(Reply::Page(book_page(visit, &asked(visit, &visit.query)?, &Problems::default())?))
}

pub(crate) fn send(visit: &mut Visit<'_>) -> Outcome {
    let member = visit.member()?.id;
    let book = asked(visit, &visit.form)?;
    let mut problems = Problems::default();
    match Opinion::read(visit, &mut problems) {
        Some(opinion) => opinion.save(visit, member, &book),
        None => Ok(Reply::Invalid(book_page(visit, &book, &problems)?)),
    }
}

/// The book that the fields name.
fn asked(visit: &Visit<'_>, fields: &Fields) -> Result<Book, Refusal> {
    let id = fields.number("book").ok_or(Refusal::NotFound)?;
    Book::find(visit.db, id)?.ok_or(Refusal::NotFound)
}

fn list_page(visit: &Visit<'_>, problems: &Problems) -> rusqlite::Result<Markup> {
    let books = Book::load(visit.db, &Book::all(visit.db)?)?;
    let named = books.iter().map(|book| (book.id.to_string(), format!("{}, {}", book.title, book.author)));
    let options: Vec<(String, String)> =
        std::iter::once((String::new(), "Choose a book".to_owned())).chain(named).collect();
    let field = select("book", "Book", &options, visit.form.get("book"), problems);
    layout::page(
        visit,
        "Rate a book",
        html! {
            h1 { "Rate a book" }
            (rating::form(visit, "/rate", "Your opinion", &field, problems))
        },
    )
}

fn book_page(visit: &Visit<'_>, book: &Book, problems: &Problems) -> rusqlite::Result<Markup> {
    let field = html! { input type="hidden" name="book" value=(book.id); };
    layout::page(
        visit,
        "Rate a book",
        html! {
            p.crumbs { a href={ "/book/" (book.id) } { (book.title) } " › Rate" }
            h1 { "Rate " (book.title) }
            (guidance::note(visit.shop.release, Topic::Rating))
            (rating::form(visit, "/rate", "Your opinion", &field, problems))
        },
    )
}
