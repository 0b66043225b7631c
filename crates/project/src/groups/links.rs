//! Which sessions that were there at the same time have to do with each other, as far as a run tells.

use std::collections::{BTreeMap, BTreeSet};

use restage_model::{CauseKind, Fidelity, SessionFidelity};
use restage_suite::{Needs, Observed};

use super::places::Places;
use super::span::{Presence, Span};

/// Two sessions by their places in the suite, the first one first.
pub(super) type Link = (usize, usize);

/// What a run of a suite tells of the sessions that were there at the same time.
pub(super) struct Links<'a> {
    /// The sessions, in the order of the suite.
    pub(super) names: Vec<&'a str>,
    /// When they did what, and where, where another one was there.
    pub(super) presences: &'a [Option<Presence>],
}

impl Links<'_> {
    /// Those that were there at the same time, and asked for the same thing by its id, and of which one changed it.
    pub(super) fn by_place(&self) -> BTreeSet<Link> {
        let there =
            || self.presences.iter().enumerate().filter_map(|(n, there)| Some((n, &there.as_ref()?.places)));
        // What is in forms alone may be a number like any other: the cell of a board.
        let asked: BTreeSet<&String> = there().flat_map(|(_, places)| &places.asked).collect();
        let changed: BTreeSet<&String> = there().flat_map(|(_, places)| &places.changed).collect();
        let mut links = BTreeSet::new();
        for place in asked.intersection(&changed) {
            let visitors: Vec<(usize, &Places)> = there().filter(|(_, places)| places.has(place)).collect();
            for (number, (one, here)) in visitors.iter().enumerate() {
                let others = visitors[number + 1..].iter();
                let with = others
                    .filter(|(_, other)| here.changed.contains(*place) || other.changed.contains(*place));
                links.extend(with.map(|(other, _)| (*one, *other)));
            }
        }
        self.at_the_same_time(links.into_iter())
    }

    /// Those that were there at the same time, and of which one uses or writes what the other wrote.
    pub(super) fn by_needs(&self, needs: &Needs) -> BTreeSet<Link> {
        let pairs =
            needs.all.iter().filter_map(|need| Some((self.place(&need.needs)?, self.place(&need.session)?)));
        self.at_the_same_time(pairs)
    }

    /// Those that were there at the same time, and wrote the same rows. A row that most sessions write is a counter, and tells
    /// nothing; nor does a file, of which each may have written a part of its own.
    pub(super) fn by_same_rows(&self, observed: &[Observed]) -> BTreeSet<Link> {
        let mut writers: BTreeMap<(&str, &str, &str), BTreeSet<usize>> = BTreeMap::new();
        for session in observed {
            let Some(place) = self.place(&session.session) else { continue };
            for change in session.writes.iter().filter(|change| !change.key.is_empty()) {
                let Some(table) = &change.table else { continue };
                writers.entry((&change.file, table, &change.key)).or_default().insert(place);
            }
        }
        let is_counter = |all: &BTreeSet<usize>| all.len() > 3 && all.len() * 2 > observed.len();
        let shared = writers.into_values().filter(|all| !is_counter(all));
        let pairs = shared.flat_map(|all| {
            let others = all.clone();
            let pairs = move |one: usize| -> Vec<Link> {
                others.range(one + 1..).map(|other| (one, *other)).collect()
            };
            all.into_iter().flat_map(pairs)
        });
        self.at_the_same_time(pairs)
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|other| *other == name)
    }

    fn at_the_same_time(&self, pairs: impl Iterator<Item = Link>) -> BTreeSet<Link> {
        let in_order = pairs.map(|(one, other)| (one.min(other), one.max(other)));
        in_order.filter(|(one, other)| self.meet(*one, *other, Span::overlaps)).collect()
    }

    /// Those that one of these sessions can have met at all.
    pub(super) fn by_time(&self, astray: &BTreeSet<usize>) -> BTreeSet<Link> {
        let all = 0..self.names.len();
        let pairs =
            astray.iter().flat_map(|own| all.clone().map(move |other| (*own.min(&other), *own.max(&other))));
        pairs.filter(|(one, other)| one != other && self.meet(*one, *other, Span::crosses)).collect()
    }

    fn meet(&self, one: usize, other: usize, how: impl Fn(&Span, &Span) -> bool) -> bool {
        let span = |place: usize| self.presences.get(place)?.as_ref().map(|there| there.span);
        matches!((span(one), span(other)), (Some(one), Some(other)) if how(&one, &other))
    }

    /// The sessions that left their path, and that others may be the cause of.
    pub(super) fn astray(&self, fidelity: &Fidelity) -> BTreeSet<usize> {
        let is_astray = |name: &&str| fidelity.session(name).is_some_and(may_have_met);
        (0..self.names.len()).filter(|place| is_astray(&self.names[*place])).collect()
    }
}

