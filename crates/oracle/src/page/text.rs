//! The text of a page: its characters, its words, and its words with dates masked.
//!
//! Tags of inline elements vanish, so that a word goes on across them; those of all others end a line. The
//! words are a function of the characters, and the masked words of the words: what is seen of less is seen
//! of more.

use std::borrow::Cow;
use std::ops::Range;

use crate::page::dates::{bare, date_length, may_begin_date};
use crate::page::digest::{Digest, hash};

/// What stands for a date in the masked words.
const DATE: &str = "\u{27e8}date\u{27e9}";
/// No date is longer: weekday, day, month, year, at, time, pm, zone.
const LONGEST_DATE: usize = 10;
/// Ends a line. A page has hardly ever such a character of its own; where it has, that ends a line, too.
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
    /// The dates, each of which stands for the words it is made of.
    dates: Vec<Word>,
}

impl Text {
    /// Makes room for so many bytes.
    pub(crate) fn reserve(&mut self, bytes: usize) {
        self.characters.reserve(bytes);
    }

    /// Adds the text between two tags; what of it follows without white space on what was before, if anything.
    pub(crate) fn push(&mut self, text: &[u8]) -> Range<u32> {
        let from = self.characters.len() as u32;
        match std::str::from_utf8(text) {
            Ok(text) => self.characters.push_str(text),
            Err(_) => self.characters.push_str(&String::from_utf8_lossy(text)),
        }
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
        self.words.reserve(self.characters.len() / 6);
        let mut line = 0;
        let mut start = None;
        // What ends a word is of ASCII, and no byte of another character is.
        for (at, &byte) in self.characters.as_bytes().iter().enumerate() {
            // HTML's white space; a no-break space is content.
            if byte.is_ascii_whitespace() || byte == BREAK as u8 {
                if let Some(from) = start.take() {
                    self.words.push(word(&self.characters, from, at, line));
                }
                line += u32::from(byte == BREAK as u8);
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
        characters.add(hash(self.canonical().as_bytes()));
        self.words.iter().for_each(|w| words.add(w.hash));
        self.masked().for_each(|w| masked.add(w.hash));
        [characters, words, masked]
    }

    /// The characters, each line end behind the white space around it: where among white space a tag ends the line is
    /// not text, and a closing tag that is left out before the next opening one changes none.
    fn canonical(&self) -> Cow<'_, str> {
        let text = self.characters.trim_end_matches(BREAK);
        let is_space = |c: char| c.is_ascii_whitespace();
        let mut out = String::new();
        let mut done = 0;
        for at in memchr::memchr_iter(BREAK as u8, text.as_bytes()) {
            if at < done {
                continue;
            }
            let rest = &text[at + 1..];
            let run = rest.len() - rest.trim_start_matches(|c: char| is_space(c) || c == BREAK).len();
            if run == 0 {
                continue;
            }
            out.push_str(&text[done..at]);
            out.extend(rest[..run].chars().filter(|c| *c != BREAK));
            out.push(BREAK);
            done = at + 1 + run;
        }
        if done == 0 {
            return Cow::Borrowed(text);
        }
        out.push_str(&text[done..]);
        out.truncate(out.trim_end_matches(BREAK).len());
        Cow::Owned(out)
    }

    pub(crate) fn words(&self) -> &[Word] {
        &self.words
    }

    /// The words with each date as one.
    pub(crate) fn masked(&self) -> impl Iterator<Item = Word> {
        let (mut words, mut dates) = (self.words.as_slice(), self.dates.iter().peekable());
        std::iter::from_fn(move || {
            let (&word, rest) = words.split_first()?;
            let Some(date) = dates.next_if(|date| date.from == word.from) else {
                words = rest;
                return Some(word);
            };
            words = &words[words.iter().take_while(|w| w.to <= date.to).count()..];
            Some(*date)
        })
    }

    /// The characters in pieces: words, and what stands between them.
    pub(crate) fn pieces(&self) -> Vec<Word> {
        let mut pieces = Vec::with_capacity(self.words.len() * 2);
        let mut at = 0;
        for w in &self.words {
            if w.from > at {
                pieces.push(self.gap(at, w.from, w.line));
            }
            pieces.push(*w);
            at = w.to;
        }
        let end = self.characters.trim_end_matches(BREAK).len();
        if end > at as usize {
            pieces.push(self.gap(at, end as u32, u32::MAX));
        }
        pieces
    }

    /// What stands between words, by its white space and whether a line ends in it.
    fn gap(&self, from: u32, to: u32, line: u32) -> Word {
        let text = self.slice(from..to);
        let mut canonical: String = text.chars().filter(|c| *c != BREAK).collect();
        // A line that ends behind the last word, or before the first one, ends nothing.
        if text.contains(BREAK) && line != u32::MAX && from > 0 {
            canonical.push(BREAK);
        }
        Word { hash: hash(canonical.as_bytes()), from, to, line }
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

    fn mask_dates(&mut self) {
        let text = |word: &Word| &self.characters[word.from as usize..word.to as usize];
        let mut at = 0;
        while let Some(&here) = self.words.get(at) {
            let first = text(&here);
            let begin = bare(first);
            let mut length = 0;
            let mut end = begin;
            if may_begin_date(begin) {
                let ahead = &self.words[at..self.words.len().min(at + LONGEST_DATE)];
                let mut bares = [""; LONGEST_DATE];
                bares.iter_mut().zip(ahead).for_each(|(bares, word)| *bares = bare(text(word)));
                let [farther, nearer] = [2, 1].map(|back| at.checked_sub(back).map(|at| &self.words[at]));
                let before = [farther, nearer].map(|word| word.map_or("", |word| bare(text(word))));
                length = date_length(&before, &bares[..ahead.len()]);
                end = bares[length.saturating_sub(1)];
            }
            if length == 0 {
                at += 1;
                continue;
            }
            let last = self.words[at + length - 1];
            // What stands around the date stays: a parenthesis or a full stop is not part of it.
            let before = &first[..first.find(begin).unwrap_or(0)];
            let after = text(&last);
            let after = &after[after.rfind(end).map_or(after.len(), |i| i + end.len())..];
            let hash = hash(format!("{before}{DATE}{after}").as_bytes());
            self.dates.push(Word { hash, from: here.from, to: last.to, line: here.line });
            at += length;
        }
    }
}

fn word(characters: &str, from: usize, to: usize, line: u32) -> Word {
    Word { hash: hash(&characters.as_bytes()[from..to]), from: from as u32, to: to as u32, line }
}
