//! Finding books by what is known of them.

pub(crate) mod criteria;
pub(crate) mod home_search;
pub(crate) mod keyword;
pub(crate) mod search;

mod search_fields;
