//! What names and texts are compared by.

use std::collections::BTreeSet;

/// No more words of a text are looked at, and no more characters of a name.
const WORDS: usize = 60;
const LONGEST_NAME: usize = 48;

/// The words of a text or a name, in small letters: `authorName`, `author_name` and `Author names` have the same two. Numbers are data.
pub(crate) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut before_is_small = false;
    for c in text.chars() {
        let begins = c.is_uppercase() && before_is_small;
        if begins || !c.is_alphanumeric() {
            push(&mut words, &mut word);
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        before_is_small = c.is_lowercase();
        if words.len() == WORDS {
            return words;
        }
    }
    push(&mut words, &mut word);
    words
}

fn push(words: &mut Vec<String>, word: &mut String) {
    let mut word = std::mem::take(word);
    if word.is_empty() || word.chars().all(char::is_numeric) {
        return;
    }
    // One and many are the same thing: `book`, `books`.
    if word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") {
        word.pop();
    }
    words.push(word);
}

/// A text as its words, for comparing whole texts.
pub(crate) fn normal(text: &str) -> String {
    words(text).join(" ")
}

/// How much alike two names are, from 0 to 1.
pub(crate) fn name_likeness(a: &str, b: &str) -> f64 {
    if a == b {
        return 1.0;
    }
    let (words_a, words_b) = (words(a), words(b));
    if words_a == words_b && !words_a.is_empty() {
        return 0.95;
    }
    let (set_a, set_b): (BTreeSet<&String>, BTreeSet<&String>) =
        (words_a.iter().collect(), words_b.iter().collect());
    let both = set_a.intersection(&set_b).count() as f64;
    let shared = both / (set_a.len().max(set_b.len()).max(1)) as f64;
    // `email` and `email_address`: one says what the other says, and more.
    let contained = if both > 0.0 && both as usize == set_a.len().min(set_b.len()) { 0.75 } else { 0.0 };
    let short = |words: &[String]| words.concat().chars().take(LONGEST_NAME).collect::<Vec<char>>();
    let (a, b) = (short(&words_a), short(&words_b));
    let abbreviated = if is_abbreviation(&a, &b) || is_abbreviation(&b, &a) { 0.75 } else { 0.0 };
    // Half of the letters are the same in any two words.
    let spelled = ((spelling(&a, &b) - 0.4) / 0.6).max(0.0);
    shared.max(contained).max(abbreviated).max(spelled)
}

/// Whether a name is another one shortened: it begins with the same letter, and has all its letters in their order; `qty`, `quantity`.
fn is_abbreviation(short: &[char], long: &[char]) -> bool {
    let mut letters = long.iter();
    !short.is_empty()
        && short.len() < long.len()
        && short.first() == long.first()
        && (short.len() > 1 || long.len() <= 8)
        && short.iter().all(|c| letters.any(|other| other == c))
}

/// The part of the letters that stay where one name is changed into another with the fewest edits.
fn spelling(a: &[char], b: &[char]) -> f64 {
    if a.is_empty() || b.is_empty() {
        return 0.0;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let changed = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    1.0 - row[b.len()] as f64 / a.len().max(b.len()) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: names of the same thing that count as different, or of different things as the same.
    #[test]
    fn names_are_compared_as_people_do() {
        for (a, b) in [
            ("author_name", "authorName"),
            ("qty", "quantity"),
            ("email", "email_address"),
            ("q", "query"),
            ("colour", "color"),
            ("book", "books"),
            ("user[name]", "user_name"),
        ] {
            assert!(
                name_likeness(a, b) >= 0.7 && name_likeness(b, a) >= 0.7,
                "{a}, {b}: {}",
                name_likeness(a, b)
            );
        }
        for (a, b) in [("email", "quantity"), ("title", "price"), ("note", "amount"), ("", "x"), ("12", "13")]
        {
            assert!(name_likeness(a, b) < 0.4, "{a}, {b}: {}", name_likeness(a, b));
        }
    }

    /// Catches: a page that is another one tomorrow since its title holds a number.
    #[test]
    fn numbers_and_letters_case_do_not_count() {
        assert_eq!(normal("Order 17 of 2026: Details"), normal("order 9 of 2027 details"));
        assert_eq!(words("/admin/userList.php"), ["admin", "user", "list", "php"]);
    }
}
