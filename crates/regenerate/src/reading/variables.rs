//! What requests define and use of the user's session: by the lines that ran, and by what the probe saw (paper 4, algorithm 2).

use std::collections::{BTreeMap, BTreeSet};

use restage_facts::{LineSet, SessionFacts, StepFacts};

use super::distinct::distinct;
use crate::dynamics::{Access, AccessKind, AccessLocation, RowKeys, StateId};

/// The lines of the source code that define and use the user's session.
#[derive(Clone, Debug, Default)]
pub struct StateLines {
    lines: BTreeMap<String, BTreeMap<u32, BTreeSet<(StateId, bool)>>>,
}

impl StateLines {
    /// Notes a line.
    pub fn add(&mut self, file: &str, line: u32, state: StateId, kind: AccessKind) {
        let lines = self.lines.entry(file.to_owned()).or_default();
        lines.entry(line).or_default().insert((state, kind == AccessKind::Definition));
    }

    /// How many definitions and how many uses there are.
    pub fn counts(&self) -> (usize, usize) {
        let all = || self.lines.values().flat_map(BTreeMap::values).flatten();
        (all().filter(|(_, defines)| *defines).count(), all().filter(|(_, defines)| !*defines).count())
    }

    fn ran<'a>(
        &'a self,
        ran: &'a BTreeMap<String, LineSet>,
    ) -> impl Iterator<Item = (&'a StateId, AccessKind, AccessLocation)> {
        self.lines.iter().filter_map(|(file, lines)| Some((file, lines, ran.get(file)?))).flat_map(
            |(file, lines, ran)| {
                lines.iter().filter(move |(line, _)| ran.contains(**line)).flat_map(move |(line, states)| {
                    states.iter().map(move |(state, defines)| {
                        let kind = if *defines { AccessKind::Definition } else { AccessKind::Use };
                        (state, kind, AccessLocation::Line { file: file.clone(), line: *line })
                    })
                })
            },
        )
    }
}

/// What a request defines and uses of the user's session.
pub(super) fn variable_accesses(facts: &StepFacts, known: &StateLines, request: &str) -> Vec<Access> {
    let none = SessionFacts::default();
    let session = facts.session.as_ref().unwrap_or(&none);
    let (before, after) = (variables(session.before.as_ref()), variables(session.after.as_ref()));
    let access = |state: &StateId, kind: AccessKind, location: AccessLocation| {
        let value = match state {
            StateId::Variable(name) => after.get(name).cloned(),
            StateId::Session | StateId::Table(_) => None,
        };
        let value = value.filter(|_| kind == AccessKind::Definition);
        Access {
            state: state.clone(),
            kind,
            location,
            value,
            rows: RowKeys::default(),
            order: None,
            earlier: 0,
            failed: false,
        }
    };
    let mut accesses: Vec<Access> =
        known.ran(&facts.lines).map(|(state, kind, location)| access(state, kind, location)).collect();
    let mut written: BTreeSet<&str> = session.writes.iter().map(|name| top(name)).collect();
    if facts.session.is_some() {
        let names = before.keys().chain(after.keys());
        written.extend(names.filter(|name| before.get(*name) != after.get(*name)).map(String::as_str));
    }
    let read: BTreeSet<&str> = session.reads.iter().map(|name| top(name)).collect();
    // What no line that ran is known to do was done somewhere in the request.
    let somewhere = || AccessLocation::Request(request.to_owned());
    let kinds = [(written, AccessKind::Definition), (read, AccessKind::Use)];
    for (names, kind) in kinds {
        for name in names {
            let state = StateId::Variable(name.to_owned());
            if !accesses.iter().any(|known| known.kind == kind && known.state == state) {
                accesses.push(access(&state, kind, somewhere()));
            }
        }
    }
    accesses
}

/// What the server knows of the user: variables with their values.
pub(super) fn known_of_user(variables_then: Option<&BTreeMap<String, String>>) -> BTreeSet<String> {
    variables(variables_then).into_iter().map(|(name, value)| format!("{name}={value}")).collect()
}

/// Variables with their values; those of nested keys are in them.
fn variables(flat: Option<&BTreeMap<String, String>>) -> BTreeMap<String, String> {
    let mut joined: BTreeMap<String, String> = BTreeMap::new();
    for (name, value) in flat.into_iter().flatten() {
        let own = top(name);
        let text = joined.entry(own.to_owned()).or_default();
        if !text.is_empty() {
            text.push_str(", ");
        }
        if name.len() > own.len() {
            text.push_str(&name[own.len() + 1..]);
            text.push('=');
        }
        text.push_str(&distinct(value));
    }
    joined
}

fn top(name: &str) -> &str {
    name.split_once('.').map_or(name, |(top, _)| top)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(json: &str, known: &StateLines) -> Vec<String> {
        let facts: StepFacts = serde_json::from_str(json).unwrap();
        let mut told: Vec<String> = variable_accesses(&facts, known, "POST /x")
            .iter()
            .map(|a| format!("{:?} {} at {} {:?}", a.kind, a.state, a.location, a.value))
            .collect();
        told.sort();
        told
    }

    const FACTS: &str = r#"{"step": "s1/2", "lines": {"a.php": [[1, 9]]}, "session": {"before": {"game": "1", "user": "\"ada\""},
        "after": {"game": "2", "user": "\"ada\"", "cart.17.count": "2", "cart.9.count": "1"}, "reads": ["user"]}}"#;

    #[test]
    fn without_source_code_what_the_probe_saw_counts() {
        assert_eq!(
            told(FACTS, &StateLines::default()),
            [
                "Definition session variable cart at POST /x Some(\"17.count=2, 9.count=1\")",
                "Definition session variable game at POST /x Some(\"2\")",
                "Use session variable user at POST /x None",
            ]
        );
    }

    #[test]
    fn lines_that_ran_say_where() {
        let mut known = StateLines::default();
        let game = || StateId::Variable("game".to_owned());
        known.add("a.php", 3, game(), AccessKind::Definition);
        known.add("a.php", 4, StateId::Session, AccessKind::Use);
        known.add("a.php", 40, game(), AccessKind::Use);
        let told = told(FACTS, &known);
        assert!(
            told.contains(&"Definition session variable game at a.php:3 Some(\"2\")".to_owned()),
            "{told:?}"
        );
        assert!(told.contains(&"Use the session at a.php:4 None".to_owned()), "{told:?}");
        assert!(!told.iter().any(|t| t.contains("a.php:40") || t.contains("game at POST")), "{told:?}");
    }

    #[test]
    fn a_session_that_ended_defines_all_that_was_in_it() {
        let facts = r#"{"step": "s1/3", "session": {"before": {"user": "1"}}}"#;
        assert_eq!(told(facts, &StateLines::default()), ["Definition session variable user at POST /x None"]);
    }
}
