//! What varies from run to run of the same version, the smallest part first.

use std::collections::BTreeMap;

use super::contents::Item;
use super::database::{Cell, Row, RowsDiff, SEQUENCES};
use super::files::FilesDiff;
use super::finding::{FindingSite, Findings};
use super::masks::{ColumnMask, FileMask, FileVaries, StateMasks, TableMask, TableVaries};
use super::random_names::{general, without_random};

/// The masks without which these findings would be differences. With `whole`, tables and files are masked as a
/// whole: for what smaller masks did not cover.
pub(super) fn masks_for(findings: &Findings, whole: bool) -> StateMasks {
    let mut masks = StateMasks::default();
    for (database, diff) in &findings.rows {
        masks.merge(if whole { table(database, diff, "rows") } else { rows(database, diff) });
    }
    for (place, single) in &findings.single {
        masks.merge(of_place(place, single.expected(), single.actual()));
    }
    masks.merge(files(&findings.files, whole));
    masks
}

fn rows(database: &str, diff: &RowsDiff) -> StateMasks {
    let (gone, appeared) = (diff.gone.len(), diff.appeared.len());
    if diff.more > 0 {
        return table(database, diff, &format!("{gone} rows in one run, {appeared} others in another"));
    }
    let by_key = Varying::of(diff.changed.iter().map(|c| (&c.expected, &c.actual, c.columns.clone())));
    // By what is alike in them, the columns of the key are like any other.
    let expected: Vec<Row> = diff.changed.iter().map(|c| &c.expected).chain(&diff.gone).cloned().collect();
    let actual: Vec<Row> = diff.changed.iter().map(|c| &c.actual).chain(&diff.appeared).cloned().collect();
    let paired = diff.view.pairs(expected, actual, 0).pairs;
    let alike = Varying::of(paired.iter().map(|(was, is)| (was, is, diff.view.differing(was, is))));
    let only_more = gone == 0 || appeared == 0;
    let fewest =
        if only_more && (gone != appeared || by_key.0.len() <= alike.0.len()) { by_key } else { alike };
    let names = &diff.view.table.columns;
    let mask = |(at, (was, is, or_null)): (usize, (Cell, Cell, bool))| ColumnMask {
        database: database.into(),
        table: diff.view.table.name.as_str().into(),
        column: names[at].clone(),
        or_null,
        seen: Some(format!("{} and {}", was.shown(), is.shown())),
        ..ColumnMask::default()
    };
    let columns = fewest.0.into_iter().map(mask).collect();
    // Rows that come and go mask their number; what is in those that are there in both counts.
    let number = TableMask {
        database: database.into(),
        table: diff.view.table.name.as_str().into(),
        varies: TableVaries::Number,
        seen: Some(format!("{gone} rows of its own in one run, {appeared} in another")),
        ..TableMask::default()
    };
    let tables = if gone == appeared { Vec::new() } else { vec![number] };
    StateMasks { columns, tables, ..StateMasks::default() }
}

/// Columns that vary, with an example, and whether one was NULL.
struct Varying(BTreeMap<usize, (Cell, Cell, bool)>);

impl Varying {
    fn of<'a>(pairs: impl Iterator<Item = (&'a Row, &'a Row, Vec<usize>)>) -> Self {
        let mut columns: BTreeMap<usize, (Cell, Cell, bool)> = BTreeMap::new();
        for (was, is, differing) in pairs {
            for at in differing {
                let one_is_null = (was[at] == Cell::Null) != (is[at] == Cell::Null);
                let known = columns.entry(at).or_insert_with(|| (was[at].clone(), is[at].clone(), false));
                known.2 |= one_is_null;
            }
        }
        Self(columns)
    }
}

fn table(database: &str, diff: &RowsDiff, seen: &str) -> StateMasks {
    let mask = TableMask {
        database: database.into(),
        table: diff.view.table.name.as_str().into(),
        seen: Some(seen.to_owned()),
        ..TableMask::default()
    };
    StateMasks { tables: vec![mask], ..StateMasks::default() }
}

fn of_place(place: &FindingSite, was: &str, is: &str) -> StateMasks {
    let seen = Some(format!("{was} and {is}")).filter(|_| !was.is_empty() && !is.is_empty());
    let mut masks = StateMasks::default();
    match place {
        FindingSite::Column { database, table, column } => masks.columns.push(ColumnMask {
            database: database.as_str().into(),
            table: table.as_str().into(),
            column: column.clone(),
            or_null: table != SEQUENCES,
            seen,
            ..ColumnMask::default()
        }),
        FindingSite::Table { database, table } => masks.tables.push(TableMask {
            database: database.as_str().into(),
            table: general(table).into(),
            seen,
            ..TableMask::default()
        }),
        FindingSite::File(path) => {
            let file = path.as_str().into();
            masks.files.push(FileMask { file, varies: FileVaries::Content, seen, ..FileMask::default() });
        }
    }
    masks
}

fn files(diff: &FilesDiff, whole: bool) -> StateMasks {
    let mut masks = StateMasks::default();
    let mut add = |file: String, varies, seen: String| {
        masks.merge(StateMasks {
            files: vec![FileMask { file: file.into(), varies, seen: Some(seen), ..FileMask::default() }],
            ..StateMasks::default()
        });
    };
    for change in &diff.changed {
        let varies = if whole { FileVaries::Number } else { FileVaries::Content };
        let sizes = [&change.expected, &change.actual].map(|item| match item {
            Item::File { size, .. } => format!("{size} bytes"),
            other => other.kind().to_owned(),
        });
        // A file that was paired with one of another name is known by what their names have in common.
        let named = change.path == change.now;
        let file = if named { without_random(&change.path) } else { general(&change.path) };
        add(file, varies, sizes.join(" and "));
    }
    type Named<'a> = (Vec<&'a (String, Item)>, Vec<&'a (String, Item)>);
    let mut groups: BTreeMap<String, Named<'_>> = BTreeMap::new();
    for file in &diff.gone {
        groups.entry(general(&file.0)).or_default().0.push(file);
    }
    for file in &diff.appeared {
        groups.entry(general(&file.0)).or_default().1.push(file);
    }
    for (pattern, (gone, appeared)) in groups {
        let names: Vec<&str> = gone.iter().chain(&appeared).map(|(path, _)| path.as_str()).take(2).collect();
        let contents = |files: &[&(String, Item)]| {
            let mut contents: Vec<String> = files.iter().map(|(_, item)| format!("{item:?}")).collect();
            contents.sort();
            contents
        };
        let varies = if whole || gone.len() != appeared.len() {
            FileVaries::Number
        } else if contents(&gone) == contents(&appeared) {
            FileVaries::Name
        } else {
            FileVaries::NameAndContent
        };
        add(pattern, varies, names.join(" and "));
    }
    masks
}
