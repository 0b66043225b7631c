//! A row's key: as a note says it, and as a statement asks for it.

use super::column::Kind;
use super::sql::from_hex;
use crate::server::engine::{Column, Table};
use crate::server::values::Values;

/// The columns of a table's key.
pub(super) fn columns(table: &Table) -> impl Iterator<Item = &Column> {
    table.key.iter().filter_map(|place| table.columns.get(*place))
}

/// The key of a row as one text: what a note says. `of` is `NEW.`, `OLD.` or a table's name with its dot.
pub(super) fn noted(table: &Table, of: &str) -> String {
    let digits: Vec<String> = columns(table).map(|column| Kind::of(column).digits(of)).collect();
    format!("CONCAT_WS(',', {})", digits.join(", "))
}

/// The key that a note says; none where it is not one of this table.
pub(super) fn from_note(table: &Table, note: &str) -> Option<Values> {
    if note.is_empty() {
        return table.key.is_empty().then(Values::default);
    }
    let values: Vec<Vec<u8>> = note.split(',').map(from_hex).collect::<Option<_>>()?;
    (values.len() == table.key.len()).then(|| values.iter().map(|value| Some(&value[..])).collect())
}

/// Adds a condition that is true for the rows of these keys, and for those whose keys the collation takes for equal.
pub(super) fn push_condition<'k>(out: &mut String, table: &Table, keys: impl Iterator<Item = &'k Values>) {
    let columns: Vec<&Column> = columns(table).collect();
    let name = |column: &Column| super::sql::name(&column.name);
    if let [column] = columns[..] {
        out.push_str(&name(column));
        out.push_str(" IN (");
        for (number, key) in keys.enumerate() {
            if number > 0 {
                out.push(',');
            }
            Kind::of(column).write(out, key.iter().next().flatten());
        }
        out.push(')');
        return;
    }
    for (number, key) in keys.enumerate() {
        out.push_str(if number > 0 { " OR (" } else { "(" });
        for (place, (column, value)) in columns.iter().zip(key.iter()).enumerate() {
            if place > 0 {
                out.push_str(" AND ");
            }
            out.push_str(&name(column));
            out.push_str(" = ");
            Kind::of(column).write(out, value);
        }
        out.push(')');
    }
}
