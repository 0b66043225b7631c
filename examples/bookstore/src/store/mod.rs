//! The database: its tables, what they are filled with at first, and the questions pages ask.
//!
//! One file a table (or pair of tables). Functions take the connection of the request's
//! transaction, so whatever a request does is stored as a whole or not at all.

mod books;
mod carts;
mod catalogue;
mod categories;
mod members;
mod orders;
mod passwords;
mod ratings;
mod schema;
mod search;
mod sessions;
mod statements;
mod stocking;

pub(crate) use books::{Book, BookDraft};
pub(crate) use carts::CartLine;
pub(crate) use catalogue::{CATEGORIES, COUNTRIES, MEMBERS, TITLES, rated_books};
pub(crate) use categories::Category;
pub(crate) use members::{Member, MemberDraft};
pub(crate) use orders::{DISCOUNT_FROM, EXPRESS_POSTAGE, FREE_POSTAGE_FROM, STANDARD_POSTAGE};
pub(crate) use orders::{Order, OrderDraft, OrderLine, STATUSES, Sums, Tariff};
pub(crate) use ratings::Rating;
pub(crate) use schema::open;
pub(crate) use search::{Criteria, MatchedColumns, SortBy, Wanted};
pub(crate) use sessions::{Flash, Session};
pub(crate) use statements::{Transaction, run};
