//! Page parameters: those whose values lead to different pages, as `do` in `/doku.php?do=edit`.
//!
//! An application behind one address, a front controller, tells its pages apart by a parameter. Its value then belongs to
//! the key: `GET /doku.php?do=edit&id`. Which parameters do so is listed by the user or learnt from the pages.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{PathGlob, ValueShape};

/// A value that names a page is no longer than this.
const LONGEST: usize = 60;

/// A parameter by its name, on all paths (`do`) or on some (`/doku.php?do`, where `*` stands for anything).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PageParameter {
    path: Option<PathGlob>,
    name: String,
}

/// A parameter that is none.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is no parameter\n  hint: a name, as \"do\", or a path and a name, as \"/doku.php?do\"")]
pub struct PageParameterError(String);

impl PageParameter {
    /// A parameter of one path.
    pub fn of_path(path: &str, name: &str) -> Self {
        Self { path: Some(PathGlob::from(path.to_owned())), name: name.to_owned() }
    }

    /// Whether it is the one of this name, on a path or on what its key calls the path.
    pub fn is(&self, path: &str, template: &str, name: &str) -> bool {
        self.name == name
            && self.path.as_ref().is_none_or(|glob| glob.matches(path) || glob.matches(template))
    }
}

impl FromStr for PageParameter {
    type Err = PageParameterError;

    fn from_str(text: &str) -> Result<Self, PageParameterError> {
        let (path, name) = match text.split_once('?') {
            Some((path, name)) => (Some(path), name),
            None => (None, text),
        };
        let rooted = path.is_none_or(|path| path.starts_with(['/', '*']));
        if !rooted || name.is_empty() || name.contains(['?', '&', '=', '/', ' ']) {
            return Err(PageParameterError(text.to_owned()));
        }
        Ok(Self { path: path.map(|path| PathGlob::from(path.to_owned())), name: name.to_owned() })
    }
}

impl fmt::Display for PageParameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.path {
            Some(path) => write!(f, "{}?{}", path.as_str(), self.name),
            None => f.write_str(&self.name),
        }
    }
}

impl TryFrom<String> for PageParameter {
    type Error = PageParameterError;

    fn try_from(text: String) -> Result<Self, PageParameterError> {
        text.parse()
    }
}

impl From<PageParameter> for String {
    fn from(parameter: PageParameter) -> Self {
        parameter.to_string()
    }
}

/// The parameters that tell pages apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageParameters {
    /// Those that the user listed.
    pub listed: Vec<PageParameter>,
    /// Those that were learnt from pages. They are only ever added to.
    pub learnt: Vec<PageParameter>,
    /// Those that the user says are none, whatever was learnt.
    pub data: Vec<PageParameter>,
}

impl PageParameters {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.listed.is_empty() && self.learnt.is_empty()
    }

    /// Whether a parameter of a path is one, or said to be none.
    pub fn knows(&self, path: &str, template: &str, name: &str) -> bool {
        [&self.listed, &self.learnt, &self.data].into_iter().flatten().any(|p| p.is(path, template, name))
    }

    /// Whether this value of a parameter belongs to the key.
    pub(crate) fn names_page(&self, path: &str, template: &str, name: &str, value: &str) -> bool {
        let among = |all: &[PageParameter]| all.iter().any(|p| p.is(path, template, name));
        if among(&self.data) {
            return false;
        }
        // Who lists a parameter may number his pages: `step=2`.
        let shape = ValueShape::of(value);
        let is_number = shape == ValueShape::Number && value.len() <= 4;
        (is_page_name(value) || is_number) && among(&self.listed)
            || is_page_name(value) && among(&self.learnt)
    }
}

/// Whether a value may be the name of a page: a word or some, and no number, date, address, token or text.
pub fn is_page_name(value: &str) -> bool {
    use ValueShape::{CasedLetters, Mixed, ShortId, Slug, Word};
    value.len() <= LONGEST
        && matches!(ValueShape::of(value), Word | Slug | Mixed | ShortId | CasedLetters)
        && value.chars().any(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_or_a_path_and_a_name() {
        for text in ["do", "/doku.php?do", "*?action", "/a/*?page", "q[x]"] {
            assert_eq!(text.parse::<PageParameter>().unwrap().to_string(), text);
        }
        for text in ["", "/doku.php", "/doku.php?", "doku.php?do", "do=edit", "?do", "/x?a&b"] {
            assert!(text.parse::<PageParameter>().is_err(), "{text}");
        }
        let parameter = PageParameter::of_path("/a/{n}/x", "do");
        assert!(parameter.is("/a/7/x", "/a/{n}/x", "do") && !parameter.is("/a/7/y", "/a/{n}/y", "do"));
    }

    #[test]
    fn what_names_pages() {
        for value in ["edit", "old_revisions", "wiki:syntax", "addBook", "page2", "user.login"] {
            assert!(is_page_name(value), "{value}");
        }
        for value in
            ["", "17", "2026-11-18", "/cart", "d41d8cd98f00b204e9800998ecf8427e", "two words", "--", "12.5"]
        {
            assert!(!is_page_name(value), "{value}");
        }
    }
}
