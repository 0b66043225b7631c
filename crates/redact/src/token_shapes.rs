//! Secrets that are told by their own shape, wherever they stand.

use crate::secret_kind::Kind;
use crate::span::Span;

/// No key is longer.
const LONGEST: usize = 16 << 10;

/// What they begin with. The order is that of [`at`].
pub(crate) const BEGINNINGS: &[&str] = &[
    "eyJ",
    "AKIA",
    "ghp_",
    "gho_",
    "ghs_",
    "github_pat_",
    "glpat-",
    "sk_live_",
    "rk_live_",
    "sk_test_",
    "xoxb-",
    "xoxp-",
    "-----BEGIN ",
    "bearer ",
    "://",
];

/// The secret that begins there, if one does.
pub(crate) fn at(text: &[u8], beginning: usize, start: usize) -> Option<Span> {
    let begins = BEGINNINGS.get(beginning)?;
    if !text[start..].starts_with(begins.as_bytes()) && *begins != "bearer " {
        return None;
    }
    let apart = start == 0 || !text[start - 1].is_ascii_alphanumeric();
    let length = |from: usize, more: &[u8]| {
        text[from..text.len().min(from + LONGEST)]
            .iter()
            .position(|b| !b.is_ascii_alphanumeric() && !more.contains(b))
            .unwrap_or((text.len() - from).min(LONGEST))
    };
    let kind = Kind::Authorization;
    // Most of what looks like a beginning is the middle of something else.
    if !apart && !matches!(*begins, "-----BEGIN " | "://") {
        return None;
    }
    match *begins {
        "eyJ" => {
            // A JSON Web Token: two or three parts of some length.
            let end = start + length(start, b"_-.");
            let parts: Vec<&[u8]> = text[start..end].split(|&b| b == b'.').collect();
            let (Some(head), Some(body)) = (parts.first(), parts.get(1)) else { return None };
            (head.len() >= 12 && body.len() >= 8).then(|| Span::shaped(start, end, kind))
        }
        "-----BEGIN " => {
            let within = |from: usize, most: usize| &text[from..text.len().min(from + most)];
            let from = start + memchr::memmem::find(within(start, 64), b"PRIVATE KEY-----")? + 16;
            let end = from + memchr::memmem::find(within(from, LONGEST), b"-----END")?;
            Some(Span::shaped(from, end, kind))
        }
        "bearer " => {
            let from = start + begins.len();
            let end = from + length(from, b"_-.~+/=");
            (end - from >= 16 && text[from..end].iter().any(u8::is_ascii_digit))
                .then(|| Span::shaped(from, end, kind))
        }
        "://" => {
            // `https://anna:secret@host`
            let from = start + begins.len();
            let end =
                from + text[from..].iter().take(200).position(|b| b"/@\"'<> \r\n\t?#&,;)".contains(b))?;
            let colon = from + text[from..end].iter().position(|&b| b == b':')?;
            (text[end] == b'@' && end - colon > 4)
                .then(|| Span { kind: Kind::Password, ..Span::shaped(colon + 1, end, kind) })
        }
        _ => {
            let end = start + length(start, b"_-");
            let least = if *begins == "AKIA" { 20 } else { begins.len() + 10 };
            (end - start >= least).then(|| Span::shaped(start + begins.len(), end, kind))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::Rules;

    fn found(text: &str) -> Vec<&str> {
        let rules = Rules::default();
        let hits = rules.automaton.find_iter(text);
        let spans = hits.filter_map(|hit| super::at(text.as_bytes(), hit.pattern().as_usize(), hit.start()));
        spans.map(|span| &text[span.start..span.end]).collect()
    }

    /// Catches: a key that nobody named, in a page or a log.
    #[test]
    fn told_by_their_beginning() {
        assert_eq!(
            found("x eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_1 y"),
            ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_1"]
        );
        assert_eq!(found("AKIAIOSFODNN7EXAMPLE"), ["IOSFODNN7EXAMPLE"]);
        assert_eq!(found("Authorization: Bearer abcdef1234567890"), ["abcdef1234567890"]);
        assert_eq!(found("see http://anna:hunter2@host/ and http://host:8080/a@b"), ["hunter2"]);
        assert_eq!(found("-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA"), ["\nabc\n"]);
        assert_eq!(found("eyJ is short, AKIA too, and http://host/"), Vec::<&str>::new());
    }
}
