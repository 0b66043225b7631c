//! Pairs of pages in one file, for programs that read them one after another: each pair as `LENGTH LENGTH`, a
//! line end, and the bytes.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use crate::Trouble;
use crate::page_pairs::PagePair;

/// Writes pairs to a file.
pub fn write_pairs(path: &Path, pairs: impl Iterator<Item = PagePair>) -> Result<(), Trouble> {
    let mut file = BufWriter::new(File::create(path)?);
    for pair in pairs {
        writeln!(file, "{} {}", pair.expected.len(), pair.actual.len())?;
        file.write_all(&pair.expected)?;
        file.write_all(&pair.actual)?;
    }
    Ok(file.flush()?)
}

/// Reads pairs from a file, one at a time.
pub fn read_pairs(path: &Path) -> Result<impl Iterator<Item = Result<PagePair, Trouble>>, Trouble> {
    let mut file = BufReader::new(File::open(path)?);
    Ok(std::iter::from_fn(move || read_pair(&mut file).transpose()))
}

fn read_pair(file: &mut impl BufRead) -> Result<Option<PagePair>, Trouble> {
    let mut line = String::new();
    if file.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let (expected, actual) = line.trim_end().split_once(' ').ok_or("a pair begins with two lengths")?;
    let mut page = |length: &str| -> Result<Vec<u8>, Trouble> {
        let mut page = vec![0; length.parse()?];
        file.read_exact(&mut page)?;
        Ok(page)
    };
    Ok(Some(PagePair { expected: page(expected)?, actual: page(actual)? }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pairs");
        let pair = |n: u8| PagePair { expected: vec![n, b'\n', n], actual: vec![b' '; usize::from(n)] };
        write_pairs(&path, (0..3).map(pair)).unwrap();
        let read: Vec<PagePair> = read_pairs(&path).unwrap().map(Result::unwrap).collect();
        assert_eq!(read.len(), 3);
        for (n, found) in (0..).zip(&read) {
            assert_eq!((&found.expected, &found.actual), (&pair(n).expected, &pair(n).actual));
        }
    }
}
