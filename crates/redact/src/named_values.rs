//! Values whose name says that they are secret: parameters in addresses, members of JSON objects and scripts, attributes and elements.
//!
//! A text is searched for what secrets' names are made of; what follows a name tells where its value is. So a token is found in a link of a page, in
//! a script of that page and in the JSON inside of that script alike, and nothing has to be parsed.

use crate::encoding::{Spelling, after_escape};
use crate::rules::Rules;
use crate::secret_kind::Kind;
use crate::span::Span;
use crate::token_shapes::{self, BEGINNINGS};

const LONGEST_NAME: usize = 64;
const LONGEST_TAG: usize = 4096;
const LONGEST_VALUE: usize = 20 << 10;
/// How quotation marks are spelled, the longest first.
const QUOTES: [&[u8]; 8] = [b"\\\\\\\"", b"&quot;", b"&#34;", b"\\u0022", b"\\\"", b"\"", b"'", b"`"];

/// What kind of text it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Medium {
    /// An address, or a header field that may hold one.
    Address,
    /// HTML or XML.
    Markup,
    /// JSON, a script, plain text.
    Text,
}

/// Finds all that names or shapes tell.
pub(crate) fn find(text: &[u8], medium: Medium, rules: &Rules, spans: &mut Vec<Span>) {
    let mut done = 0;
    for hit in rules.automaton.find_iter(text) {
        if hit.start() < done {
            continue;
        }
        let pattern = hit.pattern().as_usize();
        if pattern < BEGINNINGS.len() {
            if let Some(span) = token_shapes::at(text, pattern, hit.start()) {
                done = span.end;
                spans.push(span);
            }
            continue;
        }
        let (start, end) = name_around(text, hit.start(), hit.end());
        done = end;
        let Ok(name) = std::str::from_utf8(&text[start..end]) else { continue };
        let name = name.replace("%5B", "[").replace("%5D", "]").replace("%5b", "[").replace("%5d", "]");
        let Some(kind) = rules.kind_of(&name) else { continue };
        if let Some(mut span) = value_of(text, start, end, medium, kind) {
            // What is inside of a value is not looked at again: texts may be made of nothing but names.
            done = end.max(span.end);
            span.name = name;
            spans.push(span);
        }
    }
}

/// What leads to a token in a path: `/reset/6vSgg1…`.
const LEADING: &[&str] = &[
    "reset",
    "verify",
    "confirm",
    "activate",
    "activation",
    "invite",
    "invitation",
    "unsubscribe",
    "token",
    "recover",
    "magic",
    "password",
];

/// Finds the tokens in a path.
pub(crate) fn find_in_path(path: &[u8], spans: &mut Vec<Span>) {
    let mut start = 0;
    let mut leads = false;
    for segment in path.split(|&b| b == b'/') {
        let end = start + segment.len();
        let text = String::from_utf8_lossy(segment).to_ascii_lowercase();
        let words = text.split(|c: char| !c.is_ascii_alphanumeric());
        let drawn = segment.len() >= 12
            && segment.iter().any(u8::is_ascii_digit)
            && segment.iter().any(u8::is_ascii_alphabetic);
        if leads && drawn {
            spans.push(Span {
                certain: false,
                name: "path".to_owned(),
                ..Span::shaped(start, end, Kind::Token)
            });
        }
        leads = words.clone().any(|word| LEADING.contains(&word));
        start = end + 1;
    }
}

/// The whole of a name, a part of which stands there. Its brackets may be escaped: `user%5Bpassword%5D`.
fn name_around(text: &[u8], mut start: usize, mut end: usize) -> (usize, usize) {
    let is_name = |b: u8| b.is_ascii_alphanumeric() || b"_-.[]$".contains(&b);
    let is_bracket = |unit: &[u8]| unit.eq_ignore_ascii_case(b"%5b") || unit.eq_ignore_ascii_case(b"%5d");
    let floor = start.saturating_sub(LONGEST_NAME);
    loop {
        while start > floor && is_name(text[start - 1]) {
            start -= 1;
        }
        start = after_escape(text, start, end);
        if start < floor + 3 || !is_bracket(&text[start - 3..start]) {
            break;
        }
        start -= 3;
    }
    while end < text.len() && end - start < 2 * LONGEST_NAME {
        if text.get(end..end + 3).is_some_and(is_bracket) {
            end += 3;
        } else if is_name(text[end]) {
            end += 1;
        } else {
            break;
        }
    }
    (start, end)
}

