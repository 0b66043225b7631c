//! What kind of value a request carries: a token, an id, or what a user may have typed.
//!
//! A token is long and mixed enough that finding it twice is no accident. An id is short: that it is found on an
//! earlier page says nothing, unless its place there and its place in the request speak of the same thing.

use restage_model::ValueShape;

/// What a value looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Looks {
    /// Drawn at random, or a moment: the same value elsewhere is where it came from.
    Token,
    /// A number of a thing, or a short name made for it.
    Id,
    /// An address within the application, or what may be one.
    Address,
}

/// Values longer than this are contents, not tokens.
const LONGEST: usize = 4096;

impl Looks {
    /// What a value looks like; `None` for what is nothing of the kind.
    pub(crate) fn of(value: &str) -> Option<Self> {
        if value.len() > LONGEST {
            return None;
        }
        match ValueShape::of(value) {
            // A text, a page or JSON is looked into, not at. A price or a measure is no moment.
            ValueShape::Empty | ValueShape::Text => None,
            ValueShape::Decimal if value.contains('.') => None,
            ValueShape::DateTime if value.contains(' ') => None,
            ValueShape::Address => Some(Self::Address),
            ValueShape::Number if value.len() < 10 => Some(Self::Id),
            ValueShape::ShortId => Some(Self::Id),
            ValueShape::Hash if value.len() < 8 => Some(Self::Id),
            _ => is_distinctive(value).then_some(Self::Token),
        }
    }
}

/// Long and mixed enough that finding it twice is no accident. Wider than [`ValueShape::is_token`]: a name with a date in
/// it, too, is found only where it came from.
fn is_distinctive(value: &str) -> bool {
    let count = |of: fn(&u8) -> bool| value.bytes().filter(of).count();
    let (digits, lower, upper) =
        (count(u8::is_ascii_digit), count(u8::is_ascii_lowercase), count(u8::is_ascii_uppercase));
    let letters = lower + upper;
    // Eight digits may be a day; ten are a moment, or drawn.
    let number = letters == 0 && digits >= 10;
    let mixed = digits > 0 && letters > 0 && digits + letters >= 8;
    // One in a few hundred tokens has no digit.
    let cased = lower >= 3 && upper >= 3 && letters >= 16;
    value.len() >= 8 && (number || mixed || cased)
}

/// Drawn at random beyond doubt, whatever a name or a file could be called.
pub(crate) fn is_drawn(value: &str) -> bool {
    let plain = value.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_=+/\\".contains(&b));
    let word = |part: &str| {
        part.bytes().all(|b| b.is_ascii_alphabetic()) || part.bytes().all(|b| b.is_ascii_digit())
    };
    is_distinctive(value) && plain && !value.split(['-', '_', '/']).all(word)
}

/// Words that name no thing of their own: an id called by one of them is that of what the request is about.
const BARE: &[&str] = &[
    "", "id", "ids", "pk", "key", "uid", "no", "number", "parent", "target", "object", "item", "entity",
    "record", "ref", "reply", "replyto", "current", "selected", "this",
];

/// The thing that a name is about: `postID`, `post_id`, `posts` and `data-post-id` are about a post. Empty for a name
/// that is about whatever the request is about, as `id`.
pub(crate) fn noun(name: &str) -> String {
    let lower: String =
        name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    let stem = match lower.strip_suffix("ids").or_else(|| lower.strip_suffix("id")) {
        // `grid` is no id of a gr, `paid` none of a pa.
        Some(stem) if says_id(name) => stem,
        _ => &lower,
    };
    if BARE.contains(&stem) { String::new() } else { singular(stem).to_owned() }
}

/// Whether a key is an id itself, and says nothing about its place: `{"17": {…}}`. `autosaveL10n` is a name.
pub(crate) fn is_id_itself(key: &str) -> bool {
    let digits = key.bytes().filter(u8::is_ascii_digit).count();
    digits == key.len() || (digits >= 3 && is_distinctive(key))
}

/// Whether a name says that its value is an id: `id`, `post_ID`, `bookId`, `data-id`.
pub(crate) fn says_id(name: &str) -> bool {
    let name = name.trim_end_matches("[]");
    let stem = name.strip_suffix('s').unwrap_or(name);
    let end = stem.len().saturating_sub(2);
    let Some((before, id)) = stem.split_at_checked(end) else { return false };
    let apart = before.is_empty() || !before.ends_with(|c: char| c.is_ascii_alphanumeric());
    match id {
        "id" => apart,
        "Id" | "ID" => apart || before.ends_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit()),
        "pk" => before.is_empty(),
        _ => false,
    }
}

