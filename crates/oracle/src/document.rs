//! A response prepared for comparison: read once, compared by any number of comparators.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash, Hasher};
use std::ops::Range;

use restage_html::{Attrs, Token, Tokens};
use restage_model::Headers;

use crate::dates::{bare, date_length};
use crate::elements;
use crate::features::{Features, TagDetail, TextDetail};

/// What stands for a date in the masked words.
const DATE: &str = "\u{27e8}date\u{27e9}";

/// What a response's body is, as far as comparing goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Html,
    Text,
    Binary,
}

/// A response's body, prepared for comparison.
#[derive(Debug)]
pub struct Document {
    bytes: u64,
    /// For showing differences of bytes line by line.
    raw: Vec<u8>,
    kind: Kind,
    tokens: Tokens,
    tags: Vec<Tag>,
    runs: Vec<u64>,
    words: Vec<Word>,
    masked: Vec<Word>,
    text: String,
}

/// A tag, with a hash for each amount of detail.
#[derive(Clone, Copy, Debug)]
struct Tag {
    token: u32,
    closing: bool,
    name: u64,
    important: u64,
    all: u64,
}

/// A word: its hash, where its text is, and which text run it is of.
#[derive(Clone, Copy, Debug)]
struct Word {
    hash: u64,
    from: u32,
    to: u32,
    run: u32,
}

/// One thing that a comparator compares, by its hash, and where it comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub(crate) hash: u64,
    pub(crate) origin: Origin,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Origin {
    /// A line of the bytes, from and to.
    Line(u32, u32),
    /// A tag, by its token.
    Tag(u32),
    /// A word of the text, by its place in the text, and its text run.
    Word { from: u32, to: u32, run: u32 },
    /// A body that is not text.
    Blob,
}

impl Document {
    /// Reads a response.
    pub fn of(headers: &Headers, body: &[u8]) -> Self {
        let kind = kind(headers, body);
        let mut document = Self {
            bytes: hash(body),
            raw: body.to_vec(),
            kind,
            tokens: Tokens::default(),
            tags: Vec::new(),
            runs: Vec::new(),
            words: Vec::new(),
            masked: Vec::new(),
            text: String::new(),
        };
        match kind {
            Kind::Html => document.read_html(body),
            Kind::Text => document.add_text(body),
            Kind::Binary => {}
        }
        document.mask_dates();
        document
    }

    /// What a comparator of these features sees, in order.
    pub(crate) fn items(&self, features: Features) -> Vec<Item> {
        if features.bytes {
            return self.lines();
        }
        let mut items = Vec::new();
        if features.tags > TagDetail::Nothing {
            for tag in self.tags.iter().filter(|t| features.closing || !t.closing) {
                let hash = match features.tags {
                    TagDetail::Nothing | TagDetail::Names => tag.name,
                    TagDetail::Important => tag.important,
                    TagDetail::All => tag.all,
                };
                items.push(Item { hash, origin: Origin::Tag(tag.token) });
            }
        }
        if features.text > TextDetail::Nothing {
            if self.kind == Kind::Binary {
                items.push(Item { hash: self.bytes, origin: Origin::Blob });
            }
            let words = match features.text {
                TextDetail::WordsWithoutDates => &self.masked,
                _ => &self.words,
            };
            items.extend(
                words.iter().map(|w| Item {
                    hash: w.hash,
                    origin: Origin::Word { from: w.from, to: w.to, run: w.run },
                }),
            );
            if features.text == TextDetail::Exact {
                // White space between words: the runs' own hashes, after the words that people read.
                items.extend(self.runs.iter().map(|&hash| Item { hash, origin: Origin::Blob }));
            }
        }
        items
    }

