//! From offsets to lines and columns.

use super::ir::Position;

/// Where the lines of a source begin.
#[derive(Debug)]
pub(crate) struct Lines(Vec<u32>);

impl Lines {
    pub(crate) fn of(source: &[u8]) -> Self {
        let begins = memchr::memchr_iter(b'\n', source).map(|at| u32::try_from(at + 1).unwrap_or(u32::MAX));
        Self(std::iter::once(0).chain(begins).collect())
    }

    pub(crate) fn position(&self, offset: u32) -> Position {
        let line = self.0.partition_point(|begin| *begin <= offset).max(1);
        Position { line: line as u32, column: offset - self.0[line - 1] + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_from_one() {
        let lines = Lines::of(b"ab\n\ncd");
        for (offset, line, column) in [(0, 1, 1), (2, 1, 3), (3, 2, 1), (4, 3, 1), (6, 3, 3)] {
            assert_eq!(lines.position(offset), Position { line, column });
        }
    }
}
