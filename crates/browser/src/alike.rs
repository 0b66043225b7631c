//! Which of several things that look alike is meant: a row's link, a row's form, a field of a row.
//!
//! The one with the same id is meant, then the one that stands beside the same text. What neither says is told by its
//! place: between the same neighbours, among as many. A thing whose id or text is gone, where those of its neighbours are
//! still there, is gone: another in its place is another thing.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use restage_model::ValueShape;

use crate::likeness::without_numbers;

/// What a thing holds that may tell it from others like it, by name: the pieces of its address, its hidden values.
pub(crate) type Parts = Vec<(String, String)>;

/// Several things that look alike, in their order on a page.
pub(crate) struct Alike<'a> {
    parts: Vec<Parts>,
    read_beside: Box<dyn Fn() -> Vec<String> + 'a>,
    beside: OnceCell<Vec<String>>,
}

/// Why a thing is thought to be the one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// It is called the same.
    Name,
    /// It has the same id.
    Id,
    /// It stands beside the same text.
    Text,
    /// It stands in the same place among as many.
    Place,
}

impl Reason {
    /// In words.
    pub(crate) fn told(self) -> &'static str {
        match self {
            Self::Name => "with the same name and buttons",
            Self::Id => "with the same id",
            Self::Text => "beside the same text",
            Self::Place => "in the same place among as many",
        }
    }
}

impl<'a> Alike<'a> {
    /// Things with their parts; `beside` reads the text beside each of them, where it is asked for.
    pub(crate) fn new(parts: Vec<Parts>, beside: impl Fn() -> Vec<String> + 'a) -> Self {
        Self { parts, read_beside: Box::new(beside), beside: OnceCell::new() }
    }

    /// Things that nothing stands beside.
    pub(crate) fn bare(parts: Vec<Parts>) -> Self {
        let count = parts.len();
        Self::new(parts, move || vec![String::new(); count])
    }

    fn len(&self) -> usize {
        self.parts.len()
    }

    fn texts(&self) -> &[String] {
        self.beside.get_or_init(|| (self.read_beside)())
    }

    fn value(&self, at: usize, name: &str) -> Option<&str> {
        self.parts[at].iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// Whether a part is the same in all: it tells none from another.
    fn is_constant(&self, name: &str) -> bool {
        (1..self.len()).all(|n| self.value(n, name) == self.value(0, name))
    }
}

/// The live one that is the recorded one at a place; none where it is gone, or nobody can tell.
pub(crate) fn counterpart(recorded: &Alike<'_>, at: usize, live: &Alike<'_>) -> Option<(usize, Reason)> {
    if at >= recorded.len() || live.len() == 0 {
        return None;
    }
    let names = telling(recorded, live);
    let ids = |of: &Alike<'_>| -> Vec<Parts> {
        let id = |n: usize| {
            let part = |name: &&String| Some(((*name).clone(), of.value(n, name)?.to_owned()));
            names.iter().filter_map(|name| part(&name)).collect()
        };
        (0..of.len()).map(id).collect()
    };
    let (was, is) = (ids(recorded), ids(live));
    let same_id = same_of(&was, at, &is).filter(|_| !names.is_empty());
    let all = |list: &[Parts]| -> BTreeSet<Parts> { list.iter().cloned().collect() };
    if let Some(found) = same_id
        && all(&was) == all(&is)
        && nothing_else_changed(recorded, at, live, found)
    {
        return Some((found, Reason::Id));
    }
    let by_text = pairs_by_text(recorded.texts(), live.texts());
    let mut anchors = if names.is_empty() { HashMap::new() } else { pairs(&was, &is) };
    // New ids for the same things: where an id is still there, it is another's.
    let moved = |(r, l): (&usize, &usize)| by_text.get(r).is_some_and(|other| other != l);
    let renumbered = !anchors.is_empty() && anchors.iter().all(moved);
    if renumbered {
        anchors.clear();
    } else if let Some(found) = same_id {
        return Some((found, Reason::Id));
    }
    let taken: HashSet<usize> = anchors.values().copied().collect();
    if let Some(found) = by_text.get(&at).filter(|found| !taken.contains(found)) {
        return Some((*found, Reason::Text));
    }
    for (r, l) in by_text {
        if !taken.contains(&l) {
            anchors.entry(r).or_insert(l);
        }
    }
    let found = in_gap(&anchors, recorded.len(), at, live.len())?;
    let drawn_anew = recorded.parts[at].iter().all(|(name, value)| {
        let is_now = || live.value(found, name).is_some_and(|now| may_be_drawn_anew(value, now));
        recorded.is_constant(name) || is_now()
    });
    (drawn_anew && may_be_beside(recorded, at, live, found)).then_some((found, Reason::Place))
}

