//! Why a session left its path, and what to do about it.
//!
//! Asked in this order: did the application answer; was a login refused; are ids made of whole seconds; is it an error; do words show that sessions
//! met; is it the clock; did another session change something at the same place. What is left is data that was not there, or no longer.

use std::collections::HashSet;

use restage_model::{
    BeganAt, Cause, CauseKind, Departure, Exchange, Run, SessionFidelity, StatePolicy, Step, Suite,
};
use restage_oracle::TextChange;
use restage_store::{Store, StoreError};

use super::credentials::{Credential, password_fields};
use super::measure::{Conditions, Pair, session_of};
use super::neighbours::{Meeting, changes_something, met};
use super::whole_seconds::is_named_after_time;

/// Further apart than this, the clock may be why: six hours, in microseconds.
const ANOTHER_TIME: i64 = 6 * 3_600 * 1_000_000;

/// A session that left its path.
pub(super) struct Astray<'a> {
    pub(super) name: &'a str,
    /// The sessions that it was replayed together with.
    pub(super) group: &'a [String],
    pub(super) steps: &'a [Step],
    /// The steps that were answered otherwise, by their places, and how; at least one.
    pub(super) departures: &'a [(usize, Departure)],
}

/// Finds out why sessions left their path.
pub(super) struct CauseFinder<'a> {
    pub(super) store: &'a Store,
    pub(super) run: &'a Run,
    pub(super) suite: &'a Suite,
    /// Whether only some of the suite's sessions were replayed.
    pub(super) is_part: bool,
    pub(super) stand_ins: &'a HashSet<u64>,
    pub(super) conditions: Conditions,
}

