//! The kinds of secrets.

use std::fmt;

/// What kind of secret a value is. It decides how its stand-in looks, and how it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// What a user types to prove who they are.
    Password,
    /// The number of a payment card.
    Card,
    /// An e-mail address.
    Email,
    /// What an authorization header or a key to a programming interface holds.
    Authorization,
    /// The id of a session, in a cookie or an address.
    Session,
    /// A token against forged requests, or any other that is drawn at random.
    Token,
    /// A value that a rule of the project calls secret.
    Rule,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Password => "password",
            Self::Card => "card number",
            Self::Email => "e-mail address",
            Self::Authorization => "authorization",
            Self::Session => "session id",
            Self::Token => "token",
            Self::Rule => "value of a rule in [redact]",
        })
    }
}
