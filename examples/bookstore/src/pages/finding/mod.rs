//! Finding books by what is known of them.

pub(crate) mod search;
