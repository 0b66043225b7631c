//! Books, for administrators.

use maud::{Markup, html};

use super::guard::admins_only;
use super::menu::{self, Place, Section};
use crate::faults::Fault;
use crate::pages::books::listing::Paging;
use crate::pages::inputs::{line, lines, select, summary, token};
use crate::pages::wording::{amount, counted, money};
use crate::store::{Book, BookDraft, Category};
use crate::web::{Fields, Outcome, Problems, Refusal, Reply, Visit};

pub(crate) fn list(visit: &mut Visit<'_>) -> Outcome {
    admins_only(visit)?;
    let books = Book::all(visit.db)?;
    let paging = Paging::of(visit.query.number("page"), books.len());
    let shown = Book::load(visit.db, paging.slice(&books))?;
    let grouped = visit.shop.release.groups_admin_menu();
    let content = html! {
        p {
            (counted(books.len() as i64, "book")) ". "
            @if !grouped { a.button href="/admin/books/new" { "Add a book" } }
        }
        table {
            thead { tr { th { "Title" } th { "Author" } th { "Category" } th { "Price" } th { "Stock" } th {} } }
            tbody {
                @for book in &shown {
                    tr {
                        td { a href={ "/book/" (book.id) } { (book.title) } }
                        td { (book.author) }
                        td { (book.category) }
                        td.number { (money(visit.shop.release, book.price)) }
                        td.number { (book.stock) }
                        td { a id={ "edit-" (book.id) } href={ "/admin/books/" (book.id) } { "Edit" } }
                    }
                }
            }
        }
        (paging.links(|page| format!("/admin/books?page={page}")))
        @if grouped { (running_low(visit)?) }
    };
    let place = Place::new(Section::Catalogue, "/admin");
    Ok(Reply::Page(menu::page(visit, &place, "Books", content)?))
}

pub(crate) fn new(visit: &mut Visit<'_>) -> Outcome {
    admins_only(visit)?;
    Ok(Reply::Page(page(visit, None, &Values::default(), &Problems::default())?))
}

pub(crate) fn add(visit: &mut Visit<'_>) -> Outcome {
    admins_only(visit)?;
    let (draft, problems) = read(&visit.form);
    match draft {
        Some(draft) => {
            let id = draft.add(visit.db)?;
            visit.go_well(format!("/admin/books/{id}"), format!("{} is added.", draft.title))
        }
        None => Ok(Reply::Invalid(page(visit, None, &Values::sent(&visit.form), &problems)?)),
    }
}

pub(crate) fn edit(visit: &mut Visit<'_>) -> Outcome {
    admins_only(visit)?;
    let book = asked(visit)?;
    Ok(Reply::Page(page(visit, Some(&book), &Values::of(&book), &Problems::default())?))
}

pub(crate) fn save(visit: &mut Visit<'_>) -> Outcome {
    admins_only(visit)?;
    let book = asked(visit)?;
    let (draft, problems) = read(&visit.form);
    match draft {
        Some(mut draft) => {
            if visit.shop.faulty(Fault::PriceEditNotStored) {
                draft.price = book.price;
            }
            draft.save(visit.db, book.id)?;
            visit.go_well(format!("/admin/books/{}", book.id), format!("{} is saved.", draft.title))
        }
        None => Ok(Reply::Invalid(page(visit, Some(&book), &Values::sent(&visit.form), &problems)?)),
    }
}

/// From release 7 on: asks before a book is deleted.
pub(crate) fn confirm_delete(visit: &mut Visit<'_>) -> Outcome {
    admins_only(visit)?;
    let book = asked(visit)?;
    let content = html! {
        p { "Delete " b { (book.title) } " by " (book.author) " from the shop? Its ratings go with it." }
        (delete_form(visit, &book))
        p { a href={ "/admin/books/" (book.id) } { "Keep it" } }
    };
    let place = Place::new(Section::Catalogue, format!("/admin/books/{}", book.id));
    Ok(Reply::Page(menu::page(visit, &place, "Delete a book", content)?))
}

pub(crate) fn delete(visit: &mut Visit<'_>) -> Outcome {
    admins_only(visit)?;
    let book = asked(visit)?;
    Book::delete(visit.db, book.id)?;
    visit.go_well("/admin/books", format!("{} is deleted.", book.title))
}

/// The books that should be ordered soon.
pub(super) fn running_low(visit: &Visit<'_>) -> rusqlite::Result<Markup> {
    let low = Book::running_low(visit.db, 6)?;
    Ok(html! {
        h2 { "Running low" }
        ul {
            @for book in &low {
                li { a href={ "/admin/books/" (book.id) } { (book.title) } ": " (book.stock) }
            }
        }
    })
}

