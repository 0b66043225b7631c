//! Changes to TOML files that people write, too: what is there stays as they wrote it.

use std::path::Path;

use toml_edit::{ArrayOfTables, DocumentMut, Item, RawString, Table};

use crate::error::ProjectError;

/// Reads a file for a change to it; an empty one where there is none.
pub(crate) fn read(path: &Path) -> Result<String, ProjectError> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(text),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        Err(e) => Err(ProjectError::Read { path: path.to_owned(), source: e }),
    }
}

/// Writes a file whole or not at all: a full disk must not cost anybody their settings.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), ProjectError> {
    // A link stays one.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let new = path.with_file_name(name);
    let written = std::fs::write(&new, text)
        .and_then(|()| match path.metadata() {
            Ok(there) => std::fs::set_permissions(&new, there.permissions()),
            Err(_) => Ok(()),
        })
        .and_then(|()| std::fs::rename(&new, &path));
    written.map_err(|e| {
        // The file that was to be renamed is of no use to anybody.
        let _ = std::fs::remove_file(&new);
        ProjectError::Write { path: path.clone(), source: e }
    })
}

/// The array of tables of a name at the top of a document; a new one goes to the document's end, after the comments
/// there.
pub(crate) fn tables<'d>(document: &'d mut DocumentMut, name: &str) -> Option<&'d mut ArrayOfTables> {
    document.entry(name).or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new())).as_array_of_tables_mut()
}

/// Adds a table at the end of the array of a name; the array's first goes to the end of the document.
pub(crate) fn push(document: &mut DocumentMut, name: &str, mut table: Table) -> Option<()> {
    if document.get(name).is_none() {
        let trailing = document.trailing().as_str().unwrap_or_default().to_owned();
        let empty = trailing.is_empty() && document.is_empty();
        let blank = if empty || trailing.ends_with("\n\n") { "" } else { "\n" };
        table.decor_mut().set_prefix(format!("{trailing}{blank}"));
        table.set_position(Some(last_position(document.as_table()) + 1));
        document.set_trailing("");
    }
    tables(document, name)?.push(table);
    Some(())
}

/// Takes the comment that heads the file off its first table: all before the last empty line.
pub(crate) fn take_heading(table: &mut Table) -> String {
    let prefix = table.decor().prefix().and_then(RawString::as_str).unwrap_or_default().to_owned();
    let end = prefix.rfind("\n\n").map_or(0, |at| at + 2);
    table.decor_mut().set_prefix(prefix[end..].to_owned());
    prefix[..end].to_owned()
}

/// Puts text before a table's own comments.
pub(crate) fn put_before(table: &mut Table, text: &str) {
    let prefix = table.decor().prefix().and_then(RawString::as_str).unwrap_or_default().to_owned();
    table.decor_mut().set_prefix(format!("{text}{}", prefix.trim_start_matches('\n')));
}

fn last_position(table: &Table) -> isize {
    let below = table.iter().map(|(_, item)| match item {
        Item::Table(table) => last_position(table),
        Item::ArrayOfTables(tables) => tables.iter().map(last_position).max().unwrap_or(0),
        _ => 0,
    });
    below.chain(table.position()).max().unwrap_or(0)
}

/// A value as it stands on one line: `{ in = "text", after = "Total" }`; none where it has no form in TOML.
pub(crate) fn inline<T: serde::Serialize>(of: &T) -> Option<toml_edit::Value> {
    toml::Value::try_from(of).ok()?.to_string().parse().ok()
}
