//! A response prepared for comparison: read once, compared by any number of comparators.
//!
//! Reading gives the tags and the text, and a digest for each aspect of them. Whether a comparator sees a
//! difference is then a comparison of a few digests; what it sees is worked out only where there is one.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use restage_html::{Token, Tokens};
use restage_model::Headers;

use crate::digest::{Digest, both, hash};
use crate::elements;
use crate::features::{Features, FormDetail, TagDetail, TextDetail};
use crate::listed::{Entry, Lists};
use crate::tag::Tag;
use crate::text::{Text, Word};

/// Tells the text `b` from the tag `<b>` where both are of one sequence.
const TEXT: u64 = 0x7465_7874;

/// What a response's body is, as far as comparing goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Html,
    Text,
    Binary,
}

/// A response's body, prepared for comparison.
#[derive(Debug)]
pub struct Document<'a> {
    raw: Cow<'a, [u8]>,
    kind: Kind,
    tokens: Tokens,
    tags: Vec<Tag>,
    /// Where text runs stand among the tags: after how many of them, and which part of the text.
    runs: Vec<(u32, Range<u32>)>,
    lists: Lists,
    text: Text,
    digests: Digests,
}

/// A digest for each aspect that a comparator may look at.
#[derive(Debug, Default)]
struct Digests {
    bytes: u64,
    /// Names, important, all, all without style, all without style and layout; of the tags that are neither
    /// left out as style nor as layout in each of the three ways.
    names: [Digest; 3],
    important: [Digest; 3],
    all: [Digest; 3],
    /// The tags with the text among them: exact, and by words.
    document: [Digest; 2],
    text: [Digest; 3],
    lists: [Digest; 3],
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
    /// An entry of a list in which order does not count, by its tag's token.
    Listed(u32),
    /// A word of the text, or what stands between words, by its place; and its line.
    Word { from: u32, to: u32, line: u32 },
    /// A body that is not text.
    Blob,
}

impl<'a> Document<'a> {
    /// Reads a response.
    pub fn of(headers: &Headers, body: &'a [u8]) -> Self {
        let kind = kind(headers, body);
        let mut document = Self {
            raw: Cow::Borrowed(body),
            kind,
            tokens: Tokens::default(),
            tags: Vec::new(),
            runs: Vec::new(),
            lists: Lists::default(),
            text: Text::default(),
            digests: Digests { bytes: hash(body), ..Digests::default() },
        };
        match kind {
            Kind::Html => document.read_html(body),
            Kind::Text => {
                document.text.push(body);
            }
            Kind::Binary => {}
        }
        document.text.finish();
        document.digest();
        document
    }

    /// Whether a comparator of these features sees a difference.
    pub(crate) fn differs(&self, other: &Self, features: Features) -> bool {
        let (a, b) = (&self.digests, &other.digests);
        if a.bytes == b.bytes {
            return false;
        }
        if features.bytes {
            return true;
        }
        if self.kind == Kind::Binary || other.kind == Kind::Binary {
            return features.text > TextDetail::Nothing;
        }
        if features.interleaved && (features.style, features.layout) == (true, true) {
            let exact = usize::from(features.text != TextDetail::Exact);
            return a.document[exact] != b.document[exact];
        }
        let kept = kept(features);
        let tags = |d: &Digests| match features.tags {
            TagDetail::Nothing => Digest::default(),
            TagDetail::Names => d.names[kept],
            TagDetail::Important => d.important[kept],
            TagDetail::All => d.all[kept],
        };
        let text = match features.text {
            TextDetail::Nothing => None,
            TextDetail::Exact => Some(0),
            TextDetail::Words => Some(1),
            TextDetail::WordsWithoutDates => Some(2),
        };
        let forms = match features.forms {
            FormDetail::Nothing => None,
            FormDetail::Offered => Some(1),
            FormDetail::Selected => Some(2),
        };
        tags(a) != tags(b)
            || text.is_some_and(|at| a.text[at] != b.text[at])
            || features.links && a.lists[0] != b.lists[0]
            || forms.is_some_and(|at| a.lists[at] != b.lists[at])
    }

    /// What a comparator of these features sees, in order.
    pub(crate) fn items(&self, features: Features) -> Vec<Item> {
        if features.bytes {
            return self.lines();
        }
        if features.interleaved {
            return self.interleaved(features.text == TextDetail::Exact);
        }
        let mut items = Vec::new();
        let kept = kept(features);
        for tag in self.tags.iter().filter(|t| is_kept(t, features)) {
            let hash = match features.tags {
                TagDetail::Nothing => break,
                TagDetail::Names => tag.name,
                TagDetail::Important => tag.important,
                TagDetail::All => tag.all[kept],
            };
            items.push(Item { hash, origin: Origin::Tag(tag.token) });
        }
        if features.links {
            items.extend(self.lists.sorted_links().into_iter().map(listed));
        }
        match features.forms {
            FormDetail::Nothing => {}
            FormDetail::Offered => items.extend(self.lists.sorted_controls(false).into_iter().map(listed)),
            FormDetail::Selected => items.extend(self.lists.sorted_controls(true).into_iter().map(listed)),
        }
        if features.text > TextDetail::Nothing && self.kind == Kind::Binary {
            items.push(Item { hash: self.digests.bytes, origin: Origin::Blob });
        }
        match features.text {
            TextDetail::Nothing => {}
            TextDetail::WordsWithoutDates => items.extend(self.text.masked().iter().copied().map(word)),
            TextDetail::Words => items.extend(self.text.words().iter().copied().map(word)),
            TextDetail::Exact => items.extend(self.text.pieces().into_iter().map(word)),
        }
        items
    }

