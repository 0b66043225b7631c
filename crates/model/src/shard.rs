//! A part of a suite, for one of several machines.

use std::fmt;
use std::str::FromStr;

use crate::{Groups, Session, Suite};

/// One of so many parts of a suite: `2/8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which, from 1.
    pub number: u32,
    /// Of how many.
    pub of: u32,
}

impl Shard {
    /// The places of its sessions in the suite.
    pub fn places(self, suite: &Suite, groups: &Groups) -> Vec<u32> {
        self.sessions(suite, groups).into_iter().map(|(place, _)| place).collect()
    }

    /// Its sessions, with their places in the suite. Every session is in one shard, and those of a group are in the same; the
    /// shards have about as many steps each; and the same suite with the same groups is always parted in the same way.
    pub fn sessions<'s>(self, suite: &'s Suite, groups: &Groups) -> Vec<(u32, &'s Session)> {
        let steps_of = |unit: &[usize]| {
            unit.iter().map(|place| suite.sessions[*place].exchanges.len().max(1)).sum::<usize>()
        };
        let mut largest = groups.units(&suite.sessions);
        // The largest first, each to the shard that has the least: the small ones even out what is left.
        largest.sort_by_key(|unit| (std::cmp::Reverse(steps_of(unit)), unit.first().copied()));
        let mut steps = vec![0; self.of as usize];
        let mut own = Vec::new();
        for unit in largest {
            let least = (0..steps.len()).min_by_key(|&shard| steps[shard]).unwrap_or(0);
            steps[least] += steps_of(&unit);
            if least + 1 == self.number as usize {
                own.extend(unit.into_iter().map(|place| (place as u32, &suite.sessions[place])));
            }
        }
        own.sort_by_key(|(place, _)| *place);
        own
    }
}

impl fmt::Display for Shard {
    /// `2-of-8`, as in the names of runs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-of-{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (number, of) = text.split_once('/').ok_or("it is written 2/8: the second of eight")?;
        let read = |text: &str| text.trim().parse::<u32>().map_err(|_| format!("`{text}` is no number"));
        let (number, of) = (read(number)?, read(of)?);
        if of > 10_000 {
            return Err(format!("{of} shards are too many"));
        }
        if number == 0 || number > of {
            return Err(format!("shards are numbered from 1 to {of}"));
        }
        Ok(Self { number, of })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ExchangeId, Moment, SuiteId};

    fn suite(sizes: &[usize]) -> Suite {
        let session = |(place, size): (usize, &usize)| Session {
            name: format!("s{place}"),
            by: String::new(),
            client: String::new(),
            from: Moment(0),
            to: Moment(0),
            exchanges: vec![ExchangeId(1); *size],
            left_out: Vec::new(),
            joined: Vec::new(),
            fresh: false,
        };
        Suite {
            id: SuiteId(1),
            name: "recorded".to_owned(),
            created: Moment(0),
            origin: String::new(),
            sessions: sizes.iter().enumerate().map(session).collect(),
        }
    }

    /// Catches: a session in no shard, or in two; one machine that does most of the work.
    #[test]
    fn every_session_is_in_one_shard_and_the_shards_are_even() {
        let sizes: Vec<usize> = (0..97).map(|n| 1 + (n * 37) % 23).collect();
        let suite = suite(&sizes);
        for of in [1, 2, 3, 8, 97, 120] {
            let shards: Vec<_> =
                (1..=of).map(|number| Shard { number, of }.sessions(&suite, &Groups::default())).collect();
            let mut places: Vec<u32> = shards.iter().flatten().map(|(place, _)| *place).collect();
            assert!(shards.iter().all(|shard| shard.is_sorted_by_key(|(place, _)| *place)));
            places.sort_unstable();
            assert_eq!(places, (0..97).collect::<Vec<u32>>());
            let steps =
                |shard: &Vec<(u32, &Session)>| shard.iter().map(|(_, s)| s.exchanges.len()).sum::<usize>();
            let (least, most) =
                (shards.iter().map(steps).min().unwrap(), shards.iter().map(steps).max().unwrap());
            assert!(most - least <= 23, "{of}: {least}..{most}");
        }
    }

    /// Catches: a group whose sessions are in two shards, so that its users meet on neither machine.
    #[test]
    fn a_group_is_never_torn_apart() {
        let suite = suite(&[9, 8, 7, 6, 5, 4, 3, 2]);
        let names = |places: &[u32]| places.iter().map(|place| format!("s{place}")).collect();
        let groups = Groups::of(&suite, [names(&[0, 1, 7]), names(&[3, 5])]);
        let shards: Vec<Vec<u32>> =
            (1..=3).map(|number| Shard { number, of: 3 }.places(&suite, &groups)).collect();
        assert_eq!(shards, [vec![0, 1, 7], vec![3, 5, 6], vec![2, 4]]);
    }

    #[test]
    fn what_is_no_shard_is_told() {
        assert_eq!("2/8".parse(), Ok(Shard { number: 2, of: 8 }));
        assert_eq!(Shard { number: 2, of: 8 }.to_string(), "2-of-8");
        for (text, told) in
            [("3", "written 2/8"), ("0/8", "from 1 to 8"), ("9/8", "from 1 to 8"), ("a/8", "`a`")]
        {
            assert!(text.parse::<Shard>().unwrap_err().contains(told), "{text}");
        }
    }
}
