//! A response prepared for comparison: read once, compared by any number of comparators.
//!
//! Reading gives the tags and the text, and a digest for each aspect of them that the named comparators look
//! at. What comparators make of it is in `view`.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use restage_html::{Token, Tokens};
use restage_model::Headers;

use crate::body::format::{Format, Kind};
use crate::comparators::features::{Features, TextDetail, Way};
use crate::page::digest::{Digest, hash};
use crate::page::elements::Element;
use crate::page::listed::Lists;
use crate::page::tag::Tag;
use crate::page::text::Text;

/// A response's body, prepared for comparison.
#[derive(Debug)]
pub struct Document<'a> {
    raw: Cow<'a, [u8]>,
    pub(crate) format: Format,
    pub(crate) kind: Kind,
    tokens: Tokens,
    pub(crate) tags: Vec<Tag>,
    /// Where text runs stand among the tags: after how many of them, and which part of the text.
    pub(crate) runs: Vec<(u32, Range<u32>)>,
    /// Where style sheets stand among the tags, by their token. They are no text that a user reads.
    pub(crate) sheets: Vec<(u32, u32)>,
    pub(crate) lists: Lists,
    text: Text,
    pub(crate) digests: Digests,
}

/// A digest for each aspect that the named comparators look at.
#[derive(Debug, Default)]
pub(crate) struct Digests {
    pub(crate) bytes: u64,
    /// Of the opening tags by name, of them with important attributes, and of all tags with all attributes;
    /// by [`Way`], of those that the named comparators see in.
    pub(crate) names: [Digest; 4],
    pub(crate) important: [Digest; 4],
    pub(crate) all: [Digest; 4],
    /// The tags with the text among them: exact, and by words.
    pub(crate) document: [Digest; 2],
    /// The text: exact, by words, by masked words.
    pub(crate) text: [Digest; 3],
    /// The links, the controls, the controls with what is selected.
    pub(crate) lists: [Digest; 3],
}

impl<'a> Document<'a> {
    /// Reads a response.
    pub fn of(headers: &Headers, body: &'a [u8]) -> Self {
        Self::of_format(Format::of(headers, body), body)
    }

    pub(crate) fn of_format(format: Format, body: &'a [u8]) -> Self {
        // A byte order mark says how to read the text, and is not of it.
        let text = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
        match format {
            Format::Html => Self::read(format, Cow::Borrowed(body), Tokens::of(text)),
            _ => Self::read(format, Cow::Borrowed(body), Tokens::default()),
        }
    }