fn value_of(text: &[u8], start: usize, end: usize, medium: Medium, kind: Kind) -> Option<Span> {
    let before = &text[..start];
    let span = |from: usize, to: usize, spelling| {
        (to > from).then(|| Span { spelling, certain: false, ..Span::shaped(from, to, kind) })
    };
    let markup = medium == Medium::Markup;
    // `?token=…&`, `&amp;token=…`, `;jsessionid=…`
    if text.get(end) == Some(&b'=') && quote(&text[end + 1..]).is_none() && is_parameter(before, medium, kind)
    {
        let from = end + 1;
        let ends = |b: &u8| b"?&#\"'<>\\;` \t\r\n)".contains(b);
        let to = from + text[from..].iter().position(ends).unwrap_or(text.len() - from);
        return span(from, to, Spelling::PARAMETER);
    }
    // `<token>…</token>`
    if before.ends_with(b"<") || (before.ends_with(b":") && matches!(text.get(end), Some(b'>' | b' '))) {
        let (from, to) = element(text, end)?;
        return span(from, to, Spelling { entities: true, ..Spelling::PLAIN });
    }
    // `name="token" … value="…"`
    if markup && let Some(attribute) = attribute_before(before) {
        let value = in_same_tag(
            text,
            start,
            if attribute == b"type" || attribute == b"id" { &[b"value"] } else { &[b"value", b"content"] },
        );
        return value.and_then(|(from, to)| {
            let certain = attribute == b"type";
            Some(Span { certain, ..span(from, to, Spelling { entities: true, ..Spelling::PLAIN })? })
        });
    }
    // `"token": "…"`, `token = '…'`, `data-token="…"`
    let mut at = end;
    let quoted = quote(&text[at..]).inspect(|quote| at += quote.len()).is_some();
    at += blanks(&text[at..]);
    // `headers["X-CSRF-Token"] = "…"`
    at += usize::from(quoted && text.get(at) == Some(&b']'));
    at += blanks(&text[at..]);
    // `setItem("token", "…")`
    let call = quoted && kind != Kind::Password;
    let sign = text.get(at).filter(|b| b"=:".contains(b) || (call && **b == b','))?;
    at += 1;
    at += usize::from(*sign == b'=' && text.get(at) == Some(&b'>'));
    at += blanks(&text[at..]);
    if let Some(quote) = quote(&text[at..]) {
        let from = at + quote.len();
        let to = from + closing(&text[from..], quote)?;
        let entities = markup || quote.starts_with(b"&");
        return span(from, to, Spelling { entities, backslash: *sign == b':' || !markup, ..Spelling::PLAIN });
    }
    // `"pin": 1234`
    let digits = text[at..].iter().position(|b| !b.is_ascii_digit()).unwrap_or(text.len() - at);
    (quoted && *sign == b':' && digits > 0).then(|| span(at, at + digits, Spelling::PLAIN)).flatten()
}

/// Where the text of an element stands whose name ends there: `<token a="b">…</token>`.
fn element(text: &[u8], name_end: usize) -> Option<(usize, usize)> {
    let within = |from: usize| &text[from..text.len().min(from + LONGEST_TAG)];
    let close = name_end
        + within(name_end).iter().position(|b| b"<>".contains(b)).filter(|at| text[name_end + at] == b'>')?;
    let mut from = close + 1;
    let mut ends: &[u8] = b"<";
    if text[from..].starts_with(b"<![CDATA[") {
        from += 9;
        ends = b"]]>";
    }
    let to = from + memchr::memmem::find(within(from), ends)?;
    Some((from, to))
}

/// Whether the name after that begins a parameter of an address or a form.
fn is_parameter(before: &[u8], medium: Medium, kind: Kind) -> bool {
    match before.last() {
        None => medium != Medium::Markup,
        Some(b'?' | b'&') => true,
        Some(b';') => {
            before.ends_with(b"&amp;")
                || before.ends_with(b"&#038;")
                || before.ends_with(b"&#38;")
                || kind == Kind::Session
        }
        Some(b'\n') => medium == Medium::Text,
        Some(_) => before.ends_with(b"\\u0026") || before.ends_with(b"%26") || before.ends_with(b"%3F"),
    }
}

/// Which attribute the name is the value of: one that names a control, a `meta`, or the kind of an input.
fn attribute_before(before: &[u8]) -> Option<&'static [u8]> {
    let rest = before
        .strip_suffix(b"\"")
        .or_else(|| before.strip_suffix(b"'"))
        .unwrap_or(before)
        .strip_suffix(b"=")?;
    [b"name".as_slice(), b"property", b"type", b"id"].into_iter().find(|attribute| {
        let at = rest.len().checked_sub(attribute.len() + 1);
        at.is_some_and(|at| rest[at].is_ascii_whitespace() && rest[at + 1..].eq_ignore_ascii_case(attribute))
    })
}

