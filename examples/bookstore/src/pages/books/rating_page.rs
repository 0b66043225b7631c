//! The page to rate a book on (from release 4 on).

use maud::{Markup, html};

use super::rating::{self, Opinion};
use crate::pages::inputs::select;
use crate::pages::layout;
use crate::store::Book;
use crate::web::{Outcome, Problems, Reply, Visit};

pub(crate) fn form(visit: &mut Visit<'_>) -> Outcome {
    visit.member()?;
    Ok(Reply::Page(page(visit, &Problems::default())?))
}

pub(crate) fn send(visit: &mut Visit<'_>) -> Outcome {
    let member = visit.member()?.id;
    let mut problems = Problems::default();
    let book = visit.form.number("book").map(|id| Book::find(visit.db, id)).transpose()?.flatten();
    problems.expect(book.is_some(), "book", "Choose a book.");
    match (book, Opinion::read(visit, &mut problems)) {
        (Some(book), Some(opinion)) => opinion.save(visit, member, &book),
        _ => Ok(Reply::Invalid(page(visit, &problems)?)),
    }
}

fn page(visit: &Visit<'_>, problems: &Problems) -> rusqlite::Result<Markup> {
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
