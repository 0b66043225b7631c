//! Where ids go on: AUTO_INCREMENT of tables, and sequences.

use std::collections::BTreeSet;

use super::catalogue::OWN;
use super::connection::Connection;
use super::schema::text;
use super::sql::{name, quoted};
use crate::error::Result;
use crate::server::engine::Counters;

/// Reads them. A sequence's value holds how often it began anew, after a slash.
pub(super) fn read(server: &mut Connection) -> Result<Counters> {
    let mut counters = Counters::new();
    let mut sequences = Vec::new();
    for line in server.ask("ask where ids go on", IDS)? {
        let table = text(&line, 0);
        if table.starts_with(OWN) {
            continue;
        }
        match line.get(1).cloned().flatten() {
            _ if text(&line, 2) == "SEQUENCE" => sequences.push(table),
            Some(next) => {
                counters.insert(table, next);
            }
            None => {}
        }
    }
    if !sequences.is_empty() {
        let select = |sequence: &String| {
            format!(
                "SELECT {}, CONCAT(next_not_cached_value, '/', cycle_count) FROM {}",
                quoted(sequence),
                name(sequence)
            )
        };
        let selects: Vec<String> = sequences.iter().map(select).collect();
        for line in server.ask("ask where sequences go on", &selects.join(" UNION ALL "))? {
            counters.insert(text(&line, 0), text(&line, 1));
        }
    }
    Ok(counters)
}

/// Sets those that are not as they have to be; tells of which tables.
pub(super) fn put_back(server: &mut Connection, goal: &Counters) -> Result<BTreeSet<String>> {
    let now = read(server)?;
    let mut set = BTreeSet::new();
    for (thing, value) in
        goal.iter().filter(|(thing, value)| now.get(*thing).is_some_and(|now| now != *value))
    {
        let action = format!("set where the ids of {thing} go on");
        let quoted_name = name(thing);
        match value.split_once('/') {
            None => server.run(&action, &format!("ALTER TABLE {quoted_name} AUTO_INCREMENT = {value}"))?,
            Some((next, round)) => {
                server.run(&action, &format!("ALTER SEQUENCE {quoted_name} RESTART {next}"))?;
                if round != "0" {
                    server.run(&action, &format!("SELECT SETVAL({quoted_name}, {next}, 0, {round})"))?;
                }
            }
        }
        set.insert(thing.clone());
    }
    Ok(set)
}

const IDS: &str = "SELECT TABLE_NAME, AUTO_INCREMENT, TABLE_TYPE FROM information_schema.TABLES \
     WHERE TABLE_SCHEMA = DATABASE() AND (AUTO_INCREMENT IS NOT NULL OR TABLE_TYPE = 'SEQUENCE')";
