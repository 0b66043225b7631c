//! A program that is run to its end, and what it took.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::{Trouble, children_time, peak_memory_of};

/// What a program took, and what it printed.
#[derive(Debug)]
pub struct OtherRun {
    /// By the clock.
    pub took: Duration,
    /// Of the processors, all its threads and children together.
    pub processor: Duration,
    /// The most memory it had itself, in bytes.
    pub peak: u64,
    /// Its standard output.
    pub printed: Vec<u8>,
}

/// Runs a command to its end; an error where it fails.
pub fn run_other(command: &mut Command) -> Result<OtherRun, Trouble> {
    run_other_ending(command, &[0])
}

/// Runs a command to its end; an error where it ends with any other code than these.
pub fn run_other_ending(command: &mut Command, codes: &[i32]) -> Result<OtherRun, Trouble> {
    let mut out = tempfile::tempfile()?;
    let (begun, before) = (Instant::now(), children_time());
    let mut child = command.stdin(Stdio::null()).stdout(out.try_clone()?).stderr(Stdio::null()).spawn()?;
    let mut peak = 0;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        peak = peak.max(peak_memory_of(child.id()).unwrap_or(0));
        std::thread::sleep(Duration::from_millis(10));
    };
    let (took, processor) = (begun.elapsed(), children_time() - before);
    if !status.code().is_some_and(|code| codes.contains(&code)) {
        return Err(format!("{command:?} failed: {status}").into());
    }
    let mut printed = Vec::new();
    std::io::Seek::rewind(&mut out)?;
    std::io::Read::read_to_end(&mut out, &mut printed)?;
    Ok(OtherRun { took, processor, peak, printed })
}