    /// Reads a body of these tokens.
    pub(crate) fn read(format: Format, raw: Cow<'a, [u8]>, tokens: Tokens) -> Self {
        let kind = format.kind();
        let bytes = hash(&raw);
        let mut document = Self {
            raw,
            format,
            kind,
            tokens: Tokens::default(),
            tags: Vec::new(),
            runs: Vec::new(),
            sheets: Vec::new(),
            lists: Lists::default(),
            text: Text::default(),
            digests: Digests { bytes, ..Digests::default() },
        };
        match kind {
            Kind::Html => document.read_html(tokens),
            Kind::Text => {
                let text = document.raw.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&document.raw);
                let run = document.text.push(text);
                document.runs.push((0, run));
            }
            Kind::Binary => {}
        }
        document.text.finish();
        document.digest();
        document
    }

    /// A token, by its place.
    pub(crate) fn token(&self, token: u32) -> Option<Token<'_>> {
        self.tokens.get(token as usize)
    }

    /// What is on the page and no reader sees: comments, document types, scripts and other dropped elements.
    pub(crate) fn hidden_tokens(&self) -> Vec<Token<'_>> {
        let dropped = dropped_ranges(&self.tokens);
        let mut dropped = dropped.iter().peekable();
        let mut hidden = Vec::new();
        for (index, token) in self.tokens.iter().enumerate() {
            while dropped.next_if(|range| range.end <= index).is_some() {}
            let is_dropped = dropped.peek().is_some_and(|range| range.contains(&index));
            if is_dropped || matches!(token, Token::Comment(_) | Token::Doctype(_)) {
                hidden.push(token);
            }
        }
        hidden
    }

    /// The text.
    pub(crate) fn text(&self) -> &Text {
        &self.text
    }

    /// The response's bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.raw
    }

    /// A piece of the bytes; less where there are less.
    pub(crate) fn raw(&self, range: Range<u32>) -> &[u8] {
        self.raw.get(range.start as usize..self.raw.len().min(range.end as usize)).unwrap_or_default()
    }

    /// A style sheet, by its token.
    pub(crate) fn sheet(&self, token: u32) -> &[u8] {
        match self.token(token) {
            Some(Token::Text(text)) => text,
            _ => b"",
        }
    }

    fn read_html(&mut self, tokens: Tokens) {
        let dropped = dropped_ranges(&tokens);
        let mut skip = dropped.iter().peekable();
        let mut silent = false;
        self.tags.reserve(tokens.len());
        self.text.reserve(self.raw.len() / 2);
        for (index, token) in tokens.iter().enumerate() {
            while skip.next_if(|range| range.end <= index).is_some() {}
            if skip.peek().is_some_and(|range| range.contains(&index)) {
                continue;
            }
            let token_at = index as u32;
            match token {
                Token::Open { name, attrs, .. } => {
                    let element = Element::of(name);
                    silent = element.is_silent();
                    let tag = Tag::open(token_at, name, element, attrs);
                    self.tags.push(tag);
                    self.lists.open(&tag, name, attrs);
                    if !element.is_inline() {
                        self.text.end_line();
                    }
                }
                Token::Close { name } => {
                    let element = Element::of(name);
                    silent = false;
                    self.tags.push(Tag::close(token_at, name, element));
                    if !element.is_inline() {
                        self.text.end_line();
                    }
                }
                Token::Text(text) if !silent => {
                    let run = self.text.push(text);
                    self.runs.push((self.tags.len() as u32, run));
                }
                Token::Text(_) => self.sheets.push((self.tags.len() as u32, token_at)),
                Token::Comment(_) | Token::Doctype(_) => {}
            }
        }
        self.tokens = tokens;
    }

    fn digest(&mut self) {
        let digests = &mut self.digests;
        // Way by way, so that what grows stays in registers.
        for (way, at) in Way::NAMED.map(|way| (way, way.at())) {
            let (mut names, mut important, mut all) = Default::default();
            for tag in self.tags.iter().filter(|tag| way.keeps(tag.style, tag.layout)) {
                Digest::add(&mut all, tag.all[at]);
                if !tag.closing {
                    Digest::add(&mut names, tag.name);
                    Digest::add(&mut important, tag.important);
                }
            }
            (digests.names[at], digests.important[at], digests.all[at]) = (names, important, all);
        }
        digests.text = self.text.digests();
        digests.lists = self.lists.digests();
        for (at, text) in [TextDetail::Exact, TextDetail::Words].into_iter().enumerate() {
            self.digests.document[at] = self.in_place_digest(Features::document(text));
        }
    }
}

/// The tokens from each dropped element's start tag to its end tag. One that is never closed drops its
/// tag alone, so that a forgotten end tag does not hide the rest of a page.
fn dropped_ranges(tokens: &Tokens) -> Vec<Range<usize>> {
    let mut open: HashMap<&[u8], Vec<usize>> = HashMap::new();
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        match token {
            Token::Open { name, self_closing, .. } if Element::of(name).is_dropped() => {
                ranges.push(index..index + 1);
                if !self_closing && !Element::of(name).is_void() {
                    open.entry(name).or_default().push(ranges.len() - 1);
                }
            }
            Token::Close { name } if Element::of(name).is_dropped() => {
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
