//! Values in plain text, by the word before them: `token: ab12cd34`, `csrf=ab12cd34`.

use restage_browser::without_numbers;

use super::value::Looks;
use super::value_index::{HeldValue, ValueIndex};

/// Adds the values of a text.
pub(super) fn collect(text: &str, index: &mut ValueIndex) {
    let apart = |c: char| c.is_whitespace() || "=:,;&\"'<>()[]{}".contains(c);
    let mut before = "";
    for word in text.split(apart).filter(|w| !w.is_empty()) {
        if Looks::of(word).is_some() {
            index.add(HeldValue::new(format!("text after \"{}\"", without_numbers(before)), before, word));
        }
        before = word;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_known_by_the_one_before_it() {
        let mut index = ValueIndex::default();
        collect("token=0a1b2c3d4e\nnext: 9f8e7d6c5b\n", &mut index);
        assert_eq!(index.of_value("9f8e7d6c5b").next().unwrap().place, "text after \"next\"");
        let mut alone = ValueIndex::default();
        collect("0a1b2c3d4e\n", &mut alone);
        assert_eq!(alone.of_value("0a1b2c3d4e").next().unwrap().place, "text after \"\"");
    }
}
