//! Which pages with which outcome a run got: in place of the paper's statements, which need facts of the application.

use std::collections::BTreeSet;

use restage_model::{Answer, Key, Run};
use restage_store::Store;

use crate::Trouble;
use crate::judging::Baseline;

/// The pages that each session of a run got: the key of the request, the status, and the key of where a redirect leads.
#[derive(Clone, Debug)]
pub struct PageSet {
    sessions: Vec<BTreeSet<String>>,
    keys: Vec<BTreeSet<Key>>,
}

impl PageSet {
    /// Reads a run.
    pub fn of(store: &Store, run: &Run) -> Result<Self, Trouble> {
        let run = Baseline::of(store, run)?;
        let most = run.steps.iter().map(|s| s.at.session as usize + 1).max().unwrap_or(0);
        let (mut sessions, mut keys) = (vec![BTreeSet::new(); most], vec![BTreeSet::new(); most]);
        for step in &run.steps {
            let Some(key) = run.keys.get(&step.at) else { continue };
            let outcome = match &step.answer {
                Answer::Received(received) => {
                    let target = received.headers.get("location").map_or_else(String::new, |location| {
                        let path = location.find("://").map_or(location, |at| {
                            let rest = &location[at + 3..];
                            rest.find('/').map_or("/", |slash| &rest[slash..])
                        });
                        Key::of("→", path, "").as_str().to_owned()
                    });
                    format!("{key} {} {target}", received.status)
                }
                Answer::Failed(_) => format!("{key} none"),
            };
            sessions[step.at.session as usize].insert(outcome);
            keys[step.at.session as usize].insert(key.clone());
        }
        Ok(Self { sessions, keys })
    }

    /// Those of some sessions together.
    pub fn pages(&self, sessions: impl IntoIterator<Item = usize>) -> BTreeSet<String> {
        sessions.into_iter().filter_map(|s| self.sessions.get(s)).flatten().cloned().collect()
    }

    /// The keys of some sessions together.
    pub fn keys(&self, sessions: impl IntoIterator<Item = usize>) -> BTreeSet<Key> {
        sessions.into_iter().filter_map(|s| self.keys.get(s)).flatten().cloned().collect()
    }

    /// All of them.
    pub fn all(&self) -> BTreeSet<String> {
        self.pages(0..self.sessions.len())
    }
}
