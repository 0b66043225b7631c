//! Instructions for those who are new here (from release 6 on): a note on top of each form that needs
//! one, and more answers on the help page.

use maud::{Markup, html};

use crate::release::Release;

/// Something that visitors ask about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Topic {
    Registering,
    Searching,
    Cart,
    Quantity,
    CheckingOut,
    Rating,
    Account,
}

/// The note on a topic; nothing in releases that give none.
pub(super) fn note(release: Release, topic: Topic) -> Markup {
    html! {
        @if release.gives_guidance() { p.guidance { (text(topic)) } }
    }
}

/// The topics of the help page, each with the id of its section and its question.
pub(super) fn answers(release: Release) -> Vec<(&'static str, &'static str, &'static str)> {
    if !release.gives_guidance() {
        return Vec::new();
    }
    vec![
        ("finding", "How do I find a book?", text(Topic::Searching)),
        ("quantity", "How do I order more copies?", text(Topic::Cart)),
        ("account", "How do I change my address or my password?", text(Topic::Account)),
        ("leaving", "How do I sign out?", "Choose \"Sign out\" on top of any page."),
    ]
}

fn text(topic: Topic) -> &'static str {
    match topic {
        Topic::Registering => {
            "A user name has letters and digits only; a password has at least 6 letters. Your books are sent \
             to the address that you give here, unless you name another one when you order."
        }
        Topic::Searching => {
            "One word of the title or of the author's name is enough. All that you fill in must fit: leave \
             empty what you do not know."
        }
        Topic::Cart => {
            "Choose \"Change quantity\" beside a book to order more copies of it, or to remove it."
        }
        Topic::Quantity => "Up to 99 copies of a book can be ordered at once.",
        Topic::CheckingOut => {
            "Check where we are to deliver, choose how to pay, and accept our terms. Nothing is ordered before \
             you choose \"Place order\"."
        }
        Topic::Rating => {
            "One star is the least, five are the most. If you rated this book before, the new rating takes the \
             place of the old one."
        }
        Topic::Account => "Log in, open \"My account\" and choose what you want to change.",
    }
}
