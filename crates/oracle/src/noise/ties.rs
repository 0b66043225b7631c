//! Which items tie: seen in one order and in the other, or in each other's place. Ties carry over: what ties with
//! one of a group ties with all of it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::mask::{Group, Ties};

/// Groups more than these are no ties but an order that means nothing.
const MANY: usize = 60;

/// Gathers pairs of items that tie.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gathered {
    places: HashMap<String, usize>,
    leaders: Vec<usize>,
    substitutes: BTreeSet<usize>,
}

impl Gathered {
    pub(crate) fn tie(&mut self, a: &str, b: &str) {
        let (a, b) = (self.place(a), self.place(b));
        let (a, b) = (self.leader(a), self.leader(b));
        self.leaders[a.max(b)] = a.min(b);
    }

    pub(crate) fn substitute(&mut self, a: &str, b: &str) {
        self.tie(a, b);
        let place = self.place(a);
        self.substitutes.insert(place);
    }

    /// The groups; all items where that is wanted, or where there are too many to list. Those that are left out for
    /// others are known by their group only.
    pub(crate) fn ties(&mut self, all: bool) -> Ties {
        if (all || self.places.len() > MANY) && self.substitutes.is_empty() {
            return Ties::All;
        }
        let places: BTreeMap<String, usize> = self.places.iter().map(|(k, v)| (k.clone(), *v)).collect();
        let mut groups: BTreeMap<usize, Group> = BTreeMap::new();
        for (item, place) in places {
            let leader = self.leader(place);
            groups.entry(leader).or_default().items.insert(item);
        }
        for place in self.substitutes.clone() {
            let leader = self.leader(place);
            groups.entry(leader).or_default().substitutes = true;
        }
        let mut groups: Vec<Group> = groups.into_values().collect();
        groups.sort_by(|a, b| a.items.cmp(&b.items));
        Ties::Groups(groups)
    }

    fn place(&mut self, item: &str) -> usize {
        if let Some(place) = self.places.get(item) {
            return *place;
        }
        self.leaders.push(self.leaders.len());
        self.places.insert(item.to_owned(), self.leaders.len() - 1);
        self.leaders.len() - 1
    }

    fn leader(&mut self, mut place: usize) -> usize {
        while self.leaders[place] != place {
            self.leaders[place] = self.leaders[self.leaders[place]];
            place = self.leaders[place];
        }
        place
    }
}
