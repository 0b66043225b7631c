//! Which rows a statement is about: the columns that it compares with values, or gives values to.

use std::collections::BTreeMap;

/// Columns and the values that a statement has for them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowKeys(pub BTreeMap<String, String>);

/// How the rows of two statements lie to each other, as far as their keys tell. The better comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RowRelation {
    /// They have a column in common, and the same value for it.
    Same,
    /// Nothing is known: they have no column in common.
    Unknown,
    /// All columns that they have in common differ.
    Other,
}

impl RowKeys {
    /// How its rows lie to those of another statement.
    pub fn relation(&self, other: &Self) -> RowRelation {
        let mut shared =
            self.0.iter().filter_map(|(column, value)| Some(other.0.get(column)? == value)).peekable();
        match (shared.peek().is_some(), shared.any(|same| same)) {
            (false, _) => RowRelation::Unknown,
            (true, true) => RowRelation::Same,
            (true, false) => RowRelation::Other,
        }
    }
}

impl<const N: usize> From<[(&str, &str); N]> for RowKeys {
    fn from(pairs: [(&str, &str); N]) -> Self {
        Self(pairs.into_iter().map(|(column, value)| (column.to_owned(), value.to_owned())).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_common_column_decides() {
        let book = RowKeys::from([("id", "17"), ("shop", "2")]);
        assert_eq!(book.relation(&RowKeys::from([("id", "17")])), RowRelation::Same);
        assert_eq!(book.relation(&RowKeys::from([("id", "9"), ("shop", "2")])), RowRelation::Same);
        assert_eq!(book.relation(&RowKeys::from([("id", "9")])), RowRelation::Other);
        assert_eq!(book.relation(&RowKeys::from([("owner", "17")])), RowRelation::Unknown);
        assert_eq!(book.relation(&RowKeys::default()), RowRelation::Unknown);
    }
}
