//! Which form reads what: a form is a tell-tale string and what reads the lines around it.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

use super::lines::Lines;
use super::{ServerError, dotnet, go, java, node, php, python, ruby, sql};

/// A page with more errors than these has none that is worth finding.
const MOST: usize = 1000;

/// After so many bytes of lines that may have held an error, the rest of them is not read.
const TRIED: usize = 2 << 20;

/// A way in which errors are printed.
pub(super) struct Form {
    /// A string that every error of this form has in one of its lines.
    pub(super) tell_tale: &'static str,
    /// The strings it is in HTML, JSON and plain text, one of which is there; none where it is the same in all.
    pub(super) raw: &'static [&'static str],
    /// Whether a digit follows on it; `b.ts:c` in a script is no place in a file.
    pub(super) digit: bool,
    /// Reads the error whose tell-tale is in that line; there may be several, or none.
    pub(super) read: fn(&Lines, usize, &mut Vec<ServerError>),
}

static FORMS: LazyLock<Vec<&'static Form>> = LazyLock::new(|| {
    let all = [
        php::FORMS,
        python::FORMS,
        java::FORMS,
        ruby::FORMS,
        node::FORMS,
        go::FORMS,
        dotnet::FORMS,
        sql::FORMS,
    ];
    all.into_iter().flatten().collect()
});

/// Finds any form's strings in a text as it came, nearly as fast as memory is read: this kind of search can use
/// vector instructions. Beside it, whether a digit is to follow on each.
static ANY: LazyLock<(AhoCorasick, Vec<bool>)> = LazyLock::new(|| {
    let mut strings = Vec::new();
    for form in FORMS.iter() {
        let raw = if form.raw.is_empty() { std::slice::from_ref(&form.tell_tale) } else { form.raw };
        strings.extend(raw.iter().map(|string| (*string, form.digit)));
    }
    let digits = strings.iter().map(|(_, digit)| *digit).collect();
    (automaton(MatchKind::LeftmostFirst, strings.iter().map(|(string, _)| *string)), digits)
});
/// Finds every form's tell-tale in a line, also those within others.
static EVERY: LazyLock<AhoCorasick> =
    LazyLock::new(|| automaton(MatchKind::Standard, FORMS.iter().map(|form| form.tell_tale)));

fn automaton(kind: MatchKind, strings: impl Iterator<Item = &'static str>) -> AhoCorasick {
    AhoCorasick::builder().match_kind(kind).build(strings).expect("a few short strings make an automaton")
}

/// Whether a text has any form's string.
pub(super) fn may_have_errors(text: &[u8]) -> bool {
    let (any, digits) = &*ANY;
    any.find_iter(text).any(|hit| !digits[hit.pattern().as_usize()] || is_digit_at(text, hit.end()))
}

/// Reads the errors, each once.
pub(super) fn read(lines: &Lines, found: &mut Vec<ServerError>) {
    let mut seen = std::collections::HashSet::new();
    let mut forms: Vec<usize> = Vec::new();
    let mut here = Vec::new();
    let mut tried = 0;
    for at in 0..lines.len() {
        let line = lines.get(at);
        forms.clear();
        for hit in EVERY.find_overlapping_iter(line) {
            let form = hit.pattern().as_usize();
            if !forms.contains(&form) && (!FORMS[form].digit || is_digit_at(line.as_bytes(), hit.end())) {
                forms.push(form);
            }
        }
        forms.sort_unstable();
        tried += if forms.is_empty() { 0 } else { line.len() };
        for &form in &forms {
            (FORMS[form].read)(lines, at, &mut here);
        }
        for error in here.drain(..) {
            if seen.insert(error.clone()) {
                found.push(error);
            }
        }
        if found.len() >= MOST || tried >= TRIED {
            return;
        }
    }
}

fn is_digit_at(text: &[u8], at: usize) -> bool {
    text.get(at).is_some_and(u8::is_ascii_digit)
}
