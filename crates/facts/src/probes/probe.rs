//! What a probe is, as far as whoever starts the application has to know.

use std::collections::BTreeMap;

use crate::Want;

/// A probe for the applications of a language.
#[derive(Clone, Copy, Debug)]
pub struct Probe {
    /// The language: `php`.
    pub name: &'static str,
    /// Its files by their names, to be written into one folder; `/` in a name is a folder in it. A text that begins with
    /// `#!` is a program, and has to be executable. All must be readable for the user as whom the application runs.
    pub files: &'static [(&'static str, &'static str)],
    /// The variables that bring it into an application.
    pub environment: fn(&ProbeSetting) -> Vec<(String, String)>,
}

/// What a probe is told.
#[derive(Clone, Debug, Default)]
pub struct ProbeSetting {
    /// Where this probe's files are.
    pub folder: String,
    /// The file to write facts to: `RESTAGE_FACTS`.
    pub facts: String,
    /// What is asked for.
    pub want: Vec<Want>,
    /// The application's own folders.
    pub roots: Vec<String>,
    /// The environment that the application has without it. Variables that others use, too, are extended and not replaced.
    pub inherited: BTreeMap<String, String>,
}
