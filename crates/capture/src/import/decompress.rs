//! A file as its bytes: unpacked where it is packed, counted and hashed as it is read.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What is imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A file.
    File(PathBuf),
    /// Standard input.
    Standard,
}

impl Input {
    /// What it is called; `-` is standard input.
    pub fn of(path: &Path) -> Self {
        if path == Path::new("-") { Self::Standard } else { Self::File(path.to_owned()) }
    }

    /// Its name for people.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Standard => "standard input".to_owned(),
        }
    }

    /// How large it is as it lies there, where that is known.
    pub fn size(&self) -> Option<u64> {
        match self {
            Self::File(path) => std::fs::metadata(path).ok().filter(|m| m.is_file()).map(|m| m.len()),
            Self::Standard => None,
        }
    }

    /// The BLAKE3 hash of a file as it lies there.
    pub(super) fn digest(&self) -> io::Result<Option<[u8; 32]>> {
        let Self::File(path) = self else { return Ok(None) };
        let mut hasher = blake3::Hasher::new();
        io::copy(&mut File::open(path)?, &mut hasher)?;
        Ok(Some(*hasher.finalize().as_bytes()))
    }

    pub(super) fn open(&self, read: Arc<AtomicU64>) -> io::Result<Counted> {
        let inner: Box<dyn Read + Send> = match self {
            Self::File(path) if path.is_dir() => {
                return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
            }
            Self::File(path) => Box::new(File::open(path)?),
            Self::Standard => Box::new(io::stdin()),
        };
        Ok(Counted { inner, hasher: blake3::Hasher::new(), read, size: 0 })
    }
}

/// Counts and hashes what passes.
pub(super) struct Counted {
    inner: Box<dyn Read + Send>,
    hasher: blake3::Hasher,
    read: Arc<AtomicU64>,
    size: u64,
}

impl Counted {
    /// The size and the hash of all that was read.
    pub(super) fn totals(&self) -> (u64, [u8; 32]) {
        (self.size, *self.hasher.finalize().as_bytes())
    }
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.hasher.update(&buffer[..n]);
        self.read.fetch_add(n as u64, Ordering::Relaxed);
        self.size += n as u64;
        Ok(n)
    }
}

/// The bytes in a file that may be packed by gzip or zstd: its first bytes tell.
pub(super) fn unpacked<'a>(mut reader: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
    let head = begin(&mut reader, 4)?;
    let whole = io::Cursor::new(head.clone()).chain(reader);
    Ok(match head.as_slice() {
        [0x1f, 0x8b, ..] => {
            Box::new(flate2::read::MultiGzDecoder::new(io::BufReader::with_capacity(1 << 18, whole)))
        }
        [0x28, 0xb5, 0x2f, 0xfd] => Box::new(zstd::Decoder::new(whole)?),
        _ => Box::new(whole),
    })
}

/// Ends where reading fails, and remembers why: a packed file that is cut off gives what it has.
pub(super) struct Tolerant<R> {
    inner: R,
    pub(super) failed: Option<io::Error>,
}

impl<R> Tolerant<R> {
    pub(super) fn new(inner: R) -> Self {
        Self { inner, failed: None }
    }
}

impl<R: Read> Read for Tolerant<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.failed.is_some() {
            return Ok(0);
        }
        match self.inner.read(buffer) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                self.failed = Some(error);
                Ok(0)
            }
            read => read,
        }
    }
}

/// The first bytes, as many as there are.
pub(super) fn begin(reader: &mut impl Read, most: usize) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(most);
    reader.take(most as u64).read_to_end(&mut head)?;
    Ok(head)
}
