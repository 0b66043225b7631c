//! A page or a log as plain lines: tags gone, entities and escapes undone, blank lines left out.

use std::borrow::Cow;
use std::ops::Range;

use crate::page::lookup::Lookup;

/// A longer line is read in pieces, so that no form has to read far.
const LONGEST: usize = 4096;
/// By which the pieces overlap: longer than an error's line usually is.
const OVERLAP: usize = 1024;
/// A longer tag is text: an error may stand in an attribute.
const LONGEST_TAG: usize = 256;

/// Tags that leave nothing, since a sentence goes on across them.
#[rustfmt::skip]
const INLINE: &[&str] = &[
    "a", "abbr", "b", "bdi", "big", "cite", "code", "em", "font", "i", "kbd", "mark", "s", "samp", "small", "span",
    "strong", "sub", "tt", "u",
];
/// Tags that end a line. Only known names are tags: `<init>`, `<module>` and `<anonymous>` are parts of traces.
#[rustfmt::skip]
const BLOCK: &[&str] = &[
    "article", "aside", "blockquote", "body", "br", "button", "caption", "center", "dd", "details", "div", "dl", "dt",
    "fieldset", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "img", "input",
    "label", "li", "link", "meta", "nav", "ol", "option", "p", "pre", "script", "section", "select", "style",
    "summary", "table", "tbody", "td", "textarea", "th", "thead", "title", "tr", "ul", "wbr",
];
const IS_INLINE: u32 = 1;
const IS_BLOCK: u32 = 2;
static TAGS: Lookup = Lookup::new().with(INLINE, IS_INLINE).with(BLOCK, IS_BLOCK);

/// The lines of a text.
pub(super) struct Lines {
    text: String,
    places: Vec<Range<usize>>,
}

impl Lines {
    pub(super) fn of(text: &[u8]) -> Self {
        let text = String::from_utf8_lossy(text);
        let text = if is_json(&text) { without_tags(&without_quotes(&text)) } else { without_tags(&text) };
        let mut places = Vec::new();
        let mut from = 0;
        for line in text.split_inclusive('\n') {
            if !line.trim().is_empty() {
                push_pieces(&text, from..from + line.trim_end().len(), &mut places);
            }
            from += line.len();
        }
        Self { text, places }
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// A line; an empty one past the end.
    pub(super) fn get(&self, at: usize) -> &str {
        self.places.get(at).map_or("", |place| &self.text[place.clone()])
    }

    /// A line without what a log puts before it: `[Sun Nov 15 20:31:07 2026] [wsgi:error] [pid 7] `.
    pub(super) fn bare(&self, at: usize) -> &str {
        let mut line = self.get(at);
        while let Some(rest) =
            line.strip_prefix('[').and_then(|rest| rest.split_once("] ")).map(|(_, rest)| rest)
        {
            line = rest;
        }
        line
    }
}

fn push_pieces(text: &str, line: Range<usize>, places: &mut Vec<Range<usize>>) {
    let mut from = line.start;
    while line.end - from > LONGEST {
        let to = text.floor_char_boundary(from + LONGEST);
        places.push(from..to);
        from = text.floor_char_boundary(to - OVERLAP);
    }
    places.push(from..line.end);
}

/// By how it begins. A log's line may begin with a bracket, too.
fn is_json(text: &str) -> bool {
    let text = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    let inside = text.strip_prefix('[').map(str::trim_start);
    text.starts_with('{') || text.starts_with('"') || inside.is_some_and(|rest| rest.starts_with(['{', '"']))
}

/// JSON with each of its strings as lines of their own.
fn without_quotes(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find(['"', '\\']) {
        out.push_str(&rest[..at]);
        let special = rest.as_bytes()[at];
        rest = &rest[at + 1..];
        if special == b'"' {
            out.push('\n');
            continue;
        }
        let Some(escape) = rest.chars().next() else { break };
        rest = &rest[escape.len_utf8()..];
        match escape {
            'n' | 'r' => out.push('\n'),
            't' => out.push('\t'),
            'b' | 'f' => out.push(' '),
            'u' => {
                let code = rest.get(..4).and_then(|digits| u32::from_str_radix(digits, 16).ok());
                out.push(code.and_then(char::from_u32).unwrap_or('\u{fffd}'));
                rest = if code.is_some() { &rest[4..] } else { rest };
            }
            // Also a backslash, as in a class's name.
            other => out.push(other),
        }
    }
    out.push_str(rest);
    out
}

fn without_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['<', '&', '\\', '\r', '\u{a0}']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let (put, length): (Cow<'_, str>, usize) = match rest.as_bytes()[0] {
            b'<' => tag(rest).map_or(("<".into(), 1), |(put, length)| (put.into(), length)),
            b'&' => entity(rest).map_or_else(|| ("&".into(), 1), |(put, length)| (put.into(), length)),
            // A log of one line an entry writes a trace's line ends as `\n`.
            b'\\' if breaks_trace(rest) => ("\n".into(), 2),
            b'\\' => ("\\".into(), 1),
            b'\r' => ("\n".into(), 1),
            _ => (" ".into(), '\u{a0}'.len_utf8()),
        };
        out.push_str(&put);
        rest = &rest[length..];
    }
    out.push_str(rest);
    out
}

