//! Making the schema what it was: what is too much or different is dropped with all that hangs on it, then what is missing
//! is made. What depends on what is not worked out: what cannot be done yet is tried again after the rest.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::{Error, Result};
use crate::server::engine::{Object, Schema};
use crate::server::postgres::catalogue::{self, Thing, by_name};
use crate::server::postgres::connection::Connection;

/// So often is dropped and looked again.
const ROUNDS: usize = 12;

/// Drops what the goal has not, or has otherwise; how many.
pub(super) fn drop_what_differs(connection: &mut Connection, goal: &Schema) -> Result<u64> {
    let wanted = by_name(&goal.objects);
    let mut dropped = 0;
    for _ in 0..ROUNDS {
        let things = catalogue::read(connection)?;
        let wrong: Vec<&Thing> = things.iter().filter(|thing| has_to_go(thing, &wanted)).collect();
        if wrong.is_empty() {
            break;
        }
        let mut failed = None;
        let mut progress = false;
        for thing in wrong {
            let name = (thing.object.kind.as_str(), thing.object.name.as_str());
            let action = format!("drop the {} {}", name.0, name.1);
            // A function with a new body keeps what hangs on it.
            let replace = wanted.get(&name).filter(|_| name.0 == "function");
            let tried = match replace {
                Some(replace) => match connection.try_to(&action, replace)? {
                    Err(_) => connection.try_to(&action, &thing.drop)?,
                    done => done,
                },
                None => connection.try_to(&action, &thing.drop)?,
            };
            match tried {
                Ok(_) => (progress, dropped) = (true, dropped + 1),
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        if let (false, Some(error)) = (progress, failed) {
            return Err(error);
        }
    }
    Ok(dropped)
}

fn has_to_go(thing: &Thing, wanted: &BTreeMap<(&str, &str), &str>) -> bool {
    let object = &thing.object;
    let wanted = wanted.get(&(object.kind.as_str(), object.name.as_str()));
    let overwritten = matches!(object.kind.as_str(), "comment") && wanted.is_some();
    !thing.drop.is_empty() && !overwritten && wanted != Some(&object.definition.as_str())
}

/// What was made.
#[derive(Default)]
pub(super) struct Made {
    pub(super) objects: u64,
    /// Tables, by their qualified names.
    pub(super) tables: BTreeSet<String>,
}

/// Makes what is missing of the goal: tables and what their rows need, or everything.
pub(super) fn make_what_is_missing(
    connection: &mut Connection,
    goal: &Schema,
    everything: bool,
    made: &mut Made,
) -> Result<()> {
    let things = catalogue::read(connection)?;
    let there: Vec<Object> = things.into_iter().map(|thing| thing.object).collect();
    let there = by_name(&there);
    let missing = |object: &&Object| {
        there.get(&(object.kind.as_str(), object.name.as_str())) != Some(&object.definition.as_str())
    };
    let mut missing: Vec<&Object> = goal.objects.iter().filter(missing).collect();
    if !everything {
        missing.retain(|object| is_early(object));
    }
    while !missing.is_empty() {
        let before = missing.len();
        let mut failed = None;
        let mut left = Vec::new();
        for object in missing {
            match make(connection, object)? {
                Ok(()) => {
                    made.objects += 1;
                    if object.kind == "table" {
                        made.tables.insert(object.name.clone());
                    }
                }
                Err(error) => {
                    failed = failed.or(Some(error));
                    left.push(object);
                }
            }
        }
        if left.len() == before {
            // What cannot be made early may hang on what is made late.
            let fatal = everything || left.iter().any(|object| object.kind == "table");
            return failed.filter(|_| fatal).map_or(Ok(()), Err);
        }
        missing = left;
    }
    Ok(())
}

fn make(connection: &mut Connection, object: &Object) -> Result<Result<()>> {
    let action = format!("make the {} {} again", object.kind, object.name);
    if object.definition.starts_with("--") {
        return Ok(Err(Error::Server {
            database: connection.shown().to_owned(),
            action,
            said: "restage does not know how such a thing is made".to_owned(),
            hint: "make it by hand, or leave it alone in the sessions that are replayed".to_owned(),
        }));
    }
    Ok(match connection.try_to(&action, &object.definition)? {
        Ok(_) => Ok(()),
        // Owners and privileges are kept where they can be.
        Err(_) if matches!(object.kind.as_str(), "owner" | "privileges") => Ok(()),
        Err(error) => Err(error),
    })
}

fn is_early(object: &Object) -> bool {
    const EARLY: [&str; 9] =
        ["schema", "extension", "collation", "type", "function", "sequence", "table", "default", "identity"];
    EARLY.contains(&object.kind.as_str())
}

/// Drops and makes until the schema is what it should be.
pub(super) fn finish(connection: &mut Connection, goal: &Schema, made: &mut Made) -> Result<()> {
    make_what_is_missing(connection, goal, true, made)?;
    let things = catalogue::read(connection)?;
    let wanted = by_name(&goal.objects);
    let stays = |thing: &&Thing| has_to_go(thing, &wanted) && thing.object.kind != "privileges";
    match things.iter().find(stays) {
        None => Ok(()),
        Some(thing) => Err(Error::Server {
            database: connection.shown().to_owned(),
            action: format!("make the {} {} what it was", thing.object.kind, thing.object.name),
            said: "it comes out otherwise".to_owned(),
            hint: "restore the database from a dump; this is a fault of restage, please report it".to_owned(),
        }),
    }
}
