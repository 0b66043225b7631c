//! One value of a row.

use std::hash::{Hash, Hasher};

use rusqlite::types::ValueRef;

use crate::compare::clock::Clock;
use crate::compare::times::{self, Piece, pieces};

/// A longer text is cut in a summary.
const SHOWN: usize = 60;
/// A longer text is cut where it is shown whole.
const WHOLE: usize = 2000;
/// A longer text is not looked through for times.
const READ: usize = 1 << 16;

/// A value, its text sound or else bytes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cell {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
    Bytes(Vec<u8>),
}

impl Cell {
    pub(in crate::compare) fn of(value: ValueRef<'_>) -> Self {
        match value {
            ValueRef::Null => Cell::Null,
            ValueRef::Integer(number) => Cell::Integer(number),
            ValueRef::Real(number) => Cell::Real(number),
            ValueRef::Text(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => Cell::Text(text.to_owned()),
                Err(_) => Cell::Bytes(bytes.to_vec()),
            },
            ValueRef::Blob(bytes) => Cell::Bytes(bytes.to_vec()),
        }
    }

    /// Whether one became the other because the clock went on.
    pub(in crate::compare) fn moves(&self, actual: &Cell, clock: Clock) -> bool {
        let of_number = |number: f64, now| times::of_real(number, now);
        let moments = match (self, actual) {
            (Cell::Integer(was), Cell::Integer(is)) => {
                times::of_number(*was, clock.expected).zip(times::of_number(*is, clock.actual))
            }
            (Cell::Real(was), Cell::Real(is)) => {
                of_number(*was, clock.expected).zip(of_number(*is, clock.actual))
            }
            (Cell::Text(was), Cell::Text(is)) => {
                return was.len().max(is.len()) <= READ && clock.moves_text(was, is);
            }
            _ => None,
        };
        moments.is_some_and(|(was, is)| clock.moves(was, is))
    }

    /// Hashes what does not move with the clock. `now` is when it was written, about.
    pub(in crate::compare) fn hash_firm(&self, now: i64, hasher: &mut impl Hasher) {
        std::mem::discriminant(self).hash(hasher);
        match self {
            Cell::Null => {}
            Cell::Integer(number) if times::of_number(*number, now).is_none() => number.hash(hasher),
            Cell::Real(number) if times::of_real(*number, now).is_none() => number.to_bits().hash(hasher),
            Cell::Integer(_) | Cell::Real(_) => {}
            Cell::Text(text) if text.len() <= READ => {
                for piece in pieces(text, now) {
                    match piece {
                        Piece::Text(text) => text.hash(hasher),
                        Piece::Time(_) => 0.hash(hasher),
                    }
                }
            }
            Cell::Text(text) => text.hash(hasher),
            Cell::Bytes(bytes) => bytes.hash(hasher),
        }
    }

    /// For a summary: one line, a text in backticks.
    pub(in crate::compare) fn shown(&self) -> String {
        match self {
            Cell::Text(text) => quoted(text),
            Cell::Bytes(bytes) => {
                let head: String = bytes.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
                if bytes.len() <= 8 {
                    format!("x'{head}'")
                } else {
                    format!("x'{head}…' ({} bytes)", bytes.len())
                }
            }
            other => other.whole(),
        }
    }

    /// The value itself.
    pub(in crate::compare) fn whole(&self) -> String {
        match self {
            Cell::Null => "NULL".to_owned(),
            Cell::Integer(number) => number.to_string(),
            Cell::Real(number) => number.to_string(),
            Cell::Text(text) => match text.char_indices().nth(WHOLE) {
                Some((end, _)) => format!("{}…", &text[..end]),
                None => text.clone(),
            },
            Cell::Bytes(_) => self.shown(),
        }
    }
}

/// A text in backticks, on one line, its end left out where it is long.
fn quoted(text: &str) -> String {
    let mut shown: String =
        text.chars().take(SHOWN).map(|c| if c.is_control() || c == '`' { ' ' } else { c }).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    format!("`{shown}`")
}

#[cfg(test)]
mod tests {
    use std::hash::DefaultHasher;

    use super::*;

    const THEN: i64 = 1_794_738_605;

    #[test]
    fn what_moves_with_the_clock_hashes_the_same() {
        let clock = Clock { expected: THEN, actual: THEN + 60, shifted: 0 };
        let hash = |cell: &Cell, now| {
            let mut hasher = DefaultHasher::new();
            cell.hash_firm(now, &mut hasher);
            hasher.finish()
        };
        let text = |text: &str| Cell::Text(text.to_owned());
        for (was, is) in [
            (Cell::Integer(THEN), Cell::Integer(THEN + 60)),
            (Cell::Real(THEN as f64), Cell::Real(THEN as f64 + 60.2)),
            (text("at 2026-11-15 10:30:00"), text("at 2026-11-15 10:31:00")),
        ] {
            assert!(was.moves(&is, clock), "{was:?}");
            assert_eq!(hash(&was, clock.expected), hash(&is, clock.actual), "{was:?}");
        }
        for (was, is) in [
            (Cell::Integer(7), Cell::Integer(8)),
            (Cell::Null, Cell::Integer(THEN)),
            (Cell::Null, text("")),
            (text("a"), text("b")),
            (Cell::Bytes(vec![1]), Cell::Bytes(vec![2])),
        ] {
            assert!(!was.moves(&is, clock), "{was:?}");
            assert_ne!(hash(&was, clock.expected), hash(&is, clock.actual), "{was:?}");
        }
    }

    #[test]
    fn shown_on_one_line() {
        assert_eq!(Cell::Text("a\n`b`".to_owned()).shown(), "`a  b `");
        assert_eq!(Cell::Text("é".repeat(99)).shown(), format!("`{}…`", "é".repeat(60)));
        assert_eq!(Cell::Bytes(vec![1, 255]).shown(), "x'01ff'");
        assert_eq!(Cell::Bytes(vec![0; 300]).shown(), "x'0000000000000000…' (300 bytes)");
        assert_eq!(Cell::Null.shown(), "NULL");
    }
}
