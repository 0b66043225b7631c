//! Patterns in which `*` stands for any characters.
//!
//! `*` is all there is: every other character stands for itself, brackets and question marks too, since names of files
//! and paths of pages hold them. Matching is [`globset`]'s.

use std::fmt;

use globset::{GlobBuilder, GlobMatcher};
use serde::{Deserialize, Serialize};

/// Names of files: `*` stands for any characters but `/`.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct FileGlob(Pattern);

/// Paths of pages: `*` stands for any characters.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct PathGlob(Pattern);

#[derive(Clone, Default)]
struct Pattern {
    text: String,
    /// None where it stands for itself alone.
    matcher: Option<GlobMatcher>,
}

impl Pattern {
    fn new(text: String, star_ends_at_slash: bool) -> Self {
        let mut glob = String::with_capacity(text.len());
        let mut stars = false;
        for part in text.split_inclusive('*') {
            let literal = part.strip_suffix('*').unwrap_or(part);
            glob.push_str(&globset::escape(literal));
            // Two stars in a row would be something else to globset.
            if literal.len() < part.len() && (!literal.is_empty() || !stars) {
                glob.push('*');
            }
            stars = literal.len() < part.len();
        }
        let matcher = text.contains('*').then(|| {
            let built =
                GlobBuilder::new(&glob).literal_separator(star_ends_at_slash).backslash_escape(false).build();
            built.ok().map(|glob| glob.compile_matcher())
        });
        Self { text, matcher: matcher.flatten() }
    }

    fn matches(&self, name: &str) -> bool {
        self.matcher.as_ref().map_or(self.text == name, |matcher| matcher.is_match(name))
    }
}

macro_rules! glob {
    ($name:ident, $star_ends_at_slash:expr) => {
        impl $name {
            /// Whether all of a name is described.
            pub fn matches(&self, name: &str) -> bool {
                self.0.matches(name)
            }

            /// The pattern as it is written.
            pub fn as_str(&self) -> &str {
                &self.0.text
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(Pattern::new(text, $star_ends_at_slash))
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self::from(text.to_owned())
            }
        }

        impl From<$name> for String {
            fn from(glob: $name) -> Self {
                glob.0.text
            }
        }

        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                self.0.text == other.0.text
            }
        }

        impl Eq for $name {}

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.0.text, f)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0.text)
            }
        }
    };
}

glob!(FileGlob, true);
glob!(PathGlob, false);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_match_within_a_folder() {
        for (pattern, name, expected) in [
            ("data/sess_*", "data/sess_4f3a", true),
            ("data/sess_*", "data/sess_", true),
            ("data/sess_*", "data/a/sess_1", false),
            ("data/*", "data/a/b", false),
            ("data/**", "data/a/b", false),
            ("*/*.txt", "a/b.txt", true),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "aXbYbZ", false),
            ("plain", "plain", true),
            ("plain", "plain2", false),
            ("", "", true),
        ] {
            assert_eq!(FileGlob::from(pattern).matches(name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn stars_match_across_folders_of_a_path() {
        for (pattern, path, expected) in [
            ("/assets/*", "/assets/", true),
            ("/assets/*", "/assets/a/b.css", true),
            ("/assets/*", "/asset", false),
            ("*.php", "/a/b.php", true),
            ("/a*b*", "/xab", false),
            ("/health", "/health", true),
            ("/health", "/health2", false),
            ("*", "", true),
            ("**", "/a/b", true),
        ] {
            assert_eq!(PathGlob::from(pattern).matches(path), expected, "{pattern} {path}");
        }
    }

    /// Catches: a file's name that is read as a pattern.
    #[test]
    fn all_but_a_star_stands_for_itself() {
        for name in ["up/[1].txt", "up/{a,b}", "up/a?b", "up/a\\b", "up/!x", "up/a\nb", "up/\u{e9}"] {
            assert!(FileGlob::from(name).matches(name), "{name}");
            let pattern = FileGlob::from(format!("{name}*"));
            assert!(pattern.matches(&format!("{name}.old")), "{name}");
            assert!(!pattern.matches("up/1.txt.old") && !pattern.matches("up/a.old"), "{name}");
        }
    }
}
