//! The pages, one file each (or a few that belong together): what is shown, what forms do.

pub(crate) mod admin;
pub(crate) mod books;
pub(crate) mod buying;
pub(crate) mod finding;
pub(crate) mod home;
pub(crate) mod info;
pub(crate) mod membership;

mod guidance;
mod inputs;
mod layout;
mod refused;
mod wording;

pub(crate) use refused::{method_not_allowed, not_found, out_of_order, refusal};
