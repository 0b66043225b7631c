//! Path templates: which parts of a path are values, where the path alone does not tell.
//!
//! Numbers and ids are known by their looks ([`Key::of`](crate::Key::of)). That `dune` in `/book/dune` is a value and
//! `new` in `/book/new` a name is told by a template, listed by the user or learnt.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::key::segment_template;

/// A path in which `{name}` stands for a segment: `/book/{slug}`. `{n}` stands for numbers alone, `{id}` for what looks
/// like an id.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PathTemplate(String);

/// A template that is none.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{0}` is no path template\n  hint: it begins with / and has {{name}} for a whole part of the path: \"/book/{{slug}}\""
)]
pub struct PathTemplateError(String);

impl PathTemplate {
    /// Whether it describes all of a path.
    pub fn matches(&self, path: &str) -> bool {
        let mut own = self.0.split('/');
        let mut theirs = path.split('/');
        loop {
            match (own.next(), theirs.next()) {
                (None, None) => return true,
                (Some(own), Some(segment)) if stands_for(own, segment) => {}
                _ => return false,
            }
        }
    }

    /// The template as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn stands_for(own: &str, segment: &str) -> bool {
    match own {
        "{n}" | "{id}" => segment == own || segment_template(segment) == own,
        _ if is_placeholder(own) => !segment.is_empty(),
        _ => own == segment,
    }
}

fn is_placeholder(segment: &str) -> bool {
    segment.strip_prefix('{').is_some_and(|rest| rest.ends_with('}') && rest.len() > 1)
}

impl FromStr for PathTemplate {
    type Err = PathTemplateError;

    fn from_str(text: &str) -> Result<Self, PathTemplateError> {
        let sound = |segment: &str| is_placeholder(segment) || !segment.contains(['{', '}', '?', ' ', '*']);
        let good = text.starts_with('/') && text.contains('{') && text.split('/').all(sound);
        if good { Ok(Self(text.to_owned())) } else { Err(PathTemplateError(text.to_owned())) }
    }
}

impl fmt::Display for PathTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for PathTemplate {
    type Error = PathTemplateError;

    fn try_from(text: String) -> Result<Self, PathTemplateError> {
        text.parse()
    }
}

impl From<PathTemplate> for String {
    fn from(template: PathTemplate) -> Self {
        template.0
    }
}

/// Templates in order: the first that matches a path names it. One that is added at the end renames nothing that an
/// earlier one named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PathTemplates(pub Vec<PathTemplate>);

impl PathTemplates {
    /// The template of a path, where one matches.
    pub fn of(&self, path: &str) -> Option<&PathTemplate> {
        self.0.iter().find(|template| template.matches(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Key;

    /// Catches: a template that takes a page for another, or a key that changes where no template matches.
    #[test]
    fn templates_name_what_they_describe_and_nothing_else() {
        let templates = PathTemplates(vec!["/book/{slug}".parse().unwrap(), "/u/{n}/x".parse().unwrap()]);
        let rules = crate::KeyRules::from(templates);
        let key = |uri: &str| Key::by(&rules, "GET", uri, "").as_str().to_owned();
        assert_eq!(key("/book/dune?tab=1"), "GET /book/{slug}?tab");
        assert_eq!(key("/book/17"), "GET /book/{slug}");
        assert_eq!(key("/u/7/x"), "GET /u/{n}/x");
        for uri in ["/book", "/book/", "/book/dune/reviews", "/u/ann/x", "/", "/order/17?x"] {
            assert_eq!(Key::by(&rules, "GET", uri, ""), Key::of("GET", uri, ""), "{uri}");
        }
    }

    #[test]
    fn what_is_no_template_is_refused() {
        for text in ["", "book/{slug}", "/book", "/book/a{slug}", "/book/{}", "/book/{slug}?x", "/b/*"] {
            assert!(text.parse::<PathTemplate>().is_err(), "{text}");
        }
    }
}
