//! The administration, for members of the role `admin`.

pub(crate) mod books;
pub(crate) mod categories;
pub(crate) mod dashboard;
pub(crate) mod members;
pub(crate) mod orders;

mod guard;
mod menu;
