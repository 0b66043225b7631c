//! Names with `*` in them, and how a name with a random part becomes one.

/// Whether `pattern` matches all of `name`. `*` stands for any characters but `/`.
pub(super) fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.as_bytes(), name.as_bytes());
    let (mut p, mut n) = (0, 0);
    // Where to go on when what follows the last star does not fit here.
    let mut again: Option<(usize, usize)> = None;
    while n < name.len() {
        if pattern.get(p) == Some(&b'*') {
            again = Some((p, n));
            p += 1;
        } else if pattern.get(p) == Some(&name[n]) {
            (p, n) = (p + 1, n + 1);
        } else if let Some((star, from)) = again.filter(|(_, from)| name[*from] != b'/') {
            again = Some((star, from + 1));
            (p, n) = (star + 1, from + 1);
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|c| *c == b'*')
}

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
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let turns = word.as_bytes().windows(2).filter(|w| w[0].is_ascii_digit() != w[1].is_ascii_digit()).count();
    let turns_case =
        word.as_bytes().windows(2).filter(|w| w[0].is_ascii_lowercase() && w[1].is_ascii_uppercase()).count();
    (digits == word.len() && digits >= 6)
        || (word.len() >= 8 && digits > 0 && turns >= 2)
        || (word.len() >= 16 && (digits > 0 || turns_case >= 4))
}

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
            ("*/*.txt", "a/b.txt", true),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "aXbYbZ", false),
            ("plain", "plain", true),
            ("plain", "plain2", false),
            ("", "", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }

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
            assert!(matches(&general(name), name) && matches(&without_random(name), name));
        }
    }
}
