//! A quick look at a page's tags, for reading its links and forms.
//!
//! A replay reads every live page before it can send the next request, so this is as hot as anything in
//! restage: it jumps from `<` to `<`, looks at the tags it is asked for, and decodes only what is wanted.
//! It sees what the tokenizer sees (a property test holds it to that); a page with something rare in it, which
//! the tokenizer treats in a way of its own, is left to the tokenizer.

use std::borrow::Cow;

use memchr::{memchr, memchr2, memmem};

use crate::tokens::{Token, Tokens};

/// What is told of a page's tags, in order.
pub(crate) trait Visitor {
    /// `<name …>`; the name in lower case.
    fn open(&mut self, name: &[u8], attrs: Attributes<'_>);
    /// `</name>`; the name in lower case.
    fn close(&mut self, name: &[u8]);
    /// Whether text is wanted at this place.
    fn wants_text(&self) -> bool;
    /// Text, decoded; only where it is wanted.
    fn text(&mut self, text: &str);
}

/// The attributes of a tag: its source from after the name up to its end.
#[derive(Clone, Copy)]
pub(crate) struct Attributes<'a>(&'a [u8]);

impl<'a> Attributes<'a> {
    /// The value of an attribute (its name in lower case), decoded; the first where it is repeated.
    pub(crate) fn text(self, wanted: &str) -> Option<String> {
        let raw = self.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted.as_bytes()))?.1;
        Some(decoded_value(raw).into_owned())
    }

    /// Whether an attribute is there.
    pub(crate) fn has(self, wanted: &str) -> bool {
        self.iter().any(|(name, _)| name.eq_ignore_ascii_case(wanted.as_bytes()))
    }

    fn iter(self) -> impl Iterator<Item = (&'a [u8], &'a [u8])> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let (name, value, next) = attribute(self.0, at)?;
            at = next;
            Some((name, value))
        })
    }
}

/// Tells a visitor of a page's tags. `false` where the page is better left to the tokenizer; the visitor has
/// then been told a part.
pub(crate) fn scan(html: &[u8], visitor: &mut impl Visitor) -> bool {
    // A carriage return or a zero byte is replaced by the tokenizer, wherever it stands.
    if memchr2(b'\r', 0, html).is_some() {
        return false;
    }
    let mut at = 0;
    let mut lower = [0; 32];
    loop {
        let next = memchr(b'<', &html[at..]).map(|i| at + i);
        let text_end = next.unwrap_or(html.len());
        if text_end > at && visitor.wants_text() {
            visitor.text(&decoded_text(&html[at..text_end]));
        }
        let Some(open) = next else { return true };
        at = open + 1;
        match html.get(at) {
            Some(b'!') => match declaration_end(html, at + 1) {
                Some(end) => at = end,
                None => return true,
            },
            Some(b'?') => match skip_past(html, at, b'>') {
                Some(end) => at = end,
                None => return true,
            },
            Some(b'/') => match html.get(at + 1) {
                Some(c) if c.is_ascii_alphabetic() => {
                    let Some((name, _, end)) = tag(html, at + 1) else { return true };
                    let Some(name) = lowered(name, &mut lower) else { return false };
                    visitor.close(name);
                    at = end;
                }
                Some(_) => match skip_past(html, at + 1, b'>') {
                    Some(end) => at = end,
                    None => return true,
                },
                None => {
                    if visitor.wants_text() {
                        visitor.text("</");
                    }
                    return true;
                }
            },
            Some(c) if c.is_ascii_alphabetic() => {
                let Some((name, attrs, end)) = tag(html, at) else { return true };
                // A name this long is nobody's element.
                let Some(name) = lowered(name, &mut lower) else { return false };
                visitor.open(name, Attributes(attrs));
                at = end;
                match raw_text(html, at, name) {
                    Raw::No => {}
                    Raw::Until(until) => {
                        let text = &html[at..until];
                        if visitor.wants_text() {
                            visitor.text(&if is_decoded(name) {
                                decoded_text(text)
                            } else {
                                String::from_utf8_lossy(text)
                            });
                        }
                        at = until;
                    }
                    Raw::Rare => return false,
                }
            }
            _ => {
                if visitor.wants_text() {
                    visitor.text("<");
                }
            }
        }
    }
}

/// Where the inside of a raw-text element ends.
enum Raw {
    No,
    Until(usize),
    Rare,
}

