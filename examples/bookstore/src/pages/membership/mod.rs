//! Members: becoming one, logging in and out, one's own data.

pub(crate) mod account;
pub(crate) mod login;
pub(crate) mod password;
pub(crate) mod register;

pub(super) mod member_box;
pub(super) mod member_form;
