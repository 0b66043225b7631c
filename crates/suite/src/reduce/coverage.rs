//! Which sessions meet which requirements, as numbers.

use std::collections::HashMap;

use foldhash::fast::RandomState;

/// Numbers for requirements, given in order of first appearance.
#[derive(Clone, Debug, Default)]
pub struct RequirementNames {
    numbers: HashMap<String, u32, RandomState>,
    names: Vec<String>,
}

impl RequirementNames {
    /// A requirement's number; a new one where it was not met before.
    pub fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    /// The numbers of some requirements, sorted, each once.
    pub fn set<'a>(&mut self, names: impl IntoIterator<Item = &'a str>) -> Vec<u32> {
        let mut set: Vec<u32> = names.into_iter().map(|name| self.number(name)).collect();
        set.sort_unstable();
        set.dedup();
        set
    }

    /// What a number stands for.
    pub fn name(&self, number: u32) -> &str {
        self.names.get(number as usize).map_or("", String::as_str)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

/// The requirements that each session meets. Sessions are known by their place, from 0.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// All sets, one after the other.
    numbers: Vec<u32>,
    /// Where each set ends.
    ends: Vec<usize>,
    requirements: usize,
}

impl Coverage {
    /// No sessions.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the next session.
    pub fn push(&mut self, set: &[u32]) {
        let begin = self.numbers.len();
        self.numbers.extend_from_slice(set);
        self.numbers[begin..].sort_unstable();
        let mut end = begin;
        for at in begin..self.numbers.len() {
            if end == begin || self.numbers[end - 1] != self.numbers[at] {
                self.numbers[end] = self.numbers[at];
                end += 1;
            }
        }
        self.numbers.truncate(end);
        self.ends.push(end);
        let most = self.numbers[begin..].last().map_or(0, |&n| n as usize + 1);
        self.requirements = self.requirements.max(most);
    }

    /// What a session meets, in order.
    pub fn set(&self, session: usize) -> &[u32] {
        let begin = if session == 0 { 0 } else { self.ends[session - 1] };
        &self.numbers[begin..self.ends[session]]
    }

    /// How many sessions there are.
    pub fn sessions(&self) -> usize {
        self.ends.len()
    }

    /// One more than the largest requirement's number.
    pub fn requirements(&self) -> usize {
        self.requirements
    }

    /// Which requirements some sessions meet together, by number.
    pub fn met(&self, sessions: impl IntoIterator<Item = usize>) -> Vec<bool> {
        let mut met = vec![false; self.requirements];
        for session in sessions {
            for &number in self.set(session) {
                met[number as usize] = true;
            }
        }
        met
    }
}

impl<'a> FromIterator<&'a [u32]> for Coverage {
    fn from_iter<I: IntoIterator<Item = &'a [u32]>>(sets: I) -> Self {
        let mut coverage = Self::new();
        for set in sets {
            coverage.push(set);
        }
        coverage
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a set that runs into its neighbour, and one that is not in order.
    #[test]
    fn sets_are_sorted_and_apart() {
        let coverage: Coverage = [&[3, 1, 3][..], &[], &[0, 3]].into_iter().collect();
        assert_eq!((coverage.set(0), coverage.set(1), coverage.set(2)), (&[1, 3][..], &[][..], &[0, 3][..]));
        assert_eq!(coverage.requirements(), 4);
        assert_eq!(coverage.met([0]), [false, true, false, true]);
    }
}
