//! What a comparator sees of a document.
//!
//! Whether two documents differ is a comparison of digests where a named comparator asks, and of the things
//! seen themselves where a tester's own does. What differs is worked out only where something does.

use std::ops::Range;

use crate::body::format::Kind;
use crate::comparators::features::{Features, FormDetail, TagDetail, TextDetail};
use crate::page::digest::{Digest, both, hash};
use crate::page::document::{Digests, Document};
use crate::page::listed::Entry;
use crate::page::tag::Tag;
use crate::page::text::Word;

/// Tells the text `b` from the tag `<b>` where both are of one sequence.
const TEXT: u64 = 0x7465_7874;
/// And a style sheet from both.
const SHEET: u64 = 0x7368_6565;

/// One thing that a comparator compares, by its hash, and where it comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub(crate) hash: u64,
    pub(crate) origin: Origin,
}

/// Where a thing comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Origin {
    /// A line of the bytes, from and to.
    Line(u32, u32),
    /// A tag, by its token.
    Tag(u32),
    /// A style sheet, by its token.
    Sheet(u32),
    /// An entry of a list in which order does not count, by its tag's token; and the `select` it is a choice of.
    Listed { token: u32, select: Option<u32> },
    /// A word of the text, or what stands between words, by its place; and its line.
    Word { from: u32, to: u32, line: u32 },
    /// A body that is not text.
    Blob,
}

/// Things that are compared with each other.
#[derive(Debug)]
pub(crate) enum Section {
    /// In their order.
    Ordered(Vec<Item>),
    /// In any order.
    Unordered(Vec<Item>),
}

/// How much of the text has been told, piece by piece.
struct Told<'a> {
    to: u32,
    /// The words that have not been told, or not to their end.
    words: &'a [Word],
}

