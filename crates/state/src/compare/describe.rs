//! What was found, in words.

use super::contents::Item;
use super::database::Row;
use super::database::quoted;
use super::database::{Changed, RowsDiff};
use super::files::{FileChange, FilesDiff};
use super::finding::{Compared, Findings, StateDifference};

/// More differences of one table, or of files, are counted, not told.
const TOLD: usize = 50;
/// So many columns of a row are named in a summary.
const NAMED: usize = 6;

/// Puts what was found into words.
pub(super) fn described(findings: Findings) -> Compared {
    let mut differences: Vec<StateDifference> = findings.said.into_iter().map(|(_, said)| said).collect();
    for (database, diff) in &findings.rows {
        rows(database, diff, &mut differences);
    }
    files(&findings.files, &mut differences);
    Compared { differences, masked: findings.masked }
}

fn rows(database: &str, diff: &RowsDiff, differences: &mut Vec<StateDifference>) {
    let place = format!("{} ({database})", diff.view.table.name);
    let of = |row: &Row| format!("{} of {place}", row_named(diff, row));
    let changed = diff.changed.iter().map(|c| self::changed(diff, c, &of(&c.expected)));
    let gone = diff.gone.iter().map(|row| StateDifference {
        summary: format!("{} is gone: {}", of(row), in_short(diff, row)),
        expected: in_full(diff, row),
        actual: String::new(),
    });
    let appeared = diff.appeared.iter().map(|row| StateDifference {
        summary: format!("{} appeared: {}", of(row), in_short(diff, row)),
        expected: String::new(),
        actual: in_full(diff, row),
    });
    differences.extend(changed.chain(gone).chain(appeared).take(TOLD));
    let all = diff.changed.len() + diff.gone.len() + diff.appeared.len() + diff.more;
    tell_of_more(all, &format!("rows of {place}"), differences);
}

fn changed(diff: &RowsDiff, changed: &Changed, row: &str) -> StateDifference {
    let names = &diff.view.table.columns;
    let said = changed.columns.iter().map(|at| {
        let (was, is) = (changed.expected[*at].shown(), changed.actual[*at].shown());
        format!("{} was {was}, is {is}", names[*at])
    });
    let whole = |row: &Row| {
        let lines = changed.columns.iter().map(|at| format!("{} = {}", names[*at], row[*at].whole()));
        lines.collect::<Vec<_>>().join("\n")
    };
    // A row without a key to name it by is named by what is the same in it.
    let known = |at: &usize| {
        !changed.columns.contains(at)
            && !diff.view.is_masked(*at)
            && changed.expected[*at] == changed.actual[*at]
    };
    let with: Vec<String> = (0..names.len())
        .filter(|at| !diff.view.is_keyed && known(at))
        .take(2)
        .map(|at| format!("{} {}", names[at], changed.expected[at].shown()))
        .collect();
    let with = if with.is_empty() { String::new() } else { format!(" with {}", with.join(", ")) };
    StateDifference {
        summary: format!("{row}{with}: {}", said.collect::<Vec<_>>().join("; ")),
        expected: whole(&changed.expected),
        actual: whole(&changed.actual),
    }
}

/// `row 17`, `row (session 3, book 7)`, or `a row` where it has no name of its own.
fn row_named(diff: &RowsDiff, row: &Row) -> String {
    let table = &diff.view.table;
    match table.key.as_slice() {
        _ if !diff.view.is_keyed => "a row".to_owned(),
        [one] => format!("row {}", row[*one].shown()),
        several => {
            let parts: Vec<String> =
                several.iter().map(|at| format!("{} {}", table.columns[*at], row[*at].shown())).collect();
            format!("row ({})", parts.join(", "))
        }
    }
}

fn in_short(diff: &RowsDiff, row: &Row) -> String {
    let table = &diff.view.table;
    let in_name = |at: &usize| diff.view.is_keyed && table.key.contains(at);
    let told: Vec<usize> = (0..row.len()).filter(|at| !in_name(at) && !diff.view.is_masked(*at)).collect();
    let shown: Vec<String> =
        told.iter().take(NAMED).map(|at| format!("{} {}", table.columns[*at], row[*at].shown())).collect();
    format!("{}{}", shown.join(", "), if told.len() > NAMED { ", …" } else { "" })
}

fn in_full(diff: &RowsDiff, row: &Row) -> String {
    let columns = diff.view.table.columns.iter().zip(row);
    columns.map(|(name, cell)| format!("{name} = {}", cell.whole())).collect::<Vec<_>>().join("\n")
}

fn files(diff: &FilesDiff, differences: &mut Vec<StateDifference>) {
    let one = |(path, item): &(String, Item), what: &str| format!("{} {path} {what}", item.kind());
    let size = |item: &Item| match item {
        Item::File { size, .. } => format!("{size} bytes"),
        Item::Link { target } => format!("leads to {target}"),
        other => other.kind().to_owned(),
    };
    let changed = diff.changed.iter().map(file_changed);
    let gone = diff.gone.iter().map(|file| StateDifference {
        summary: one(file, "is gone"),
        expected: size(&file.1),
        actual: String::new(),
    });
    let appeared = diff.appeared.iter().map(|file| StateDifference {
        summary: one(file, "appeared"),
        expected: String::new(),
        actual: size(&file.1),
    });
    differences.extend(changed.chain(gone).chain(appeared).take(TOLD));
    tell_of_more(diff.changed.len() + diff.gone.len() + diff.appeared.len(), "files", differences);
}

fn file_changed(change: &FileChange) -> StateDifference {
    let path = if change.path == change.now {
        change.path.clone()
    } else {
        format!("{} (now {})", change.path, change.now)
    };
    let (said, expected, actual) = match (&change.expected, &change.actual) {
        (Item::File { size: was, .. }, Item::File { size: is, .. }) if change.texts.is_some() => {
            let (number, was_line, is_line) = first_line_apart(change.texts.as_ref());
            let (was_said, is_said) = (quoted(was_line), quoted(is_line));
            let bytes = format!("{was} bytes became {is}; line {number} was {was_said}, is {is_said}");
            (format!("file {path} changed: {bytes}"), was_line.to_owned(), is_line.to_owned())
        }
        (Item::File { mode: a, content, .. }, Item::File { mode: b, content: now, .. }) if content == now => {
            let (was, is) = (format!("{a:o}"), format!("{b:o}"));
            (format!("permissions of file {path} were {was}, are {is}"), was, is)
        }
        (Item::File { size: was, .. }, Item::File { size: is, .. }) => {
            let bytes = |n: &u64| format!("{n} bytes");
            (format!("file {path} changed: {was} bytes became {is}"), bytes(was), bytes(is))
        }
        (Item::Folder { mode: a }, Item::Folder { mode: b }) => {
            let (was, is) = (format!("{a:o}"), format!("{b:o}"));
            (format!("permissions of folder {path} were {was}, are {is}"), was, is)
        }
        (Item::Link { target: was }, Item::Link { target: is }) => {
            (format!("link {path} led to {}, leads to {}", quoted(was), quoted(is)), was.clone(), is.clone())
        }
        (was, is) => {
            let (was, is) = (was.kind().to_owned(), is.kind().to_owned());
            (format!("{path} was a {was}, is a {is}"), was, is)
        }
    };
    StateDifference { summary: said, expected, actual }
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

fn tell_of_more(all: usize, what: &str, differences: &mut Vec<StateDifference>) {
    if all > TOLD {
        let summary = format!("and {} more {what} differ", all - TOLD);
        differences.push(StateDifference { summary, expected: String::new(), actual: String::new() });
    }
}