/// What a tag at the beginning leaves, and how long it is.
fn tag(text: &str) -> Option<(&'static str, usize)> {
    let name = text[1..].strip_prefix('/').unwrap_or(&text[1..]);
    let length = name.bytes().take(12).take_while(u8::is_ascii_alphanumeric).count();
    let put = match TAGS.get_in_any_case(&name.as_bytes()[..length]) {
        IS_INLINE => "",
        IS_BLOCK => "\n",
        _ => return None,
    };
    let end = text.bytes().take(LONGEST_TAG).position(|b| b == b'>')?;
    Some((put, end + 1))
}

fn entity(text: &str) -> Option<(String, usize)> {
    let end = text.bytes().take(10).position(|b| b == b';')?;
    let name = &text[1..end];
    let character = match name {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" | "ldquo" | "rdquo" => '"',
        "apos" | "lsquo" | "rsquo" => '\'',
        "nbsp" => ' ',
        _ => {
            let digits = name.strip_prefix('#')?;
            let code = match digits.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => digits.parse().ok()?,
            };
            char::from_u32(code).map(|c| if c == '\u{a0}' { ' ' } else { c })?
        }
    };
    Some((character.to_string(), end + 1))
}

fn breaks_trace(text: &str) -> bool {
    let follows = ["Stack trace:", "#", "  ", "\t", "\\t", "Caused by", "Traceback"];
    text.strip_prefix("\\n").is_some_and(|rest| follows.iter().any(|f| rest.starts_with(f)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        let lines = Lines::of(text.as_bytes());
        (0..lines.len()).map(|at| lines.get(at).to_owned()).collect()
    }

    #[test]
    fn html_json_and_logs() {
        assert_eq!(
            lines("<p>a <b>b</b>&lt;&#39;c&nbsp;</p>\n\n<br/>d <init> x<y"),
            ["a b<'c", "d <init> x<y"]
        );
        assert_eq!(lines(r#"{"a":"x\n\ty <b>\"z\"<\/b>\u0026"}"#), ["{", "a", ":", "x", "\ty \"z\"&", "}"]);
        assert_eq!(lines("[x] C:\\new\\table.php"), ["[x] C:\\new\\table.php"]);
        assert_eq!(lines("a in b:3\\nStack trace:\\n#0 {main}"), ["a in b:3", "Stack trace:", "#0 {main}"]);
    }

    #[test]
    fn long_lines_are_read_in_pieces() {
        let long = lines(&"é".repeat(10_000));
        assert!(long.len() > 4 && long.iter().all(|line| line.len() <= LONGEST));
    }

    #[test]
    fn what_a_log_puts_before_a_line_is_left_out() {
        assert_eq!(Lines::of(b"[Sun Nov 15] [pid 7]   File \"x\"").bare(0), "  File \"x\"");
    }
}
