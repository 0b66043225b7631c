//! When two texts or two addresses are the same thing, though a time or an id in them has changed.

use restage_model::{Param, Params, ValueShape};

/// A text without its numbers and tokens: `edited 2026/11/15 23:51` and `edited 2026/11/16 08:02` are alike, and so are
/// two addresses that are shown as they are.
pub fn without_numbers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut push = |piece: &str| {
        if !is_token(piece) {
            piece.chars().for_each(|c| out.push(if c.is_ascii_digit() { '#' } else { c }));
        } else {
            out.push('#');
        }
    };
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| !c.is_ascii_alphanumeric()) {
        let end = at + rest[at..].chars().next().map_or(1, char::len_utf8);
        push(&rest[..at]);
        push(&rest[at..end]);
        rest = &rest[end..];
    }
    push(rest);
    // A number of another length is still a number.
    let mut last = ' ';
    out.retain(|c| {
        let again = c == '#' && last == '#';
        last = c;
        !again
    });
    out
}

/// An address without what is drawn anew: its path's ids are replaced as in its key, and those parameters that
/// look like a number or a token. The others say which thing or action is meant, as in `?do=edit&id=start`.
pub fn without_ids(uri: &str) -> String {
    let (path, query) = uri.split_once('?').unwrap_or((uri, ""));
    let mut out = restage_model::Key::of("", path, "").as_str().to_owned();
    let mut params: Vec<String> = Params::parse(query).0.iter().map(parameter).collect();
    params.sort();
    for param in params {
        out.push('&');
        out.push_str(&param);
    }
    out
}

/// The pieces of an address, by where they stand: the segments of its path, its parameters.
pub(crate) fn parts_of(uri: &str) -> Vec<(String, String)> {
    let (path, query) = uri.split_once('?').unwrap_or((uri, ""));
    let segments = path.split('/').enumerate().map(|(n, segment)| (format!("/{n}"), segment.to_owned()));
    let params = Params::parse(query).0.into_iter().enumerate().map(|(n, param)| {
        let (name, value) = (param.name(), param.value());
        // A value without a name.
        if is_number(&name) { (format!("?{n}"), name) } else { (format!("?{name}"), value) }
    });
    segments.chain(params).collect()
}

fn parameter(param: &Param) -> String {
    let (name, value) = (param.name(), param.value());
    let name = if is_number(&name) { "{n}".to_owned() } else { name };
    let value = if is_number(&value) || is_token(&value) { "{}".to_owned() } else { value };
    format!("{name}={value}")
}

fn is_number(text: &str) -> bool {
    ValueShape::of(text) == ValueShape::Number
}

/// Drawn anew, as far as links and texts are concerned: `7c679d`, a hash, a session's id. `crane2` may be a name.
fn is_token(text: &str) -> bool {
    match ValueShape::of(text) {
        ValueShape::Hash | ValueShape::Token | ValueShape::EncodedToken => true,
        // Of short tokens in base64, every other has fewer digits than make a token.
        ValueShape::Mixed => {
            text.len() >= 16 && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_=.".contains(&b))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_tokens_are_left_out_and_names_stay() {
        let alike = |a: &str, b: &str| without_ids(a) == without_ids(b);
        assert!(alike("/w?id=start&rev=1794786652", "/w?rev=1794786699&id=start"));
        assert!(alike("/ping?id=start&1794786652", "/ping?id=start&1794786699"));
        assert!(alike("/i?tok=105fda&media=a.png", "/i?tok=7c679d&media=a.png"));
        assert!(alike("/note/17?sectok=0a1b2c3d4e5f60718", "/note/9?sectok=9z8y7x6w5v4u3t2s1"));
        assert!(!alike("/w?do=edit&id=start", "/w?do=diff&id=start"));
        assert!(!alike("/w?id=crane2", "/w?id=ferry2"));
        assert_eq!(without_numbers("crane [2026/11/15 23:39]"), without_numbers("crane [2026/1/16 8:02]"));
        let shown = |key: &str| without_numbers(&format!("http://h/rss?id=-2&key={key}"));
        assert_eq!(shown("6f1d77a0c3e4b5a6978812"), shown("00ab45cd23ef67890112aa"));
        assert_ne!(without_numbers("Über crane"), without_numbers("Über ferry"));
    }
}
