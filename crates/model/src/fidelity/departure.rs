//! What of an answer is not as it was recorded.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What of an answer is not as it was recorded: the most telling of all that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum Departure {
    /// There was no answer.
    NoAnswer {
        /// Why not.
        why: String,
    },
    /// Another status.
    Status {
        /// As recorded.
        was: u16,
        /// As it is.
        is: u16,
    },
    /// It leads elsewhere.
    Redirect {
        /// As recorded; none where it was no redirect.
        was: Option<String>,
        /// As it is.
        is: Option<String>,
    },
    /// Something else than a page, or than JSON.
    ContentType {
        /// As recorded.
        was: String,
        /// As it is.
        is: String,
    },
    /// An error that the server printed.
    ServerError {
        /// Its message.
        message: String,
    },
    /// A password is asked for where none was.
    LoginForm,
    /// Another title.
    Title {
        /// As recorded.
        was: String,
        /// As it is.
        is: String,
    },
    /// A heading is missing.
    Heading {
        /// As recorded.
        was: String,
    },
    /// A form is missing.
    Form {
        /// Its method, its address and its fields.
        was: String,
    },
    /// A list lacks its entries.
    Entries {
        /// The list.
        of: String,
        /// How many it had.
        was: usize,
        /// How many it has.
        is: usize,
    },
    /// A part of a JSON answer is missing, or something else.
    Member {
        /// Where it was: `$.user.name`.
        member: String,
    },
    /// A JSON answer says no where it said yes, or the other way round.
    Flag {
        /// Where: `$.ok`.
        member: String,
        /// As it is.
        is: bool,
    },
    /// A JSON answer tells of an error.
    ErrorMember {
        /// Where: `$.error`.
        member: String,
    },
    /// Too many of its words are missing, or too many are new.
    Words {
        /// How many words the recorded answer has.
        of: usize,
        /// Some that are missing.
        missing: Vec<String>,
        /// How many are missing.
        lost: usize,
        /// Some that are new.
        added: Vec<String>,
    },
    /// There is nothing in it.
    Empty,
}

impl Departure {
    /// Whether the application said that something is wrong with it, or that it is asked too much.
    pub fn is_error(&self) -> bool {
        match self {
            Self::ServerError { .. } => true,
            Self::Status { is, .. } => *is >= 500 || *is == 429,
            _ => false,
        }
    }

    /// Whether the user is asked who she is, and was not before.
    pub fn asks_for_login(&self) -> bool {
        match self {
            Self::LoginForm => true,
            Self::Status { was, is } => *was < 400 && matches!(is, 401 | 407),
            _ => false,
        }
    }
}

impl Departure {
    /// Whether the user is turned away. It may be that she is not who she was; or a token was wrong.
    pub fn turns_away(&self) -> bool {
        matches!(self, Self::Status { was, is: 403 } if *was < 400)
    }
}

impl fmt::Display for Departure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let some =
            |words: &[String]| words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ");
        match self {
            Self::NoAnswer { why } => write!(f, "no answer: {why}"),
            Self::Status { was, is } => write!(f, "status {is}, was {was}"),
            Self::Redirect { was: Some(was), is: Some(is) } => write!(f, "redirects to {is}, was {was}"),
            Self::Redirect { was: Some(was), is: None } => write!(f, "no redirect, was to {was}"),
            Self::Redirect { was: None, is } => {
                write!(f, "redirects to {}, was no redirect", is.as_deref().unwrap_or("nowhere"))
            }
            Self::ContentType { was, is } => write!(f, "{is}, was {was}"),
            Self::ServerError { message } => write!(f, "the server printed an error: {message}"),
            Self::LoginForm => f.write_str("asks for a password, which the recorded answer did not"),
            Self::Title { was, is } => write!(f, "title \"{is}\", was \"{was}\""),
            Self::Heading { was } => write!(f, "the heading \"{was}\" is missing"),
            Self::Form { was } => write!(f, "the form {was} is missing"),
            Self::Entries { of, was, is } => write!(f, "{is} entries in {of}, were {was}"),
            Self::Member { member } => write!(f, "{member} is missing"),
            Self::Flag { member, is } => write!(f, "{member} is {is}, was {}", !is),
            Self::ErrorMember { member } => write!(f, "tells of an error in {member}"),
            Self::Words { of, missing, lost, .. } if *lost > 0 => {
                write!(f, "{lost} of {of} words are missing: {}", some(missing))
            }
            Self::Words { added, .. } => write!(f, "has many words that were not there: {}", some(added)),
            Self::Empty => f.write_str("an empty answer"),
        }
    }
}
