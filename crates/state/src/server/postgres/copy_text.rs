//! Rows as PostgreSQL's COPY writes them: a line a row, values parted by tabs.

use std::io::BufRead;

use crate::error::Result;
use crate::server::values::Values;

/// One line of a COPY … TO STDOUT.
pub(super) struct Line<'a>(&'a [u8]);

impl Line<'_> {
    /// Gives each line; what the reader failed with goes to `broken`.
    pub(super) fn each(
        mut reader: impl BufRead,
        broken: &mut Option<std::io::Error>,
        each: &mut dyn FnMut(Line<'_>) -> Result<()>,
    ) -> Result<()> {
        let mut line = Vec::new();
        loop {
            line.clear();
            match reader.read_until(b'\n', &mut line) {
                Ok(0) => return Ok(()),
                Ok(_) => each(Line(line.strip_suffix(b"\n").unwrap_or(&line)))?,
                Err(error) => {
                    *broken = Some(error);
                    return Ok(());
                }
            }
        }
    }

    /// The values of the line.
    pub(super) fn values(&self) -> Values {
        let mut values = Values::default();
        let mut text = Vec::new();
        for field in self.0.split(|byte| *byte == b'\t') {
            if field == b"\\N" {
                values.push(None);
            } else if field.contains(&b'\\') {
                text.clear();
                unescape(field, &mut text);
                values.push(Some(&text));
            } else {
                values.push(Some(field));
            }
        }
        values
    }
}

/// Adds a row's line.
pub(super) fn write_line(row: &Values, line: &mut Vec<u8>) {
    for (place, value) in row.iter().enumerate() {
        if place > 0 {
            line.push(b'\t');
        }
        match value {
            None => line.extend_from_slice(b"\\N"),
            Some(value) => escape(value, line),
        }
    }
    line.push(b'\n');
}

fn escape(value: &[u8], line: &mut Vec<u8>) {
    for byte in value {
        let letter = match byte {
            b'\\' => b'\\',
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            _ => {
                line.push(*byte);
                continue;
            }
        };
        line.extend_from_slice(&[b'\\', letter]);
    }
}

fn unescape(field: &[u8], text: &mut Vec<u8>) {
    let mut bytes = field.iter();
    while let Some(byte) = bytes.next() {
        if *byte != b'\\' {
            text.push(*byte);
            continue;
        }
        match bytes.next() {
            Some(b'b') => text.push(8),
            Some(b'f') => text.push(12),
            Some(b'n') => text.push(b'\n'),
            Some(b'r') => text.push(b'\r'),
            Some(b't') => text.push(b'\t'),
            Some(b'v') => text.push(11),
            Some(other) => text.push(*other),
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: a tab, line end or backslash inside a value taken for the end of it.
    #[test]
    fn any_value_comes_back_through_a_line() {
        let given: [Option<&[u8]>; 6] = [
            Some(b"a\tb\nc\r\\d\\N"),
            None,
            Some(b""),
            Some(b"\\N"),
            Some(b"\\."),
            Some("\u{b}ü".as_bytes()),
        ];
        let row: Values = given.into_iter().collect();
        let mut text = Vec::new();
        write_line(&row, &mut text);
        let mut read = Vec::new();
        let mut broken = None;
        Line::each(&text[..], &mut broken, &mut |line| {
            read.push(line.values());
            Ok(())
        })
        .unwrap();
        assert_eq!(read, [row]);
    }
}
