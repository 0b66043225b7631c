//! A suite that restage wrote to a file comes back with the exchanges that came with it.

use restage_model::{ExchangeId, NewSession, NewStep, NewSuite};
use restage_store::{Renamed, Store, StoreError};

use super::tally::FileTally;

/// Made anew of what is recorded.
const RECORDED: &str = "recorded";

/// Stores a suite of another store, or of this one, by the names that its exchanges have here. What is recorded needs no
/// bringing back: it is made of the exchanges themselves.
pub(super) fn bring_back(
    store: &mut Store,
    mut suite: NewSuite,
    renamed: &Renamed,
    tally: &mut FileTally,
) -> Result<(), StoreError> {
    if suite.sessions.is_empty() || suite.name.is_empty() || suite.name == RECORDED {
        return Ok(());
    }
    if !suite.sessions.iter_mut().all(|session| rename(session, renamed).is_some()) {
        tally.notes.push(format!(
            "the suite `{}` is not brought back: some of its requests are not in this file",
            suite.name
        ));
        return Ok(());
    }
    let before = store.suite_named(&suite.name)?;
    let saved = store.save_suite(suite)?;
    let (name, sessions) = (&saved.name, saved.sessions.len());
    tally.notes.push(match before {
        Some(id) if id != saved.id => format!(
            "the suite `{name}` is brought back with {sessions} sessions; it takes the place of another of that name, which runs made before still have"
        ),
        _ => format!("the suite `{name}` is brought back with {sessions} sessions"),
    });
    tally.suite = Some(saved.name);
    Ok(())
}

fn rename(session: &mut NewSession, renamed: &Renamed) -> Option<()> {
    let rename = |id: &mut ExchangeId| -> Option<()> {
        *id = renamed.of(*id)?;
        Some(())
    };
    for step in &mut session.steps {
        if let NewStep::Stored(id) = step {
            rename(id)?;
        }
    }
    session.left_out.iter_mut().try_for_each(rename)
}
