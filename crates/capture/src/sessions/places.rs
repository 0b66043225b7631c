//! Where exchanges came from: a client's address and its agent.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::sessions::bots::AgentKind;
use crate::sessions::texts::Texts;

/// Places by number.
#[derive(Debug, Default)]
pub(super) struct Places {
    clients: Texts,
    agents: Texts,
    kinds: Vec<AgentKind>,
    numbers: HashMap<(u32, u32), u32, RandomState>,
    pairs: Vec<(u32, u32)>,
}

impl Places {
    /// The number of a place; the next one where it is new.
    pub(super) fn number(&mut self, client: &str, agent: &str) -> u32 {
        let agent_number = self.agents.number(agent);
        if agent_number as usize == self.kinds.len() {
            self.kinds.push(AgentKind::of(agent));
        }
        let pair = (self.clients.number(client), agent_number);
        *self.numbers.entry(pair).or_insert_with(|| {
            self.pairs.push(pair);
            u32::try_from(self.pairs.len() - 1).unwrap_or(u32::MAX)
        })
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.pairs.len()
    }

    /// The client of a place, by number.
    pub(super) fn client(&self, place: u32) -> u32 {
        self.pairs[place as usize].0
    }

    /// What the agent of a place says of itself.
    pub(super) fn agent(&self, place: u32) -> AgentKind {
        self.kinds[self.pairs[place as usize].1 as usize]
    }

    /// The clients' addresses.
    pub(super) fn into_clients(self) -> Texts {
        self.clients
    }
}
