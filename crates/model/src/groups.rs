//! Groups: sessions that met, and are replayed together.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Session, Suite};

/// The groups of a suite, by the names of their sessions. A session is in one group at most, and a group has two sessions or more.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Groups {
    all: Vec<Vec<String>>,
}

impl Groups {
    /// Groups of a suite's sessions, in the order of the suite. What shares a session becomes one group; names that the suite does
    /// not have are left out.
    pub fn of(suite: &Suite, groups: impl IntoIterator<Item = Vec<String>>) -> Self {
        let places: BTreeMap<&str, usize> =
            suite.sessions.iter().map(|session| session.name.as_str()).zip(0..).collect();
        let mut joined: Vec<Vec<usize>> = Vec::new();
        for group in groups {
            let mut own: Vec<usize> =
                group.iter().filter_map(|name| places.get(name.as_str()).copied()).collect();
            let (shared, apart) = joined
                .into_iter()
                .partition(|other: &Vec<usize>| other.iter().any(|place| own.contains(place)));
            joined = apart;
            own.extend(shared.into_iter().flatten());
            own.sort_unstable();
            own.dedup();
            joined.push(own);
        }
        joined.retain(|group| group.len() > 1);
        joined.sort_unstable();
        let names = |group: Vec<usize>| group.into_iter().map(|place| suite.sessions[place].name.clone());
        Self { all: joined.into_iter().map(|group| names(group).collect()).collect() }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Each group, by the names of its sessions.
    pub fn iter(&self) -> impl Iterator<Item = &[String]> {
        self.all.iter().map(Vec::as_slice)
    }

    /// The group of a session; none where it met nobody.
    pub fn of_session(&self, name: &str) -> Option<&[String]> {
        self.iter().find(|group| group.iter().any(|other| other == name))
    }

    /// What is replayed as one: the sessions of a group together, and each other session by itself; by their places among
    /// these, in the order of the first ones.
    pub fn units<'s>(&self, sessions: impl IntoIterator<Item = &'s Session>) -> Vec<Vec<usize>> {
        let numbers: BTreeMap<&str, usize> = self
            .iter()
            .zip(0..)
            .flat_map(|(group, n)| group.iter().map(move |name| (name.as_str(), n)))
            .collect();
        let mut units: Vec<Vec<usize>> = Vec::new();
        let mut begun: BTreeMap<usize, usize> = BTreeMap::new();
        for (place, session) in sessions.into_iter().enumerate() {
            let group = numbers.get(session.name.as_str());
            match group.and_then(|group| begun.get(group)) {
                Some(unit) => units[*unit].push(place),
                None => {
                    begun.extend(group.map(|group| (*group, units.len())));
                    units.push(vec![place]);
                }
            }
        }
        units
    }

    /// Adds to places of a suite's sessions those of the sessions that met these; which were added, by their names.
    pub fn complete(&self, suite: &Suite, places: &mut Vec<u32>) -> Vec<String> {
        let mut added = Vec::new();
        for (place, session) in (0..).zip(&suite.sessions) {
            let Some(group) = self.of_session(&session.name) else { continue };
            let is_asked = |place: &u32| {
                suite.sessions.get(*place as usize).is_some_and(|asked| group.contains(&asked.name))
            };
            if !places.contains(&place) && places.iter().any(is_asked) {
                added.push((place, session.name.clone()));
            }
        }
        places.extend(added.iter().map(|(place, _)| *place));
        places.sort_unstable();
        added.into_iter().map(|(_, name)| name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Moment, SuiteId};

    fn suite(sessions: u32) -> Suite {
        let session = |number: u32| Session {
            name: format!("s{number}"),
            by: String::new(),
            client: String::new(),
            from: Moment(0),
            to: Moment(0),
            exchanges: Vec::new(),
            left_out: Vec::new(),
            joined: Vec::new(),
            fresh: false,
        };
        let sessions = (0..sessions).map(session).collect();
        Suite {
            id: SuiteId(1),
            name: "recorded".to_owned(),
            created: Moment(0),
            origin: String::new(),
            sessions,
        }
    }

    fn groups<const N: usize>(suite: &Suite, named: [&[&str]; N]) -> Groups {
        Groups::of(suite, named.map(|group| group.iter().map(|name| (*name).to_owned()).collect()))
    }

    /// Catches: a session in two groups, which would be replayed twice; a group of one, or of sessions that are not there.
    #[test]
    fn what_shares_a_session_is_one_group() {
        let suite = suite(9);
        let groups =
            groups(&suite, [&["s4", "s1"], &["s7", "s99"], &["s2", "s3"], &["s3", "s4"], &["s8", "s5"]]);
        let all: Vec<&[String]> = groups.iter().collect();
        assert_eq!(all, [&["s1", "s2", "s3", "s4"][..], &["s5", "s8"]]);
        assert_eq!(groups.of_session("s8"), Some(&["s5".to_owned(), "s8".to_owned()][..]));
        assert_eq!(groups.of_session("s7"), None);
        assert_eq!(serde_json::to_string(&groups).unwrap(), r#"[["s1","s2","s3","s4"],["s5","s8"]]"#);
    }

    /// Catches: a group that is torn apart, or replayed at the place of its last session.
    #[test]
    fn a_group_is_replayed_where_its_first_session_is() {
        let suite = suite(6);
        let groups = groups(&suite, [&["s1", "s4"], &["s2", "s5"]]);
        assert_eq!(groups.units(&suite.sessions), [vec![0], vec![1, 4], vec![2, 5], vec![3]]);
        // Of a part of the suite, by the places in it.
        assert_eq!(groups.units(&suite.sessions[3..]), [[0], [1], [2]]);
        assert_eq!(Groups::default().units(&suite.sessions[..2]), [[0], [1]]);
        let mut places = vec![4, 0];
        assert_eq!(groups.complete(&suite, &mut places), ["s1"]);
        assert_eq!(places, [0, 1, 4]);
    }
}
