//! A part of a suite, for one of several machines.

use std::fmt;
use std::str::FromStr;

use crate::{Session, Suite};

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
    pub fn places(self, suite: &Suite) -> Vec<u32> {
        self.sessions(suite).into_iter().map(|(place, _)| place).collect()
    }

    /// Its sessions, with their places in the suite. Every session is in one shard; the shards have about as many
    /// steps each; and the same suite is always parted in the same way.
    pub fn sessions(self, suite: &Suite) -> Vec<(u32, &Session)> {
        let mut largest: Vec<(usize, &Session)> = suite.sessions.iter().enumerate().collect();
        // The largest first, each to the shard that has the least: the small ones even out what is left.
        largest.sort_by_key(|(place, session)| (std::cmp::Reverse(session.exchanges.len()), *place));
        let mut steps = vec![0; self.of as usize];
        let mut own = Vec::new();
        for (place, session) in largest {
            let least = (0..steps.len()).min_by_key(|&shard| steps[shard]).unwrap_or(0);
            steps[least] += session.exchanges.len().max(1);
            if least + 1 == self.number as usize {
                own.push((place as u32, session));
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
            let shards: Vec<_> = (1..=of).map(|number| Shard { number, of }.sessions(&suite)).collect();
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