/// Whether a thing holds what it held, but for what is drawn at random: a row's number alone does not say which it is.
fn nothing_else_changed(recorded: &Alike<'_>, at: usize, live: &Alike<'_>, found: usize) -> bool {
    recorded.parts[at].iter().all(|(name, value)| {
        let now = live.value(found, name);
        now == Some(value) || ValueShape::of(value).is_token() || recorded.is_constant(name)
    })
}

/// The names of the parts that tell the things apart, and hold something on both sides that is the same. What has
/// nothing in common with before is drawn anew, as a token is.
fn telling(recorded: &Alike<'_>, live: &Alike<'_>) -> Vec<String> {
    let mut values: BTreeMap<&str, [BTreeSet<Option<&str>>; 2]> = BTreeMap::new();
    let names: BTreeSet<&str> =
        recorded.parts.iter().chain(&live.parts).flatten().map(|(name, _)| name.as_str()).collect();
    for name in names {
        let entry = values.entry(name).or_default();
        entry[0].extend((0..recorded.len()).map(|n| recorded.value(n, name)));
        entry[1].extend((0..live.len()).map(|n| live.value(n, name)));
    }
    let tells = |[was, is]: &[BTreeSet<Option<&str>>; 2]| {
        let common = was.intersection(is).any(Option::is_some);
        common && was.union(is).count() > 1
    };
    values.iter().filter(|(_, sets)| tells(sets)).map(|(name, _)| (*name).to_owned()).collect()
}

/// The live one that is equal to the recorded one; of several, the one in the same place among them.
fn same_of<T: PartialEq>(was: &[T], at: usize, is: &[T]) -> Option<usize> {
    let now: Vec<usize> = (0..is.len()).filter(|n| is[*n] == was[at]).collect();
    let place = was[..at].iter().filter(|other| **other == was[at]).count();
    now.get(place).or(now.last()).copied()
}

/// What is there once on both sides, recorded and live.
fn pairs<T: Ord>(was: &[T], is: &[T]) -> HashMap<usize, usize> {
    fn once<T: Ord>(list: &[T]) -> BTreeMap<&T, Option<usize>> {
        let mut found = BTreeMap::new();
        for (n, value) in list.iter().enumerate() {
            found.entry(value).and_modify(|at| *at = None).or_insert(Some(n));
        }
        found
    }
    let now = once(is);
    once(was).into_iter().filter_map(|(value, r)| Some((r?, (*now.get(value)?)?))).collect()
}

fn pairs_by_text(was: &[String], is: &[String]) -> HashMap<usize, usize> {
    let written = |text: &&String| !text.is_empty();
    if !was.iter().any(|text| written(&text)) {
        return HashMap::new();
    }
    let mut found = pairs(was, is);
    let plain = |list: &[String]| -> Vec<String> { list.iter().map(|text| without_numbers(text)).collect() };
    let (plain_was, plain_is) = (plain(was), plain(is));
    let taken: HashSet<usize> = found.values().copied().collect();
    for (r, l) in pairs(&plain_was, &plain_is) {
        if !taken.contains(&l) {
            found.entry(r).or_insert(l);
        }
    }
    found.retain(|r, _| !was[*r].is_empty());
    found
}

