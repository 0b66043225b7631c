//! The file that probes append to: it is read from where it was read to before.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use restage_facts::{Record, RecordError};

/// A longer line is of no probe.
const LONGEST: u64 = 256 << 20;
/// How often, and how far apart, the lock is asked for that a probe may hold while it writes.
const ATTEMPTS: u32 = 200;
const PAUSE: Duration = Duration::from_millis(1);

/// The file that the probes of one app append to.
#[derive(Debug)]
pub(crate) struct FactsFile {
    path: PathBuf,
    /// How much of it was read.
    read: u64,
    /// How many lines were read, also of what was removed since.
    lines: u64,
    /// Which file of that name it is. It is held open, since the number of one that was removed is given to the next.
    held: Option<File>,
    /// Whether somebody put another file in its place, so that what was in it is lost.
    replaced: bool,
}

/// What a line is.
pub(crate) enum Line {
    /// A probe's.
    Record(Record),
    /// None of a probe, and why.
    Bad(String),
}

impl From<Result<Record, RecordError>> for Line {
    fn from(parsed: Result<Record, RecordError>) -> Self {
        parsed.map_or_else(|error| Self::Bad(error.to_string()), Self::Record)
    }
}

impl FactsFile {
    pub(crate) fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), read: 0, lines: 0, held: File::open(path).ok(), replaced: false }
    }

    /// Whether, since this was last asked, somebody put another file in its place.
    pub(crate) fn was_replaced(&mut self) -> bool {
        std::mem::take(&mut self.replaced)
    }

    /// Hands out the lines that were written since, with their numbers. What was read is removed from the file, so that it does not grow
    /// with the run. At the end, a line that is not whole counts as one that is bad; before, it may still be written.
    pub(crate) fn read<E: From<std::io::Error>>(
        &mut self,
        at_end: bool,
        mut take: impl FnMut(u64, Line) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut file = OpenOptions::new().read(true).write(true).open(&self.path)?;
        let locked = lock(&file);
        let found = file.metadata()?;
        let known = self.held.as_ref().and_then(|held| held.metadata().ok()).map(|held| held.ino());
        if known != Some(found.ino()) {
            self.replaced |= known.is_some();
            // Opened by itself: a clone would hold the lock.
            (self.held, self.read) = (File::open(&self.path).ok(), 0);
        }
        if found.len() < self.read {
            // Somebody else emptied it.
            self.read = 0;
        }
        file.seek(SeekFrom::Start(self.read))?;
        let mut reader = BufReader::with_capacity(1 << 16, &file);
        let mut whole = true;
        let mut line = Vec::new();
        loop {
            line.clear();
            let size = (&mut reader).take(LONGEST).read_until(b'\n', &mut line)? as u64;
            if size == 0 {
                break;
            }
            let ends = line.last() == Some(&b'\n');
            if !ends && size < LONGEST && !at_end {
                whole = false;
                break;
            }
            self.read += size;
            self.lines += 1;
            if !ends && size == LONGEST {
                self.read += skip_line(&mut reader)?;
                take(self.lines, Line::Bad(format!("longer than {} MiB", LONGEST >> 20)))?;
            } else if !line.trim_ascii().is_empty() {
                take(self.lines, Record::parse(&line).into())?;
            }
        }
        if locked && whole {
            file.set_len(0)?;
            self.read = 0;
        }
        Ok(())
    }
}

/// Whether no probe writes while this file is open. One that holds the lock for ever is not waited for.
fn lock(file: &File) -> bool {
    for _ in 0..ATTEMPTS {
        match file.try_lock() {
            Ok(()) => return true,
            Err(std::fs::TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            Err(std::fs::TryLockError::Error(error)) if error.kind() == ErrorKind::Interrupted => {}
            Err(std::fs::TryLockError::Error(_)) => return false,
        }
    }
    false
}

/// Reads on to the end of a line; how many bytes that were.
fn skip_line(reader: &mut impl BufRead) -> Result<u64, std::io::Error> {
    let mut skipped = 0;
    loop {
        let buffer = reader.fill_buf()?;
        if buffer.is_empty() {
            return Ok(skipped);
        }
        let (length, ends) = match memchr::memchr(b'\n', buffer) {
            Some(end) => (end + 1, true),
            None => (buffer.len(), false),
        };
        reader.consume(length);
        skipped += length as u64;
        if ends {
            return Ok(skipped);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn read(file: &mut FactsFile, at_end: bool) -> Vec<(u64, String)> {
        let mut lines = Vec::new();
        file.read::<std::io::Error>(at_end, |number, line| {
            lines.push(match line {
                Line::Record(Record::Step(step)) => (number, step.step),
                Line::Record(Record::File(file)) => (number, file.file),
                Line::Bad(_) => (number, "bad".to_owned()),
            });
            Ok(())
        })
        .expect("reads");
        lines
    }

    /// Catches: a line that is read while a probe still writes it, one that is read twice, and a file that grows with the run.
    #[test]
    fn each_line_is_read_once_when_it_is_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("facts");
        let append = |text: &str| {
            let mut file = OpenOptions::new().create(true).append(true).open(&path).expect("opens");
            file.write_all(text.as_bytes()).expect("writes");
        };
        append("{\"v\":1,\"step\":\"a\"}\nnonsense\n\n{\"v\":1,\"st");
        let mut file = FactsFile::new(&path);
        assert_eq!(read(&mut file, false), [(1, "a".to_owned()), (2, "bad".to_owned())]);
        append("ep\":\"b\"}\n");
        assert_eq!(read(&mut file, false), [(4, "b".to_owned())]);
        assert_eq!(std::fs::metadata(&path).expect("is there").len(), 0);
        append("{\"v\":1,\"step\":\"c\"}\n{\"v\":1,");
        assert_eq!(read(&mut file, true), [(5, "c".to_owned()), (6, "bad".to_owned())]);
    }

    /// Catches: another file that is taken for the one before, since it was given the number of it.
    #[test]
    fn a_file_in_the_place_of_another_is_noticed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("facts");
        std::fs::write(&path, "").expect("writes");
        let mut file = FactsFile::new(&path);
        for number in 1..20 {
            std::fs::remove_file(&path).expect("removes");
            std::fs::write(&path, "{\"v\":1,\"step\":\"a\"}\n").expect("writes");
            assert_eq!((read(&mut file, false).len(), file.was_replaced()), (1, true), "{number}");
            assert_eq!((read(&mut file, false).len(), file.was_replaced()), (0, false), "{number}");
        }
    }

    /// Catches: a probe that died while it held the lock, and a run that waits for it for ever.
    #[test]
    fn a_lock_that_is_never_let_go_does_not_hold_up() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("facts");
        std::fs::write(&path, "{\"v\":1,\"step\":\"a\"}\n").expect("writes");
        let held = File::open(&path).expect("opens");
        held.lock().expect("locks");
        let mut file = FactsFile::new(&path);
        assert_eq!(read(&mut file, false).len(), 1);
        assert_eq!(read(&mut file, false), []);
    }
}
