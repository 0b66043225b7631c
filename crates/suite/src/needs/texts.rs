//! Where values are shown: all of them are looked for in every page at once.

use aho_corasick::{AhoCorasick, MatchKind};

use super::observed::Observed;

/// More of a value is not looked for: pages break long texts.
const LONGEST: usize = 60;

/// What is looked for of a value: the beginning of its first line.
pub(super) fn needle(value: &str) -> String {
    let line = value.trim().lines().next().unwrap_or_default();
    collapsed(line).chars().take(LONGEST).collect::<String>().trim_end().to_owned()
}

/// Where each value is first shown in each session that shows it: session and step, in order.
pub(super) fn shown(needles: &[String], sessions: &[Observed]) -> Vec<Vec<(usize, usize)>> {
    let mut shown: Vec<Vec<(usize, usize)>> = vec![Vec::new(); needles.len()];
    let Ok(search) = AhoCorasick::builder().match_kind(MatchKind::Standard).build(needles) else {
        return shown;
    };
    for (at, session) in sessions.iter().enumerate() {
        for (step, observed) in session.steps.iter().enumerate() {
            let text = collapsed(&observed.text);
            for found in search.find_overlapping_iter(&text) {
                let places = &mut shown[found.pattern().as_usize()];
                let again = places.last().is_some_and(|(session, _)| *session == at);
                if !again && is_whole(&text, found.start(), found.end()) {
                    places.push((at, step));
                }
            }
        }
    }
    shown
}

/// Whether what is found is not a piece of a longer word.
fn is_whole(text: &str, from: usize, to: usize) -> bool {
    let before = text[..from].chars().next_back();
    let after = text[to..].chars().next();
    ![before, after].into_iter().flatten().any(char::is_alphanumeric)
}

fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
