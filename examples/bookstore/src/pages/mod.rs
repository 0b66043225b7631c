//! The pages, one file each (or a few that belong together): what is shown, what forms do.

pub(crate) mod account;
pub(crate) mod admin;
pub(crate) mod book;
pub(crate) mod browse;
pub(crate) mod cart;
pub(crate) mod checkout;
pub(crate) mod home;
pub(crate) mod info;
pub(crate) mod login;
pub(crate) mod orders;
pub(crate) mod register;
pub(crate) mod search;

mod inputs;
mod layout;
mod listing;
mod member_form;
mod refused;
mod wording;

pub(crate) use refused::{method_not_allowed, not_found, out_of_order, refusal};
