//! The scripts: what kinds of shoppers do, each a function over a [`Shopper`].

mod customers;
mod mistakes;
mod staff;
mod visitors;

use super::browser::{Browser, Step};
use super::crowd::{Account, Crowd};
use crate::store::{CATEGORIES, TITLES, rated_books};

/// Someone with a browser, intentions that depend on the seed, and knowledge of the crowd.
pub(super) struct Shopper<'s, 'b> {
    pub(super) browser: &'s mut Browser<'b>,
    pub(super) rng: fastrand::Rng,
    pub(super) crowd: &'s mut Crowd,
}

/// What a kind of shopper does in a session.
pub(super) type Script = fn(&mut Shopper<'_, '_>) -> Step;

/// Every kind, in the order in which they come; then from the beginning again.
pub(super) const PERSONAS: [Script; 16] = [
    visitors::browses,
    visitors::searches,
    customers::registers,
    customers::buys,
    visitors::searches_advanced,
    customers::rates,
    staff::keeps_books,
    customers::comes_back,
    mistakes::mistypes,
    customers::edits_account,
    visitors::reads_help,
    staff::keeps_categories,
    customers::buys_much,
    mistakes::strays,
    staff::keeps_orders,
    customers::orders_before_login,
];

impl Shopper<'_, '_> {
    /// A book of the shop, by id.
    fn any_book(&mut self) -> i64 {
        self.rng.i64(1..=TITLES.len() as i64)
    }

    /// A category, by its place from 0, and a book of it that its first page surely shows.
    fn category_and_book(&mut self) -> (usize, i64) {
        let category = self.rng.usize(..CATEGORIES.len());
        let rated = rated_books(category);
        (category, rated[self.rng.usize(..rated.len())])
    }

    fn one_of<'t>(&mut self, choices: &[&'t str]) -> &'t str {
        choices[self.rng.usize(..choices.len())]
    }

    /// Finds a book by its title in the search box, and opens it.
    fn find_book(&mut self, book: i64) -> Step {
        self.browser.submit("search", &[("q", title(book))])?;
        self.browser.click_or_open(title(book), &format!("/book/{book}"))
    }

    fn log_in(&mut self, account: &Account) -> Step {
        self.browser.click("Log in")?;
        self.enter(account)
    }

    /// Fills in the log-in form that is shown.
    fn enter(&mut self, account: &Account) -> Step {
        let wishes = [("username", account.username.as_str()), ("password", account.password.as_str())];
        self.browser.submit("login", &wishes).map(drop)
    }

    fn log_out(&mut self) -> Step {
        self.browser.submit("logout", &[]).map(drop)
    }
}

/// The title that a book has from the first day.
fn title(book: i64) -> &'static str {
    TITLES[book as usize - 1].0
}

/// The author of a book.
fn author(book: i64) -> &'static str {
    TITLES[book as usize - 1].1
}