impl Document<'_> {
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
        if features.interleaved {
            return match features {
                _ if features == Features::document(TextDetail::Exact) => a.document[0] != b.document[0],
                _ if features == Features::document(TextDetail::Words) => a.document[1] != b.document[1],
                _ => {
                    self.in_place_digest(features) != other.in_place_digest(features)
                        || listed_differ(a, b, features)
                }
            };
        }
        let text = match features.text {
            TextDetail::Nothing => None,
            TextDetail::Exact => Some(0),
            TextDetail::Words => Some(1),
            TextDetail::WordsWithoutDates => Some(2),
        };
        self.tags_digest(features) != other.tags_digest(features)
            || text.is_some_and(|at| a.text[at] != b.text[at])
            || listed_differ(a, b, features)
    }

    /// What a comparator of these features sees. Two documents have the same sections.
    pub(crate) fn sections(&self, features: Features) -> Vec<Section> {
        if self.kind == Kind::Binary && features.text > TextDetail::Nothing {
            return vec![Section::Ordered(vec![Item { hash: self.digests.bytes, origin: Origin::Blob }])];
        }
        if features.bytes {
            return vec![Section::Ordered(self.lines())];
        }
        let mut sections = Vec::new();
        if features.interleaved {
            sections.push(Section::Ordered(self.in_place(features)));
        } else {
            // Text first: it says most to a person.
            if features.text > TextDetail::Nothing {
                sections.push(Section::Ordered(self.words(features.text)));
            }
            if features.tags > TagDetail::Nothing {
                sections.push(Section::Ordered(self.tags_seen(features)));
            }
        }
        if features.links {
            sections.push(Section::Unordered(self.lists.sorted_links().into_iter().map(listed).collect()));
        }
        if features.forms > FormDetail::Nothing {
            let selection = features.forms == FormDetail::Selected;
            let controls = self.lists.sorted_controls(selection);
            sections.push(Section::Unordered(controls.into_iter().map(listed).collect()));
        }
        sections
    }

    /// Tags and the text among them, each in its place. Text goes on across tags that are not seen.
    pub(crate) fn in_place(&self, features: Features) -> Vec<Item> {
        let mut items = Vec::with_capacity(self.tags.len() + self.text().words().len());
        self.each_in_place(features, &mut |item| items.push(item));
        items
    }

    /// The digest of the same.
    pub(crate) fn in_place_digest(&self, features: Features) -> Digest {
        let mut digest = Digest::default();
        self.each_in_place(features, &mut |item| digest.add(item.hash));
        digest
    }

    fn each_in_place(&self, features: Features, take: &mut impl FnMut(Item)) {
        let mut runs = self.runs.iter().peekable();
        let mut sheets = self.sheets.iter().filter(|_| features.style).peekable();
        let mut told = Told { to: 0, words: self.text().words() };
        let mut piece: Option<Range<u32>> = None;
        for at in 0..=self.tags.len() {
            while let Some((_, run)) = runs.next_if(|(after, _)| *after as usize == at) {
                piece = Some(piece.map_or(run.start, |p| p.start)..run.end);
            }
            while let Some((_, token)) = sheets.next_if(|(after, _)| *after as usize == at) {
                let hash = self.sheet_hash(*token, features.text);
                take(Item { hash, origin: Origin::Sheet(*token) });
            }
            let tag = self.tags.get(at).filter(|tag| is_seen(tag, features));
            if tag.is_none() && at < self.tags.len() {
                continue;
            }
            if let Some(piece) = piece.take() {
                self.text_items(&mut told, &piece, features.text, take);
            }
            if let Some(tag) = tag {
                take(Item { hash: tag_hash(tag, features), origin: Origin::Tag(tag.token) });
            }
        }
    }

    /// A piece of text between tags. A word that goes on from the piece before is not the same as one that
    /// does not; and where a line ended since by a tag that is not seen, that is seen.
    fn text_items(
        &self,
        told: &mut Told<'_>,
        piece: &Range<u32>,
        detail: TextDetail,
        take: &mut impl FnMut(Item),
    ) {
        let origin = |from: u32, to: u32| Origin::Word { from, to, line: piece.start };
        if detail == TextDetail::Exact {
            let hash = both(TEXT, hash(self.text().slice(told.to..piece.end).as_bytes()));
            told.to = piece.end;
            take(Item { hash, origin: origin(piece.start, piece.end) });
            return;
        }
        while let Some((word, rest)) = told.words.split_first() {
            if word.from >= piece.end {
                break;
            }
            // As much of the word as is of this piece: tags may stand in a word.
            let (from, to) = (word.from.max(piece.start), word.to.min(piece.end));
            if word.to <= piece.end {
                told.words = rest;
            }
            let masked = detail == TextDetail::WordsWithoutDates;
            let date = if masked { self.text().date_at(from) } else { None };
            match date {
                // The whole date stands where it begins.
                Some(date) if date.from == from => {
                    take(Item { hash: both(TEXT, date.hash), origin: origin(date.from, date.to) });
                }
                Some(_) => {}
                None => {
                    let glued = word.from < from;
                    let whole = !glued && word.to == to;
                    let part = if whole { word.hash } else { hash(self.text().slice(from..to).as_bytes()) };
                    let hash = both(TEXT + u64::from(glued), part);
                    take(Item { hash, origin: origin(from, to) });
                }
            }
            if word.to > piece.end {
                break;
            }
        }
    }

    fn words(&self, detail: TextDetail) -> Vec<Item> {
        match detail {
            TextDetail::Nothing => Vec::new(),
            TextDetail::WordsWithoutDates => self.text().masked().map(word).collect(),
            TextDetail::Words => self.text().words().iter().copied().map(word).collect(),
            TextDetail::Exact => self.text().pieces().into_iter().map(word).collect(),
        }
    }

    /// The tags that a comparator of these features sees, in order.
    pub(crate) fn tags_seen(&self, features: Features) -> Vec<Item> {
        let seen = self.tags.iter().filter(|tag| is_seen(tag, features));
        seen.map(|tag| Item { hash: tag_hash(tag, features), origin: Origin::Tag(tag.token) }).collect()
    }

    fn tags_digest(&self, features: Features) -> Digest {
        let way = features.way();
        match (features.tags, features.closing) {
            (TagDetail::Nothing, _) => Digest::default(),
            (TagDetail::Names, false) if way.is_named() => self.digests.names[way.at()],
            (TagDetail::Important, false) if way.is_named() => self.digests.important[way.at()],
            (TagDetail::All, true) if way.is_named() => self.digests.all[way.at()],
            _ => digest(&self.tags_seen(features)),
        }
    }

    fn lines(&self) -> Vec<Item> {
        let mut from = 0;
        let mut items = Vec::new();
        for line in self.raw(0..u32::MAX).split_inclusive(|&b| b == b'\n') {
            let to = from + line.len() as u32;
            items.push(Item { hash: hash(line), origin: Origin::Line(from, to) });
            from = to;
        }
        items
    }

    fn sheet_hash(&self, token: u32, detail: TextDetail) -> u64 {
        let sheet = self.sheet(token);
        if detail == TextDetail::Exact {
            return both(SHEET, hash(sheet));
        }
        let mut words = Digest::default();
        sheet.split(u8::is_ascii_whitespace).filter(|w| !w.is_empty()).for_each(|w| words.add(hash(w)));
        words.with(SHEET)
    }
}

fn digest(items: &[Item]) -> Digest {
    let mut digest = Digest::default();
    items.iter().for_each(|item| digest.add(item.hash));
    digest
}

fn listed_differ(a: &Digests, b: &Digests, features: Features) -> bool {
    let forms = match features.forms {
        FormDetail::Nothing => None,
        FormDetail::Offered => Some(1),
        FormDetail::Selected => Some(2),
    };
    features.links && a.lists[0] != b.lists[0] || forms.is_some_and(|at| a.lists[at] != b.lists[at])
}

fn is_seen(tag: &Tag, features: Features) -> bool {
    (features.closing || !tag.closing) && features.way().keeps(tag.style, tag.layout)
}

fn tag_hash(tag: &Tag, features: Features) -> u64 {
    match features.tags {
        TagDetail::Nothing | TagDetail::Names => tag.name,
        TagDetail::Important => tag.important,
        TagDetail::All => tag.all[features.way().at()],
    }
}

fn listed(entry: Entry) -> Item {
    Item { hash: entry.hash, origin: Origin::Listed { token: entry.token, select: entry.select } }
}

fn word(word: Word) -> Item {
    Item { hash: word.hash, origin: Origin::Word { from: word.from, to: word.to, line: word.line } }
}
