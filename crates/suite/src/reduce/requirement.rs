//! What a reduction keeps.

use std::fmt;
use std::str::FromStr;

/// What a reduction keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Requirement {
    /// Each key.
    #[default]
    Key,
    /// Each two keys that follow one another in a session, the beginning and its first key among them.
    KeyPairs,
    /// Each key with the name of each parameter, and whether that was left empty; fields of JSON and multipart bodies,
    /// too.
    Params,
    /// Each key with each value of each parameter, and with each path. Tokens count as one value.
    Values,
    /// Each line of the application that was run.
    Lines,
    /// Each function of the application that was run.
    Functions,
    /// Each branch of the application that was taken.
    Branches,
}

impl Requirement {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Key, Self::KeyPairs, Self::Params, Self::Values, Self::Lines, Self::Functions, Self::Branches];

    /// Its name in commands.
    pub fn name(self) -> &'static str {
        match self {
            Self::Key => "key",
            Self::KeyPairs => "key-pairs",
            Self::Params => "params",
            Self::Values => "values",
            Self::Lines => "lines",
            Self::Functions => "functions",
            Self::Branches => "branches",
        }
    }

    /// Which kinds of facts it is told by, as `--facts` names them; none where it is in the requests.
    pub fn facts(self) -> &'static str {
        match self {
            Self::Branches => "branches",
            Self::Lines | Self::Functions => "lines",
            Self::Key | Self::KeyPairs | Self::Params | Self::Values => "",
        }
    }

    /// Whether it is in the requests, and not in what the application did for them.
    pub fn is_in_requests(self) -> bool {
        matches!(self, Self::Key | Self::KeyPairs | Self::Params | Self::Values)
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Requirement {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|kind| kind.name() == text).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("`{text}` is nothing that a reduction can keep\n  hint: one of {names}")
        })
    }
}
