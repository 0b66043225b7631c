//! E-mail addresses in a text, however their `@` is spelled.

use memchr::memmem;

use crate::encoding::{Spelling, after_escape};
use crate::secret_kind::Kind;
use crate::span::Span;

const SIGNS: [&[u8]; 7] = [b"@", b"%40", b"&#64;", b"&#x40;", b"&#064;", b"&commat;", b"\\u0040"];
const LONGEST_LOCAL: usize = 64;
/// What follows an `@` in the name of a picture for sharp screens, and no mailbox.
const FILES: [&str; 10] = ["png", "jpg", "jpeg", "gif", "svg", "webp", "css", "js", "ico", "avif"];

/// Finds all.
pub(crate) fn find(text: &[u8], spans: &mut Vec<Span>) {
    for (number, sign) in SIGNS.iter().enumerate() {
        // Most texts have none of these.
        if memchr::memchr(sign[0], text).is_none() {
            continue;
        }
        for at in memmem::find_iter(text, sign) {
            if let Some((start, end)) = around(text, at, at + sign.len(), number == 1) {
                let spelling = Spelling {
                    percent: number == 1,
                    entities: matches!(number, 2..=5),
                    backslash: number == 6,
                    plus: false,
                };
                spans.push(Span { spelling, ..Span::shaped(start, end, Kind::Email) });
            }
        }
    }
}

/// Where the address that has its sign there begins and ends.
fn around(text: &[u8], sign: usize, after: usize, percent: bool) -> Option<(usize, usize)> {
    let is_local = |b: u8| b.is_ascii_alphanumeric() || b"._-+".contains(&b) || (percent && b == b'%');
    let mut start = sign;
    while start > 0 && sign - start < LONGEST_LOCAL && is_local(text[start - 1]) {
        start -= 1;
    }
    if percent {
        // `%3Danna%40`: what is escaped is no part of a name, but for `+`.
        while let Some(escape) = text[start..sign].iter().position(|&b| b == b'%') {
            let unit = text.get(start + escape..start + escape + 3)?;
            if unit.eq_ignore_ascii_case(b"%2b") && escape > 0 {
                break;
            }
            start += escape + 3;
            if start >= sign {
                return None;
            }
        }
    }
    start = after_escape(text, start, sign);
    while start < sign && b"._-+".contains(&text[start]) {
        start += 1;
    }
    // `https://anna:password@host` is no address of anna's.
    let scheme = &text[start.saturating_sub(100)..start];
    let authority = memchr::memmem::rfind(scheme, b"://").map(|at| &scheme[at + 3..]);
    if authority.is_some_and(|user| user.ends_with(b":") && !user.iter().any(|b| b"/ \"'<>".contains(b))) {
        return None;
    }
    let length = text[after..]
        .iter()
        .position(|b| !b.is_ascii_alphanumeric() && !b".-".contains(b))
        .unwrap_or(text.len() - after);
    let mut end = after + length;
    while end > after && b".-".contains(&text[end - 1]) {
        end -= 1;
    }
    let domain = std::str::from_utf8(&text[after..end]).ok()?;
    let (_, top) = domain.rsplit_once('.')?;
    let is_top = top.len() >= 2 && top.bytes().all(|b| b.is_ascii_alphabetic());
    let is_file = FILES.iter().any(|file| top.eq_ignore_ascii_case(file));
    (start < sign && is_top && !is_file && domain.bytes().next()?.is_ascii_alphanumeric())
        .then_some((start, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let mut spans = Vec::new();
        find(text.as_bytes(), &mut spans);
        spans.iter().map(|span| &text[span.start..span.end]).collect()
    }

    /// Catches: an address that is overlooked as it is escaped, one that swallows what stands before it, a picture taken for one.
    #[test]
    fn in_every_spelling() {
        assert_eq!(found("<a href=\"mailto:anna.b+x@corp.org\">"), ["anna.b+x@corp.org"]);
        assert_eq!(
            found("email=anna%40corp.org&next=%2Fx%3Fm%3Dbob%2Bq%40corp.org%26"),
            ["anna%40corp.org", "bob%2Bq%40corp.org"]
        );
        assert_eq!(found(r#"{"m":"\nanna\u0040corp.org"}"#), [r"anna\u0040corp.org"]);
        assert_eq!(found("anna&#64;corp.org."), ["anna&#64;corp.org"]);
        assert_eq!(found("logo@2x.png npm@9.1.0 @media a@b git@host"), Vec::<&str>::new());
    }
}