/// The live place between the same neighbours, where there are as many between them as there were.
fn in_gap(anchors: &HashMap<usize, usize>, was: usize, at: usize, is: usize) -> Option<usize> {
    let before = (0..at).rev().find(|r| anchors.contains_key(r));
    let after = (at + 1..was).find(|r| anchors.contains_key(r));
    let (first, from) = before.map_or((0, 0), |r| (r + 1, anchors[&r] + 1));
    let (last, to) = after.map_or((was, is), |r| (r, anchors[&r]));
    let taken: HashSet<usize> = anchors.values().copied().collect();
    let free: Vec<usize> = (from..to).filter(|l| !taken.contains(l)).collect();
    (free.len() == last - first).then(|| free[at - first])
}

/// Whether one value may stand for another because it was drawn anew, or counted on: a word that is another is another.
fn may_be_drawn_anew(was: &str, is: &str) -> bool {
    let drawn = |value: &str| {
        matches!(
            ValueShape::of(value),
            ValueShape::Hash
                | ValueShape::Token
                | ValueShape::EncodedToken
                | ValueShape::ShortId
                | ValueShape::CasedLetters
        )
    };
    was == is || without_numbers(was) == without_numbers(is) || drawn(was) && drawn(is)
}

/// Whether what stands beside two things may be the same: half of the words that are not beside all of them.
fn may_be_beside(recorded: &Alike<'_>, at: usize, live: &Alike<'_>, found: usize) -> bool {
    let words = |text: &String| -> BTreeSet<String> {
        let plain = without_numbers(text);
        let written = |word: &&str| word.chars().any(char::is_alphabetic);
        plain.split_whitespace().filter(written).map(str::to_owned).collect()
    };
    let all: Vec<BTreeSet<String>> = recorded.texts().iter().chain(live.texts()).map(words).collect();
    let everywhere = |word: &&String| all.len() > 1 && all.iter().all(|of| of.contains(*word));
    let own = |n: usize| -> BTreeSet<&String> { all[n].iter().filter(|word| !everywhere(word)).collect() };
    let (was, is) = (own(at), own(recorded.len() + found));
    was.is_empty() || is.is_empty() || was.intersection(&is).count() * 2 >= was.len().min(is.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of an id and the text beside it.
    fn alike(rows: &'static [(&'static str, &'static str)]) -> Alike<'static> {
        let parts = rows.iter().map(|(id, _)| vec![("id".to_owned(), (*id).to_owned())]).collect();
        Alike::new(parts, || rows.iter().map(|(_, text)| (*text).to_owned()).collect())
    }

    fn found(
        was: &'static [(&'static str, &'static str)],
        at: usize,
        is: &'static [(&'static str, &'static str)],
    ) -> Option<&'static str> {
        counterpart(&alike(was), at, &alike(is)).map(|(n, _)| is[n].0)
    }

    /// Catches: another row's link is followed, since it stands where the right one stood.
    #[test]
    fn the_same_id_is_meant_wherever_it_stands() {
        let was = &[("5", ""), ("6", ""), ("7", "")];
        assert_eq!(found(was, 1, &[("7", ""), ("6", ""), ("5", "")]), Some("6"));
        assert_eq!(found(was, 1, &[("6", ""), ("7", ""), ("8", "")]), Some("6"));
        assert_eq!(found(was, 1, &[("5", ""), ("7", "")]), None, "gone");
        assert_eq!(found(was, 1, &[("5", ""), ("7", ""), ("8", "")]), None, "gone, and another is new");
        assert_eq!(found(was, 0, &[("6", ""), ("7", "")]), None);
        // The texts have changed places, the ids have not.
        let was = &[("5", "open"), ("6", "done")];
        assert_eq!(found(was, 1, &[("5", "done"), ("6", "open")]), Some("6"));
        assert_eq!(found(was, 1, &[("5", "done")]), None, "the row of 6 is gone");
    }

    /// Catches: an id that the application drew anew is taken for a row that is gone.
    #[test]
    fn ids_that_are_new_are_known_by_text_and_then_by_place() {
        let was = &[("5", "Shoes"), ("6", "Hat")];
        assert_eq!(found(was, 1, &[("8", "Shoes"), ("9", "Hat")]), Some("9"));
        assert_eq!(found(was, 1, &[("9", "Hat"), ("8", "Shoes"), ("7", "Tie")]), Some("9"));
        assert_eq!(found(was, 1, &[("6", "Shoes"), ("7", "Hat")]), Some("7"), "moved on by one");
        assert_eq!(found(was, 1, &[("5", "Shoes"), ("9", "Hat")]), Some("9"), "made in this session");
        assert_eq!(found(was, 1, &[("5", "Shoes"), ("9", "Scarf")]), None, "another thing");
        assert_eq!(found(was, 1, &[("8", "Gloves"), ("9", "Scarf")]), None, "another list");
        let bare = &[("5", ""), ("17", "")];
        assert_eq!(found(bare, 1, &[("5", ""), ("18", "")]), Some("18"));
        assert_eq!(found(bare, 1, &[("8", ""), ("9", "")]), Some("9"));
        assert_eq!(found(bare, 1, &[("8", ""), ("9", ""), ("10", "")]), None, "nobody knows which");
        let dated = &[("5", "Hat of 11/15"), ("6", "Hat of 11/16")];
        assert_eq!(found(dated, 1, &[("8", "Hat of 12/01"), ("9", "Hat of 12/02")]), Some("9"));
    }

    /// Catches: `approve` is sent as `reject`, which is the only form left.
    #[test]
    fn a_word_is_not_drawn_anew() {
        let was = &[("approve", ""), ("reject", "")];
        assert_eq!(found(was, 0, &[("reject", "")]), None);
        assert_eq!(found(was, 0, &[("archive", ""), ("reject", "")]), None);
        assert_eq!(found(was, 0, &[("accept", ""), ("deny", "")]), None);
        assert_eq!(found(was, 0, &[("reject", ""), ("approve", "")]), Some("approve"));
    }

    #[test]
    fn what_is_drawn_anew_for_each_row_does_not_hide_the_id() {
        let rows = |list: &[(&str, &str)]| {
            let row = |(id, token): &(&str, &str)| {
                vec![("id".to_owned(), (*id).to_owned()), ("nonce".to_owned(), (*token).to_owned())]
            };
            Alike::bare(list.iter().map(row).collect())
        };
        let was = rows(&[("5", "aa11bb22cc"), ("6", "bb22cc33dd")]);
        let is = rows(&[("6", "1111aaaa22"), ("5", "2222bbbb33")]);
        assert_eq!(counterpart(&was, 1, &is), Some((0, Reason::Id)));
    }

    /// Catches: rows that are numbered are known by their numbers, whatever stands in them.
    #[test]
    fn a_rows_number_is_no_id_where_another_stands_there() {
        let rows = |list: &'static [(&'static str, &'static str, &'static str)]| {
            let part = |name: &str, value: &str| (name.to_owned(), value.to_owned());
            let parts = list.iter().map(|(row, id, _)| vec![part("row", row), part("id", id)]).collect();
            Alike::new(parts, || list.iter().map(|(_, _, text)| (*text).to_owned()).collect())
        };
        let was = rows(&[("1", "5", "Shoes"), ("2", "6", "Hat")]);
        let turned = rows(&[("1", "16", "Hat"), ("2", "15", "Shoes")]);
        assert_eq!(counterpart(&was, 1, &turned), Some((0, Reason::Text)));
        let moved_up = rows(&[("1", "6", "Hat")]);
        assert_eq!(counterpart(&was, 1, &moved_up), Some((0, Reason::Text)));
        let new = rows(&[("1", "15", "Shoes"), ("2", "16", "Hat")]);
        assert_eq!(counterpart(&was, 1, &new), Some((1, Reason::Id)));
    }
}
