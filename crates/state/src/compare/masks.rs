//! Which parts of the state vary from run to run of the same version, and are not looked at.

use restage_model::FileGlob;
use serde::{Deserialize, Serialize};

/// What varies in the state. Learnt from runs of the same version, kept in a file, open to be edited.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct StateMasks {
    /// Columns of tables.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<ColumnMask>,
    /// Whole tables.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<TableMask>,
    /// Files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileMask>,
}

/// A column varies. Where it is part of the primary key, rows are known again by what else is in them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ColumnMask {
    /// The SQLite file, as snapshots name it; `*` stands for anything in one folder.
    pub database: FileGlob,
    /// The table. `sqlite_sequence` is the table of the ids given by AUTOINCREMENT: its column `orders` is the
    /// highest of the table `orders`.
    pub table: FileGlob,
    /// The column.
    pub column: String,
    /// Whether it may be NULL in one run and not in another; else only what is not NULL varies.
    #[serde(default, skip_serializing_if = "is_false")]
    pub or_null: bool,
    /// An example, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<String>,
}

/// A table's rows vary, in number and content.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct TableMask {
    /// The SQLite file, as snapshots name it; `*` stands for anything in one folder.
    pub database: FileGlob,
    /// The table; `*` stands for anything.
    pub table: FileGlob,
    /// An example, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<String>,
}

/// A file varies.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct FileMask {
    /// The file, folder or SQLite file, as snapshots name it; `*` stands for anything in one folder.
    pub file: FileGlob,
    /// In what way.
    #[serde(default)]
    pub varies: FileVaries,
    /// An example, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<String>,
}

/// In what way files vary.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileVaries {
    /// What is in them; that they are there counts.
    #[default]
    Content,
    /// How they are called; what is in them counts, and how many there are.
    Name,
    /// Both; how many there are counts.
    NameAndContent,
    /// Whether they are there at all.
    Number,
}

impl FileVaries {
    fn joined(self, other: Self) -> Self {
        use FileVaries::{Content, Name, NameAndContent, Number};
        match (self, other) {
            (Number, _) | (_, Number) => Number,
            (Content, Content) => Content,
            (Name, Name) => Name,
            _ => NameAndContent,
        }
    }

    pub(super) fn has_content(self) -> bool {
        self != Self::Name
    }

    pub(super) fn has_name(self) -> bool {
        self != Self::Content
    }
}

impl StateMasks {
    /// Whether nothing varies.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty() && self.tables.is_empty() && self.files.is_empty()
    }

    /// How many parts vary.
    pub fn len(&self) -> usize {
        self.columns.len() + self.tables.len() + self.files.len()
    }

    /// Takes in the masks of another, each part once.
    pub fn merge(&mut self, other: StateMasks) {
        for mask in other.columns {
            let known = self
                .columns
                .iter_mut()
                .find(|m| (&m.database, &m.table, &m.column) == (&mask.database, &mask.table, &mask.column));
            match known {
                Some(known) => known.or_null |= mask.or_null,
                None => self.columns.push(mask),
            }
        }
        for mask in other.tables {
            if !self.tables.iter().any(|m| (&m.database, &m.table) == (&mask.database, &mask.table)) {
                self.tables.push(mask);
            }
        }
        for mask in other.files {
            match self.files.iter_mut().find(|m| m.file == mask.file) {
                Some(known) => known.varies = known.varies.joined(mask.varies),
                None => self.files.push(mask),
            }
        }
        // A column of a table that varies altogether is nothing to tell.
        let tables = &self.tables;
        self.columns.retain(|c| !tables.iter().any(|t| t.database == c.database && t.table == c.table));
    }

    /// How the columns of a table vary.
    pub(super) fn of_table<'a>(
        &'a self,
        database: &str,
        table: &str,
    ) -> impl Iterator<Item = &'a ColumnMask> + use<'a> {
        let is_of = |m: &&ColumnMask| m.database.matches(database) && m.table.matches(table);
        self.columns.iter().filter(is_of).collect::<Vec<_>>().into_iter()
    }

    /// Whether a table's rows vary altogether.
    pub(super) fn has_table(&self, database: &str, table: &str) -> bool {
        self.tables.iter().any(|m| m.database.matches(database) && m.table.matches(table))
    }

    /// How a file varies, where it does.
    pub(super) fn of_file(&self, path: &str) -> Option<FileVaries> {
        let found = self.files.iter().filter(|m| m.file.matches(path)).map(|m| m.varies);
        found.reduce(FileVaries::joined)
    }
}

fn is_false(value: &bool) -> bool {
    !value
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(column: &str, or_null: bool) -> ColumnMask {
        ColumnMask {
            database: "shop.db".into(),
            table: "sessions".into(),
            column: column.to_owned(),
            or_null,
            seen: None,
        }
    }

    #[test]
    fn merging_joins_what_is_said_of_the_same_part() {
        let file = |varies| FileMask { file: "s/*".into(), varies, seen: None };
        let of = |columns, files| StateMasks { columns, tables: Vec::new(), files };
        let mut masks = of(vec![column("token", false)], vec![file(FileVaries::Name)]);
        masks.merge(of(
            vec![column("token", true), column("csrf", false)],
            vec![file(FileVaries::Content), file(FileVaries::Content)],
        ));
        assert_eq!(
            masks,
            of(vec![column("token", true), column("csrf", false)], vec![file(FileVaries::NameAndContent)])
        );
        let table =
            TableMask { database: "shop.db".into(), table: "sessions".into(), ..TableMask::default() };
        masks.merge(StateMasks { tables: vec![table], ..StateMasks::default() });
        assert!(masks.columns.is_empty() && masks.has_table("shop.db", "sessions"));
    }
}
