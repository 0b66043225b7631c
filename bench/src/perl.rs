//! Paper 2's slowest comparator, UnorderedLinks, written with the paper's tools: Perl's `HTML::Parser`, and `diff`.

use std::path::Path;
use std::process::Command;

use crate::Trouble;

const SCRIPT: &str = include_str!("unordered_links.pl");

/// How Perl compares what it found in two pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compared {
    /// In files, by `diff -q`: as the paper's tools do.
    ByDiff,
    /// In memory.
    InMemory,
}

/// What one Perl process took over pairs in a file.
#[derive(Clone, Copy, Debug)]
pub struct PerlRun {
    /// Seconds of processor time, of itself and of the `diff`s it started.
    pub seconds: f64,
    /// Pairs that differ.
    pub differing: usize,
}

/// Compares the first pairs of a file.
pub fn unordered_links(file: &Path, pairs: usize, compared: Compared) -> Result<PerlRun, Trouble> {
    let folder = tempfile::tempdir()?;
    let mut command = Command::new("perl");
    command.arg("-e").arg(SCRIPT).arg(file).arg(pairs.to_string());
    match compared {
        Compared::ByDiff => command.arg(folder.path()),
        Compared::InMemory => command.arg("-"),
    };
    let output = command.output().map_err(|e| format!("perl does not start: {e}"))?;
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    match read(&said) {
        Some((done, run)) if done == pairs => Ok(run),
        _ => Err(format!("perl: {said}\n  hint: Debian's package is `libhtml-parser-perl`").into()),
    }
}

fn read(said: &str) -> Option<(usize, PerlRun)> {
    let mut words = said.split_whitespace();
    let done = words.next()?.parse().ok()?;
    Some((done, PerlRun { differing: words.next()?.parse().ok()?, seconds: words.next()?.parse().ok()? }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_report_is_read() {
        let (done, run) = read("2000 1730 18.62\n").unwrap();
        assert_eq!((done, run.differing, run.seconds), (2000, 1730, 18.62));
        assert!(read("Can't locate HTML/Parser.pm").is_none());
    }
}
