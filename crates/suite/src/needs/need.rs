//! One session's need of another, and how it is said.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use restage_model::Groups;
use serde::{Deserialize, Serialize};

/// Why a session needs another, the plainest first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "by")]
pub enum Why {
    /// It logs in with an account that the other registered.
    Account {
        /// What it logs in as.
        value: String,
        /// Where the account is: `members, row 12`.
        place: String,
    },
    /// It asks for something that the other made.
    Address {
        /// The path.
        path: String,
        /// Where it is.
        place: String,
    },
    /// It sends a cookie that the other was given.
    Cookie {
        /// The cookie's name.
        name: String,
        /// Where it is kept.
        place: String,
    },
    /// It sends a value that the other wrote first.
    Value {
        /// The parameter's name.
        name: String,
        /// What it sends.
        value: String,
        /// Where the value is.
        place: String,
    },
    /// It writes a row that refers to one of the other's.
    Refers {
        /// The row that refers: `order_id of order_lines`.
        from: String,
        /// The row referred to.
        place: String,
    },
    /// It changes or removes what the other wrote.
    Changes {
        /// Whether it is gone then.
        removes: bool,
        /// What it is: a row or a file.
        place: String,
    },
    /// It uses what the other added to, or changed.
    Part {
        /// What it uses: `games, row 3`.
        whole: String,
        /// What the other added; none where it changed the whole.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        place: Option<String>,
    },
    /// It is shown a text that the other wrote first.
    Shown {
        /// The text, or its beginning.
        text: String,
        /// Where it is.
        place: String,
        /// Which step shows it, from 1.
        step: usize,
    },
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Account { value, place } => {
                write!(f, "it logs in as \"{value}\", an account that {{other}} registered ({place})")
            }
            Self::Address { path, place } => write!(f, "it asks for {path}, which {{other}} made ({place})"),
            Self::Cookie { name, place } => {
                write!(f, "it sends the cookie {name}, which {{other}} was given ({place})")
            }
            Self::Value { name, value, place } => {
                write!(f, "it sends \"{value}\" as {name}, which {{other}} wrote first ({place})")
            }
            Self::Refers { from, place } => write!(f, "it writes {from}, of what {{other}} added ({place})"),
            Self::Changes { removes: true, place } => write!(f, "it removes what {{other}} wrote ({place})"),
            Self::Changes { removes: false, place } => write!(f, "it changes what {{other}} wrote ({place})"),
            Self::Part { whole, place: Some(place) } => {
                write!(f, "it uses {whole}, to which {{other}} added ({place})")
            }
            Self::Part { whole, place: None } => write!(f, "it uses {whole}, which {{other}} changed"),
            Self::Shown { text, place, step } => {
                write!(f, "its step {step} shows \"{text}\", which {{other}} wrote first ({place})")
            }
        }
    }
}

/// A session's need of an earlier one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Need {
    /// The session.
    pub session: String,
    /// The one it needs.
    pub needs: String,
    /// Why, the plainest first; never empty.
    pub why: Vec<Why>,
}

impl fmt::Display for Need {
    /// `s7 needs s2: it logs in as "anna", an account that s2 registered (users, row 12)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = self.why.first().map(ToString::to_string).unwrap_or_default();
        write!(f, "{} needs {}: {}", self.session, self.needs, why.replace("{other}", &self.needs))
    }
}

/// Which sessions need which.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Needs {
    /// All needs, by session and then by the one needed, in the order of the suite. Each is of an earlier session.
    pub all: Vec<Need>,
    /// The sessions that were replayed together: who needs one of them needs all.
    pub groups: Groups,
}

impl Needs {
    /// What a session itself needs.
    pub fn of<'a>(&'a self, session: &'a str) -> impl Iterator<Item = &'a Need> {
        self.all.iter().filter(move |need| need.session == session)
    }

    /// The sessions that these need, and those need, and so on, with all that met one of them; without these themselves.
    pub fn needed_by<'a>(&'a self, sessions: impl IntoIterator<Item = &'a str>) -> BTreeSet<&'a str> {
        let mut by: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for need in &self.all {
            by.entry(&need.session).or_default().push(&need.needs);
        }
        let asked: BTreeSet<&str> = sessions.into_iter().collect();
        let mut open: Vec<&str> = asked.iter().copied().collect();
        let mut needed = BTreeSet::new();
        while let Some(session) = open.pop() {
            let met = self.groups.of_session(session).unwrap_or_default().iter().map(String::as_str);
            for other in by.get(session).into_iter().flatten().copied().chain(met) {
                if needed.insert(other) {
                    open.push(other);
                }
            }
        }
        needed.retain(|session| !asked.contains(session));
        needed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needs_are_transitive_and_said() {
        let need = |session: &str, needs: &str| Need {
            session: session.to_owned(),
            needs: needs.to_owned(),
            why: vec![Why::Account { value: "anna".to_owned(), place: "users, row 12".to_owned() }],
        };
        let needs = Needs {
            all: vec![need("s2", "s1"), need("s7", "s2"), need("s9", "s3")],
            groups: Groups::default(),
        };
        assert_eq!(needs.needed_by(["s7"]).into_iter().collect::<Vec<_>>(), ["s1", "s2"]);
        assert_eq!(needs.needed_by(["s7", "s2"]).into_iter().collect::<Vec<_>>(), ["s1"]);
        assert!(needs.needed_by(["s1"]).is_empty());
        assert_eq!(
            needs.all[1].to_string(),
            "s7 needs s2: it logs in as \"anna\", an account that s2 registered (users, row 12)"
        );
    }
}
