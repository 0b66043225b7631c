//! The application's triggers must not fire when rows are put back, and no session can switch them off. While restage
//! watches, each of them has its body inside an IF that asks for restage's session. The original is the text between.

use std::collections::BTreeMap;

use super::catalogue::OWN;
use super::connection::Connection;
use super::definition::{Session, make, words};
use super::schema::{show, text};
use super::sql::{name, quoted};
use crate::error::Result;

const BEFORE: &str = "IF @restage_restoring IS NULL THEN /* restage */ ";
const AFTER: &str = "\n; END IF /* restage */";

/// A trigger as it is now.
struct Trigger {
    name: String,
    session: Session,
    statement: String,
    body: String,
}

/// How the application made a trigger; none where it is gone by now.
pub(super) fn definition(server: &mut Connection, trigger: &str) -> Result<Option<String>> {
    let found = read(server, &format!("AND TRIGGER_NAME = {}", quoted(trigger)))?;
    Ok(found.first().map(|trigger| words(&trigger.session, &unwrapped(trigger))))
}

/// Puts every trigger into its IF.
pub(super) fn wrap_all(server: &mut Connection) -> Result<()> {
    change(server, &|trigger| !is_wrapped(&trigger.body), &|trigger| {
        let head = &trigger.statement[..trigger.statement.len() - trigger.body.len()];
        format!("{head}{BEFORE}{}{AFTER}", trigger.body)
    })
}

/// Takes every trigger out of its IF.
pub(super) fn unwrap_all(server: &mut Connection) -> Result<()> {
    change(server, &|trigger| is_wrapped(&trigger.body), &unwrapped)
}

fn change(
    server: &mut Connection,
    wanted: &dyn Fn(&Trigger) -> bool,
    statement: &dyn Fn(&Trigger) -> String,
) -> Result<()> {
    let mut groups: BTreeMap<String, Vec<Trigger>> = BTreeMap::new();
    for trigger in read(server, "")? {
        let group = trigger.session.group.as_ref().map(|(group, _)| group.clone()).unwrap_or_default();
        groups.entry(group).or_default().push(trigger);
    }
    for triggers in groups.into_values().filter(|triggers| triggers.iter().any(wanted)) {
        // Each goes to the end of its group: made anew in their order, they keep it.
        for trigger in &triggers {
            let statement = if wanted(trigger) { statement(trigger) } else { trigger.statement.clone() };
            replace(server, &trigger.name, &trigger.session, &statement)?;
        }
    }
    Ok(())
}

/// Makes a trigger in place of the one of its name.
fn replace(server: &mut Connection, trigger: &str, session: &Session, statement: &str) -> Result<()> {
    let action = format!("make the trigger {trigger}");
    match statement.strip_prefix("CREATE ").filter(|_| !server.mysql) {
        Some(rest) => make(server, &action, session, &format!("CREATE OR REPLACE {rest}")),
        None => {
            server.run(&action, &format!("DROP TRIGGER IF EXISTS {}", name(trigger)))?;
            make(server, &action, session, statement)
        }
    }
}

fn is_wrapped(body: &str) -> bool {
    body.starts_with(BEFORE) && body.ends_with(AFTER)
}

fn unwrapped(trigger: &Trigger) -> String {
    if !is_wrapped(&trigger.body) {
        return trigger.statement.clone();
    }
    let head = &trigger.statement[..trigger.statement.len() - trigger.body.len()];
    format!("{head}{}", &trigger.body[BEFORE.len()..trigger.body.len() - AFTER.len()])
}

/// The application's triggers, in the order in which they fire.
fn read(server: &mut Connection, which: &str) -> Result<Vec<Trigger>> {
    let mut triggers = Vec::new();
    for line in server.ask("list the triggers", &format!("{TRIGGERS} {which} {IN_ORDER}"))? {
        let (trigger, body) = (text(&line, 0), text(&line, 5));
        if trigger.starts_with(OWN) {
            continue;
        }
        let Some(shown) = show(server, &format!("SHOW CREATE TRIGGER {}", name(&trigger)))? else { continue };
        let statement = text(&shown, 2);
        if body.is_empty() || !statement.ends_with(&body) {
            let hint =
                "make restage's account the trigger's definer, or give it the right TRIGGER on the table";
            return Err(server.error(&format!("read the trigger {trigger}"), "its body is not told", hint));
        }
        let session = Session {
            sql_mode: Some(text(&shown, 1)),
            client: Some(text(&shown, 3)),
            collation: Some(text(&shown, 4)),
            time_zone: None,
            group: Some((
                [text(&line, 1), text(&line, 2), text(&line, 3)].join(" "),
                text(&line, 4).parse().unwrap_or(0),
            )),
        };
        triggers.push(Trigger { name: trigger, session, statement, body });
    }
    Ok(triggers)
}

const TRIGGERS: &str = "SELECT TRIGGER_NAME, EVENT_OBJECT_TABLE, ACTION_TIMING, EVENT_MANIPULATION, ACTION_ORDER, \
     ACTION_STATEMENT FROM information_schema.TRIGGERS WHERE EVENT_OBJECT_SCHEMA = DATABASE()";

const IN_ORDER: &str = "ORDER BY EVENT_OBJECT_TABLE, ACTION_TIMING, EVENT_MANIPULATION, ACTION_ORDER";
