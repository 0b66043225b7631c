//! How the texts of two answers differ: what tells why one is not as recorded.

use std::collections::BTreeSet;

use restage_html::Tokens;

use super::departure::KnownAnswer;
use super::outline::visible;
use super::words::{Words, tells_time};
use crate::body::format::Format;
use crate::noise::values::atoms::dates;

/// How the texts of two answers differ.
#[derive(Clone, Debug, Default)]
pub struct TextChange {
    /// Words that are missing, in lower case.
    pub lost: Vec<String>,
    /// Words that are new.
    pub added: Vec<String>,
    /// Whether other dates are written in it, or words that tell of time differ.
    pub tells_other_time: bool,
}

impl TextChange {
    /// Of the bodies of two answers.
    pub fn of(recorded: &KnownAnswer<'_>, live: &KnownAnswer<'_>) -> Self {
        let (was, is) = (text(recorded), text(live));
        let change = Words::of(&was).change_to(&Words::of(&is));
        let all = |text: &str| -> Vec<String> {
            let lower = text.to_lowercase();
            lower.split(|c: char| !c.is_alphanumeric()).filter(|w| tells_time(w)).map(str::to_owned).collect()
        };
        let written = |text: &str| -> BTreeSet<String> {
            dates(text).into_iter().map(|range| text[range].to_owned()).collect()
        };
        let tells_other_time =
            written(&was) != written(&is) || BTreeSet::from_iter(all(&was)) != BTreeSet::from_iter(all(&is));
        Self { lost: change.missing, added: change.added, tells_other_time }
    }
}

/// The words of a text that are the same every time, in lower case.
pub fn steady_words(text: &str) -> Vec<String> {
    Words::of(text).iter().map(str::to_owned).collect()
}

/// The words that a user reads in an answer and that are the same every time, in lower case.
pub fn words_read(answer: &KnownAnswer<'_>) -> BTreeSet<String> {
    Words::of(&text(answer)).iter().map(str::to_owned).collect()
}

/// What a user reads of an answer.
fn text(answer: &KnownAnswer<'_>) -> String {
    let body = answer.body.unwrap_or_default();
    match Format::of(answer.headers, body) {
        Format::Binary => String::new(),
        Format::Html => visible(&Tokens::of(body)),
        Format::Json | Format::Xml | Format::Text => String::from_utf8_lossy(body).into_owned(),
    }
}
