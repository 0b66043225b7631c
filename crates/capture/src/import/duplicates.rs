//! What tells an exchange from others, so that nothing is imported twice.
//!
//! Of two exchanges of the same moment, what was asked, by whom, and the status tell. A log that counts in seconds may
//! well hold two that are alike in all of it: they are numbered as they come in their file, and the second of one file
//! is the second of any other that holds the same lines.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use restage_model::Captured;
use restage_store::{AsStored, Imported};

/// How many are remembered. Lines that are alike are of the same moment, and so near each other.
const REMEMBERED: usize = 1 << 16;

/// Counts what is alike in one file.
#[derive(Default)]
pub(super) struct DuplicateCounter {
    /// Whether the client tells. It does not where the file's name stands for it; of what restage wrote, it always does.
    by_client: bool,
    recent: HashMap<(i64, u64), u32, RandomState>,
    before: HashMap<(i64, u64), u32, RandomState>,
    bytes: Vec<u8>,
}

impl DuplicateCounter {
    pub(super) fn new(by_client: bool) -> Self {
        Self { by_client, ..Self::default() }
    }

    /// An exchange with what tells it from others.
    pub(super) fn with_digest(&mut self, captured: Captured, as_stored: Option<AsStored>) -> Imported {
        let hash = self.hash(&captured, self.by_client || as_stored.is_some());
        let key = (captured.at.0, hash);
        if self.recent.len() >= REMEMBERED {
            std::mem::swap(&mut self.before, &mut self.recent);
            self.recent.clear();
        }
        let before = self.before.get(&key).copied().unwrap_or(0);
        let times = self.recent.entry(key).or_insert(before);
        let nth = u64::from(*times);
        *times += 1;
        let digest = hash.wrapping_add(nth.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        Imported { captured, digest, as_stored }
    }

    /// The size is left out: a line that is being written may end in the middle of it.
    fn hash(&mut self, captured: &Captured, by_client: bool) -> u64 {
        let bytes = &mut self.bytes;
        bytes.clear();
        let client = if by_client { captured.client.as_str() } else { "" };
        for part in [client, &captured.method, &captured.uri] {
            bytes.extend_from_slice(part.as_bytes());
            bytes.push(0);
        }
        for (name, value) in captured.headers.iter() {
            bytes.extend_from_slice(name.as_bytes());
            bytes.push(1);
            bytes.extend_from_slice(value.as_bytes());
            bytes.push(2);
        }
        bytes.extend_from_slice(&captured.response.as_ref().map_or(0, |(status, ..)| *status).to_le_bytes());
        bytes.extend_from_slice(&captured.body.bytes);
        let hash = blake3::hash(bytes);
        let first: [u8; 8] = std::array::from_fn(|i| hash.as_bytes()[i]);
        u64::from_le_bytes(first)
    }
}
