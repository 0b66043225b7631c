//! The sessions that come of a session.

use restage_model::{NewSession, NewStep, Session, SessionPart};

use crate::live::Planned;
use crate::old::OldSession;
use crate::search::{Chosen, SecondHalf};

/// The sessions that come of a session.
pub(crate) fn new_sessions(
    old: &OldSession,
    first: &[Chosen],
    second: Option<(&SecondHalf, &[Chosen])>,
) -> Vec<NewSession> {
    let steps = |chosen: &[Chosen]| chosen.iter().flat_map(|chosen| chosen.steps.clone()).collect();
    let mut sessions = vec![session(old, &old.session.name, steps(first))];
    if let Some((half, chosen)) = second {
        let mut all: Vec<Planned> = half.login.clone();
        all.extend::<Vec<Planned>>(steps(chosen));
        let mut second = session(old, &format!("{}.2", old.session.name), all);
        second.from = old.steps[half.at].exchange.at;
        second.left_out.clear();
        sessions[0].to = old.steps[half.at - 1].exchange.at;
        sessions.push(second);
    }
    sessions.retain(|session| !session.steps.is_empty());
    sessions
}

fn session(old: &OldSession, name: &str, steps: Vec<Planned>) -> NewSession {
    let Session { by, client, from, to, left_out, fresh, .. } = old.session.clone();
    let joined = parts(&old.session, &steps);
    let steps: Vec<NewStep> = steps.into_iter().map(|planned| planned.step).collect();
    NewSession { name: name.to_owned(), by, client, from, to, steps, left_out, joined, fresh }
}

/// The sessions that a session was joined from, with as many steps as they have now. What was put in belongs to what comes before it.
fn parts(session: &Session, steps: &[Planned]) -> Vec<SessionPart> {
    let mut parts: Vec<SessionPart> =
        session.joined.iter().map(|part| SessionPart { steps: 0, ..part.clone() }).collect();
    if parts.is_empty() {
        return parts;
    }
    let mut latest = 0;
    for step in steps {
        if let Some(of) = step.of {
            latest = session.part_of(of).min(parts.len() - 1);
        }
        parts[latest].steps += 1;
    }
    parts
}
