//! How the values of a column are read and written, so that what is written is what was read, byte by byte.
//!
//! Everything comes as text: numbers in decimal, dates as the server writes them in UTC, texts as the bytes that are
//! stored, whatever their character set.

use super::sql::{name, push_hex};
use crate::server::engine::Column;

/// How a type's values are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// As they are: whole and decimal numbers.
    Exact,
    /// As numbers with an exponent, so that they are never taken for decimals.
    Floating,
    /// Between quotes: dates and times.
    Quoted,
    /// Between quotes, and bytes only where they are spelt out: addresses.
    Spelt,
    /// As bytes of a character set.
    Text,
    /// As a name of a list in a character set; the empty one is none of the list.
    Choice,
    /// As bytes.
    Bytes,
    /// As text that only its own character set is taken for.
    Json,
}

/// A column, understood.
#[derive(Debug, Clone)]
pub(super) struct Kind<'a> {
    column: &'a Column,
    manner: Manner,
    /// Read as a number: what its text does not tell exactly.
    counted: bool,
    /// Shown in the time zone of the session.
    zoned: bool,
    charset: &'a str,
}

/// What a column is called in [`Column::kind`]: its type, and its collation where it has one.
pub(super) fn kind_words(column_type: &str, collation: Option<&str>) -> String {
    match collation {
        Some(collation) => format!("{column_type} collate {collation}"),
        None => column_type.to_owned(),
    }
}

impl<'a> Kind<'a> {
    pub(super) fn of(column: &'a Column) -> Self {
        let (words, collation) = match column.kind.rsplit_once(" collate ") {
            Some((words, collation)) => (words, collation),
            None => (column.kind.as_str(), ""),
        };
        let charset = collation.split('_').next().unwrap_or("");
        let base = words.split(['(', ' ']).next().unwrap_or("").to_ascii_lowercase();
        let zerofill = words.contains("zerofill");
        let (manner, counted) = match base.as_str() {
            "tinyint" | "smallint" | "mediumint" | "int" | "bigint" | "decimal" => (Manner::Exact, zerofill),
            "bit" => (Manner::Exact, true),
            "float" | "double" => (Manner::Floating, true),
            "date" | "datetime" | "timestamp" | "time" | "year" => (Manner::Quoted, false),
            "uuid" | "inet6" | "inet4" => (Manner::Spelt, false),
            // Where an empty name is in the list, the text does not tell it from none of the list.
            "enum" if words.contains("''") => (Manner::Exact, true),
            "enum" | "set" => (Manner::Choice, false),
            "char" | "varchar" | "tinytext" | "text" | "mediumtext" | "longtext" if !charset.is_empty() => {
                (Manner::Text, false)
            }
            "json" => (Manner::Json, false),
            _ => (Manner::Bytes, false),
        };
        Self { column, manner, counted, zoned: base == "timestamp", charset }
    }

    /// What to ask for to have its value.
    pub(super) fn read(&self, of: &str) -> String {
        let column = format!("{of}{}", name(&self.column.name));
        match self.manner {
            // A FLOAT as text has six digits; as a DOUBLE it has all.
            Manner::Floating => format!("CAST({column} AS DOUBLE)"),
            _ if self.counted => format!("({column} + 0)"),
            Manner::Text | Manner::Choice => format!("CAST({column} AS BINARY)"),
            Manner::Spelt => format!("CAST({column} AS CHAR)"),
            _ => column,
        }
    }

    /// The same as hexadecimal digits: what a note says of a key.
    pub(super) fn digits(&self, of: &str) -> String {
        let value = self.read(of);
        if !self.zoned {
            return format!("HEX(CAST({value} AS BINARY))");
        }
        // The application's session may be in another time zone than restage's.
        let utc = format!("COALESCE(CONVERT_TZ({value}, @@session.time_zone, '+00:00'), {value})");
        format!("HEX(CAST({utc} AS BINARY))")
    }

    /// Adds a value to a statement.
    pub(super) fn write(&self, out: &mut String, value: Option<&[u8]>) {
        let Some(value) = value else {
            out.push_str("NULL");
            return;
        };
        match self.manner {
            Manner::Exact | Manner::Floating => {
                out.push_str(&String::from_utf8_lossy(value));
                if self.manner == Manner::Floating && !value.contains(&b'e') {
                    out.push_str("e0");
                }
            }
            Manner::Quoted | Manner::Spelt => {
                out.push('\'');
                out.push_str(&String::from_utf8_lossy(value));
                out.push('\'');
            }
            Manner::Choice if value.is_empty() => out.push('0'),
            Manner::Text | Manner::Choice => {
                out.push('_');
                out.push_str(self.charset);
                out.push(' ');
                push_hex(out, value);
            }
            Manner::Bytes => push_hex(out, value),
            Manner::Json => {
                out.push_str("CONVERT(");
                push_hex(out, value);
                out.push_str(" USING utf8mb4)");
            }
        }
    }

    /// What stands for a value that is sent beside the statement.
    pub(super) fn place(&self) -> &'static str {
        match self.manner {
            Manner::Text | Manner::Bytes => "CAST(? AS BINARY)",
            _ => "?",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(kind: &str, value: Option<&[u8]>) -> String {
        let column = Column { name: "c".to_owned(), kind: kind.to_owned() };
        let mut out = String::new();
        Kind::of(&column).write(&mut out, value);
        out
    }

    /// Catches: a value that is written as another type than its column's.
    #[test]
    fn values_are_written_in_the_manner_of_their_type() {
        assert_eq!(written("int(11)", Some(b"-7")), "-7");
        assert_eq!(written("float", Some(b"-0")), "-0e0");
        assert_eq!(written("double", Some(b"1e308")), "1e308");
        assert_eq!(written("varchar(9) collate latin1_swedish_ci", Some(b"\xe9")), "_latin1 x'E9'");
        assert_eq!(written("varbinary(9)", Some(b"\0")), "x'00'");
        assert_eq!(written("enum('a','b') collate utf8mb4_bin", Some(b"")), "0");
        assert_eq!(written("datetime(3)", Some(b"0000-00-00 00:00:00.000")), "'0000-00-00 00:00:00.000'");
        assert_eq!(written("json", None), "NULL");
    }
}
