//! Formal concept analysis: one session for each most specific group (Sampath and others, 2004; paper 1, section 2).
//!
//! Objects are sessions, attributes are requirements. At the bottom of the lattice is the concept of all attributes; the
//! concepts next to it are the sets of requirements that are in no other session's, but for a session that meets them
//! all and so sits at the bottom itself. Kept is one session of each concept next to the bottom, and one of the bottom
//! where there is any: then all requirements are met.
//!
//! The lattice is never built. [`Concepts`] keeps the sets next to the bottom, which are an antichain: a new set that is
//! within one of them brings nothing; else it takes the place of those that are within it. A set that was within another
//! once always will be, so that what is dropped need not be known later, and any order of the sessions gives the same.
//!
//! To find sets without looking at all of them: each is listed under each of its requirements, and a set that holds a
//! given one is listed under the given one's rarest. For the other direction each is listed once more, under its own
//! rarest requirement, which is one of those of any set around it. A signature of 64 bits tells most pairs apart.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use foldhash::fast::RandomState;

use crate::reduce::groups::groups;
use crate::reduce::ties::scramble;
use crate::reduce::{Coverage, Ties};

/// How many sets that were met before are remembered, to know them again at once.
const REMEMBERED: usize = 1 << 20;

/// The sessions that are kept, unsorted.
pub(crate) fn concept(coverage: &Coverage, ties: Ties) -> Vec<usize> {
    let mut groups = groups(coverage, ties);
    // The largest first: then no set ever takes another's place.
    groups.sort_by_key(|group| std::cmp::Reverse(group.set.len()));
    let mut concepts = Concepts::new();
    for group in &groups {
        concepts.add(group.chosen as u64, group.set);
    }
    concepts.kept().into_iter().map(|session| session as usize).collect()
}

/// What became of a session that was added, and of others because of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// Whether the session itself brings nothing.
    pub itself: bool,
    /// Sessions that were kept until now, and are not any more.
    pub others: Vec<u64>,
}

/// A concept next to the bottom.
#[derive(Debug)]
struct Node {
    set: Arc<[u32]>,
    /// The session that stands for it: the lowest of those with this set.
    session: u64,
    /// Whether no other set has taken its place.
    alive: bool,
}

/// A node in a list.
#[derive(Clone, Copy, Debug)]
struct Listed {
    signature: u64,
    node: u32,
}

/// The concepts next to the bottom of a lattice that sessions are added to one by one.
#[derive(Debug, Default)]
pub struct Concepts {
    nodes: Vec<Node>,
    /// The living nodes by their set.
    by_set: HashMap<Arc<[u32]>, u32, RandomState>,
    /// Under each requirement, the nodes that have it. The dead among them are passed over.
    having: Vec<Vec<Listed>>,
    /// Under each requirement, the nodes whose rarest it was.
    rarest: Vec<Vec<Listed>>,
    /// Whether a requirement was met by any session, and by how many different ones that is.
    met: Vec<bool>,
    requirements: usize,
    /// The session with all requirements.
    bottom: Option<(Arc<[u32]>, u64)>,
    /// Sets that were within others.
    within: HashSet<u128, RandomState>,
}

impl Concepts {
    /// No sessions.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a session. Of sessions with the same set, the lowest number is kept. `set` is sorted, each number once.
    pub fn add(&mut self, session: u64, set: &[u32]) -> Dropped {
        let mut dropped = Dropped::default();
        if set.is_empty() {
            dropped.itself = true;
            return dropped;
        }
        let is_new = self.meet(set);
        if is_new {
            // Who had all requirements has not any more.
            if let Some((old, holder)) = self.bottom.take() {
                self.insert(holder, old, &mut dropped);
            }
        }
        if set.len() == self.requirements {
            self.stand_at_bottom(session, set, &mut dropped);
        } else if let Some(&node) = self.by_set.get(set) {
            let node = &mut self.nodes[node as usize];
            choose(&mut node.session, session, &mut dropped);
        } else if !is_new && self.is_within(set) {
            dropped.itself = true;
        } else {
            self.insert(session, set.into(), &mut dropped);
        }
        dropped
    }

    /// The sessions that are kept, in order.
    pub fn kept(&self) -> Vec<u64> {
        let living = self.nodes.iter().filter(|node| node.alive).map(|node| node.session);
        let mut kept: Vec<u64> = living.chain(self.bottom.iter().map(|(_, session)| *session)).collect();
        kept.sort_unstable();
        kept
    }

