//! The lines of a file, in bounded memory.

use std::io::{self, Read};

use memchr::memchr;

/// How much is read at a time.
const BLOCK: usize = 1 << 20;
/// No line of a log is longer; what follows of one that is, is passed over.
const LONGEST: usize = 32 << 20;

/// Calls `each` with the number and the bytes of every line that is not empty. The last need not be ended.
pub(super) fn for_each_line<E: From<io::Error>>(
    mut reader: impl Read,
    mut each: impl FnMut(u64, &[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let mut buffer: Vec<u8> = vec![0; BLOCK];
    let (mut filled, mut number, mut passing) = (0, 0, false);
    loop {
        if filled == buffer.len() {
            if buffer.len() >= LONGEST {
                // Its beginning stands for it; it will not parse, and is counted as such.
                if !passing {
                    each(number + 1, &buffer[..filled])?;
                }
                passing = true;
                filled = 0;
            } else {
                buffer.resize(buffer.len() * 2, 0);
            }
        }
        let read = match reader.read(&mut buffer[filled..]) {
            Ok(read) => read,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(e.into()),
        };
        if read == 0 {
            break;
        }
        // Only what is new may hold a line's end that was not seen.
        let mut begin = 0;
        let mut search = filled;
        filled += read;
        while let Some(at) = memchr(b'\n', &buffer[search..filled]) {
            let end = search + at;
            number += 1;
            let line = &buffer[begin..end];
            if !passing && !line.trim_ascii().is_empty() {
                each(number, line)?;
            }
            passing = false;
            begin = end + 1;
            search = begin;
        }
        buffer.copy_within(begin..filled, 0);
        filled -= begin;
    }
    if !passing && !buffer[..filled].trim_ascii().is_empty() {
        each(number + 1, &buffer[..filled])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Reads a few bytes at a time.
    struct Trickle<'a>(&'a [u8], usize);

    impl Read for Trickle<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let n = self.1.min(self.0.len()).min(buffer.len());
            buffer[..n].copy_from_slice(&self.0[..n]);
            self.0 = &self.0[n..];
            Ok(n)
        }
    }

    proptest! {
        /// Catches: lines lost, joined or misnumbered at the borders of what is read.
        #[test]
        fn the_same_lines_however_they_come(text in "[ab\n]{0,60}", step in 1usize..9) {
            let mut found = Vec::new();
            for_each_line(Trickle(text.as_bytes(), step), |n, line| {
                found.push((n, String::from_utf8_lossy(line).into_owned()));
                Ok::<_, io::Error>(())
            }).unwrap();
            let expected: Vec<(u64, String)> = text
                .split('\n').enumerate().filter(|(_, l)| !l.is_empty())
                .map(|(n, l)| (n as u64 + 1, l.to_owned())).collect();
            prop_assert_eq!(found, expected);
        }
    }

    /// Catches: a file without line ends that takes all memory.
    #[test]
    fn a_line_without_end_is_met_once_and_what_follows_is_read() {
        let long = io::repeat(b'x').take(3 * LONGEST as u64);
        let mut found = Vec::new();
        for_each_line(long.chain(&b"\nnext\n"[..]), |n, line| {
            found.push((n, line.len()));
            Ok::<_, io::Error>(())
        })
        .unwrap();
        assert_eq!(found, [(1, LONGEST), (2, 4)]);
    }
}
