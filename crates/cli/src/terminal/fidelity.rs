//! How faithful a run was to the recording, for people.

use restage_model::{CauseKind, Fidelity, SessionFidelity};
use serde_json::{Value, json};

use crate::terminal::output::{self, count, cut};

/// How many sessions are told of.
const SHOWN_SESSIONS: usize = 8;
/// How much of a sentence with foreign text is shown.
const ROOM: usize = 200;

/// Prints how many steps were answered as recorded; of sessions that left their path where, why most likely, and what to do.
pub(crate) fn print(fidelity: &Fidelity) {
    for line in lines(fidelity) {
        output::line(&line);
    }
}

fn lines(fidelity: &Fidelity) -> Vec<String> {
    let (steps, astray) = (fidelity.steps, fidelity.astray().count());
    if steps == 0 {
        return vec!["  answered as recorded: not known, because no answers were recorded".to_owned()];
    }
    if fidelity.is_whole() {
        return vec![format!("  answered as recorded: all {}", count(steps, "step"))];
    }
    let mut lines = vec![format!(
        "  answered as recorded: {} of {} ({} %); {astray} of {} left the recorded path",
        fidelity.as_recorded,
        count(steps, "step"),
        fidelity.percent(),
        count(fidelity.sessions.len(), "session"),
    )];
    for session in fidelity.astray().take(SHOWN_SESSIONS) {
        lines.push(format!(
            "    {}, {} of {} as recorded: {}",
            session.name,
            session.as_recorded,
            count(session.steps, "step"),
            left_at(session)
        ));
        if let Some(cause) = &session.cause {
            lines.push(format!("      likely cause: {}", cut(&cause.explanation, ROOM)));
        }
    }
    if astray > SHOWN_SESSIONS {
        lines.push(format!("    and {}", count(astray - SHOWN_SESSIONS, "more session")));
    }
    for (remedy, sessions) in remedies(fidelity) {
        lines.push(format!("  remedy for {}: {remedy}", listed(&sessions)));
    }
    lines
}

/// Where a session left its path, and what differs there.
pub(crate) fn left_at(session: &SessionFidelity) -> String {
    session.left_at.as_ref().map_or_else(String::new, |left| {
        format!("left at {}: {}", cut(&left.place(), 100), cut(&left.says, ROOM))
    })
}

/// Each remedy once, with the sessions that it is for.
fn remedies(fidelity: &Fidelity) -> Vec<(&str, Vec<&str>)> {
    let mut remedies: Vec<(&str, Vec<&str>)> = Vec::new();
    for session in fidelity.astray() {
        let Some(cause) = &session.cause else { continue };
        match remedies.iter_mut().find(|(remedy, _)| *remedy == cause.remedy) {
            Some((_, sessions)) => sessions.push(&session.name),
            None => remedies.push((&cause.remedy, vec![&session.name])),
        }
    }
    remedies
}

fn listed(sessions: &[&str]) -> String {
    let shown = sessions[..sessions.len().min(SHOWN_SESSIONS)].join(", ");
    match sessions.len().saturating_sub(SHOWN_SESSIONS) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// The logins that were refused, for programs.
pub(crate) fn refused(fidelity: &Fidelity) -> Vec<Value> {
    let refused = |session: &SessionFidelity| {
        let cause = session.cause.as_ref().filter(|cause| cause.kind == CauseKind::RefusedLogin)?;
        let at = cause.began_at.as_ref()?;
        Some(json!({ "session": session.name, "step": at.step, "method": at.method, "path": at.path }))
    };
    fidelity.astray().filter_map(refused).collect()
}
