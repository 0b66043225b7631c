//! Books: one of them with its ratings, the books of a category, and how lists of books are shown.

pub(crate) mod book;
pub(crate) mod browse;
pub(crate) mod listing;
pub(crate) mod rating_page;

mod rating;
