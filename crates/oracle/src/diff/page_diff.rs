//! What differs between two pages: the same edits, whichever comparators look.
//!
//! Edits are found where a page has most detail: its words, its tags with all attributes, its style sheets, and what no
//! reader sees (comments, scripts). A comparator sees those edits that touch what differs to it ([`Touched`]). So one edit
//! has one identity under every oracle, and names all comparators that see it. Where a comparator sees something that is
//! no such edit (white space, text that moved across a tag), its own view is told.

use std::collections::HashMap;

use restage_model::{Difference, Place};

use crate::body::format::Kind;
use crate::comparators::comparator::Comparator;
use crate::comparators::features::{Features, FormDetail, TagDetail, TextDetail};
use crate::comparators::view::{Item, Origin, Section};
use crate::diff::collector::{DifferenceCollector, Found, TOLD};
use crate::diff::hidden_diff::hidden_edits;
use crate::diff::hunks::hunks;
use crate::diff::moved_dates::without_moved_dates;
use crate::diff::reordered::reorderings_joined;
use crate::diff::tag_diff::{push_tag, surplus, tag_edits, tell_entries, tell_tags};
use crate::diff::touched::{Edit, EditIndex, Touched};
use crate::page::document::Document;

/// Two documents that differ, and what is looked at.
#[derive(Clone, Copy)]
pub(crate) struct Compared<'a> {
    pub(crate) features: Features,
    pub(crate) expected: &'a Document<'a>,
    pub(crate) actual: &'a Document<'a>,
}

/// What differs between two documents to these comparators; they differ to each of them.
pub(crate) fn differences(
    comparators: &[&Comparator],
    expected: &Document<'_>,
    actual: &Document<'_>,
) -> Vec<Difference> {
    if expected.kind != Kind::Html || actual.kind != Kind::Html {
        return joined(comparators.iter().flat_map(|comparator| told_alone(comparator, expected, actual)));
    }
    let looks = |at: fn(Features) -> bool| comparators.iter().any(|c| at(c.features()));
    let whole = |features| Compared { features, expected, actual };
    let mut edits: Vec<Edit> = Vec::new();
    if looks(|f| f.bytes || f.text > TextDetail::Nothing) {
        edits.extend(whole(Features::text(TextDetail::Words)).text_edits());
    }
    if looks(|f| f.bytes || f.tags > TagDetail::Nothing || f.links || f.forms > FormDetail::Nothing) {
        edits.extend(tag_edits(whole(Features::tags(TagDetail::All))));
    }
    if looks(|f| f.bytes || f.interleaved && f.style) {
        edits.extend(whole(Features::document(TextDetail::Exact)).sheet_edits());
    }
    if looks(|f| f.bytes) {
        edits.extend(hidden_edits(expected, actual));
    }
    let index = EditIndex::of(&edits);
    let mut own: Vec<Difference> = Vec::new();
    for comparator in comparators {
        let compared = whole(comparator.features().without_bytes());
        let mut found = DifferenceCollector::by(comparator.id());
        let mut seen = false;
        for (section, (before, after)) in compared.sections() {
            for hunk in compared.hunks_of(section, &before, &after) {
                let touched = Touched::of(section, &hunk.removed, &hunk.added);
                let mut covered = false;
                for at in index.met_by(&touched) {
                    if touched.sees(&edits[at], comparator.features()) {
                        edits[at].is_seen_by(comparator.id());
                        covered = true;
                    }
                }
                seen |= covered;
                if !covered {
                    compared.tell(&mut found, section, &hunk);
                }
            }
        }
        if comparator.features().bytes {
            for edit in edits.iter_mut().filter(|edit| edit.is_hidden()) {
                edit.is_seen_by(comparator.id());
                seen = true;
            }
        }
        let mut found = found.finish();
        // A verdict of fail says why, whatever was found above.
        if found.is_empty() && !seen {
            let mut whole = DifferenceCollector::by(comparator.id());
            whole.add(|| compared.bytes());
            found = whole.finish();
        }
        own.extend(found);
    }
    bounded(reorderings_joined(joined(edits.into_iter().filter_map(Edit::seen).chain(own))))
}

/// No more of what each comparator sees first than is told of anything; the rest is counted.
fn bounded(all: Vec<Difference>) -> Vec<Difference> {
    let mut counts: Vec<(Vec<String>, usize, usize)> = Vec::new();
    let mut told: Vec<Difference> = Vec::new();
    for difference in all {
        let first = difference.seen_by.first();
        let at = counts.iter().position(|(by, ..)| by.first() == first).unwrap_or_else(|| {
            counts.push((difference.seen_by.clone(), 0, 0));
            counts.len() - 1
        });
        let (_, kept, more) = &mut counts[at];
        match difference.place {
            Place::More { count, .. } => *more += count,
            _ if *kept == TOLD => *more += 1,
            _ => {
                *kept += 1;
                told.push(difference);
            }
        }
    }
    for (seen_by, _, count) in counts.into_iter().filter(|(.., more)| *more > 0) {
        told.push(Difference { seen_by, place: Place::More { count, of: None }, was: None, is: None });
    }
    told
}

