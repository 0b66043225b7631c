//! Where exchanges came from: a client's address and its agent.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::sessions::bots::AgentKind;
use crate::sessions::interner::Interner;

/// Clients by number.
#[derive(Debug, Default)]
pub(super) struct Clients {
    addresses: Interner,
    agents: Interner,
    kinds: Vec<AgentKind>,
    numbers: HashMap<(u32, u32), u32, RandomState>,
    pairs: Vec<(u32, u32)>,
}

impl Clients {
    /// The number of a client; the next one where it is new.
    pub(super) fn number(&mut self, address: &str, agent: &str) -> u32 {
        let agent_number = self.agents.number(agent);
        if agent_number as usize == self.kinds.len() {
            self.kinds.push(AgentKind::of(agent));
        }
        let pair = (self.addresses.number(address), agent_number);
        *self.numbers.entry(pair).or_insert_with(|| {
            self.pairs.push(pair);
            u32::try_from(self.pairs.len() - 1).unwrap_or(u32::MAX)
        })
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.pairs.len()
    }

    /// The address of a client, by number.
    pub(super) fn address(&self, client: u32) -> u32 {
        self.pairs[client as usize].0
    }

    /// What the agent of a client says of itself.
    pub(super) fn agent(&self, client: u32) -> AgentKind {
        self.kinds[self.pairs[client as usize].1 as usize]
    }

    /// The addresses.
    pub(super) fn into_addresses(self) -> Interner {
        self.addresses
    }
}