fn raw_text(html: &[u8], from: usize, name: &[u8]) -> Raw {
    let is_raw = matches!(
        name,
        b"textarea"
            | b"title"
            | b"script"
            | b"style"
            | b"iframe"
            | b"xmp"
            | b"noembed"
            | b"noframe"
            | b"noscript"
    );
    if name == b"plaintext" {
        return Raw::Until(html.len());
    }
    if !is_raw {
        return Raw::No;
    }
    let mut at = from;
    let end = loop {
        let Some(close) = memmem::find(&html[at..], b"</").map(|i| at + i) else { break html.len() };
        let after = &html[close + 2..];
        let named = after.len() > name.len() && after[..name.len()].eq_ignore_ascii_case(name);
        if named && matches!(after[name.len()], b' ' | b'\t' | b'\n' | b'\x0c' | b'/' | b'>') {
            break close;
        }
        at = close + 2;
    };
    // Comments in scripts have rules of their own.
    if name == b"script" && memmem::find(&html[from..end], b"<!--").is_some() {
        Raw::Rare
    } else {
        Raw::Until(end)
    }
}

fn is_decoded(name: &[u8]) -> bool {
    matches!(name, b"textarea" | b"title")
}

/// The end of a comment, a document type or what else begins with `<!`; `from` is behind that.
fn declaration_end(html: &[u8], from: usize) -> Option<usize> {
    let rest = &html[from..];
    if !rest.starts_with(b"--") {
        return skip_past(html, from, b'>');
    }
    // <!--> and <!---> are comments, too.
    if rest[2..].starts_with(b">") {
        return Some(from + 3);
    }
    if rest[2..].starts_with(b"->") {
        return Some(from + 4);
    }
    let mut at = from + 2;
    loop {
        let dashes = at + memmem::find(&html[at..], b"--")?;
        match (html.get(dashes + 2), html.get(dashes + 3)) {
            (Some(b'>'), _) => return Some(dashes + 3),
            (Some(b'!'), Some(b'>')) => return Some(dashes + 4),
            _ => at = dashes + 1,
        }
    }
}

fn skip_past(html: &[u8], from: usize, byte: u8) -> Option<usize> {
    memchr(byte, &html[from..]).map(|i| from + i + 1)
}

/// A tag's name, the source of its attributes, and the place behind it; none where it never ends.
fn tag(html: &[u8], from: usize) -> Option<(&[u8], &[u8], usize)> {
    let length = html[from..].iter().position(|&b| is_space(b) || matches!(b, b'/' | b'>'))?;
    let name_end = from + length;
    let mut at = name_end;
    loop {
        let rest = &html[at..];
        let skip = rest.iter().position(|&b| !is_space(b) && b != b'/')?;
        if rest[skip] == b'>' {
            return Some((&html[from..name_end], &html[name_end..at + skip], at + skip + 1));
        }
        let (_, _, next) = attribute_within(html, at + skip)?;
        at = next;
    }
}

/// The attribute at a place of a tag's inside: its name, its raw value, and where the next begins.
fn attribute(tag: &[u8], from: usize) -> Option<(&[u8], &[u8], usize)> {
    let skip = tag[from..].iter().position(|&b| !is_space(b) && b != b'/')?;
    match attribute_within(tag, from + skip) {
        Some(found) => Some(found),
        // The inside ends with a name or an unquoted value.
        None => {
            let rest = &tag[from + skip..];
            let name_length = name_length(rest).unwrap_or(rest.len());
            let after = rest[name_length..].trim_ascii_start();
            let value = after.strip_prefix(b"=").map_or(&b""[..], |v| v.trim_ascii_start());
            Some((&rest[..name_length], value, tag.len()))
        }
    }
}

/// The same, in a source that goes on behind the attribute; none where it does not.
fn attribute_within(html: &[u8], from: usize) -> Option<(&[u8], &[u8], usize)> {
    let length = name_length(&html[from..])?;
    let name = &html[from..from + length];
    let mut at = from + length;
    at += html[at..].iter().position(|&b| !is_space(b))?;
    if html[at] != b'=' {
        return Some((name, b"", at));
    }
    at += 1;
    at += html[at..].iter().position(|&b| !is_space(b))?;
    match html[at] {
        quote @ (b'"' | b'\'') => {
            let end = at + 1 + memchr(quote, &html[at + 1..])?;
            Some((name, &html[at + 1..end], end + 1))
        }
        b'>' => Some((name, b"", at)),
        _ => {
            let end = at + html[at..].iter().position(|&b| is_space(b) || b == b'>')?;
            Some((name, &html[at..end], end))
        }
    }
}