    /// A tag as people write it.
    pub(crate) fn tag(&self, token: u32) -> Option<Token<'_>> {
        self.tokens.get(token as usize)
    }

    /// A piece of the text.
    pub(crate) fn text(&self, range: Range<u32>) -> &str {
        self.text.get(range.start as usize..range.end as usize).unwrap_or_default()
    }

    /// A piece of the bytes.
    pub(crate) fn raw(&self, range: Range<u32>) -> &[u8] {
        self.raw.get(range.start as usize..range.end as usize).unwrap_or_default()
    }

    /// The whole of a text run, white space collapsed.
    pub(crate) fn run(&self, run: u32) -> &str {
        let first = self.words.partition_point(|w| w.run < run);
        let last = self.words.partition_point(|w| w.run <= run);
        match self.words.get(first..last) {
            Some([first, .., last]) => self.text(first.from..last.to),
            Some([only]) => self.text(only.from..only.to),
            _ => "",
        }
    }

    fn lines(&self) -> Vec<Item> {
        let mut from = 0;
        let mut items = Vec::new();
        for line in self.raw.split_inclusive(|&b| b == b'\n') {
            let to = from + line.len() as u32;
            items.push(Item { hash: hash(line), origin: Origin::Line(from, to) });
            from = to;
        }
        items
    }

    fn read_html(&mut self, body: &[u8]) {
        let tokens = Tokens::of(body);
        let dropped = dropped_ranges(&tokens);
        let mut skip = dropped.iter().peekable();
        let mut silent = false;
        for (index, token) in tokens.iter().enumerate() {
            while skip.next_if(|range| range.end <= index).is_some() {}
            if skip.peek().is_some_and(|range| range.contains(&index)) {
                continue;
            }
            match token {
                Token::Open { name, attrs, .. } => {
                    silent = elements::is_silent(name);
                    self.tags.push(open_tag(index as u32, name, attrs));
                }
                Token::Close { name } => {
                    silent = false;
                    let name = hash((b"/", name));
                    let token = index as u32;
                    self.tags.push(Tag { token, closing: true, name, important: name, all: name });
                }
                Token::Text(text) if !silent => self.add_text(text),
                Token::Text(_) | Token::Comment(_) | Token::Doctype(_) => {}
            }
        }
        self.tokens = tokens;
    }

    /// Adds a text run: its words one by one, separated by white space or by tags.
    fn add_text(&mut self, text: &[u8]) {
        let run = self.runs.len() as u32;
        self.runs.push(hash(text));
        let text = String::from_utf8_lossy(text);
        // HTML's white space; a no-break space is content.
        for word in text.split(|c: char| c.is_ascii_whitespace()).filter(|w| !w.is_empty()) {
            if !self.text.is_empty() {
                self.text.push(' ');
            }
            let from = self.text.len() as u32;
            self.text.push_str(word);
            self.words.push(Word { hash: hash(word), from, to: self.text.len() as u32, run });
        }
    }

    fn mask_dates(&mut self) {
        let texts: Vec<&str> =
            self.words.iter().map(|w| &self.text[w.from as usize..w.to as usize]).collect();
        let mut at = 0;
        while at < texts.len() {
            // No date is longer than ten words: weekday, day, month, year, at, time, pm, zone.
            let length =
                if may_begin_date(texts[at]) { date_length(&texts[at..texts.len().min(at + 10)]) } else { 0 };
            if length == 0 {
                self.masked.push(self.words[at]);
                at += 1;
                continue;
            }
            let (first, last) = (texts[at], texts[at + length - 1]);
            // What stands around the date stays: a parenthesis or a full stop is not part of it.
            let before = &first[..first.find(bare(first)).unwrap_or(0)];
            let after = &last[last.rfind(bare(last)).map_or(last.len(), |i| i + bare(last).len())..];
            let hash = hash((before, DATE, after));
            let (from, to) = (self.words[at].from, self.words[at + length - 1].to);
            self.masked.push(Word { hash, from, to, run: self.words[at].run });
            at += length;
        }
    }
}

/// Quick no for the words that cannot begin a date.
fn may_begin_date(word: &str) -> bool {
    word.bytes().any(|b| b.is_ascii_digit())
        || bare(word).len() >= 3
        || matches!(bare(word), "a" | "an" | "in" | "A" | "An" | "In")
}

fn open_tag(token: u32, name: &[u8], attrs: Attrs<'_>) -> Tag {
    let name_hash = hash(name);
    let mut all: Vec<(&[u8], &[u8])> =
        attrs.iter().filter(|(n, _)| !elements::is_script_attribute(n)).collect();
    // The order of attributes means nothing.
    all.sort_unstable();
    let mut important = hasher();
    name_hash.hash(&mut important);
    for (attribute, default) in elements::important(name) {
        let value = attrs.get(attribute).or(default.map(str::as_bytes));
        match value {
            Some(value) if elements::is_keyword(attribute) => value.to_ascii_lowercase().hash(&mut important),
            value => value.hash(&mut important),
        }
    }
    Tag { token, closing: false, name: name_hash, important: important.finish(), all: hash((name, all)) }
}

/// The tokens from each dropped element's start tag to its end tag. One that is never closed drops its
/// tag alone, so that a forgotten end tag does not hide the rest of a page.
fn dropped_ranges(tokens: &Tokens) -> Vec<Range<usize>> {
    let mut open: HashMap<&[u8], Vec<usize>> = HashMap::new();
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        match token {
            Token::Open { name, self_closing, .. } if elements::is_dropped(name) => {
                ranges.push(index..index + 1);
                if !self_closing && !elements::is_void(name) {
                    open.entry(name).or_default().push(ranges.len() - 1);
                }
            }
            Token::Close { name } if elements::is_dropped(name) => {
                match open.get_mut(name).and_then(Vec::pop) {
                    Some(range) => ranges[range].end = index + 1,
                    None => ranges.push(index..index + 1),
                }
            }
            _ => {}
        }
    }
    ranges.sort_by_key(|r| (r.start, std::cmp::Reverse(r.end)));
    // Ranges may lie in one another: keep the outermost.
    let mut outer: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match outer.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => outer.push(range),
        }
    }
    outer
}

fn kind(headers: &Headers, body: &[u8]) -> Kind {
    match headers.media_type().as_deref() {
        Some("text/html" | "application/xhtml+xml") => Kind::Html,
        Some(t)
            if t.starts_with("text/")
                || t.ends_with("json")
                || t.ends_with("xml")
                || t.ends_with("javascript") =>
        {
            Kind::Text
        }
        Some("application/x-www-form-urlencoded") => Kind::Text,
        Some(_) => Kind::Binary,
        None if body.trim_ascii_start().starts_with(b"<") => Kind::Html,
        None if std::str::from_utf8(body).is_ok() => Kind::Text,
        None => Kind::Binary,
    }
}

fn hasher() -> DefaultHasher {
    // Fixed keys: hashes are compared across documents.
    BuildHasherDefault::<DefaultHasher>::default().build_hasher()
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = hasher();
    value.hash(&mut hasher);
    hasher.finish()
}