impl CauseFinder<'_> {
    pub(super) fn find(&self, astray: &Astray<'_>) -> Result<Cause, StoreError> {
        let Some((place, first)) = astray.departures.first() else { return Ok(self.data(None, None)) };
        if let Departure::NoAnswer { why } = first {
            return Ok(self.unanswered(why));
        }
        if self.run.as_recorded {
            return Ok(sent_as_recorded());
        }
        if let Some(cause) = self.refused(astray, *place, first)? {
            return Ok(cause);
        }
        let exchanges = astray.steps[..=*place]
            .iter()
            .map(|step| self.store.exchange(step.exchange))
            .collect::<Result<Vec<_>, _>>()?;
        if !self.conditions.grain && !self.conditions.recorded_clock && self.is_of_seconds(&exchanges)? {
            return Ok(self.whole_seconds());
        }
        let step = &astray.steps[*place];
        if first.is_error() {
            return Ok(self.error_page(astray.name, step, first));
        }
        let (asked, change) = (&exchanges[*place], self.text_change(step, &exchanges[*place])?);
        let meeting = match session_of(self.suite, astray.name) {
            Some(session) if !self.conditions.overlap => {
                met(self.store, (self.suite, astray.group), session, asked, &change)?
            }
            _ => None,
        };
        if let Some(Meeting::Shown(other)) = &meeting {
            return Ok(met_sessions(other));
        }
        if !self.conditions.recorded_clock
            && self.run.started.since(asked.at).abs() > ANOTHER_TIME
            && change.tells_other_time
        {
            return Ok(self.clock(asked));
        }
        if let Some(Meeting::AtSamePlace(other)) = &meeting {
            return Ok(met_sessions(other));
        }
        let stale = astray.steps[..=*place].iter().find_map(|step| step.stale.as_deref());
        Ok(self.data(Some(first), stale))
    }

    /// A login that was refused: the step that was answered otherwise has a password; or the user is asked for one later, and the login before
    /// was answered the same either way.
    fn refused(
        &self,
        astray: &Astray<'_>,
        place: usize,
        first: &Departure,
    ) -> Result<Option<Cause>, StoreError> {
        let asked_later = astray.departures.iter().any(|(_, departure)| departure.asks_for_login());
        let turned_away = astray.departures.iter().any(|(_, departure)| departure.turns_away());
        let fields = password_fields(self.store, &astray.steps[..=place])?;
        let mut last = None;
        for step in astray.steps[..=place].iter().rev() {
            if let Some(credential) = Credential::of(self.store, step, self.stand_ins, &fields)? {
                last = Some((step, credential));
                break;
            }
        }
        let is_first = last.as_ref().is_some_and(|(step, _)| step.at == astray.steps[place].at);
        match last {
            Some((step, credential)) if (is_first && !first.is_error()) || asked_later => {
                Ok(Some(refused_login(step, credential)))
            }
            // Who is turned away may have sent a wrong token; where a stand-in was sent before, it was rather that.
            Some((step, Credential::StandIn)) if turned_away => {
                Ok(Some(refused_login(step, Credential::StandIn)))
            }
            None if asked_later => Ok(Some(logged_in_before())),
            _ => Ok(None),
        }
    }

    /// Whether ids in a session are made of whole seconds, and something was changed.
    fn is_of_seconds(&self, exchanges: &[Exchange]) -> Result<bool, StoreError> {
        if !exchanges.iter().any(changes_something) {
            return Ok(false);
        }
        for exchange in exchanges {
            let location = exchange.response.as_ref().and_then(|r| r.headers.get("location"));
            let texts = [Some(exchange.request.uri.as_str()), location];
            if texts.into_iter().flatten().any(|text| is_named_after_time(text, exchanges)) {
                return Ok(true);
            }
            let body = self.store.body(&exchange.request.body)?;
            if is_named_after_time(&String::from_utf8_lossy(&body), exchanges) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn text_change(&self, step: &Step, exchange: &Exchange) -> Result<TextChange, StoreError> {
        let (Some(received), Some(recorded)) = (step.answer.received(), &exchange.response) else {
            return Ok(TextChange::default());
        };
        let bodies = Pair::read(self.store, step, &recorded.body, &received.body)?;
        Ok(TextChange::of(&bodies.recorded(exchange, recorded), &bodies.live(step, received)))
    }

    fn unanswered(&self, why: &str) -> Cause {
        Cause {
            kind: CauseKind::Unanswered,
            began_at: None,
            explanation: format!("the application did not answer: {why}"),
            remedy: format!(
                "`restage runs show {}` lists the steps without an answer; look at the application's log in .restage/logs",
                self.run.name
            ),
        }
    }

    fn error_page(&self, session: &str, step: &Step, departure: &Departure) -> Cause {
        let (run, number) = (&self.run.name, step.at.step + 1);
        Cause {
            kind: CauseKind::ErrorPage,
            began_at: None,
            explanation: format!("the application answered with an error: {departure}"),
            remedy: format!(
                "`restage runs show {run} --step {session}/{number}` shows the answer, and .restage/logs what the application logged; a setting or service that it had when it was recorded may be missing in [app]"
            ),
        }
    }

    fn whole_seconds(&self) -> Cause {
        Cause {
            kind: CauseKind::WholeSeconds,
            began_at: None,
            explanation:
                "the application makes ids of the time in whole seconds, and the replay did in one second what took the user several"
                    .to_owned(),
            remedy: "set grain = \"1s\" in [app] of restage.toml, or clock = \"recorded\"".to_owned(),
        }
    }

    fn clock(&self, asked: &Exchange) -> Cause {
        Cause {
            kind: CauseKind::Clock,
            began_at: None,
            explanation: format!(
                "the application's clock shows another time than when the session was recorded, {} UTC",
                asked.at
            ),
            remedy: "set clock = \"recorded\" in [app] of restage.toml: the application then sees the recorded time"
                .to_owned(),
        }
    }

    fn data(&self, departure: Option<&Departure>, stale: Option<&str>) -> Cause {
        let explanation = match (departure, stale) {
            (Some(Departure::Status { is: 404 | 410, .. }), _) => {
                "what was asked for is not in the data that the replay started from".to_owned()
            }
            (_, Some(why)) => format!(
                "the application's data is not what it was when the session was recorded: a live page did not offer what was used ({why})"
            ),
            _ => "the application's data is not what it was when the session was recorded".to_owned(),
        };
        let restored = matches!(self.run.policy, StatePolicy::Restore | StatePolicy::Augment);
        let remedy = if self.run.policy == StatePolicy::Fresh || (self.is_part && !restored) {
            "what other sessions did before it was not there: `restage replay --state augment` also replays the sessions that it needs, and `restage sessions needs` says which these are"
        } else if self.conditions.state {
            "data that was there before the recording must be in the snapshot that a replay starts from: check that [state] in restage.toml lists all that the application keeps, put the data back as it was before the recording, and save it with `restage snapshots save initial --replace`"
        } else {
            "[state] in restage.toml is empty: list there what the application keeps, so that each replay starts from the data that was there before the recording"
        };
        Cause { kind: CauseKind::Data, began_at: None, explanation, remedy: remedy.to_owned() }
    }
}

fn refused_login(step: &Step, credential: Credential) -> Cause {
    let number = step.at.step + 1;
    let path = step.sent.uri.split('?').next().unwrap_or_default();
    let (why, remedy) = match credential {
        Credential::StandIn => (
            "a stand-in was sent for the password",
            "accounts that existed before the recording need their real passwords: write them to a file, one NAME=value a line, and name it in restage.toml: [redact] secrets = { file = \"…\" }",
        ),
        Credential::Password => (
            "the data that the replay started from has no such account, or another password",
            "the snapshot that a replay starts from must have the account with this password: check [state] in restage.toml; or give the right one in [redact] secrets = { file = \"…\" }",
        ),
    };
    Cause {
        kind: CauseKind::RefusedLogin,
        explanation: format!("the login at step {number}, {} {path}, was refused: {why}", step.sent.method),
        began_at: Some(BeganAt { step: number, method: step.sent.method.clone(), path: path.to_owned() }),
        remedy: remedy.to_owned(),
    }
}

fn logged_in_before() -> Cause {
    Cause {
        kind: CauseKind::LoggedInBefore,
        began_at: None,
        explanation: "the user had logged in before the recording began, so that no login is replayed".to_owned(),
        remedy: "record the session again from the login on, for example in a private window of the browser; or list in [state] where the application keeps its sessions"
            .to_owned(),
    }
}

fn met_sessions(other: &str) -> Cause {
    Cause {
        kind: CauseKind::MetSessions,
        began_at: None,
        explanation: format!("it was recorded while session {other} changed something, and is replayed apart from it"),
        remedy: "`restage baseline` replays such sessions together where more steps are as recorded then; groups in [replay] of restage.toml names sessions that are replayed together in any case".to_owned(),
    }
}

fn sent_as_recorded() -> Cause {
    Cause {
        kind: CauseKind::SentAsRecorded,
        began_at: None,
        explanation: "requests were sent as recorded, with cookies, tokens and ids that the live application does not know".to_owned(),
        remedy: "replay without --as-recorded".to_owned(),
    }
}

/// Whether what a session did not get to do is missing for a reason of its own.
pub(super) fn is_root(session: &SessionFidelity) -> bool {
    let own = |kind| !matches!(kind, CauseKind::Data | CauseKind::Clock | CauseKind::MetSessions);
    session.cause.as_ref().is_some_and(|cause| own(cause.kind))
}

/// Data that is missing after another session left its path is most likely what that one did not get to do.
pub(super) fn follow_from(before: &SessionFidelity, cause: &mut Cause) {
    let name = &before.name;
    cause.explanation =
        format!("session {name} left its path before this one, so that what it did then is not in the data");
    cause.remedy = format!("the remedy for {name}");
}
