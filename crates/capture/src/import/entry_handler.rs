//! Where a format's reader hands what it finds.

use restage_model::{Captured, NewSuite};
use restage_store::AsStored;

use super::error::ImportError;

/// What takes what a reader finds in a file.
pub(super) trait EntryHandler {
    /// An exchange.
    fn exchange(&mut self, captured: Captured) -> Result<(), ImportError>;

    /// An exchange that restage wrote, as it was stored.
    fn own(&mut self, captured: Captured, as_stored: AsStored) -> Result<(), ImportError>;

    /// A part that cannot be read: its place (a line, an entry), why, and what is there.
    fn unread(&mut self, place: u64, why: &str, what: &[u8]) -> Result<(), ImportError>;

    /// The hashes of values that took a secret's place, in what restage wrote.
    fn stand_ins(&mut self, hashes: &[u64]);

    /// The suite that restage wrote, by the names that its exchanges had.
    fn suite(&mut self, suite: NewSuite);

    /// A part that is no exchange with a server: an answer from the browser's cache, an address of the browser's own.
    fn passed_over(&mut self);
}
