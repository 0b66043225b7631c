//! What an app writes while a session is replayed: to its output, and to the log files that it is said to have.

use std::fs::{File, Metadata};
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// How many bytes of a session are kept; the end of them.
const KEPT: usize = 1 << 20;

/// The files that an app writes to, and up to where they were read.
#[derive(Debug)]
pub struct Logs {
    output: Source,
    files: Vec<Source>,
}

#[derive(Debug)]
struct Source {
    path: PathBuf,
    /// The file that was there: another one may take its place.
    inode: Option<(u64, u64)>,
    from: u64,
}

/// What was written, or the end of it.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The bytes, or the last of them.
    pub bytes: Vec<u8>,
    /// How many bytes were written.
    pub size: u64,
}

impl Logs {
    /// To be called before the app starts, so that what it writes while starting belongs to the first session.
    pub fn of(output: &Path, files: &[PathBuf]) -> Self {
        let files = files.iter().map(|path| Source::at_end(path)).collect();
        Self { output: Source { path: output.to_owned(), inode: None, from: 0 }, files }
    }

    /// A session begins, its state in place. A log that lies in the state may have been put back with it: what is
    /// in it now is old.
    pub fn begin(&mut self, first: bool) {
        for file in &mut self.files {
            let now = Source::at_end(&file.path);
            if !first || now.inode != file.inode || now.from < file.from {
                *file = now;
            }
        }
    }

    /// What was written since the session began.
    pub fn end(&mut self) -> Written {
        let mut all = Written::default();
        all.add(self.output.read_on().unwrap_or_default());
        for file in &mut self.files {
            // A file that is not there yet has nothing in it.
            let Ok(written) = file.read_on() else { continue };
            if written.size > 0 {
                all.bytes.extend_from_slice(format!("== {} ==\n", file.path.display()).as_bytes());
            }
            all.add(written);
        }
        let before = all.bytes.len().saturating_sub(KEPT);
        all.bytes.drain(..before);
        all
    }
}

impl Written {
    fn add(&mut self, more: Self) {
        self.bytes.extend(more.bytes);
        if self.bytes.last().is_some_and(|last| *last != b'\n') {
            self.bytes.push(b'\n');
        }
        self.size += more.size;
    }
}

impl Source {
    fn at_end(path: &Path) -> Self {
        let metadata = std::fs::metadata(path).ok();
        let from = metadata.as_ref().map_or(0, Metadata::len);
        Self { path: path.to_owned(), inode: metadata.as_ref().map(inode), from }
    }

    fn read_on(&mut self) -> std::io::Result<Written> {
        let mut file = File::open(&self.path)?;
        let metadata = file.metadata()?;
        let (now, size) = (Some(inode(&metadata)), metadata.len());
        // Rotated, or cut and begun anew.
        if (self.inode.is_some() && self.inode != now) || size < self.from {
            self.from = 0;
        }
        let written = size - self.from;
        file.seek(SeekFrom::Start(self.from.max(size.saturating_sub(KEPT as u64))))?;
        let mut bytes = Vec::new();
        file.take(written.min(KEPT as u64)).read_to_end(&mut bytes)?;
        // An app that writes on in a file that was cut leaves a hole before what it wrote.
        let hole = bytes.iter().take_while(|b| **b == 0).count();
        bytes.drain(..hole);
        (self.inode, self.from) = (now, size);
        Ok(Written { bytes, size: written - hole as u64 })
    }
}

fn inode(metadata: &Metadata) -> (u64, u64) {
    (metadata.dev(), metadata.ino())
}

#[cfg(test)]
mod tests {
    use std::fs::{self, OpenOptions};
    use std::io::Write;

    use super::*;

    struct Files {
        _folder: tempfile::TempDir,
        output: PathBuf,
        log: PathBuf,
    }

    impl Files {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let (output, log) = (folder.path().join("output"), folder.path().join("error.log"));
            Self { _folder: folder, output, log }
        }

        fn append(&self, path: &Path, text: &str) {
            let mut file = OpenOptions::new().create(true).append(true).open(path).unwrap();
            file.write_all(text.as_bytes()).unwrap();
        }

        fn said(&self, logs: &mut Logs) -> String {
            let header = format!("== {} ==\n", self.log.display());
            String::from_utf8(logs.end().bytes).unwrap().replace(&header, "LOG ")
        }
    }

    #[test]
    fn each_session_has_what_was_written_in_it_and_the_first_what_the_start_wrote() {
        let files = Files::new();
        files.append(&files.log, "old\n");
        let mut logs = Logs::of(&files.output, std::slice::from_ref(&files.log));
        files.append(&files.output, "starting\n");
        files.append(&files.log, "warning\n");
        logs.begin(true);
        files.append(&files.output, "one");
        assert_eq!(files.said(&mut logs), "starting\none\nLOG warning\n");
        logs.begin(false);
        files.append(&files.log, "two\n");
        assert_eq!(files.said(&mut logs), "LOG two\n");
        logs.begin(false);
        assert_eq!(files.said(&mut logs), "");
    }

    #[test]
    fn a_log_that_is_put_back_with_the_state_is_not_read_again() {
        let files = Files::new();
        let mut logs = Logs::of(&files.output, std::slice::from_ref(&files.log));
        logs.begin(true);
        files.append(&files.log, "one\n");
        assert_eq!(files.said(&mut logs), "LOG one\n");
        // Longer, as another run left it.
        fs::write(&files.log, "one, and what another run wrote\n").unwrap();
        logs.begin(false);
        files.append(&files.log, "two\n");
        assert_eq!(files.said(&mut logs), "LOG two\n");
        // Shorter, under an app that writes where it was.
        let open = OpenOptions::new().write(true).open(&files.log).unwrap();
        open.set_len(3).unwrap();
        logs.begin(false);
        std::os::unix::fs::FileExt::write_all_at(&open, b"three\n", 40).unwrap();
        assert_eq!(files.said(&mut logs), "LOG three\n");
    }

    #[test]
    fn a_rotated_log_is_read_from_its_start_and_of_too_much_the_end_is_kept() {
        let files = Files::new();
        files.append(&files.log, "a long line of yesterday\n");
        let mut logs = Logs::of(&files.output, std::slice::from_ref(&files.log));
        logs.begin(true);
        fs::rename(&files.log, files.log.with_extension("1")).unwrap();
        files.append(&files.log, "today, and longer than the line of yesterday\n");
        assert_eq!(files.said(&mut logs), "LOG today, and longer than the line of yesterday\n");
        logs.begin(false);
        files.append(&files.output, &"x".repeat(KEPT));
        files.append(&files.output, "the end\n");
        let written = logs.end();
        assert_eq!((written.bytes.len(), written.size), (KEPT, KEPT as u64 + 8));
        assert!(written.bytes.ends_with(b"the end\n"));
    }
}