    /// A tag, by its token.
    pub(crate) fn tag(&self, token: u32) -> Option<Token<'_>> {
        self.tokens.get(token as usize)
    }

    /// The text.
    pub(crate) fn text(&self) -> &Text {
        &self.text
    }

    /// A piece of the bytes.
    pub(crate) fn raw(&self, range: Range<u32>) -> &[u8] {
        self.raw.get(range.start as usize..range.end as usize).unwrap_or_default()
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

    /// Tags with all attributes, and the text among them, character by character or word by word.
    fn interleaved(&self, exact: bool) -> Vec<Item> {
        let mut items = Vec::new();
        let mut runs = self.runs.iter().peekable();
        for at in 0..=self.tags.len() {
            while let Some((_, run)) = runs.next_if(|(after, _)| *after as usize == at) {
                self.run_items(run, exact, &mut items);
            }
            if let Some(tag) = self.tags.get(at) {
                items.push(Item { hash: tag.all[0], origin: Origin::Tag(tag.token) });
            }
        }
        items
    }

    /// The text of a run. A word that goes on from the run before, or on into the next, is not the same as one
    /// that does not.
    fn run_items(&self, run: &Range<u32>, exact: bool, items: &mut Vec<Item>) {
        let origin = |from: u32, to: u32| Origin::Word { from, to, line: run.start };
        let text = self.text.slice(run.clone());
        if exact {
            items.push(Item { hash: both(TEXT, hash(text.as_bytes())), origin: origin(run.start, run.end) });
            return;
        }
        let mut at = run.start;
        for piece in text.split_inclusive(|c: char| c.is_ascii_whitespace()) {
            let word = piece.trim_end_matches(|c: char| c.is_ascii_whitespace());
            if !word.is_empty() {
                let glued = at == run.start && self.text.is_inside_word(at);
                let to = at + word.len() as u32;
                let hash = both(TEXT + u64::from(glued), hash(word.as_bytes()));
                items.push(Item { hash, origin: origin(at, to) });
            }
            at += piece.len() as u32;
        }
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
            let token_at = index as u32;
            match token {
                Token::Open { name, attrs, .. } => {
                    silent = elements::is_silent(name);
                    self.tags.push(Tag::open(token_at, name, attrs));
                    self.lists.open(token_at, name, attrs);
                    if !elements::is_inline(name) {
                        self.text.end_line();
                    }
                }
                Token::Close { name } => {
                    silent = false;
                    self.tags.push(Tag::close(token_at, name));
                    if !elements::is_inline(name) {
                        self.text.end_line();
                    }
                }
                Token::Text(text) if !silent => {
                    let run = self.text.push(text);
                    self.runs.push((self.tags.len() as u32, run));
                }
                Token::Text(_) | Token::Comment(_) | Token::Doctype(_) => {}
            }
        }
        self.tokens = tokens;
    }

    fn digest(&mut self) {
        let digests = &mut self.digests;
        for tag in &self.tags {
            let ways = [true, !tag.style, !tag.style && !tag.layout];
            for way in (0..3).filter(|&way| ways[way]) {
                digests.all[way].add(tag.all[way]);
                if !tag.closing {
                    digests.names[way].add(tag.name);
                    digests.important[way].add(tag.important);
                }
            }
        }
        digests.text = self.text.digests();
        digests.lists = self.lists.digests();
        for (at, exact) in [(0, true), (1, false)] {
            let mut digest = Digest::default();
            self.interleaved(exact).iter().for_each(|item| digest.add(item.hash));
            if self.kind == Kind::Text {
                digest = self.digests.text[at];
            }
            self.digests.document[at] = digest;
        }
    }
}

/// In which of the three ways tags are left out: not at all, style, style and layout.
fn kept(features: Features) -> usize {
    match (features.style, features.layout) {
        (true, _) => 0,
        (false, true) => 1,
        (false, false) => 2,
    }
}

fn is_kept(tag: &Tag, features: Features) -> bool {
    (features.closing || !tag.closing) && (features.style || !tag.style) && (features.layout || !tag.layout)
}

fn listed(entry: Entry) -> Item {
    Item { hash: entry.hash, origin: Origin::Listed(entry.token) }
}

fn word(word: Word) -> Item {
    Item { hash: word.hash, origin: Origin::Word { from: word.from, to: word.to, line: word.line } }
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
            Token::Close { name } if elements::is_dropped(name) => match open.get_mut(name).and_then(Vec::pop) {
                Some(range) => ranges[range].end = index + 1,
                None => ranges.push(index..index + 1),
            },
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
        Some("application/x-www-form-urlencoded") => Kind::Text,
        Some(t) if t.starts_with("text/") => Kind::Text,
        Some(t) if ["json", "xml", "javascript"].iter().any(|end| t.ends_with(end)) => Kind::Text,
        Some(_) => Kind::Binary,
        None if body.trim_ascii_start().starts_with(b"<") => Kind::Html,
        None if std::str::from_utf8(body).is_ok() => Kind::Text,
        None => Kind::Binary,
    }
}
