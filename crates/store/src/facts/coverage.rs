//! What ran in a step: a list of sets by file, each distinct list stored once.

use rusqlite::{Connection, OptionalExtension, params};

use restage_facts::{Coverage, FileCoverage, LineSet};

use super::content;
use crate::StoreError;
use crate::bodies::Packer;

/// The sets of a file, by the numbers of their kinds.
const KINDS: [i64; 3] = [0, 1, 2];

fn of_kind(file: &FileCoverage, kind: i64) -> &LineSet {
    match kind {
        0 => &file.lines,
        1 => &file.functions,
        _ => &file.branches,
    }
}

/// Adds lines, functions or branches to those of a file.
pub(super) fn join_kind(file: &mut FileCoverage, kind: i64, set: &LineSet) {
    match kind {
        0 => file.lines.join(set),
        1 => file.functions.join(set),
        _ => file.branches.join(set),
    }
}

/// The id of a file's name.
pub(super) fn file_id(connection: &Connection, name: &str) -> Result<i64, StoreError> {
    let mut find = connection.prepare_cached("SELECT id FROM fact_file WHERE name = ?")?;
    if let Some(id) = find.query_row([name], |row| row.get(0)).optional()? {
        return Ok(id);
    }
    connection.prepare_cached("INSERT INTO fact_file (name) VALUES (?)")?.execute([name])?;
    Ok(connection.last_insert_rowid())
}

/// The id under which this coverage is stored; none where nothing ran.
pub(super) fn put(
    connection: &Connection,
    packer: &Packer,
    coverage: &Coverage,
) -> Result<Option<i64>, StoreError> {
    let sets = || {
        coverage
            .files
            .iter()
            .flat_map(|(name, file)| KINDS.into_iter().map(move |kind| (name, kind, of_kind(file, kind))))
    };
    let mut hasher = blake3::Hasher::new();
    let mut parts = Vec::new();
    for (name, kind, set) in sets().filter(|(.., set)| !set.is_empty()) {
        let bytes = set.to_bytes();
        for part in [name.as_bytes(), &[kind as u8], &bytes] {
            hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
        }
        parts.push((name, kind, bytes));
    }
    if parts.is_empty() {
        return Ok(None);
    }
    let hash = hasher.finalize().as_bytes()[..16].to_vec();
    let mut find = connection.prepare_cached("SELECT id FROM coverage WHERE hash = ?")?;
    if let Some(id) = find.query_row([&hash], |row| row.get(0)).optional()? {
        return Ok(Some(id));
    }
    connection.prepare_cached("INSERT INTO coverage (hash) VALUES (?)")?.execute([&hash])?;
    let id = connection.last_insert_rowid();
    for (name, kind, bytes) in parts {
        let (file, bits) = (file_id(connection, name)?, content::put(connection, packer, &bytes)?);
        connection
            .prepare_cached("INSERT INTO coverage_part (coverage, file, kind, bits) VALUES (?, ?, ?, ?)")?
            .execute(params![id, file, kind, bits])?;
    }
    Ok(Some(id))
}

/// The coverage that is stored under an id.
pub(super) fn get(connection: &Connection, packer: &Packer, id: i64) -> Result<Coverage, StoreError> {
    let mut coverage = Coverage::default();
    let mut statement = connection.prepare_cached(
        "SELECT f.name, p.kind, p.bits FROM coverage_part p JOIN fact_file f ON f.id = p.file WHERE p.coverage = ?",
    )?;
    let mut rows = statement.query([id])?;
    while let Some(row) = rows.next()? {
        let set = LineSet::from_bytes(&content::get(connection, packer, row.get(2)?)?);
        join_kind(coverage.file(&row.get::<_, String>(0)?), row.get(1)?, &set);
    }
    Ok(coverage)
}