/// Words that end like an id, and are none.
const NO_IDS: &[&str] = &[
    "aid", "avoid", "bid", "fluid", "grid", "invalid", "kid", "paid", "rapid", "solid", "unpaid", "valid",
    "void",
];

/// Whether a name may be that of an id, written in one word: `uid`, `mid`, `eventid`.
pub(crate) fn may_be_id(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with("id") && !NO_IDS.contains(&name.as_str())
}

/// Whether two names are of the same kind of id, written in one word: `revid`, `baserevid` and `oldrevid`.
pub(crate) fn same_kind_of_id(a: &str, b: &str) -> bool {
    let (a, b) = (a.to_ascii_lowercase(), b.to_ascii_lowercase());
    let (short, long) = if a.len() <= b.len() { (&a, &b) } else { (&b, &a) };
    short.len() >= 4
        && short.ends_with("id")
        && long.ends_with(short.as_str())
        && !NO_IDS.contains(&short.as_str())
}

fn singular(word: &str) -> &str {
    match word.strip_suffix("ies") {
        Some(stem) if stem.len() >= 2 => stem,
        _ => match word.strip_suffix('s') {
            Some(stem) if stem.len() >= 2 && !stem.ends_with('s') => stem.strip_suffix('y').unwrap_or(stem),
            _ => word.strip_suffix('y').filter(|s| s.len() >= 2).unwrap_or(word),
        },
    }
}

/// Words of addresses that name no thing: two addresses that have one of them in common speak of nothing in common.
const NOT_THINGS: &[&str] = &[
    "add", "admin", "ajax", "api", "create", "delete", "edit", "get", "html", "http", "https", "index",
    "json", "list", "new", "php", "remove", "rest", "rpc", "save", "set", "show", "update", "view", "xml",
];

/// The nouns of an address or of a parameter's value: `/api/posts/17/likes` speaks of posts and likes.
pub(crate) fn nouns(text: &str) -> Vec<String> {
    let words =
        text.split(|c: char| !c.is_ascii_alphabetic()).filter(|w| w.len() >= 3 && !NOT_THINGS.contains(w));
    words.map(noun).filter(|w| !w.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: `1`, `en` or a day is taken for a token, and replaced because a page happens to hold it.
    #[test]
    fn what_is_drawn_is_a_token_and_what_is_counted_is_an_id() {
        for token in
            ["ab12cd34ef", "1794786652", "20261115120000", "2026-11-15T12:00:00Z", "3f2504e0-4f89-41d3"]
        {
            assert_eq!(Looks::of(token), Some(Looks::Token), "{token}");
        }
        for id in ["1", "17", "20261115", "hWhrYg", "x7k2p"] {
            assert_eq!(Looks::of(id), Some(Looks::Id), "{id}");
        }
        for typed in [
            "en",
            "hello",
            "2026-11-15",
            "12.5",
            "two words 12345678",
            "",
            "Jane",
            "1234567890.25",
            "addBook",
            "page2",
            "postId",
            "utf-8",
        ] {
            assert_eq!(Looks::of(typed), None, "{typed}");
        }
        assert_eq!(Looks::of("/post/17"), Some(Looks::Address));
        assert!(is_drawn("ab12cd34ef") && !is_drawn("photo-20261115") && !is_drawn("photo2026.jpg"));
    }

    #[test]
    fn names_of_one_thing_are_about_one_thing() {
        for name in ["post_ID", "postId", "post_id", "posts", "post", "data-post-id", "post-ids[]"] {
            assert_eq!(noun(name.trim_start_matches("data-")), "post", "{name}");
        }
        assert_eq!((noun("categories"), noun("category_id")), ("categor".to_owned(), "categor".to_owned()));
        for bare in ["id", "ID", "parent_id", "pk", "ids"] {
            assert_eq!(noun(bare), "", "{bare}");
        }
        assert_eq!((noun("postId"), noun("noteIds")), ("post".to_owned(), "note".to_owned()));
        assert!(says_id("id") && says_id("bookId") && says_id("post_ID") && says_id("ids[]"));
        assert!(!says_id("grid") && !says_id("paid") && !says_id("quantity") && !says_id("valid"));
        assert!(same_kind_of_id("revid", "baserevid") && same_kind_of_id("pageid", "pageid"));
        assert!(
            !same_kind_of_id("oldid", "revid")
                && !same_kind_of_id("paid", "unpaid")
                && !same_kind_of_id("id", "userid")
        );
        assert!(may_be_id("uid") && may_be_id("eventId") && !may_be_id("paid") && !may_be_id("count"));
        assert_eq!(nouns("/api/posts/17/likes.php"), ["post", "like"]);
    }
}
