//! Which parts of the state vary from run to run of the same version, and are not looked at.

use std::collections::BTreeSet;

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
    /// The sessions after which it varies; after any where there are none.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub sessions: BTreeSet<String>,
    /// An example, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<String>,
}

/// A table's rows vary.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct TableMask {
    /// The SQLite file, as snapshots name it; `*` stands for anything in one folder.
    pub database: FileGlob,
    /// The table; `*` stands for anything.
    pub table: FileGlob,
    /// In what way.
    #[serde(default, skip_serializing_if = "TableVaries::is_altogether")]
    pub varies: TableVaries,
    /// The sessions after which it varies; after any where there are none.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub sessions: BTreeSet<String>,
    /// An example, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<String>,
}

/// In what way the rows of a table vary.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TableVaries {
    /// In number and content: the table is not looked at.
    #[default]
    Rows,
    /// In number: rows that belong together are compared, and those that are alone in one run are not told.
    Number,
}

impl TableVaries {
    fn is_altogether(&self) -> bool {
        *self == Self::Rows
    }
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
    /// The sessions after which it varies; after any where there are none.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub sessions: BTreeSet<String>,
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
                Some(known) => {
                    known.or_null |= mask.or_null;
                    join(&mut known.sessions, mask.sessions);
                }
                None => self.columns.push(mask),
            }
        }
        for mask in other.tables {
            let same = |m: &&mut TableMask| (&m.database, &m.table) == (&mask.database, &mask.table);
            match self.tables.iter_mut().find(same) {
                Some(known) => {
                    known.varies = known.varies.min(mask.varies);
                    join(&mut known.sessions, mask.sessions);
                }
                None => self.tables.push(mask),
            }
        }
        for mask in other.files {
            match self.files.iter_mut().find(|m| m.file == mask.file) {
                Some(known) => {
                    known.varies = known.varies.joined(mask.varies);
                    join(&mut known.sessions, mask.sessions);
                }
                None => self.files.push(mask),
            }
        }
        // A column of a table that varies altogether is nothing to tell.
        let altogether = |c: &ColumnMask| {
            self.tables.iter().any(|t| {
                t.varies == TableVaries::Rows
                    && t.database == c.database
                    && t.table == c.table
                    && (t.sessions.is_empty() || t.sessions == c.sessions)
            })
        };
        let kept = self.columns.iter().filter(|c| !altogether(c)).cloned().collect();
        self.columns = kept;
    }

    /// Takes over the examples of the masks that were known before.
    pub fn keep_examples(&mut self, before: &Self) {
        for mask in &mut self.columns {
            let unseen = |m: &ColumnMask| ColumnMask { seen: None, ..m.clone() };
            if let Some(old) = before.columns.iter().find(|old| unseen(old) == unseen(mask)) {
                mask.seen.clone_from(&old.seen);
            }
        }
        for mask in &mut self.tables {
            let unseen = |m: &TableMask| TableMask { seen: None, ..m.clone() };
            if let Some(old) = before.tables.iter().find(|old| unseen(old) == unseen(mask)) {
                mask.seen.clone_from(&old.seen);
            }
        }
        for mask in &mut self.files {
            let unseen = |m: &FileMask| FileMask { seen: None, ..m.clone() };
            if let Some(old) = before.files.iter().find(|old| unseen(old) == unseen(mask)) {
                mask.seen.clone_from(&old.seen);
            }
        }
    }

    /// Those that hold after a session.
    pub fn of_session(&self, session: &str) -> Self {
        let holds = |sessions: &BTreeSet<String>| sessions.is_empty() || sessions.contains(session);
        Self {
            columns: self.columns.iter().filter(|m| holds(&m.sessions)).cloned().collect(),
            tables: self.tables.iter().filter(|m| holds(&m.sessions)).cloned().collect(),
            files: self.files.iter().filter(|m| holds(&m.sessions)).cloned().collect(),
        }
    }

    /// The same, learnt after one session alone.
    pub(super) fn seen_after(mut self, session: &str) -> Self {
        let of = |sessions: &mut BTreeSet<String>| *sessions = BTreeSet::from([session.to_owned()]);
        self.columns.iter_mut().for_each(|m| of(&mut m.sessions));
        self.tables.iter_mut().for_each(|m| of(&mut m.sessions));
        self.files.iter_mut().for_each(|m| of(&mut m.sessions));
        self
    }

    /// What was seen to vary after several of so many sessions varies after any. A table's rows do where that holds for many
    /// sessions: one noisy session must not hide the table from all of them.
    pub(super) fn widened(mut self, sessions: usize) -> Self {
        let widen = |of: &mut BTreeSet<String>, least: usize| {
            if of.len() >= least {
                of.clear();
            }
        };
        self.columns.iter_mut().for_each(|m| widen(&mut m.sessions, 2));
        self.files.iter_mut().for_each(|m| widen(&mut m.sessions, 2));
        self.tables.iter_mut().for_each(|m| widen(&mut m.sessions, sessions.div_ceil(4).max(2)));
        self.in_order()
    }

    /// Masks of some sessions hold after these as well.
    pub(super) fn after_these_too<'a>(mut self, more: impl Iterator<Item = &'a String> + Clone) -> Self {
        let add = |of: &mut BTreeSet<String>| {
            if !of.is_empty() {
                of.extend(more.clone().cloned());
            }
        };
        self.columns.iter_mut().for_each(|m| add(&mut m.sessions));
        self.tables.iter_mut().for_each(|m| add(&mut m.sessions));
        self.files.iter_mut().for_each(|m| add(&mut m.sessions));
        self
    }

    /// In an order of its own: the same masks are written the same.
    fn in_order(mut self) -> Self {
        let key = |glob: &FileGlob| glob.as_str().to_owned();
        self.columns.sort_by_cached_key(|m| (key(&m.database), key(&m.table), m.column.clone()));
        self.tables.sort_by_cached_key(|m| (key(&m.database), key(&m.table)));
        self.files.sort_by_cached_key(|m| key(&m.file));
        self
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
        self.rows_vary(database, table) == Some(TableVaries::Rows)
    }

    /// In what way a table's rows vary, where they do.
    pub(super) fn rows_vary(&self, database: &str, table: &str) -> Option<TableVaries> {
        let of_table = self.tables.iter().filter(|m| m.database.matches(database) && m.table.matches(table));
        of_table.map(|m| m.varies).min()
    }

    /// How a file varies, where it does.
    pub(super) fn of_file(&self, path: &str) -> Option<FileVaries> {
        let found = self.files.iter().filter(|m| m.file.matches(path)).map(|m| m.varies);
        found.reduce(FileVaries::joined)
    }
}

/// What holds after any session holds after all of these.
fn join(known: &mut BTreeSet<String>, other: BTreeSet<String>) {
    if known.is_empty() || other.is_empty() {
        known.clear();
    } else {
        known.extend(other);
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
            ..ColumnMask::default()
        }
    }

    #[test]
    fn merging_joins_what_is_said_of_the_same_part() {
        let file = |varies| FileMask { file: "s/*".into(), varies, ..FileMask::default() };
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
