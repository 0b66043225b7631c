//! What a project adds to the rules, and takes from them.

use aho_corasick::{AhoCorasick, MatchKind};
use regex_lite::Regex;
use thiserror::Error;

use crate::secret_kind::Kind;
use crate::secret_names::{self, STEMS};
use crate::token_shapes::BEGINNINGS;

/// Which values are secret.
#[derive(Clone, Debug)]
pub struct Rules {
    names: Vec<String>,
    pub(crate) patterns: Vec<Regex>,
    keep: Vec<String>,
    /// Finds where a secret's name or a secret of a known shape may stand.
    pub(crate) automaton: AhoCorasick,
}

/// A rule that cannot be used.
#[derive(Debug, Error)]
pub enum RuleError {
    /// A pattern that is no regular expression.
    #[error("`{pattern}` is no regular expression: {source}")]
    Pattern {
        /// What was given.
        pattern: String,
        /// What is wrong with it.
        source: regex_lite::Error,
    },
    /// A pattern that would replace what is nowhere.
    #[error("`{0}` matches the empty text, and so everywhere")]
    Empty(String),
    /// Too many names to look for.
    #[error("too many names: {0}")]
    TooMany(String),
}

impl Default for Rules {
    fn default() -> Self {
        Self::new(&[], &[], &[]).unwrap_or_else(|error| unreachable!("the built-in rules: {error}"))
    }
}

impl Rules {
    /// The built-in rules, with further `names` whose values are secret, further `patterns` that secrets match, and names and values to
    /// `keep` as they are.
    pub fn new(names: &[String], patterns: &[String], keep: &[String]) -> Result<Self, RuleError> {
        let names: Vec<String> =
            names.iter().map(|name| name.to_ascii_lowercase()).filter(|name| !name.is_empty()).collect();
        let mut compiled = Vec::new();
        for pattern in patterns {
            let regex = Regex::new(pattern)
                .map_err(|source| RuleError::Pattern { pattern: pattern.clone(), source })?;
            if regex.is_match("") {
                return Err(RuleError::Empty(pattern.clone()));
            }
            compiled.push(regex);
        }
        let wanted = BEGINNINGS.iter().chain(STEMS).copied().chain(names.iter().map(String::as_str));
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::LeftmostFirst)
            .build(wanted)
            .map_err(|error| RuleError::TooMany(error.to_string()))?;
        let keep = keep.iter().map(|kept| kept.to_ascii_lowercase()).collect();
        Ok(Self { names, patterns: compiled, keep, automaton })
    }

    /// What kind of secret the value of a name is.
    pub(crate) fn kind_of(&self, name: &str) -> Option<Kind> {
        if self.keeps(name) {
            return None;
        }
        // `account[iban]` is listed as `iban`, too.
        let last = name.trim_end_matches(']').rsplit('[').next().unwrap_or(name);
        if self
            .names
            .iter()
            .any(|listed| listed.eq_ignore_ascii_case(name) || listed.eq_ignore_ascii_case(last))
        {
            return Some(Kind::Rule);
        }
        secret_names::kind_of(name)
    }

    /// Whether a name or a value is listed as no secret.
    pub(crate) fn keeps(&self, text: &str) -> bool {
        !self.keep.is_empty() && self.keep.contains(&text.to_ascii_lowercase())
    }
}
