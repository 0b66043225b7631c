//! Two bodies side by side: the lines that differ, with a little of what is around them.

use imara_diff::{Algorithm, Diff, InternedInput};

use crate::plain::{harmless, shortened};
use crate::words::{Piece, pieces, unchanged};

/// Lines alike that are shown around those that differ.
const CONTEXT: usize = 3;
/// More rows than this are no longer read.
const ROWS: usize = 300;
/// Longer stretches alike within a line are shortened.
const STRETCH: usize = 200;

/// A row of the two columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Row {
    /// A line both have.
    Same(String),
    /// A line that differs; none on the side that lacks it.
    Changed { expected: Option<Vec<Piece>>, actual: Option<Vec<Piece>> },
    /// So many lines alike, left out.
    Skipped(usize),
}

/// Two bodies side by side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SideBySide {
    pub(crate) rows: Vec<Row>,
    /// How many rows that differ were left out at the end, because there are too many.
    pub(crate) left_out: usize,
}

impl SideBySide {
    /// Compares two bodies line by line, and the lines that differ word by word.
    pub(crate) fn of<T: AsRef<str>>(expected: &[T], actual: &[T]) -> Self {
        let mut input: InternedInput<&str> = InternedInput::default();
        input.update_before(expected.iter().map(|line| line.as_ref().trim_end()));
        input.update_after(actual.iter().map(|line| line.as_ref().trim_end()));
        let mut diff = Diff::compute(Algorithm::Histogram, &input);
        diff.postprocess_lines(&input);
        let mut side = Self::default();
        let mut shown = 0;
        for hunk in diff.hunks() {
            let (from, to) = (hunk.before.start as usize, hunk.before.end as usize);
            side.between(&expected[shown..from], shown == 0, false);
            let actual = &actual[hunk.after.start as usize..hunk.after.end as usize];
            side.hunk(&expected[from..to], actual);
            shown = to;
        }
        if shown > 0 || !side.rows.is_empty() {
            side.between(&expected[shown..], false, true);
        }
        side
    }

    /// About how many bytes it takes to show.
    pub(crate) fn size(&self) -> usize {
        let pieces = |side: &Option<Vec<Piece>>| -> usize {
            side.iter().flatten().map(|piece| piece.text.len() + if piece.changed { 13 } else { 0 }).sum()
        };
        let row = |row: &Row| match row {
            Row::Same(line) => 2 * line.len(),
            Row::Changed { expected, actual } => pieces(expected) + pieces(actual),
            Row::Skipped(_) => 0,
        };
        self.rows.iter().map(|r| row(r) + 40).sum()
    }

    fn between<T: AsRef<str>>(&mut self, lines: &[T], first: bool, last: bool) {
        let head = if first { 0 } else { CONTEXT };
        let tail = if last { 0 } else { CONTEXT };
        if lines.len() <= head + tail + 1 {
            lines.iter().for_each(|line| self.same(line.as_ref()));
            return;
        }
        lines[..head].iter().for_each(|line| self.same(line.as_ref()));
        if self.rows.len() < ROWS {
            self.rows.push(Row::Skipped(lines.len() - head - tail));
        }
        lines[lines.len() - tail..].iter().for_each(|line| self.same(line.as_ref()));
    }

    fn same(&mut self, line: &str) {
        if self.rows.len() < ROWS {
            self.rows.push(Row::Same(shortened(&harmless(line), 2 * STRETCH)));
        }
    }

    fn hunk<T: AsRef<str>>(&mut self, expected: &[T], actual: &[T]) {
        for i in 0..expected.len().max(actual.len()) {
            if self.rows.len() >= ROWS {
                self.left_out += 1;
                continue;
            }
            let line = |lines: &[T]| lines.get(i).map(|line| harmless(line.as_ref()));
            let (expected, actual) = match (line(expected), line(actual)) {
                (Some(expected), Some(actual)) => {
                    let (expected, actual) = pieces(&expected, &actual);
                    (Some(expected), Some(actual))
                }
                (expected, actual) => (expected.map(|l| unchanged(&l)), actual.map(|l| unchanged(&l))),
            };
            let short = |pieces: Option<Vec<Piece>>| pieces.map(shorten);
            self.rows.push(Row::Changed { expected: short(expected), actual: short(actual) });
        }
    }
}

fn shorten(mut pieces: Vec<Piece>) -> Vec<Piece> {
    for piece in &mut pieces {
        let room = if piece.changed { 10 * STRETCH } else { STRETCH };
        piece.text = shortened(&piece.text, room);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn context_around_and_the_rest_skipped() {
        let expected: Vec<String> = (0..30).map(|n| format!("line {n}")).collect();
        let mut actual = expected.clone();
        actual[15] = "line fifteen".to_owned();
        actual.push("more".to_owned());
        let rows = SideBySide::of(&expected, &actual).rows;
        assert_eq!(rows[0], Row::Skipped(12));
        assert_eq!(rows[1], Row::Same("line 12".to_owned()));
        let Row::Changed { expected: Some(was), actual: Some(is) } = &rows[4] else { panic!("{rows:?}") };
        assert_eq!((was[1].text.as_str(), is[1].text.as_str()), ("15", "fifteen"));
        assert_eq!(rows[8], Row::Skipped(8));
        assert_eq!(rows[12], Row::Changed { expected: None, actual: Some(unchanged("more")) });
        assert_eq!(rows.len(), 13);
    }

    #[test]
    fn too_much_is_counted_and_not_shown() {
        let expected: Vec<String> = (0..1_000).map(|n| format!("a{n}")).collect();
        let side = SideBySide::of(&expected, &[]);
        assert_eq!((side.rows.len(), side.left_out), (300, 700));
        assert_eq!(SideBySide::of(&["a"], &["a"]), SideBySide::default());
    }
}
