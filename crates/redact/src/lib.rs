//! What is secret in an exchange, and the stand-ins that take its place. No I/O.
//!
//! - [`Rules`] say what is secret: by a value's name (`secret_names`), by its shape (`emails`, `cards`, `token_shapes`), or by a project's own rules;
//! - [`StandIns`] makes of a secret a value of the same shape, the same for the same secret;
//! - [`Redactor`] finds secrets in an exchange part by part, and replaces them;
//! - `statement`: statements to databases, with their bound values;
//! - [`Cover`] replaces them in what others get to see of a replay, also those that the application drew for it;
//! - [`Reveal`] puts the secrets that a replay was given back, just before they are sent.

mod candidates;
mod cards;
mod cover;
mod cut_secrets;
mod emails;
mod encoding;
mod known_secrets;
mod message;
mod named_values;
mod password_fields;
mod redactor;
mod reveal;
mod rules;
mod secret_kind;
mod secret_names;
mod span;
mod stand_in;
mod statement;
mod token_shapes;

pub use cover::Cover;
pub use message::Texts;
pub use password_fields::PasswordFields;
pub use redactor::{Finding, Redactor};
pub use reveal::Reveal;
pub use rules::{RuleError, Rules};
pub use secret_kind::Kind;
pub use secret_names::is_password_name;
pub use stand_in::StandIns;
