//! A browser without a screen: what a replay does with pages, and a spider can do too.
//!
//! - `client`: one keep-alive connection to one address, and to nothing else;
//! - `cookie_jar`: the cookies that a server gave, and which of them a request carries;
//! - `address`: what an address on a page means; `redirect`: where a response sends the browser, and with what method;
//! - `loaded_page`: a page at its address, with the links and forms that it offers;
//! - `payload`: what a request carries besides its address: a form, a multipart form, JSON;
//! - `link_match`: which link of another version of a page is the one that was followed;
//! - `form_match`: which form of a page a request is a submission of, and which form of another version that is;
//!   `form_shape`: what a form is known by; `form_button`: its buttons; `form_fill`: that form, filled in as the first one was;
//! - `alike`: which of several things that look alike is meant, by its id, the text beside it, or its place;
//! - `likeness`: when two texts or addresses are the same thing, though a time or an id in them has changed.
//!
//! Invariants: a client sends to the address it was given, and follows nothing by itself; nothing here knows of
//! recordings, stores or runs.

mod address;
mod alike;
mod client;
mod cookie_jar;
mod form_button;
mod form_fill;
mod form_match;
mod form_shape;
mod likeness;
mod link_match;
mod loaded_page;
mod payload;
mod redirect;

pub use address::{address_of, is_html, local_uri, request_uri, same_address};
pub use client::{Client, Fetched, NoAnswer};
pub use cookie_jar::{Cookie, CookieJar};
pub use form_button::live_button;
pub use form_fill::{FilledForm, fill_form};
pub use form_match::{MatchedForm, SubmittedForm, button_target, matching_form, submitted_form};
pub use likeness::{without_ids, without_numbers};
pub use link_match::{Click, matching_link, matching_resource};
pub use loaded_page::LoadedPage;
pub use payload::Payload;
pub use redirect::{may_follow, redirect_target};
