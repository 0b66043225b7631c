//! Which requests log a user in, and which out.

use restage_html::{Form, InputType};
use restage_redact::is_password_name;

/// What an address or a label that logs somebody out has in it, white space and signs left out.
const LOGOUT: &[&str] = &[
    "logout",
    "logoff",
    "signout",
    "signoff",
    "abmelden",
    "deconnexion",
    "cerrarsesion",
    "dologout",
    "uitloggen",
];

/// Whether fields that are sent hold a password, and so log somebody in, or make an account.
pub fn proves_identity(form: Option<&Form>, fields: &[(String, String)]) -> bool {
    fields.iter().any(|(name, value)| {
        let typed = form.and_then(|form| form.named(name).next()).map(|field| field.input);
        !value.is_empty()
            && match typed {
                Some(InputType::Password) => true,
                Some(InputType::Text) | None => is_password_name(name),
                Some(_) => false,
            }
    })
}

/// The name that a user logs in with: the first thing that is typed beside a password.
pub(crate) fn account(fields: &[(String, String)]) -> Option<&str> {
    let likely = |name: &str| {
        let name = name.to_ascii_lowercase();
        ["user", "login", "mail", "name", "account", "nick"].iter().any(|word| name.contains(word))
    };
    let typed = || fields.iter().filter(|(name, value)| !value.is_empty() && !is_password_name(name));
    typed().find(|(name, _)| likely(name)).or_else(|| typed().next()).map(|(_, value)| value.as_str())
}

/// Whether an address, or what is written on a link or a button, says that it logs somebody out.
pub fn is_logout(text: &str) -> bool {
    let plain: String = text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    LOGOUT.iter().any(|word| plain.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_log_in_and_words_log_out() {
        let fields = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
            pairs.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect()
        };
        let login = fields(&[("csrf", "1"), ("log_name", "ada"), ("password", "x")]);
        assert!(proves_identity(None, &login));
        assert_eq!(account(&login), Some("ada"));
        assert!(!proves_identity(None, &fields(&[("q", "password")])));
        assert!(!proves_identity(None, &fields(&[("password", "")])));
        for text in ["/wp-login.php?action=logout", "Sign out", "Log off", "/doLogout"] {
            assert!(is_logout(text), "{text}");
        }
        assert!(!is_logout("/login") && !is_logout("Catalogue"));
    }
}
