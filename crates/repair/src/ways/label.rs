//! What is written on links and buttons.

/// Whether two links or buttons say the same to whoever reads them: `Log out`, `Logout` and ` LOG OUT »`. Nothing says nothing.
pub(super) fn same_label(a: &str, b: &str) -> bool {
    let mut letters = plain(a).peekable();
    letters.peek().is_some() && letters.eq(plain(b))
}

fn plain(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_and_pictures_do_not_count() {
        assert!(same_label("Log out", "  LOGOUT \u{bb}"));
        assert!(!same_label("Log out", "Log in"));
        assert!(!same_label("", "") && !same_label(">", "<"));
    }
}