    /// How many sessions are kept.
    pub fn len(&self) -> usize {
        self.by_set.len() + usize::from(self.bottom.is_some())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether any of these requirements was met by no session before.
    fn meet(&mut self, set: &[u32]) -> bool {
        let most = set.last().map_or(0, |&n| n as usize + 1);
        if most > self.met.len() {
            self.met.resize(most, false);
            self.having.resize_with(most, Vec::new);
            self.rarest.resize_with(most, Vec::new);
        }
        let before = self.requirements;
        for &number in set {
            self.requirements += usize::from(!std::mem::replace(&mut self.met[number as usize], true));
        }
        self.requirements > before
    }

    fn stand_at_bottom(&mut self, session: u64, set: &[u32], dropped: &mut Dropped) {
        match &mut self.bottom {
            Some((_, holder)) => choose(holder, session, dropped),
            None => self.bottom = Some((set.into(), session)),
        }
    }

    /// Whether a set is within a node's.
    fn is_within(&mut self, set: &[u32]) -> bool {
        let known = digest(set);
        if self.within.contains(&known) {
            return true;
        }
        let Some(rarest) = self.shortest(set) else { return false };
        let signature = signature(set);
        let holds = self.having[rarest as usize].iter().any(|listed| {
            signature & !listed.signature == 0 && {
                let node = &self.nodes[listed.node as usize];
                node.alive && is_subset(set, &node.set)
            }
        });
        if holds {
            if self.within.len() == REMEMBERED {
                self.within.clear();
            }
            self.within.insert(known);
        }
        holds
    }

    /// A set that is within no node's becomes one, and takes the place of those within it.
    fn insert(&mut self, session: u64, set: Arc<[u32]>, dropped: &mut Dropped) {
        let signature = signature(&set);
        for &number in set.iter() {
            self.rarest[number as usize].retain(|listed| {
                if listed.signature & !signature != 0 {
                    return true;
                }
                let node = &mut self.nodes[listed.node as usize];
                if !is_subset(&node.set, &set) {
                    return true;
                }
                node.alive = false;
                self.by_set.remove(&node.set);
                dropped.others.push(node.session);
                false
            });
        }
        let node = self.nodes.len() as u32;
        let listed = Listed { signature, node };
        if let Some(rarest) = self.shortest(&set) {
            self.rarest[rarest as usize].push(listed);
        }
        for &number in set.iter() {
            self.having[number as usize].push(listed);
        }
        self.by_set.insert(set.clone(), node);
        self.nodes.push(Node { set, session, alive: true });
        if self.nodes.len() > 2 * self.by_set.len() + 1024 {
            self.clear_the_dead();
        }
    }

    /// The requirement of a set that the fewest nodes have.
    fn shortest(&self, set: &[u32]) -> Option<u32> {
        set.iter().copied().min_by_key(|&number| self.having[number as usize].len())
    }

    /// Lists the living anew.
    fn clear_the_dead(&mut self) {
        let living: Vec<Node> = std::mem::take(&mut self.nodes).into_iter().filter(|n| n.alive).collect();
        self.having.iter_mut().chain(&mut self.rarest).for_each(Vec::clear);
        self.by_set.clear();
        for node in &living {
            for &number in node.set.iter() {
                let listed = Listed { signature: signature(&node.set), node: self.by_set.len() as u32 };
                self.having[number as usize].push(listed);
            }
            self.by_set.insert(node.set.clone(), self.by_set.len() as u32);
        }
        for (place, node) in living.iter().enumerate() {
            let listed = Listed { signature: signature(&node.set), node: place as u32 };
            if let Some(rarest) = self.shortest(&node.set) {
                self.rarest[rarest as usize].push(listed);
            }
        }
        self.nodes = living;
    }
}

/// The lower of two sessions stands for both.
fn choose(holder: &mut u64, session: u64, dropped: &mut Dropped) {
    match session.cmp(holder) {
        std::cmp::Ordering::Less => dropped.others.push(std::mem::replace(holder, session)),
        std::cmp::Ordering::Equal => {}
        std::cmp::Ordering::Greater => dropped.itself = true,
    }
}

/// A bit for each requirement, out of 64: a set within another has no bit that the other has not.
fn signature(set: &[u32]) -> u64 {
    set.iter().fold(0, |bits, &number| bits | 1 << (scramble(u64::from(number)) & 63))
}

/// Tells sets apart for good.
fn digest(set: &[u32]) -> u128 {
    let (mut low, mut high) = (set.len() as u64, !(set.len() as u64));
    for &number in set {
        low = scramble(low ^ u64::from(number));
        high = scramble(high.rotate_left(23) ^ u64::from(number).wrapping_mul(0xd6e8_feb8_6659_fd93));
    }
    u128::from(high) << 64 | u128::from(low)
}

/// Whether all numbers of one sorted set are in another.
fn is_subset(set: &[u32], of: &[u32]) -> bool {
    let mut of = of.iter();
    set.len() <= of.len() && set.iter().all(|number| of.by_ref().find(|o| *o >= number) == Some(number))
}
