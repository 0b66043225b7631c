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
    "reject",
    "withdraw",
    "löschen",
    "entfern",
    "supprim",
    "elimin",
    "borrar",
];
/// Words that say so where nothing follows them.
const SHORT: &[&str] = &["del", "rm", "drop", "clear", "empty", "kill", "ban", "void", "flush"];

/// Words that often say so, where an address has data with them: `/cart/add?book=3` does something, `/books/add` has a form.
const OFTEN: &[&str] = &[
    "accept",
    "activate",
    "add",
    "approve",
    "archive",
    "assign",
    "block",
    "buy",
    "claim",
    "close",
    "confirm",
    "copy",
    "create",
    "decrease",
    "dismiss",
    "duplicate",
    "enable",
    "execute",
    "finish",
    "follow",
    "generate",
    "hide",
    "ignore",
    "import",
    "increase",
    "insert",
    "install",
    "invite",
    "join",
    "leave",
    "like",
    "lock",
    "logout",
    "mark",
    "merge",
    "move",
    "order",
    "pay",
    "pin",
    "promote",
    "publish",
    "put",
    "rebuild",
    "recover",
    "refund",
    "register",
    "reindex",
    "reject",
    "release",
    "rename",
    "reopen",
    "restart",
    "restore",
    "revert",
    "rollback",
    "run",
    "save",
    "send",
    "set",
    "star",
    "start",
    "stop",
    "subscribe",
    "switch",
    "sync",
    "toggle",
    "unblock",
    "unfollow",
    "unlike",
    "unlock",
    "unpublish",
    "unset",
    "unstar",
    "update",
    "upgrade",
    "vote",
    "watch",
    "write",
];
/// What parameters are called that prove that a page was asked for before: only what changes something needs such a proof.
const PROOFS: &[&str] = &["token", "nonce", "csrf", "xsrf", "sectok", "authenticity"];

/// Whether a link may change something though nothing on it says so: it has data with a verb, or proves that it comes from a page. This is
/// often wrong, and only for where nothing can be put back.
pub(crate) fn may_change_unsaid(uri: &str) -> bool {
    let (path, query) = uri.split_once('?').unwrap_or((uri, ""));
    let has_data = !query.is_empty() || path.split('/').any(|part| part.bytes().any(|b| b.is_ascii_digit()));
    let does = || words(uri).any(|word| OFTEN.contains(&word.as_str()));
    let proves = || {
        let names =
            query.split('&').map(|one| one.split('=').next().unwrap_or_default().to_ascii_lowercase());
        names.into_iter().any(|name| PROOFS.iter().any(|proof| name.contains(proof)))
    };
    has_data && (does() || proves())
}

/// Whether an address, or what is written on a link or a button, says that something is changed.
pub(crate) fn may_change(text: &str) -> bool {
    asks_first(text)
        || words(text)
            .any(|word| WORDS.iter().any(|known| word.starts_with(known)) || SHORT.contains(&word.as_str()))
}

/// Whether a link's own code asks the user whether she is sure, or sends something else than a `GET`.
fn asks_first(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    ["confirm(", "data-confirm=", "data-turbo-confirm=", "-danger"].iter().any(|sign| lower.contains(sign))
        || ["data-method=", "data-turbo-method="]
            .iter()
            .any(|sign| lower.split_once(sign).is_some_and(|(_, method)| !method.starts_with("get")))
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

    /// Catches: a link that changes something and says so nowhere but in its handler, its icon, its parameters or its token.
    #[test]
    fn signs_and_parameters_tell_too() {
        for label in [
            "x onclick=return confirm('Sure?') ",
            "x class=icon-trash ",
            "x data-method=post ",
            "x title=Delete this ",
        ] {
            assert!(may_change(label), "{label}");
        }
        assert!(!may_change("x data-method=get ") && !may_change("x class=btn btn-primary title=Open "));
        for uri in
            ["/cart/add?book=3", "/post/3/publish", "/?do=mark&id=4", "/x?id=3&_wpnonce=abc", "/go?sectok=1"]
        {
            assert!(may_change_unsaid(uri), "{uri}");
        }
        for uri in ["/books/add", "/orders?page=2", "/book/3", "/closed?x=1", "/settings?tab=2"] {
            assert!(!may_change_unsaid(uri), "{uri}");
        }
    }

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
