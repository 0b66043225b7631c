//! What can be done on a page of the new version in place of what a user did on the old one.
//!
//! - `offer`: something that can be done; `click`: links; `submit`: forms, filled in as the user did; `form_likeness`: which form is meant;
//!   `field_matching`: which field is which; `new_fields`: values for fields that are new;
//! - `inserted`: requests that nobody made: a way of the map, a form that was put in between;
//! - `address`: the address of a page that has another name; `request`: how all of these are written.

mod address;
mod click;
mod field_matching;
mod form_likeness;
mod inserted;
mod label;
mod new_fields;
mod offer;
mod request;
mod submit;

pub(crate) use address::translated;
pub(crate) use form_likeness::visible as visible_names;
pub(crate) use inserted::{Before, Inserted, form_between, forms_between, go_along};
pub(crate) use offer::{Asked, offers};
pub(crate) use request::without_referer;
