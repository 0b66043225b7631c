//! What tells one user from another, when a session ends, and what is kept out of its replay.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use restage_model::{Exchange, PathGlob};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use crate::sessions::static_class::StaticClass;

/// How exchanges become sessions. Read from a table such as
/// `{ by = ["cookie:PHPSESSID", "ip+agent"], idle = "45m", leave-out = { classes = ["image"] } }`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct SessionRules {
    /// What tells users apart. The first that an exchange has decides; `ip+agent` comes after all.
    pub by: Vec<By>,
    /// A longer pause between two requests ends a session.
    #[serde(serialize_with = "write_duration", deserialize_with = "read_duration")]
    pub idle: Duration,
    /// What is kept out of the replay.
    pub leave_out: LeaveOut,
    /// Whether the sessions of bots are kept in.
    pub bots: bool,
    /// The application's hosts; requests to others are kept out. All are its own where none is listed.
    pub hosts: Vec<String>,
}

impl Default for SessionRules {
    fn default() -> Self {
        Self {
            by: vec![By::Cookie(None), By::IpAgent],
            idle: Duration::from_secs(45 * 60),
            leave_out: LeaveOut::default(),
            bots: false,
            hosts: Vec::new(),
        }
    }
}

/// What tells one user from another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum By {
    /// The value of this cookie; without a name, of the session cookies found in the traffic.
    Cookie(Option<String>),
    /// The client's address.
    Ip,
    /// The client's address and `User-Agent`.
    IpAgent,
    /// The value of this request header (lower case).
    Header(String),
    /// The user that the server knows: by basic authentication, or by its log.
    User,
}

/// A rule that is none.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{0}` does not tell users apart\n  hint: use cookie, cookie:NAME, user, ip, ip+agent or header:NAME"
)]
pub struct ByError(String);

impl FromStr for By {
    type Err = ByError;

    fn from_str(text: &str) -> Result<Self, ByError> {
        let unknown = || ByError(text.to_owned());
        Ok(match text.split_once(':') {
            None if text == "cookie" => Self::Cookie(None),
            None if text == "user" => Self::User,
            None if text == "ip" => Self::Ip,
            None if text == "ip+agent" => Self::IpAgent,
            Some((kind, name)) if !name.trim().is_empty() => match kind {
                "cookie" => Self::Cookie(Some(name.trim().to_owned())),
                "header" => Self::Header(name.trim().to_ascii_lowercase()),
                _ => return Err(unknown()),
            },
            _ => return Err(unknown()),
        })
    }
}

impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cookie(None) => write!(f, "cookie"),
            Self::Cookie(Some(name)) => write!(f, "cookie:{name}"),
            Self::User => write!(f, "user"),
            Self::Ip => write!(f, "ip"),
            Self::IpAgent => write!(f, "ip+agent"),
            Self::Header(name) => write!(f, "header:{name}"),
        }
    }
}

impl TryFrom<String> for By {
    type Error = ByError;

    fn try_from(text: String) -> Result<Self, ByError> {
        text.parse()
    }
}

impl From<By> for String {
    fn from(by: By) -> Self {
        by.to_string()
    }
}

/// What belongs to a session and is kept out of its replay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct LeaveOut {
    /// Kinds of static content.
    pub classes: Vec<StaticClass>,
    /// Paths, such as `/health` or `/assets/*`.
    pub paths: Vec<PathGlob>,
    /// Imported requests that nobody was answered on with success.
    pub invalid: bool,
    /// Paths of pages that are the same for everybody. A session of nothing else is no test.
    pub static_pages: Vec<PathGlob>,
}

impl Default for LeaveOut {
    fn default() -> Self {
        Self {
            classes: StaticClass::ALL.to_vec(),
            paths: Vec::new(),
            invalid: true,
            static_pages: Vec::new(),
        }
    }
}

impl LeaveOut {
    /// Keeps everything in.
    pub fn nothing() -> Self {
        Self { classes: Vec::new(), paths: Vec::new(), invalid: false, static_pages: Vec::new() }
    }

    /// Whether an exchange is kept out.
    pub fn takes(&self, exchange: &Exchange) -> bool {
        self.reason(exchange).is_some()
    }
}

fn read_duration<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    let text = String::deserialize(deserializer)?;
    humantime::parse_duration(&text).map_err(|error| {
        serde::de::Error::custom(format!("`{text}` is no duration: {error}\n  hint: write 45m, 2h or 90s"))
    })
}

fn write_duration<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&humantime::format_duration(*duration))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_written_as_they_are_read() {
        for text in ["cookie", "cookie:PHPSESSID", "user", "ip", "ip+agent", "header:x-user"] {
            assert_eq!(text.parse::<By>().unwrap().to_string(), text);
        }
        assert_eq!("header:X-User".parse(), Ok(By::Header("x-user".to_owned())));
        for text in ["", "cookies", "cookie:", "ip+", "header", "agent:x", ":x"] {
            assert!(text.parse::<By>().is_err(), "{text}");
        }
    }
}
