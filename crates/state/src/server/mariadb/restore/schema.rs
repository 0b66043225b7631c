//! The schema, put back: what is new is dropped, what is missing or different is made.
//!
//! Every statement here commits by itself. A restore that is broken off leaves a database that is looked at as a whole
//! by the next, which finds what is missing or different then.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::{Error, Result};
use crate::server::engine::{Goal, Object, Schema, Written};
use crate::server::mariadb::catalogue::{DATABASE, EVENT, TABLE, TRIGGER, VIEW};
use crate::server::mariadb::connection::Connection;
use crate::server::mariadb::definition::{make, parts};
use crate::server::mariadb::sql::name;

/// What of the schema has to be made.
pub(super) struct Rebuild<'a> {
    goal: &'a Schema,
    /// The places in the goal's objects of what has to be made.
    missing: Vec<&'a Object>,
    /// What has to go, the last made first.
    extra: Vec<&'a Object>,
    /// The tables that are made, and have to be filled.
    pub(super) tables: BTreeSet<&'a str>,
}

impl<'a> Rebuild<'a> {
    /// Compares. `anew` are tables that cannot be emptied, only made anew.
    pub(super) fn of(goal: &Goal<'a>, anew: &BTreeSet<String>) -> Self {
        let current = by_name(goal.current);
        let wanted = by_name(goal.schema);
        let is_anew = |object: &Object| object.kind == TABLE && anew.contains(&object.name);
        let differs = |object: &Object, other: &BTreeMap<(&str, &str), &Object>| {
            is_anew(object)
                || other.get(&(object.kind.as_str(), object.name.as_str())).map(|o| &o.definition)
                    != Some(&object.definition)
        };
        let mut missing: Vec<&Object> =
            goal.schema.objects.iter().filter(|object| differs(object, &current)).collect();
        let mut extra: Vec<&Object> =
            goal.current.objects.iter().filter(|object| differs(object, &wanted)).collect();
        let tables: BTreeSet<&str> =
            missing.iter().filter(|object| object.kind == TABLE).map(|object| object.name.as_str()).collect();
        // Triggers of one moment are made anew together, in their order; those of a table that is made anew go with it.
        let mut groups: BTreeSet<String> =
            missing.iter().chain(&extra).filter_map(|object| group(object)).collect();
        let of_tables = goal.schema.objects.iter().chain(&goal.current.objects).filter_map(group);
        groups.extend(
            of_tables
                .filter(|group| group.rsplitn(3, ' ').nth(2).is_some_and(|table| tables.contains(table))),
        );
        let is_in = |object: &&Object| group(object).is_some_and(|group| groups.contains(&group));
        missing.retain(|object| object.kind != TRIGGER);
        extra.retain(|object| object.kind != TRIGGER);
        let mut triggers: Vec<&Object> = goal.schema.objects.iter().filter(is_in).collect();
        triggers.sort_by_cached_key(|object| parts(&object.definition).0.group);
        let events = missing.iter().position(|object| object.kind == EVENT).unwrap_or(missing.len());
        missing.splice(events..events, triggers);
        extra.extend(goal.current.objects.iter().filter(is_in));
        extra.reverse();
        Self { goal: goal.schema, missing, extra, tables }
    }

    /// Whether nothing has to be done.
    pub(super) fn is_empty(&self) -> bool {
        self.missing.is_empty() && self.extra.is_empty()
    }

    /// Drops what must not be there, and makes what rows are written into.
    pub(super) fn begin(&self, server: &mut Connection, written: &mut Written) -> Result<()> {
        for object in self.extra.iter().filter(|object| object.kind != DATABASE) {
            let kind = object.kind.to_uppercase();
            let sql = format!("DROP {kind} IF EXISTS {}", name(&object.name));
            server.run(&format!("drop the {} {}", object.kind, object.name), &sql)?;
            written.objects += 1;
        }
        for object in self.missing.iter().filter(|object| !is_late(object)) {
            create(server, object)?;
            written.objects += 1;
        }
        Ok(())
    }

    /// Makes what stands on tables and their rows.
    pub(super) fn finish(&self, server: &mut Connection, written: &mut Written) -> Result<()> {
        let mut waiting: Vec<&Object> =
            self.missing.iter().copied().filter(|object| is_late(object)).collect();
        // A view may stand on another that is still to be made.
        while !waiting.is_empty() {
            let (mut left, mut refusal) = (Vec::new(), None);
            let count = waiting.len();
            for object in waiting {
                match create(server, object) {
                    Ok(()) => written.objects += 1,
                    Err(error @ Error::Server { .. }) if object.kind == VIEW => {
                        left.push(object);
                        refusal = Some(error);
                    }
                    Err(error) => return Err(error),
                }
            }
            if let Some(error) = refusal.filter(|_| left.len() == count) {
                return Err(error);
            }
            waiting = left;
        }
        Ok(())
    }

    /// Whether a table is one of the goal's.
    pub(super) fn fills(&self, table: &str) -> bool {
        self.tables.contains(table) && self.goal.table(table).is_some()
    }
}

fn create(server: &mut Connection, object: &Object) -> Result<()> {
    let action = format!("make the {} {}", object.kind, object.name);
    match object.kind.as_str() {
        DATABASE => {
            let sql = format!("ALTER DATABASE {} {}", name(server.database()), object.definition);
            server.run(&action, &sql)
        }
        TABLE | "sequence" => server.run(&action, &object.definition),
        _ => {
            let (session, statement) = parts(&object.definition);
            make(server, &action, &session, statement)
        }
    }
}

fn is_late(object: &Object) -> bool {
    matches!(object.kind.as_str(), VIEW | TRIGGER | EVENT)
}

fn group(object: &Object) -> Option<String> {
    (object.kind == TRIGGER).then(|| parts(&object.definition).0.group)?.map(|(group, _)| group)
}

fn by_name(schema: &Schema) -> BTreeMap<(&str, &str), &Object> {
    schema.objects.iter().map(|object| ((object.kind.as_str(), object.name.as_str()), object)).collect()
}