/// Whether it left its path, and not for a reason that has to do with nobody else.
fn may_have_met(session: &SessionFidelity) -> bool {
    let own = |kind| {
        matches!(
            kind,
            CauseKind::Unanswered
                | CauseKind::SentAsRecorded
                | CauseKind::LoggedInBefore
                | CauseKind::WholeSeconds
        )
    };
    session.left_at.is_some() && !session.cause.as_ref().is_some_and(|cause| own(cause.kind))
}

#[cfg(test)]
mod tests {
    use restage_state::{Done, StateChange};

    use super::*;

    fn wrote(session: &str, rows: &[(&str, &str)]) -> Observed {
        let change = |(table, key): &(&str, &str)| StateChange {
            file: "shop.db".to_owned(),
            table: Some((*table).to_owned()),
            done: Done::Changed,
            key: (*key).to_owned(),
            values: Vec::new(),
        };
        let writes = rows.iter().map(change).collect();
        Observed { session: session.to_owned(), writes, steps: Vec::new() }
    }

    fn there((from, to): (i64, i64), asked: &[&str], changed: &[&str]) -> Option<Presence> {
        let set = |places: &[&str]| places.iter().map(|place| (*place).to_owned()).collect();
        let places = Places { asked: set(asked), changed: set(changed) };
        Some(Presence { span: Span::between(from, to), places })
    }

    /// Catches: two games that are taken for one, because in both somebody moved to the same cell.
    #[test]
    fn who_changed_the_same_thing_is_linked() {
        let presences = [
            there((0, 100), &["/games/1"], &["/games/1", "cell=4"]),
            there((10, 90), &["/games/1"], &["/games/1", "cell=2"]),
            there((20, 95), &["/games/2"], &["/games/2", "cell=4"]),
            there((30, 80), &["/games/2", "/games/1"], &[]),
            // Who only looked at the same, and who came later.
            there((40, 80), &["/news/5"], &[]),
            there((50, 80), &["/news/5"], &[]),
            there((200, 300), &["/games/2"], &["/games/2"]),
            None,
        ];
        let names = vec!["s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8"];
        let links = Links { names, presences: &presences };
        assert_eq!(links.by_place(), BTreeSet::from([(0, 1), (0, 3), (1, 3), (2, 3)]));
    }

    /// Catches: a shop of which all customers are one group, because each of them adds to the number of visits.
    #[test]
    fn rows_that_few_write_link_those_who_were_there_together() {
        let all = [(0, 100), (50, 150), (60, 90), (70, 80), (200, 300)];
        let presences = all.map(|span| there(span, &[], &[]));
        let links = Links { names: vec!["s1", "s2", "s3", "s4", "s5"], presences: &presences };
        let counter = ("visits", "1");
        let observed = [
            wrote("s1", &[counter, ("games", "7")]),
            wrote("s2", &[counter, ("games", "7")]),
            wrote("s3", &[counter, ("games", "8")]),
            wrote("s4", &[counter, ("games", "9"), ("unknown", "")]),
            // Of the same rows, and later.
            wrote("s5", &[counter, ("games", "9"), ("unknown", "")]),
        ];
        assert_eq!(links.by_same_rows(&observed), BTreeSet::from([(0, 1)]));
        // In a small recording, a counter cannot be told from a game.
        assert_eq!(links.by_same_rows(&observed[2..]), BTreeSet::from([(2, 3)]));
    }
}
