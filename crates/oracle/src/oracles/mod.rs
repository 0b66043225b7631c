//! Oracle expressions over comparators (`C-WD | N+I`), and which one judges which key.

pub(crate) mod expression;
pub(crate) mod parser;
pub(crate) mod rules;
