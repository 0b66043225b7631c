//! Sessions that met, for people.

use restage_model::Groups;
use restage_project::Project;
use restage_store::Store;

use crate::args::Global;
use crate::failure::Failure;
use crate::terminal::output;
use crate::terminal::progress::note;

/// How many groups are told of.
const SHOWN_GROUPS: usize = 8;
/// How many sessions of a group are named.
const SHOWN_SESSIONS: usize = 8;

/// Prints which sessions met: `s3 and s4 met: replayed together`.
pub(crate) fn print(groups: &Groups) {
    for group in groups.iter().take(SHOWN_GROUPS) {
        output::line(&format!("  {} met: replayed together", named(group)));
    }
    match groups.iter().count().saturating_sub(SHOWN_GROUPS) {
        0 => {}
        more => output::line(&format!("  and {}", output::count(more, "more group"))),
    }
}

/// The sessions that one met, as the newest baseline has it.
pub(crate) struct Met {
    run: String,
    session: String,
    pub(crate) others: Vec<String>,
}

impl Met {
    /// None where it met nobody.
    pub(crate) fn of(project: &Project, store: &Store, session: &str) -> Result<Option<Self>, Failure> {
        let Some(baseline) = project.newest_baseline(store)? else { return Ok(None) };
        let groups = project.groups_of_run(store, &baseline)?;
        let others = |group: &[String]| group.iter().filter(|name| *name != session).cloned().collect();
        Ok(groups.of_session(session).map(|group| Self {
            run: baseline.name,
            session: session.to_owned(),
            others: others(group),
        }))
    }

    /// Prints whom.
    pub(crate) fn print(&self) {
        let Self { run, session, others } = self;
        output::line(&format!("{session} met {}: replayed together in {run}", named(others)));
    }
}

/// Says which sessions are replayed that were not asked for.
pub(crate) fn tell_of_met(global: &Global, met: &[String]) {
    note(global, format!("note: also replayed, because others met them: {}", named(met)));
}

/// Names of sessions, the first ones of many: `s3, s4 and s9`.
pub(crate) fn named(sessions: &[String]) -> String {
    let shown = &sessions[..sessions.len().min(SHOWN_SESSIONS)];
    match (shown.split_last(), sessions.len() - shown.len()) {
        (None, _) => String::new(),
        (Some((last, [])), 0) => last.clone(),
        (Some((last, before)), 0) => format!("{} and {last}", before.join(", ")),
        (Some(_), more) => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_many_are_named() {
        let names: Vec<String> = (1..=11).map(|number| format!("s{number}")).collect();
        assert_eq!(named(&names[..1]), "s1");
        assert_eq!(named(&names[..2]), "s1 and s2");
        assert_eq!(named(&names[..3]), "s1, s2 and s3");
        assert_eq!(named(&names), "s1, s2, s3, s4, s5, s6, s7, s8 and 3 more");
    }
}