/// Each edit once, with all that see it.
fn joined(found: impl Iterator<Item = Difference>) -> Vec<Difference> {
    let mut all: Vec<Difference> = Vec::new();
    let mut known: HashMap<Found, usize> = HashMap::new();
    for difference in found {
        let edit = (difference.place.clone(), difference.was.clone(), difference.is.clone());
        match known.get(&edit) {
            Some(&at) => {
                for by in difference.seen_by {
                    if !all[at].seen_by.contains(&by) {
                        all[at].seen_by.push(by);
                    }
                }
            }
            None => {
                known.insert(edit, all.len());
                all.push(difference);
            }
        }
    }
    all
}

/// What one comparator makes of two documents by itself, hunk by hunk: how the first format of accepted changes told what
/// D and DB see.
pub(crate) fn told_alone(
    comparator: &Comparator,
    expected: &Document<'_>,
    actual: &Document<'_>,
) -> Vec<Difference> {
    let compared = Compared { features: comparator.features(), expected, actual };
    let mut found = DifferenceCollector::by(comparator.id());
    for (section, (before, after)) in compared.sections() {
        for hunk in compared.hunks_of(section, &before, &after) {
            compared.tell(&mut found, section, &hunk);
        }
    }
    let mut found = found.finish();
    // A verdict of fail says why, whatever was found above.
    if found.is_empty() {
        let mut whole = DifferenceCollector::by(comparator.id());
        whole.add(|| compared.bytes());
        found = whole.finish();
    }
    found
}

/// What is seen of one document and of the other, and whether its order counts.
type SectionPair = (Order, (Vec<Item>, Vec<Item>));

/// A part of what is seen that differs.
pub(crate) struct ItemHunk {
    pub(crate) removed: Vec<Item>,
    pub(crate) added: Vec<Item>,
    /// What stands before it.
    pub(crate) preceding: Option<Item>,
    /// Dates in it that moved on with the clock, on either side.
    pub(crate) dates: [Vec<(u32, u32)>; 2],
}

/// Whether order counts among things that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// It does.
    Counts,
    /// It does not: links, images, controls.
    Any,
}

