//! How the name of a file with a random part becomes a pattern.

use restage_model::ValueShape;

/// The name with its numbers and random parts replaced by `*`.
pub(super) fn general(name: &str) -> String {
    replaced(name, |word| word.bytes().any(|b| b.is_ascii_digit()) || is_random(word))
}

/// The name with its random parts alone replaced by `*`: a short number tells which file it is.
pub(super) fn without_random(name: &str) -> String {
    replaced(name, is_random)
}

fn replaced(name: &str, varies: impl Fn(&str) -> bool) -> String {
    let mut out = String::new();
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric();
        let end = if is_word(first) { rest.find(|c| !is_word(c)) } else { rest.find(is_word) };
        let (part, after) = rest.split_at(end.unwrap_or(rest.len()));
        if !is_word(first) || !varies(part) {
            out.push_str(part);
        } else if !out.ends_with('*') {
            out.push('*');
        }
        rest = after;
    }
    out
}

/// A long number, or letters and digits in no order that a person would give them.
fn is_random(word: &str) -> bool {
    let turns =
        || word.as_bytes().windows(2).filter(|w| w[0].is_ascii_digit() != w[1].is_ascii_digit()).count();
    match ValueShape::of(word) {
        ValueShape::Number => word.len() >= 6,
        ValueShape::Token | ValueShape::CasedLetters => true,
        ValueShape::Hash => word.len() >= 8,
        ValueShape::Mixed => word.len() >= 16 || (word.len() >= 8 && turns() >= 2),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use restage_model::FileGlob;

    use super::*;

    #[test]
    fn random_parts_become_stars() {
        for (name, expected, random_alone) in [
            ("data/sess_4f3a9c21b0d7", "data/sess_*", "data/sess_*"),
            ("data/sess_q3h7k2m9v1c8b4n6l5p0o2i7u3", "data/sess_*", "data/sess_*"),
            ("up/1794738605-a.txt", "up/*-a.txt", "up/*-a.txt"),
            ("up/invoice-17.pdf", "up/invoice-*.pdf", "up/invoice-17.pdf"),
            ("9f86d081-884c-4d65-9a2f-eaa0c55ad015", "*-*-*-*-*", "*-884c-4d65-9a2f-*"),
            ("uploads/notes.txt", "uploads/notes.txt", "uploads/notes.txt"),
            ("internationalisation", "internationalisation", "internationalisation"),
        ] {
            assert_eq!(general(name), expected);
            assert_eq!(without_random(name), random_alone);
            assert!(
                FileGlob::from(general(name)).matches(name)
                    && FileGlob::from(without_random(name)).matches(name)
            );
        }
    }
}
