//! The text of a page: its characters, its words, and its words with dates masked.
//!
//! Tags of inline elements vanish, so that a word goes on across them; those of all others end a line. The
//! words are a function of the characters, and the masked words of the words: what is seen of less is seen
//! of more.

use std::ops::Range;

use crate::dates::{bare, date_length, may_begin_date};
use crate::digest::{Digest, hash};

/// What stands for a date in the masked words.
const DATE: &str = "\u{27e8}date\u{27e9}";
/// Ends a line. Text has no such character: the tokenizer replaces it.
pub(crate) const BREAK: char = '\0';

/// A word: its hash, where its text is, and which line it is of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    pub(crate) hash: u64,
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) line: u32,
}

/// The text of a page.
#[derive(Debug, Default)]
pub(crate) struct Text {
    characters: String,
    words: Vec<Word>,
    masked: Vec<Word>,
    /// Of the masked words those that are dates.
    dates: Vec<Word>,
}

impl Text {
    /// Adds the text between two tags; what of it follows without white space on what was before, if anything.
    pub(crate) fn push(&mut self, text: &[u8]) -> Range<u32> {
        let from = self.characters.len() as u32;
        self.characters.push_str(&String::from_utf8_lossy(text));
        from..self.characters.len() as u32
    }

    /// Ends the line.
    pub(crate) fn end_line(&mut self) {
        if !self.characters.is_empty() && !self.characters.ends_with(BREAK) {
            self.characters.push(BREAK);
        }
    }

    /// Finds the words, once all text is there.
    pub(crate) fn finish(&mut self) {
        let mut line = 0;
        let mut start = None;
        for (at, c) in self.characters.char_indices() {
            // HTML's white space; a no-break space is content.
            if c.is_ascii_whitespace() || c == BREAK {
                if let Some(from) = start.take() {
                    self.words.push(word(&self.characters, from, at, line));
                }
                line += u32::from(c == BREAK);
            } else if start.is_none() {
                start = Some(at);
            }
        }
        if let Some(from) = start {
            self.words.push(word(&self.characters, from, self.characters.len(), line));
        }
        self.mask_dates();
    }

    /// Digests of the characters, the words, and the masked words.
    pub(crate) fn digests(&self) -> [Digest; 3] {
        let (mut characters, mut words, mut masked) =
            (Digest::default(), Digest::default(), Digest::default());
        characters.add(hash(self.characters.trim_end_matches(BREAK).as_bytes()));
        self.words.iter().for_each(|w| words.add(w.hash));
        self.masked.iter().for_each(|w| masked.add(w.hash));
        [characters, words, masked]
    }

    pub(crate) fn words(&self) -> &[Word] {
        &self.words
    }

    pub(crate) fn masked(&self) -> &[Word] {
        &self.masked
    }

    /// The characters in pieces: words, and what stands between them.
    pub(crate) fn pieces(&self) -> Vec<Word> {
        let mut pieces = Vec::with_capacity(self.words.len() * 2);
        let mut at = 0;
        for w in &self.words {
            if w.from > at {
                pieces.push(word(&self.characters, at as usize, w.from as usize, w.line));
            }
            pieces.push(*w);
            at = w.to;
        }
        let end = self.characters.trim_end_matches(BREAK).len();
        if end > at as usize {
            pieces.push(word(&self.characters, at as usize, end, u32::MAX));
        }
        pieces
    }

    /// A piece of the characters, line ends shown as white space.
    pub(crate) fn slice(&self, range: Range<u32>) -> &str {
        self.characters.get(range.start as usize..range.end as usize).unwrap_or_default()
    }

    /// The words of a line.
    pub(crate) fn line(&self, line: u32) -> String {
        let first = self.words.partition_point(|w| w.line < line);
        let last = self.words.partition_point(|w| w.line <= line);
        let words: Vec<&str> = self.words[first..last].iter().map(|w| self.slice(w.from..w.to)).collect();
        words.join(" ")
    }

    /// The date that a place is in.
    pub(crate) fn date_at(&self, at: u32) -> Option<Word> {
        let next = self.dates.partition_point(|d| d.to <= at);
        self.dates.get(next).copied().filter(|d| d.from <= at)
    }

    /// Whether a place is inside a word: no white space stands before it.
    pub(crate) fn is_inside_word(&self, at: u32) -> bool {
        let before = self.characters[..at as usize].chars().next_back();
        before.is_some_and(|c| !c.is_ascii_whitespace() && c != BREAK)
    }

    fn mask_dates(&mut self) {
        let texts: Vec<&str> =
            self.words.iter().map(|w| &self.characters[w.from as usize..w.to as usize]).collect();
        let bares: Vec<&str> = texts.iter().map(|text| bare(text)).collect();
        let mut at = 0;
        while at < texts.len() {
            // No date is longer than ten words: weekday, day, month, year, at, time, pm, zone.
            let length =
                if may_begin_date(bares[at]) { date_length(&bares[at..bares.len().min(at + 10)]) } else { 0 };
            if length == 0 {
                self.masked.push(self.words[at]);
                at += 1;
                continue;
            }
            let (first, last) = (texts[at], texts[at + length - 1]);
            // What stands around the date stays: a parenthesis or a full stop is not part of it.
            let before = &first[..first.find(bares[at]).unwrap_or(0)];
            let end = bares[at + length - 1];
            let after = &last[last.rfind(end).map_or(last.len(), |i| i + end.len())..];
            let hash = hash(format!("{before}{DATE}{after}").as_bytes());
            let (from, to) = (self.words[at].from, self.words[at + length - 1].to);
            let date = Word { hash, from, to, line: self.words[at].line };
            self.masked.push(date);
            self.dates.push(date);
            at += length;
        }
    }
}

fn word(characters: &str, from: usize, to: usize, line: u32) -> Word {
    Word { hash: hash(&characters.as_bytes()[from..to]), from: from as u32, to: to as u32, line }
}
