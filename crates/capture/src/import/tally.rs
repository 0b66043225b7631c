//! What became of a file.

use serde::Serialize;

/// How many parts that could not be read are shown.
const SHOWN: usize = 5;
/// How much of one.
const EXCERPT: usize = 100;

/// A part of a file that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unread {
    /// Its line; of a HAR its entry, of GoReplay its message.
    pub place: u64,
    /// Why.
    pub why: String,
    /// How it begins.
    pub text: String,
}

/// What became of a file. `exchanges` = `added` + `known`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct FileTally {
    /// The file.
    pub name: String,
    /// What it was read as.
    pub format: String,
    /// Exchanges in it.
    pub exchanges: u64,
    /// Those that are new.
    pub added: u64,
    /// Those that were stored already.
    pub known: u64,
    /// Parts that could not be read.
    pub unread: u64,
    /// The first few of them.
    pub first_unread: Vec<Unread>,
    /// Parts that are no exchange with a server: answers from a browser's cache, `data:` addresses.
    pub passed_over: u64,
    /// Whether the file was imported before as it is, and was not read again.
    pub unchanged: bool,
    /// The suite that it brought back, where it has one with a name of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suite: Option<String>,
    /// Path templates that were learnt from it.
    pub learnt: Vec<String>,
    /// What is to be said of it: what it lacks, and what was taken for what.
    pub notes: Vec<String>,
}

impl FileTally {
    /// Counts a part that could not be read.
    pub(super) fn count_unread(&mut self, place: u64, why: &str, what: &[u8]) {
        self.unread += 1;
        if self.first_unread.len() < SHOWN {
            let text = String::from_utf8_lossy(&what[..what.len().min(EXCERPT)]);
            let text = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            self.first_unread.push(Unread { place, why: why.to_owned(), text });
        }
    }
}