fn delete_form(visit: &Visit<'_>, book: &Book) -> Markup {
    html! {
        form id="delete" method="post" action={ "/admin/books/" (book.id) "/delete" } {
            (token(visit))
            button.plain type="submit" { "Delete this book" }
        }
    }
}

/// The form's fields as text, as stored or as sent.
#[derive(Debug, Default)]
struct Values {
    title: String,
    author: String,
    category: String,
    price: String,
    pages: String,
    stock: String,
    published: String,
    blurb: String,
}

impl Values {
    fn of(book: &Book) -> Values {
        Values {
            title: book.title.clone(),
            author: book.author.clone(),
            category: book.category_id.to_string(),
            price: amount(book.price),
            pages: book.pages.to_string(),
            stock: book.stock.to_string(),
            published: book.published.clone(),
            blurb: book.blurb.clone(),
        }
    }

    fn sent(form: &Fields) -> Values {
        let sent = |name| form.get(name).to_owned();
        Values {
            title: sent("title"),
            author: sent("author"),
            category: sent("category"),
            price: sent("price"),
            pages: sent("pages"),
            stock: sent("stock"),
            published: sent("published"),
            blurb: sent("blurb"),
        }
    }
}

fn asked(visit: &Visit<'_>) -> Result<Book, Refusal> {
    Book::find(visit.db, visit.id()?)?.ok_or(Refusal::NotFound)
}

/// What the form says, if all is well with it.
fn read(form: &Fields) -> (Option<BookDraft>, Problems) {
    let mut problems = Problems::default();
    problems.expect_text(form, "title", "The title", 120);
    problems.expect_text(form, "author", "The author", 80);
    let number = |name| form.number(name).filter(|number| *number >= 0);
    let (category, price) = (form.number("category"), form.cents("price"));
    let (pages, stock) = (number("pages"), number("stock"));
    problems.expect(category.is_some(), "category", "Choose a category.");
    problems.expect(price.is_some(), "price", "Enter an amount such as 12.50.");
    problems.expect(pages.is_some(), "pages", "Enter a number.");
    problems.expect(stock.is_some(), "stock", "Enter a number.");
    let dated = form.get("published").parse::<jiff::civil::Date>().is_ok();
    problems.expect(dated, "published", "Enter a date such as 2025-03-31.");
    let draft = match (category, price, pages, stock) {
        (Some(category_id), Some(price), Some(pages), Some(stock)) if problems.none() => Some(BookDraft {
            title: form.get("title").to_owned(),
            author: form.get("author").to_owned(),
            category_id,
            price,
            pages,
            stock,
            published: form.get("published").to_owned(),
            blurb: form.text("blurb"),
        }),
        _ => None,
    };
    (draft, problems)
}

fn page(
    visit: &Visit<'_>,
    book: Option<&Book>,
    values: &Values,
    problems: &Problems,
) -> rusqlite::Result<Markup> {
    let categories: Vec<(String, String)> = Category::all(visit.db)?
        .into_iter()
        .map(|category| (category.id.to_string(), category.name))
        .collect();
    let (title, action) = match book {
        Some(book) => ("Edit a book", format!("/admin/books/{}", book.id)),
        None => ("Add a book", "/admin/books/new".to_owned()),
    };
    menu::page(
        visit,
        &Place::new(Section::Catalogue, "/admin/books"),
        title,
        html! {
            (summary(problems))
            form.boxed id="book" method="post" action=(action) {
                (token(visit))
                (line("text", "title", "Title", &values.title, problems))
                (line("text", "author", "Author", &values.author, problems))
                (select("category", "Category", &categories, &values.category, problems))
                (line("text", "price", "Price", &values.price, problems))
                (line("number", "pages", "Pages", &values.pages, problems))
                (line("number", "stock", "In stock", &values.stock, problems))
                (line("date", "published", "Published", &values.published, problems))
                (lines("blurb", "Description", &values.blurb, problems))
                p.actions {
                    button type="submit" { "Save" }
                    @if !visit.shop.release.has_back_buttons() {
                        " " a href="/admin/books" { "Back to the list" }
                    }
                }
            }
            @if let Some(book) = book {
                @if visit.shop.release.confirms_deletion() {
                    p { a href={ "/admin/books/" (book.id) "/delete" } { "Delete this book" } }
                } @else {
                    (delete_form(visit, book))
                }
            }
        },
    )
}
