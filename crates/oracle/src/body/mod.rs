//! Bodies that are not pages, each compared in the way of its format; `body_diff` chooses.

pub(crate) mod binary;
pub(crate) mod body_diff;
pub(crate) mod format;
pub(crate) mod json;
pub(crate) mod plain;
pub(crate) mod xml;