impl Compared<'_> {
    /// What is seen of both documents, part by part.
    fn sections(self) -> Vec<SectionPair> {
        let pairs =
            self.expected.sections(self.features).into_iter().zip(self.actual.sections(self.features));
        pairs
            .map(|pair| match pair {
                (Section::Ordered(before), Section::Ordered(after)) => (Order::Counts, (before, after)),
                (
                    Section::Unordered(before) | Section::Ordered(before),
                    Section::Unordered(after) | Section::Ordered(after),
                ) => (Order::Any, (before, after)),
            })
            .collect()
    }

    fn hunks_of(self, order: Order, before: &[Item], after: &[Item]) -> Vec<ItemHunk> {
        if order == Order::Any {
            let (removed, added) = (surplus(before, after), surplus(after, before));
            let nothing = removed.is_empty() && added.is_empty();
            return if nothing {
                Vec::new()
            } else {
                vec![ItemHunk { removed, added, preceding: None, dates: Default::default() }]
            };
        }
        let part = |items: &[Item], range: std::ops::Range<u32>| {
            items[range.start as usize..range.end as usize].to_vec()
        };
        let hunk = |hunk: imara_diff::Hunk| ItemHunk {
            preceding: hunk.before.start.checked_sub(1).map(|i| before[i as usize]),
            removed: part(before, hunk.before),
            added: part(after, hunk.after),
            dates: Default::default(),
        };
        hunks(before, after).into_iter().map(hunk).collect()
    }

    /// The words that became others.
    fn text_edits(self) -> Vec<Edit> {
        let mut edits = Vec::new();
        let masked = Self { features: Features::text(TextDetail::WordsWithoutDates), ..self }.sections();
        for ((order, (before, after)), (_, dated)) in self.sections().into_iter().zip(&masked) {
            for hunk in self.hunks_of(order, &before, &after) {
                let parts = without_moved_dates(&hunk, (&dated.0, &dated.1)).unwrap_or_else(|| vec![hunk]);
                for part in parts {
                    let found = self.text(&part);
                    edits.push(Edit::of(Touched::of(order, &part.removed, &part.added), found));
                }
            }
        }
        edits
    }

    /// The style sheets that became others.
    fn sheet_edits(self) -> Vec<Edit> {
        let sheets = |document: &Document<'_>| -> Vec<Item> {
            let items = document.sheets.iter().map(|(_, token)| Item {
                hash: crate::page::digest::hash(document.sheet(*token)),
                origin: Origin::Sheet(*token),
            });
            items.collect()
        };
        let (before, after) = (sheets(self.expected), sheets(self.actual));
        let hunks = self.hunks_of(Order::Counts, &before, &after).into_iter();
        let edit = |hunk: ItemHunk| {
            let found = self.sources(&hunk, Place::StyleSheet);
            Edit::of(Touched::of(Order::Counts, &hunk.removed, &hunk.added), found)
        };
        hunks.map(edit).collect()
    }

    /// Tells of a hunk in the way of what it is made of.
    fn tell(self, found: &mut DifferenceCollector, order: Order, hunk: &ItemHunk) {
        let ItemHunk { removed, added, .. } = hunk;
        if order == Order::Any {
            return tell_entries(self, found, removed, added);
        }
        let all = || removed.iter().chain(added).map(|item| item.origin);
        if all().all(|origin| matches!(origin, Origin::Tag(_))) {
            tell_tags(self, found, removed, added);
        } else if all().all(|origin| matches!(origin, Origin::Word { .. })) {
            found.add(|| self.text(hunk));
        } else if all().all(|origin| matches!(origin, Origin::Line(..))) {
            found.add(|| self.lines(hunk));
        } else if all().any(|origin| matches!(origin, Origin::Blob)) {
            found.add(|| self.bytes());
        } else if all().all(|origin| matches!(origin, Origin::Sheet(_))) {
            found.add(|| self.sources(hunk, Place::StyleSheet));
        } else {
            found.add(|| self.sources(hunk, Place::Markup));
        }
    }

    /// Of what is not text, that it is not the same.
    fn bytes(self) -> Found {
        let size = |document: &Document<'_>| Some(format!("{} bytes", document.bytes().len()));
        (Place::Content, size(self.expected), size(self.actual))
    }

    /// Style sheets, or tags and text together: as they stand in the page.
    fn sources(self, hunk: &ItemHunk, place: Place) -> Found {
        let side = |document, items: &[Item]| (!items.is_empty()).then(|| source(document, items));
        (place, side(self.expected, &hunk.removed), side(self.actual, &hunk.added))
    }

    fn text(self, hunk: &ItemHunk) -> Found {
        let ItemHunk { removed, added, preceding, dates } = hunk;
        let (was, is) = (words(self.expected, removed, &dates[0]), words(self.actual, added, &dates[1]));
        let after = match preceding.map(|item| item.origin) {
            Some(Origin::Word { line, .. }) if !is_of_line(removed, line) => {
                Some(self.expected.text().line(line)).filter(|before| !before.is_empty())
            }
            _ => None,
        };
        if was.trim().is_empty() && is.trim().is_empty() {
            return (Place::WhiteSpace { after }, Some(was), Some(is));
        }
        let side = |items: &[Item], text: String| (!items.is_empty()).then_some(text);
        (Place::Text { after }, side(removed, was), side(added, is))
    }

    fn lines(self, hunk: &ItemHunk) -> Found {
        let text = |document: &Document<'_>, items: &[Item]| -> Option<String> {
            let mut out = String::new();
            for item in items {
                if let Origin::Line(from, to) = item.origin {
                    out.push_str(&String::from_utf8_lossy(document.raw(from..to)));
                }
            }
            (!out.is_empty()).then_some(out)
        };
        (Place::Source, text(self.expected, &hunk.removed), text(self.actual, &hunk.added))
    }
}

/// Tags and text as they stand in the page.
fn source(document: &Document<'_>, items: &[Item]) -> String {
    let mut out = String::new();
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push(' ');
        }
        match item.origin {
            Origin::Tag(token) | Origin::Listed { token, .. } => {
                document.token(token).iter().for_each(|token| push_tag(&mut out, *token));
            }
            Origin::Sheet(token) => out.push_str(&String::from_utf8_lossy(document.sheet(token))),
            Origin::Word { from, to, .. } => out.push_str(document.text().slice(from..to)),
            Origin::Line(..) | Origin::Blob => {}
        }
    }
    out
}

/// The words, with a mark in place of some dates.
fn words(document: &Document<'_>, items: &[Item], dates: &[(u32, u32)]) -> String {
    let mut words: Vec<&str> = Vec::with_capacity(items.len());
    let mut marked = None;
    for item in items {
        let Origin::Word { from, to, .. } = item.origin else { continue };
        match dates.iter().find(|(begin, end)| *begin <= from && to <= *end) {
            Some(date) if marked == Some(date) => {}
            Some(date) => {
                marked = Some(date);
                words.push("⟨date⟩");
            }
            None => words.push(document.text().slice(from..to)),
        }
    }
    // Pieces that hold the white space themselves are put together as they are.
    let exact = words.iter().any(|w| w.chars().any(|c| c.is_ascii_whitespace() || c == '\0'));
    if exact { words.concat().replace('\0', "\n") } else { words.join(" ") }
}

fn is_of_line(items: &[Item], line: u32) -> bool {
    matches!(items.first().map(|item| item.origin), Some(Origin::Word { line: l, .. }) if l == line)
}

#[cfg(test)]
mod tests;