/// An equals sign at the beginning belongs to the name.
fn name_length(rest: &[u8]) -> Option<usize> {
    let first = rest.first().map(|_| 1)?;
    rest[first..].iter().position(|&b| is_space(b) || matches!(b, b'/' | b'>' | b'=')).map(|i| i + first)
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\x0c')
}

fn lowered<'b>(name: &[u8], buffer: &'b mut [u8; 32]) -> Option<&'b [u8]> {
    let out = buffer.get_mut(..name.len())?;
    out.copy_from_slice(name);
    out.make_ascii_lowercase();
    Some(out)
}

/// Text with its character references decoded, by the tokenizer where there may be any.
fn decoded_text(raw: &[u8]) -> Cow<'_, str> {
    if memchr(b'&', raw).is_none() {
        return String::from_utf8_lossy(raw);
    }
    // No reference reaches across a `<`, and without one the tokenizer sees nothing but text.
    let pieces: Vec<String> = raw
        .split(|&b| b == b'<')
        .map(|piece| {
            let tokens = Tokens::of(piece);
            let texts = tokens.iter().filter_map(|token| match token {
                Token::Text(text) => Some(String::from_utf8_lossy(text).into_owned()),
                _ => None,
            });
            texts.collect()
        })
        .collect();
    Cow::Owned(pieces.join("<"))
}

/// An attribute's value with its character references decoded: one without its semicolon may be plain there.
fn decoded_value(raw: &[u8]) -> Cow<'_, str> {
    if memchr(b'&', raw).is_none() {
        return String::from_utf8_lossy(raw);
    }
    let quoted = if raw.contains(&b'"') {
        raw.split(|&b| b == b'"').collect::<Vec<_>>().join(&b"&quot;"[..])
    } else {
        raw.to_vec()
    };
    let tokens = Tokens::of(&[b"<a b=\"", quoted.as_slice(), b"\">"].concat());
    let found = tokens.iter().find_map(|token| match token {
        Token::Open { attrs, .. } => attrs.text("b"),
        _ => None,
    });
    Cow::Owned(found.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::{Page, Tokens};

    fn piece() -> impl Strategy<Value = String> {
        prop_oneof![
            "[a-z <>/='\"&;!?-]{0,6}",
            "[ab&; ]{0,5}",
            "(href|HREF|name|value|type|action|form|content|alt|src|x)=(\"[a&;'= >]{0,4}\"|'[a&;\"= >]{0,4}'|[a&;\"'=/]{0,4})",
            prop::sample::select(vec![
                "<a ",
                "<A href=/x>",
                "</a>",
                "<form action=/go ",
                "</form>",
                "<input ",
                "<input name=q value='1&amp;2'>",
                "<select name=s>",
                "<option>",
                "<option value=1 selected>",
                "</select>",
                "<textarea name=t>",
                "</textarea>",
                "</TEXTAREA >",
                "<title>",
                "</title>",
                "<script>",
                "<script>if (a<b) '</scr'</script>",
                "<style>",
                "</style>",
                "<!-- c -->",
                "<!-->",
                "<!--->",
                "<!--x--!>",
                "<!doctype html>",
                "<![CDATA[x]]>",
                "<?php x?>",
                "</ x>",
                "</>",
                "<meta name=a content=b>",
                "<base href=/b/>",
                "<iframe src=f>",
                "<img alt=p>",
                "<button name=b>",
                "<br/>",
                ">",
                "&copy",
                "&copy;",
                "&notit;",
                "&#65;",
                "&amp",
                "<x y=&copyz>",
                "é",
                "\u{a0}",
                "<noscript><a href=n></noscript>",
                "<area href=q alt=r>",
                "<frame src=g>",
                "<plaintext>",
                "<script><!--<script></script>-->",
                "\r\n",
            ])
            .prop_map(str::to_owned),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn it_sees_what_the_tokenizer_sees(pieces in prop::collection::vec(piece(), 0..12)) {
            let html = pieces.concat();
            prop_assert_eq!(Page::of(html.as_bytes()), Page::from_tokens(&Tokens::of(html.as_bytes())), "{}", html);
        }

        #[test]
        fn any_bytes_too(html: Vec<u8>) {
            prop_assert_eq!(Page::of(&html), Page::from_tokens(&Tokens::of(&html)));
        }
    }
}
