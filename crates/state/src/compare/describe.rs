//! What was found, as differences that a person can read.

use restage_model::{CellChange, Difference, FileAspect, MaskedRows, Place};

use super::contents::Item;
use super::database::Row;
use super::database::{Changed, RowsDiff};
use super::files::{FileChange, FilesDiff};
use super::finding::{Compared, Findings, SEEN_BY};

/// More differences of one table, or of files, are counted, not told.
const TOLD: usize = 50;
/// So many columns of a row are named in a summary.
const NAMED: usize = 6;

/// All that was found, each difference by itself.
pub(super) fn described(findings: Findings) -> Compared {
    let told: usize = findings.rows.iter().map(|(_, diff)| diff.told()).sum();
    let rows_told = MaskedRows { masked: findings.masked_rows, of: findings.masked_rows + told as u64 };
    let mut differences: Vec<Difference> = findings.single.into_iter().map(|(_, single)| single).collect();
    for (database, diff) in &findings.rows {
        rows(database, diff, &mut differences);
    }
    files(&findings.files, &mut differences);
    Compared { differences, masked: findings.masked, rows: rows_told }
}

fn rows(database: &str, diff: &RowsDiff, differences: &mut Vec<Difference>) {
    let table = &diff.view.table.name;
    let place = |row: &Row, with, (cells, more)| Place::Row {
        database: database.to_owned(),
        table: table.clone(),
        row: key_of(diff, row),
        with,
        cells,
        more,
    };
    let changed = diff.changed.iter().map(|c| {
        let (with, cells) = changed_cells(diff, c);
        let whole = |row: &Row| {
            let names = &diff.view.table.columns;
            let lines = c.columns.iter().map(|at| format!("{} = {}", names[*at], row[*at].whole()));
            lines.collect::<Vec<_>>().join("\n")
        };
        let place = place(&c.expected, with, (cells, false));
        Difference::changed(SEEN_BY, place, whole(&c.expected), whole(&c.actual))
    });
    let gone = diff.gone.iter().map(|row| {
        let cells = in_short(diff, row, |column, value| CellChange { column, was: Some(value), is: None });
        Difference::gone(SEEN_BY, place(row, Vec::new(), cells), in_full(diff, row))
    });
    let appeared = diff.appeared.iter().map(|row| {
        let cells = in_short(diff, row, |column, value| CellChange { column, was: None, is: Some(value) });
        Difference::appeared(SEEN_BY, place(row, Vec::new(), cells), in_full(diff, row))
    });
    differences.extend(changed.chain(gone).chain(appeared).take(TOLD));
    let all = diff.changed.len() + diff.gone.len() + diff.appeared.len() + diff.more;
    count_more(all, &format!("rows of {table} ({database})"), differences);
}

/// The columns of a row that changed; and where it has no key to name it by, what is the same in it.
fn changed_cells(diff: &RowsDiff, changed: &Changed) -> (Vec<(String, String)>, Vec<CellChange>) {
    let names = &diff.view.table.columns;
    let cells = changed.columns.iter().map(|at| CellChange {
        column: names[*at].clone(),
        was: Some(changed.expected[*at].shown()),
        is: Some(changed.actual[*at].shown()),
    });
    let known = |at: &usize| {
        !changed.columns.contains(at)
            && !diff.view.is_masked(*at)
            && changed.expected[*at] == changed.actual[*at]
    };
    let with = (0..names.len()).filter(|at| !diff.view.is_keyed && known(at)).take(2);
    (with.map(|at| (names[at].clone(), changed.expected[at].shown())).collect(), cells.collect())
}

/// A row's key, column by column; empty where it has no name of its own.
fn key_of(diff: &RowsDiff, row: &Row) -> Vec<(String, String)> {
    let table = &diff.view.table;
    let key = table.key.iter().filter(|_| diff.view.is_keyed);
    key.map(|at| (table.columns[*at].clone(), row[*at].shown())).collect()
}

