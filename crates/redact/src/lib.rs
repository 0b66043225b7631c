//! What is secret in an exchange, and the stand-ins that take its place. No I/O.
//!
//! - [`Rules`] say what is secret: by a value's name ([`names`]), by its shape ([`emails`], [`cards`], [`shapes`]), or by a project's own rules;
//! - [`StandIns`] makes of a secret a value of the same shape, the same for the same secret;
//! - [`Redactor`] finds secrets in an exchange part by part, and replaces them;
//! - [`Reveal`] puts the secrets that a replay was given back, just before they are sent.

mod cards;
mod emails;
mod fields;
mod kind;
mod known;
mod message;
mod named;
mod names;
mod redactor;
mod reveal;
mod rules;
mod shapes;
mod span;
mod spelling;
mod stand_in;
mod values;

pub use kind::Kind;
pub use message::Texts;
pub use redactor::{Finding, Redactor};
pub use reveal::Reveal;
pub use rules::{RuleError, Rules};
pub use stand_in::StandIns;
