//! Plain text, line by line. White space at the end of a line and of the text is not looked at.

use restage_model::{Difference, Place};

use crate::diff::collector::{DifferenceCollector, Found};
use crate::diff::sequence_diff::stretches;
use crate::page::digest::hash;

/// What differs between two plain texts.
pub fn plain_differences(expected: &[u8], actual: &[u8]) -> Vec<Difference> {
    let mut found = DifferenceCollector::by("Text");
    tell_lines(&mut found, expected, actual);
    found.finish()
}

/// Tells which lines differ.
pub(crate) fn tell_lines(found: &mut DifferenceCollector, expected: &[u8], actual: &[u8]) {
    let (before, after) = (lines(expected), lines(actual));
    let hashes = |lines: &[&[u8]]| -> Vec<u64> { lines.iter().map(|line| hash(line)).collect() };
    for hunk in stretches(&hashes(&before), &hashes(&after)) {
        let was = &before[hunk.before.start as usize..hunk.before.end as usize];
        let is = &after[hunk.after.start as usize..hunk.after.end as usize];
        if was.len() == is.len() {
            // The quick way to find what differs may take in a line that does not.
            for (at, (was, is)) in was.iter().zip(is).enumerate().filter(|(_, (was, is))| was != is) {
                let line = hunk.before.start as usize + at;
                found.add(|| block(line, std::slice::from_ref(was), line, std::slice::from_ref(is)));
            }
        } else {
            found.add(|| block(hunk.before.start as usize, was, hunk.after.start as usize, is));
        }
    }
}

/// Lines that became others.
fn block(was_at: usize, was: &[&[u8]], is_at: usize, is: &[&[u8]]) -> Found {
    let (first, count) = if was.is_empty() { (is_at, is.len()) } else { (was_at, was.len()) };
    let side = |lines: &[&[u8]]| (!lines.is_empty()).then(|| shown(lines));
    (Place::Lines { first: first + 1, count }, side(was), side(is))
}

fn shown(lines: &[&[u8]]) -> String {
    String::from_utf8_lossy(&lines.join(&b'\n')).into_owned()
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    let text = text.trim_ascii_end();
    if text.is_empty() {
        return Vec::new();
    }
    text.split(|b| *b == b'\n').map(<[u8]>::trim_ascii_end).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn said(expected: &str, actual: &str) -> Vec<String> {
        let found = plain_differences(expected.as_bytes(), actual.as_bytes());
        found.into_iter().map(|d| d.to_string()).collect()
    }

    #[test]
    fn lines_are_named() {
        assert_eq!(said("a\nb\nc", "a\nx\nc"), [r#"line 2 "b" became "x""#]);
        assert_eq!(said("a\nb\nc", "a\nc"), [r#"line 2 "b" is gone"#]);
        assert_eq!(said("a\nc", "a\nb\nc"), [r#"line 2 "b" appeared"#]);
        assert_eq!(said("a\nb\nc\nd", "a\nd"), [r#"lines 2–3 "b c" are gone"#]);
        assert_eq!(said("a\nb\nc\nd", "a\nx\nd"), [r#"lines 2–3 "b c" became "x""#]);
        assert_eq!(said("", "a"), [r#"line 1 "a" appeared"#]);
        assert_eq!(
            said("User-agent: *\nDisallow:", "User-agent: *\nDisallow: /"),
            [r#"line 2 "Disallow:" became "Disallow: /""#]
        );
    }

    #[test]
    fn white_space_at_ends_is_nothing() {
        assert!(said("a  \r\nb\r\n", "a\nb").is_empty());
        assert!(said(" \n", "").is_empty());
        assert_eq!(said(" a", "a").len(), 1);
    }

    proptest! {
        #[test]
        fn reflexive_and_symmetric(a in "[ab \n]{0,12}", b in "[ab \n]{0,12}") {
            prop_assert!(said(&a, &a).is_empty());
            prop_assert_eq!(said(&a, &b).is_empty(), said(&b, &a).is_empty());
        }

        #[test]
        fn any_bytes_are_compared(a in prop::collection::vec(any::<u8>(), 0..60), b in prop::collection::vec(any::<u8>(), 0..60)) {
            prop_assert_eq!(plain_differences(&a, &b).is_empty(), plain_differences(&b, &a).is_empty());
        }
    }
}