/// The first columns beside the key, and whether there are more.
fn in_short(
    diff: &RowsDiff,
    row: &Row,
    cell: impl Fn(String, String) -> CellChange,
) -> (Vec<CellChange>, bool) {
    let table = &diff.view.table;
    let in_key = |at: &usize| diff.view.is_keyed && table.key.contains(at);
    let told: Vec<usize> = (0..row.len()).filter(|at| !in_key(at) && !diff.view.is_masked(*at)).collect();
    let shown = told.iter().take(NAMED).map(|at| cell(table.columns[*at].clone(), row[*at].shown()));
    (shown.collect(), told.len() > NAMED)
}

fn in_full(diff: &RowsDiff, row: &Row) -> String {
    let columns = diff.view.table.columns.iter().zip(row);
    columns.map(|(name, cell)| format!("{name} = {}", cell.whole())).collect::<Vec<_>>().join("\n")
}

fn files(diff: &FilesDiff, differences: &mut Vec<Difference>) {
    let place = |(path, item): &(String, Item)| Place::File {
        path: path.clone(),
        now: None,
        thing: item.kind().to_owned(),
        aspect: FileAspect::Presence,
    };
    let size = |item: &Item| match item {
        Item::File { size, .. } => format!("{size} bytes"),
        Item::Link { target } => format!("leads to {target}"),
        other => other.kind().to_owned(),
    };
    let changed = diff.changed.iter().map(file_changed);
    let gone = diff.gone.iter().map(|file| Difference::gone(SEEN_BY, place(file), size(&file.1)));
    let appeared = diff.appeared.iter().map(|file| Difference::appeared(SEEN_BY, place(file), size(&file.1)));
    differences.extend(changed.chain(gone).chain(appeared).take(TOLD));
    count_more(diff.changed.len() + diff.gone.len() + diff.appeared.len(), "files", differences);
}

fn file_changed(change: &FileChange) -> Difference {
    let mode = |mode: u32| format!("{mode:o}");
    let bytes = |n: u64| format!("{n} bytes");
    let (aspect, was, is) = match (&change.expected, &change.actual) {
        (Item::File { size: was, .. }, Item::File { size: is, .. }) if change.texts.is_some() => {
            let (line, was_line, is_line) = first_line_apart(change.texts.as_ref());
            let aspect = FileAspect::Content { was: *was, is: *is, line: Some(line) };
            (aspect, was_line.to_owned(), is_line.to_owned())
        }
        (Item::File { mode: a, content, .. }, Item::File { mode: b, content: now, .. }) if content == now => {
            (FileAspect::Permissions, mode(*a), mode(*b))
        }
        (Item::File { size: was, .. }, Item::File { size: is, .. }) => {
            (FileAspect::Content { was: *was, is: *is, line: None }, bytes(*was), bytes(*is))
        }
        (Item::Folder { mode: a }, Item::Folder { mode: b }) => (FileAspect::Permissions, mode(*a), mode(*b)),
        (Item::Link { target: was }, Item::Link { target: is }) => {
            (FileAspect::Target, was.clone(), is.clone())
        }
        (was, is) => (FileAspect::Thing, was.kind().to_owned(), is.kind().to_owned()),
    };
    let place = Place::File {
        path: change.path.clone(),
        now: (change.now != change.path).then(|| change.now.clone()),
        thing: change.expected.kind().to_owned(),
        aspect,
    };
    Difference::changed(SEEN_BY, place, was, is)
}

/// The first line that differs: its number, as it was, as it is.
fn first_line_apart(texts: Option<&(String, String)>) -> (usize, &str, &str) {
    let Some((was, is)) = texts else { return (0, "", "") };
    let (mut was, mut is) = (was.lines(), is.lines());
    for number in 1.. {
        match (was.next(), is.next()) {
            // Only the end of the last line differs.
            (None, None) => return (number - 1, "", ""),
            (a, b) if a == b => {}
            (a, b) => return (number, a.unwrap_or_default(), b.unwrap_or_default()),
        }
    }
    (0, "", "")
}

fn count_more(all: usize, of: &str, differences: &mut Vec<Difference>) {
    if all > TOLD {
        let place = Place::More { count: all - TOLD, of: Some(of.to_owned()) };
        differences.push(Difference { seen_by: vec![SEEN_BY.to_owned()], place, was: None, is: None });
    }
}
