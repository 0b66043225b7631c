//! Whether two fields hold the same kind of thing: `login` and `user_login` do, `login` and `lastName` do not.

/// Words that say whose name it is, or which: a name with one of them is not what a user logs in with.
const OF_PERSONS: [&str; 14] = [
    "last",
    "first",
    "family",
    "given",
    "middle",
    "full",
    "real",
    "display",
    "lastname",
    "firstname",
    "surname",
    "fullname",
    "forename",
    "maiden",
];

/// Words for what a user logs in with.
const OF_ACCOUNTS: [&str; 17] = [
    "user",
    "username",
    "login",
    "account",
    "email",
    "mail",
    "nick",
    "nickname",
    "handle",
    "uid",
    "userid",
    "member",
    "u",
    "log",
    "usr",
    "loginname",
    "screenname",
];

/// Whether a field, by its name, holds what a user logs in with.
pub(super) fn is_account(name: &str) -> bool {
    let words = words(name);
    if words.iter().any(|word| OF_PERSONS.contains(&word.as_str())) {
        return false;
    }
    match words.as_slice() {
        [] => false,
        [.., of, last] if last == "name" || last == "id" => OF_ACCOUNTS.contains(&of.as_str()),
        [only] if only == "name" => true,
        [.., last] => OF_ACCOUNTS.contains(&last.as_str()),
    }
}

/// Whether two fields, by their names, hold the same kind of thing, whatever form or table they are of.
pub(super) fn agree(one: &str, other: &str) -> bool {
    let (one, other) = (words(one), words(other));
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    if short.is_empty() {
        return false;
    }
    if short.concat() == long.concat() {
        return true;
    }
    // `owner.lastName` is a `last_name`; `lastName` is no `name`, and `author_id` no `id`.
    long.strip_suffix(short.as_slice()).is_some_and(|rest| {
        short != ["name"] && short != ["id"] && !rest.iter().any(|word| OF_PERSONS.contains(&word.as_str()))
    })
}

/// The words of a name: `owner[lastName]` has `owner`, `last` and `name`.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut within = false;
    let mut lower_before = false;
    for c in name.chars() {
        if !c.is_alphabetic() {
            within = false;
        } else {
            if !within || c.is_uppercase() && lower_before {
                words.push(String::new());
            }
            within = true;
            if let Some(word) = words.last_mut() {
                word.extend(c.to_lowercase());
            }
        }
        lower_before = c.is_lowercase();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_one_kind() {
        for (one, other) in [
            ("lastName", "last_name"),
            ("lastname", "last_name"),
            ("owner[lastName]", "last_name"),
            ("login", "user_login"),
            ("title", "post_title"),
        ] {
            assert!(agree(one, other), "{one} {other}");
        }
        for (one, other) in
            [("lastName", "login"), ("name", "last_name"), ("id", "author_id"), ("", "x"), ("q", "title")]
        {
            assert!(!agree(one, other), "{one} {other}");
        }
        for name in [
            "login",
            "user_login",
            "j_username",
            "userName",
            "name",
            "email",
            "log",
            "user[email]",
            "user_id",
        ] {
            assert!(is_account(name), "{name}");
        }
        for name in ["lastName", "last_name", "surname", "title", "book_name", "display_name", "password", ""]
        {
            assert!(!is_account(name), "{name}");
        }
    }
}
