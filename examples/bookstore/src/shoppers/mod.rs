//! Scripted shoppers, who drive a shop over HTTP as browsers do.
//!
//! A shopper keeps cookies, takes hidden fields from the page served, sends redirects on as requests
//! of their own, loads stylesheets and pictures once, and clicks only links that are on the page.
//! What a shopper wants (words, books, people) depends on the seed alone, never on what pages happen
//! to show: books are chosen by title, not by their place in a list, and recommendations are left alone.

mod browser;
mod crowd;
mod drive;
mod fill;
mod identity;
mod page;
mod personas;

pub use browser::{Exchange, ShopperError};
pub use drive::{ShopperTally, drive, drive_watched};
