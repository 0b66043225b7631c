//! Where a rendered page differs from the other one, so that somebody who looks at it need not search.
//!
//! Both pages are compared token by token. A tag that differs is such a place, and the element around a text that differs. Tokens and
//! dates differ from run to run as well: only what a difference of the step speaks of counts.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use imara_diff::{Algorithm, Diff, InternedInput};
use restage_html::{Token, Tokens, is_void};

/// The tags of each of two pages, by their place among its tokens, at which it differs from the other one as one of the texts says.
pub(crate) fn changed_places(pages: [&Tokens; 2], told: &[String]) -> [HashSet<usize>; 2] {
    let told: Vec<String> = told.iter().map(|text| words(text)).filter(|text| !text.is_empty()).collect();
    let mut places = [HashSet::new(), HashSet::new()];
    if told.is_empty() {
        return places;
    }
    let mut input: InternedInput<u64> = InternedInput::default();
    input.update_before(pages[0].iter().map(digest));
    input.update_after(pages[1].iter().map(digest));
    let around = pages.map(around);
    for hunk in Diff::compute(Algorithm::Histogram, &input).hunks() {
        for (side, range) in [hunk.before, hunk.after].into_iter().enumerate() {
            for at in range {
                let at = at as usize;
                let spoken_of = values(pages[side], at)
                    .iter()
                    .any(|value| told.iter().any(|told| stands_in(told, value) || stands_in(value, told)));
                if let Some(place) = around[side][at].filter(|_| spoken_of) {
                    places[side].insert(place);
                }
            }
        }
    }
    places
}

/// What tells tokens apart: white space in texts does not, nor do comments.
fn digest(token: Token<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    match token {
        Token::Open { name, attrs, .. } => {
            (0, name).hash(&mut hasher);
            attrs.iter().for_each(|pair| pair.hash(&mut hasher));
        }
        Token::Close { name } => (1, name).hash(&mut hasher),
        Token::Text(text) => {
            let words = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
            words.for_each(|word| word.hash(&mut hasher));
        }
        Token::Comment(_) | Token::Doctype(_) => {}
    }
    hasher.finish()
}

/// What a token says that a difference may speak of: a text, the values of attributes.
fn values(page: &Tokens, at: usize) -> Vec<String> {
    let mut values: Vec<String> = match page.get(at) {
        Some(Token::Text(text)) => vec![words(&String::from_utf8_lossy(text))],
        Some(Token::Open { attrs, .. }) => {
            attrs.iter().map(|(_, value)| words(&String::from_utf8_lossy(value))).collect()
        }
        _ => Vec::new(),
    };
    values.retain(|value| !value.is_empty());
    values
}

/// For each token the tag that it is, or is in.
fn around(page: &Tokens) -> Vec<Option<usize>> {
    let mut open: Vec<(usize, &[u8])> = Vec::new();
    let tag = |(at, token)| {
        match token {
            Token::Open { name, self_closing, .. } => {
                if !self_closing && !is_void(name) {
                    open.push((at, name));
                }
                return Some(at);
            }
            Token::Close { name } => {
                if let Some(depth) = open.iter().rposition(|(_, opened)| *opened == name) {
                    open.truncate(depth);
                }
            }
            Token::Text(_) | Token::Comment(_) | Token::Doctype(_) => {}
        }
        open.last().map(|(at, _)| *at)
    };
    page.iter().enumerate().map(tag).collect()
}

/// Whether a text stands in another one by itself: `/` does not in `/book/50`.
fn stands_in(text: &str, part: &str) -> bool {
    let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '/' | '-' | '_');
    text.match_indices(part).any(|(at, _)| {
        let before = text[..at].chars().next_back().filter(|_| part.starts_with(goes_on));
        let after = text[at + part.len()..].chars().next().filter(|_| part.ends_with(goes_on));
        !before.is_some_and(goes_on) && !after.is_some_and(goes_on)
    })
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tags at which a page differs, in order.
    fn places(page: &str, other: &str, told: &[&str]) -> Vec<String> {
        let (page, other) = (Tokens::of(page.as_bytes()), Tokens::of(other.as_bytes()));
        let told: Vec<String> = told.iter().map(|text| (*text).to_owned()).collect();
        let [places, seen_from_the_other] = changed_places([&page, &other], &told);
        assert_eq!(changed_places([&other, &page], &told), [seen_from_the_other, places.clone()]);
        let mut places: Vec<usize> = places.into_iter().collect();
        places.sort_unstable();
        places.into_iter().map(|at| tag(&page, at)).collect()
    }

    fn tag(page: &Tokens, at: usize) -> String {
        let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let Some(Token::Open { name, attrs, .. }) = page.get(at) else { panic!("{at} is no tag") };
        let attrs = attrs.iter().map(|(name, value)| format!(" {}={}", lossy(name), lossy(value)));
        format!("<{}{}", lossy(name), attrs.collect::<String>())
    }

    /// Catches: a frame in which the whole page is marked, or a date that moved on, or nothing.
    #[test]
    fn the_element_around_what_a_difference_speaks_of() {
        let page = |total: &str, day: &str, link: &str| {
            format!("<p id=day>{day}<table><tr><td id=a>Total<td id=b>{total}</table><a href={link}>on</a>")
        };
        let (was, is) = (page("$5", "Monday", "/a"), page("$7", "Tuesday", "/b"));
        assert_eq!(places(&is, &was, &["$5", "$7"]), ["<td id=b"]);
        assert_eq!(places(&was, &is, &["$5", "$7"]), ["<td id=b"]);
        assert_eq!(places(&is, &was, &["/a", "/b"]), ["<a href=/b"]);
        assert_eq!(places(&is, &was, &[]), Vec::<String>::new());
        // A part of an address is another address.
        assert_eq!(places(&is, &was, &["/a/50", "/b/50"]), Vec::<String>::new());
    }

    #[test]
    fn the_text_around_more_than_differs() {
        let (was, is) = ("<p>You pay $5 now<br>thanks", "<p>You pay $7 now<br>thanks");
        assert_eq!(places(is, was, &["$7"]), ["<p"]);
        assert_eq!(places(is, was, &["You pay $7 now"]), ["<p"]);
    }
}
