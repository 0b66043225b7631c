//! Rating a book: the form, what the book's own page has of it, and storing what it sends.

use maud::{Markup, html};

use crate::faults::Fault;
use crate::pages::inputs::{complaint, summary, token};
use crate::pages::membership::login;
use crate::release::RatingForm;
use crate::store::{Book, Rating};
use crate::web::{Outcome, Problems, Visit};

const STARS: [(&str, &str); 5] =
    [("5", "5 stars"), ("4", "4 stars"), ("3", "3 stars"), ("2", "2 stars"), ("1", "1 star")];

/// What a member says of a book.
#[derive(Debug)]
pub(super) struct Opinion {
    stars: i64,
    comment: String,
}

impl Opinion {
    /// What the form sent says, and complaints about it.
    pub(super) fn read(visit: &Visit<'_>, problems: &mut Problems) -> Option<Opinion> {
        let stars = visit.form.number("stars").filter(|stars| (1..=5).contains(stars));
        problems.expect(stars.is_some(), "stars", "Choose a number of stars.");
        let comment = visit.form.text("comment");
        problems.expect(comment.chars().count() <= 400, "comment", "A comment may have at most 400 letters.");
        stars.filter(|_| problems.none()).map(|stars| Opinion { stars, comment })
    }

    /// Stores it, and thanks on the book's page.
    pub(super) fn save(&self, visit: &Visit<'_>, member: i64, book: &Book) -> Outcome {
        if !visit.shop.faulty(Fault::RatingNotSaved) {
            let now = visit.shop.clock.stamp();
            Rating::save(visit.db, (book.id, member), self.stars, &self.comment, &now)?;
        }
        visit.go_well(format!("/book/{}", book.id), format!("Thank you for rating {}.", book.title))
    }
}

/// What a book's page has below its ratings.
pub(super) fn on_book_page(visit: &Visit<'_>, book: &Book, problems: &Problems) -> Markup {
    let here = format!("/book/{}", book.id);
    match visit.shop.release.rating_form() {
        RatingForm::OnBook if visit.member.is_none() => log_in_to_rate(visit, &here),
        RatingForm::OnBook => form(visit, &format!("{here}/rate"), "Rate this book", &html! {}, problems),
        RatingForm::ListsBooks => html! { p { "Members rate books from the home page." } },
        RatingForm::LinkedFromBook if visit.member.is_none() => log_in_to_rate(visit, &address(book)),
        RatingForm::LinkedFromBook => html! {
            p.actions { a.button href=(address(book)) { "Rate this book" } }
        },
    }
}

/// The page on which a book is rated.
fn address(book: &Book) -> String {
    format!("/rate?book={}", book.id)
}

/// The form; `book` is the field that says which book is meant, if it has one.
pub(super) fn form(
    visit: &Visit<'_>,
    action: &str,
    heading: &str,
    book: &Markup,
    problems: &Problems,
) -> Markup {
    let shop = visit.shop;
    let chosen = visit.form.get("stars");
    let longest = if shop.faulty(Fault::CommentCutShort) { "12" } else { "400" };
    html! {
        form.boxed id="rate" method="post" action=(action) {
            h3 { (heading) }
            @if !shop.faulty(Fault::RatingTokenMissing) { (token(visit)) }
            (summary(problems))
            (book)
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

/// The link for strangers, who come to `next` once they are logged in.
fn log_in_to_rate(visit: &Visit<'_>, next: &str) -> Markup {
    let next = if visit.shop.faulty(Fault::LoginForgetsPage) { "" } else { next };
    html! { p { a href=(login::address(visit.shop.release, next)) { "Log in to rate this book" } } }
}