/// The value of one of these attributes, in the tag that this place is in.
fn in_same_tag(text: &[u8], place: usize, attributes: &[&[u8]]) -> Option<(usize, usize)> {
    let floor = place.saturating_sub(LONGEST_TAG);
    let open = floor + text[floor..place].iter().rposition(|&b| b == b'<')?;
    let close = place + text[place..].iter().take(LONGEST_TAG).position(|&b| b == b'>')?;
    let mut at = open;
    while at < close {
        let offset = text[at..close].iter().position(u8::is_ascii_whitespace)?;
        at += offset + 1;
        let rest = &text[at..close];
        let named = attributes.iter().find(|name| {
            rest.len() > name.len()
                && rest[..name.len()].eq_ignore_ascii_case(name)
                && rest[name.len()] == b'='
        });
        let Some(name) = named else { continue };
        let from = at + name.len() + 1;
        return match text.get(from) {
            Some(&mark @ (b'"' | b'\'')) => {
                let to = from + 1 + text[from + 1..].iter().position(|&b| b == mark)?;
                Some((from + 1, to))
            }
            _ => {
                let to =
                    from + text[from..=close].iter().position(|b| b.is_ascii_whitespace() || *b == b'>')?;
                Some((from, to))
            }
        };
    }
    None
}

fn quote(text: &[u8]) -> Option<&'static [u8]> {
    QUOTES.into_iter().find(|quote| text.starts_with(quote))
}

/// Where the value ends whose quotation mark was that one.
fn closing(text: &[u8], quote: &[u8]) -> Option<usize> {
    let mut at = 0;
    while at < text.len().min(LONGEST_VALUE) {
        if text[at..].starts_with(quote) {
            return Some(at);
        }
        match text[at] {
            // Nothing of a name and a value, but text that has a quotation mark in it.
            b'\n' if quote.len() == 1 => return None,
            b'\\' if quote.len() == 1 => at += 2,
            _ => at += 1,
        }
    }
    None
}

fn blanks(text: &[u8]) -> usize {
    text.iter().take(64).take_while(|b| b.is_ascii_whitespace()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, medium: Medium) -> Vec<&str> {
        let mut spans = Vec::new();
        find(text.as_bytes(), medium, &Rules::default(), &mut spans);
        spans.iter().map(|span| &text[span.start..span.end]).collect()
    }

    /// Catches: a place that secrets stand in and that is passed over, or a value that ends too early or too late.
    #[test]
    fn wherever_names_and_values_stand() {
        for (text, expected) in [
            ("/a?x=1&token=ab%2Fc1&y", "ab%2Fc1"),
            ("https://host/?csrf=abc1#top", "abc1"),
            ("/a;jsessionid=AB12?x", "AB12"),
            ("/a?user%5Bpassword%5D=hunter2", "hunter2"),
        ] {
            assert_eq!(found(text, Medium::Address), [expected], "{text}");
        }
        for (text, expected) in [
            ("<a href=\"/x?a=1&amp;_wpnonce=ab12\">", "ab12"),
            ("<input type=hidden name=\"csrf\" value='ab12'>", "ab12"),
            ("<input value=\"ab12\" name=csrf_token>", "ab12"),
            ("<input type=\"password\" name=p value=\"x\">", "x"),
            ("<meta name=\"csrf-token\" content=\"ab&quot;12\">", "ab&quot;12"),
            ("<div data-token=\"ab12\">", "ab12"),
            ("<script>var token = 'ab12';</script>", "ab12"),
            ("<body data-x='{\"csrfToken\":\"ab12\"}'>", "ab12"),
            ("<body data-x=\"{&quot;csrfToken&quot;:&quot;ab12&quot;}\">", "ab12"),
            ("<api><password>hunter2</password></api>", "hunter2"),
        ] {
            assert_eq!(found(text, Medium::Markup), [expected], "{text}");
        }
        for (text, expected) in [
            (r#"{"password" : "hun\"ter2", "x": 1}"#, r#"hun\"ter2"#),
            (r#"{"body":"{\"token\":\"ab12\"}"}"#, "ab12"),
            (r#"{"pin": 1234}"#, "1234"),
            ("x.token='ab12'", "ab12"),
        ] {
            assert_eq!(found(text, Medium::Text), [expected], "{text}");
        }
    }

    /// Catches: prose, labels and code taken for secrets.
    #[test]
    fn what_is_no_value() {
        for text in [
            "<label for=\"password\">Password: enter it</label>",
            "<input type=\"password\" name=\"password\">",
            "<a href=\"/password\">Forgot your password?</a>",
            "<script>if(token===x){password=t.value}</script>",
            "the passenger's key",
        ] {
            assert_eq!(found(text, Medium::Markup), Vec::<&str>::new(), "{text}");
        }
    }
}
