//! Links and forms that say that they change something, though they only ask for a page.

/// Words that say so, as they begin.
const WORDS: &[&str] = &[
    "delet",
    "remov",
    "destroy",
    "purg",
    "cancel",
    "unsubscrib",
    "disabl",
    "deactivat",
    "revok",
    "eras",
    "wip",
    "trash",
    "uninstall",
    "truncat",
    "discard",
    "reset",
    "löschen",
    "entfern",
    "supprim",
    "elimin",
    "borrar",
];
/// Words that say so where nothing follows them.
const SHORT: &[&str] = &["del", "rm", "drop", "clear", "empty", "kill", "ban", "void", "flush"];

/// Whether an address, or what is written on a link or a button, says that something is changed.
pub(crate) fn may_change(text: &str) -> bool {
    words(text)
        .any(|word| WORDS.iter().any(|known| word.starts_with(known)) || SHORT.contains(&word.as_str()))
}

/// The words of an address or a label: `removeItem`, `remove-item` and `remove_item` are two each.
fn words(text: &str) -> impl Iterator<Item = String> {
    let mut words = vec![String::new()];
    let mut before_is_lower = false;
    for c in text.chars() {
        let begins = !c.is_alphabetic() || (c.is_uppercase() && before_is_lower);
        before_is_lower = c.is_lowercase();
        if begins {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphabetic()) {
            word.extend(c.to_lowercase());
        }
    }
    words.into_iter().filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: a link that deletes is followed where nothing can be restored; a page is passed over for a word within another.
    #[test]
    fn words_tell_what_a_link_does() {
        for text in [
            "/delete?id=3",
            "/items/4/remove",
            "/?do=deleteItem&id=1",
            "Remove",
            "/a?action=del",
            "/cart/clear",
            "WIPE",
        ] {
            assert!(may_change(text), "{text}");
        }
        for text in ["/model/3", "/dropdown", "/clearance", "/items", "/banner", "/swipe-cards", "/emptying"]
        {
            assert!(!may_change(text), "{text}");
        }
    }
}
