//! Learning path templates from traffic.
//!
//! Where many different segments stand at one place and are answered alike, they are values of one page:
//! `/book/the-hobbit` and `/book/dune` are `/book/{slug}`. The first part of a path is never one: `/cart` and `/login`
//! are answered alike, too.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::key::segment_template;
use crate::{Params, PathTemplate, PathTemplates, ValueShape};

/// So many different words at one place are values.
const MANY: usize = 30;
/// So many, where their looks say so: dates, hashes.
const FEW: usize = 3;
/// Of them, this part in a hundred must be answered alike.
const ALIKE: usize = 90;
/// How many paths are looked at, and how many places are remembered. More would tell nothing new.
const PATHS: usize = 100_000;
const PLACES: usize = 200_000;
/// How many values of a place.
const VALUES: usize = 500;

/// Looks at requests, one after another, in bounded memory.
#[derive(Debug, Default)]
pub struct TemplateLearner {
    seen: HashSet<String>,
    /// A path with one part open, and what was met there.
    places: HashMap<String, BTreeMap<String, BTreeSet<String>>>,
}

impl TemplateLearner {
    /// Looks at a request and how it was answered. Only what succeeded tells of the application.
    pub fn add(&mut self, method: &str, uri: &str, status: Option<u16>, media_type: Option<&str>) {
        if status.is_none_or(|status| status >= 400) || self.seen.len() >= PATHS {
            return;
        }
        let (path, query) = uri.split_once('?').unwrap_or((uri, ""));
        if !path.starts_with('/') || self.seen.contains(path) {
            return;
        }
        self.seen.insert(path.to_owned());
        let names = Params::parse(query).names().join("&");
        let answered = format!("{method} {names} {}", media_type.unwrap_or_default());
        let segments: Vec<&str> = path.split('/').collect();
        for (place, segment) in segments.iter().enumerate().skip(2) {
            if !may_be_value(segment) {
                continue;
            }
            let open: Vec<&str> = (segments.iter().enumerate())
                .map(|(n, segment)| if n == place { "*" } else { segment_template(segment) })
                .collect();
            let open = open.join("/");
            if self.places.len() >= PLACES && !self.places.contains_key(&open) {
                continue;
            }
            let values = self.places.entry(open).or_default();
            if values.len() < VALUES || values.contains_key(*segment) {
                values.entry((*segment).to_owned()).or_default().insert(answered.clone());
            }
        }
    }

    /// What was learnt beyond `known`, in order of its text.
    pub fn learnt(&self, known: &PathTemplates) -> Vec<PathTemplate> {
        let mut learnt: Vec<PathTemplate> = self
            .places
            .iter()
            .filter_map(|(open, values)| open.replace('*', name(values)?).parse().ok())
            .filter(|template: &PathTemplate| known.of(template.as_str()).is_none())
            .collect();
        learnt.sort_by(|a, b| a.as_str().cmp(b.as_str()));
        learnt
    }
}

/// What the values of a place are called; none where they may be pages of their own.
fn name(values: &BTreeMap<String, BTreeSet<String>>) -> Option<&'static str> {
    let all = |shape: ValueShape| values.keys().all(|value| ValueShape::of(value) == shape);
    let name = if all(ValueShape::Date) {
        "{date}"
    } else if all(ValueShape::Hash) {
        "{hash}"
    } else {
        "{slug}"
    };
    let enough = if name == "{slug}" { MANY } else { FEW };
    if values.len() < enough {
        return None;
    }
    let mut answers: HashMap<&BTreeSet<String>, usize> = HashMap::new();
    for answered in values.values() {
        *answers.entry(answered).or_default() += 1;
    }
    let most = answers.values().max().copied().unwrap_or(0);
    (most * 100 >= values.len() * ALIKE).then_some(name)
}

/// Whether a segment may be a value: not what is known for one already, nor a program's name.
fn may_be_value(segment: &str) -> bool {
    let is_program = segment.rsplit_once('.').is_some_and(|(_, extension)| {
        !extension.is_empty() && extension.len() <= 5 && extension.bytes().all(|b| b.is_ascii_alphabetic())
    });
    !segment.is_empty()
        && !segment.contains(['*', '{', '}'])
        && segment_template(segment) == segment
        && !is_program
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learn(uris: impl IntoIterator<Item = String>, known: &[&str]) -> Vec<String> {
        let mut learner = TemplateLearner::default();
        for uri in uris {
            learner.add("GET", &uri, Some(200), Some("text/html"));
        }
        let known = PathTemplates(known.iter().map(|t| t.parse().unwrap()).collect());
        learner.learnt(&known).iter().map(ToString::to_string).collect()
    }

    fn words(n: usize) -> impl Iterator<Item = String> {
        (0..n).map(|i| {
            let letter = |k: usize| char::from(b'a' + (i / 26usize.pow(k as u32) % 26) as u8);
            format!("{}{}{}", letter(0), letter(1), letter(2))
        })
    }

    /// Catches: pages merged that are not one, slugs that stay pages of their own.
    #[test]
    fn many_alike_at_one_place_are_values_and_pages_are_not() {
        let books = || words(40).map(|w| format!("/book/{w}"));
        assert_eq!(learn(books(), &[]), ["/book/{slug}"]);
        assert_eq!(learn(books(), &["/book/{slug}"]), Vec::<String>::new());
        assert_eq!(learn(books().map(|b| format!("{b}/reviews")), &[]), ["/book/{slug}/reviews"]);
        assert!(learn(words(40).map(|w| format!("/{w}")), &[]).is_empty(), "first parts are pages");
        assert!(learn(words(12).map(|w| format!("/admin/{w}")), &[]).is_empty(), "too few");
        assert!(learn(words(40).map(|w| format!("/wp-admin/{w}.php")), &[]).is_empty(), "programs");
        let unlike = words(40).enumerate().map(|(n, w)| format!("/admin/{w}?p{}", n % 3));
        assert!(learn(unlike, &[]).is_empty(), "asked for differently");
        let days = (1..5).map(|d| format!("/menu/2026-11-0{d}"));
        assert_eq!(learn(days, &[]), ["/menu/{date}"]);
        let commits = ["3f2504e", "a1b2c3d", "0ff1ce5"].map(|c| format!("/commit/{c}"));
        assert_eq!(learn(commits, &[]), ["/commit/{hash}"]);
    }

    /// Catches: traffic that is added and takes back, or renames, what was learnt.
    #[test]
    fn more_traffic_renames_nothing_that_was_learnt() {
        let first = learn(words(40).map(|w| format!("/book/{w}")), &[]);
        let known: Vec<&str> = first.iter().map(String::as_str).collect();
        let more =
            words(300).flat_map(|w| [format!("/book/{w}"), format!("/{w}/dune"), format!("/user/{w}")]);
        let after = learn(more, &known);
        let all: Vec<PathTemplate> = first.iter().chain(&after).map(|t| t.parse().unwrap()).collect();
        assert_eq!(PathTemplates(all).of("/book/dune").unwrap().as_str(), "/book/{slug}");
        assert!(after.contains(&"/user/{slug}".to_owned()), "{after:?}");
    }
}
