//! What the readers of each format make of bytes, without a store: for tests and fuzz targets, which feed them any.

use restage_model::{Captured, NewSuite};
use restage_store::AsStored;

use super::entry_handler::EntryHandler;
use super::error::ImportError;
use super::gor;
use super::har::{Har, Noticed};

pub use super::access_log::parse as access_log_line;
pub use super::json_log::parse as json_log_line;

/// What was found in a file.
#[derive(Debug, Default)]
pub struct Parsed {
    /// Its exchanges, in the order of the file.
    pub exchanges: Vec<Captured>,
    /// How many parts could not be read.
    pub unread: u64,
    /// How many parts are no exchange with a server.
    pub passed_over: u64,
}

/// A whole HAR file.
pub fn har_file(bytes: &[u8]) -> Result<Parsed, ImportError> {
    let mut parsed = Parsed::default();
    let Noticed { broken, .. } = Har { hosts: &[], client: "a file" }.read(bytes, &mut parsed)?;
    parsed.unread += u64::from(broken.is_some());
    Ok(parsed)
}

/// A whole file of GoReplay's.
pub fn gor_file(bytes: &[u8]) -> Result<Parsed, ImportError> {
    let mut parsed = Parsed::default();
    gor::read(bytes, &mut parsed)?;
    Ok(parsed)
}

impl EntryHandler for Parsed {
    fn exchange(&mut self, captured: Captured) -> Result<(), ImportError> {
        self.exchanges.push(captured);
        Ok(())
    }

    fn own(&mut self, captured: Captured, _as_stored: AsStored) -> Result<(), ImportError> {
        self.exchange(captured)
    }

    fn unread(&mut self, _place: u64, _why: &str, _what: &[u8]) -> Result<(), ImportError> {
        self.unread += 1;
        Ok(())
    }

    fn stand_ins(&mut self, _hashes: &[u64]) {}

    fn suite(&mut self, _suite: NewSuite) {}

    fn passed_over(&mut self) {
        self.passed_over += 1;
    }
}
