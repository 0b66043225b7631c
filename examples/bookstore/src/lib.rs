//! An online bookstore: server-rendered pages, a SQLite database, server-side sessions.
//!
//! Shoppers browse, search, rate, fill a cart and order; administrators keep books, categories,
//! members and orders. Faults such as programmers make can be switched on by name, and all chance
//! and the clock can be fixed, which makes it a subject for tests of other tools.
//!
//! - [`Settings`] and [`start`] run a shop in this process; [`main_with_args`] is the whole program.
//! - [`Fault`] is the table of faults; [`Release`] which release of the shop is served.
//! - [`shoppers`] are scripted users that drive a shop over HTTP as browsers do.
//!
//! Invariant: no shop data is held in memory between requests. Every request reads what it needs
//! from the database, so another process may change the file at any time.

mod chance;
mod cli;
mod clock;
mod faults;
mod pages;
mod release;
mod server;
mod shop;
pub mod shoppers;
mod store;
mod tour;
mod web;

pub use cli::main_with_args;
pub use clock::{BadDate, Clock};
pub use faults::{Fault, FaultCategory, UnknownFault};
pub use release::{Release, UnknownRelease};
pub use server::{RunningShop, ServeError, start};
pub use shop::{Settings, ShopError};
pub use tour::{TOUR, TourStop};

/// The names and passwords of those who are members from the first day.
pub fn members() -> impl Iterator<Item = (&'static str, &'static str)> {
    store::MEMBERS.iter().map(|(name, password, ..)| (*name, *password))
}
