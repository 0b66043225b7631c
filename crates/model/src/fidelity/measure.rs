//! The measure of a run and of its sessions.

use serde::{Deserialize, Serialize};

use crate::{Cause, Departure};

/// How many steps of a run were answered as when they were recorded. Steps that nobody recorded, and those without a recorded answer,
/// do not count.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Fidelity {
    /// How many steps can be compared with a recorded answer.
    pub steps: usize,
    /// How many of them were answered as recorded.
    pub as_recorded: usize,
    /// The same of each session, in order.
    pub sessions: Vec<SessionFidelity>,
}

/// How many steps of a session were answered as when they were recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionFidelity {
    /// The session's name.
    pub name: String,
    /// How many steps can be compared with a recorded answer.
    pub steps: usize,
    /// How many of them were answered as recorded.
    pub as_recorded: usize,
    /// Where it left its path, where it did.
    pub left_at: Option<LeftAt>,
    /// Why, most likely.
    #[serde(flatten)]
    pub cause: Option<Cause>,
    /// The steps that were answered otherwise, from 1.
    pub differing: Vec<u32>,
}

/// The first step of a session that was answered otherwise than recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftAt {
    /// The step, from 1.
    pub step: u32,
    /// What was asked: `POST`.
    pub method: String,
    /// For what, without its query.
    pub path: String,
    /// What of the answer differs.
    #[serde(flatten)]
    pub departure: Departure,
    /// The same in words.
    pub says: String,
}

impl LeftAt {
    /// At a step, counted from 1.
    pub fn new(step: u32, method: &str, uri: &str, departure: Departure) -> Self {
        let path = uri.split('?').next().unwrap_or_default().to_owned();
        Self { step, method: method.to_owned(), path, says: departure.to_string(), departure }
    }

    /// `step 2, POST /login`.
    pub fn place(&self) -> String {
        format!("step {}, {} {}", self.step, self.method, self.path)
    }
}

impl Fidelity {
    /// Of these sessions.
    pub fn of(sessions: Vec<SessionFidelity>) -> Self {
        Self {
            steps: sessions.iter().map(|session| session.steps).sum(),
            as_recorded: sessions.iter().map(|session| session.as_recorded).sum(),
            sessions,
        }
    }

    /// Whether every step was answered as recorded.
    pub fn is_whole(&self) -> bool {
        self.as_recorded == self.steps
    }

    /// The sessions that left their path.
    pub fn astray(&self) -> impl Iterator<Item = &SessionFidelity> {
        self.sessions.iter().filter(|session| session.left_at.is_some())
    }

    /// A session's measure.
    pub fn session(&self, name: &str) -> Option<&SessionFidelity> {
        self.sessions.iter().find(|session| session.name == name)
    }

    /// The share of steps that were answered as recorded, in per cent; 100 is said of all alone.
    pub fn percent(&self) -> usize {
        match self.steps {
            0 => 100,
            steps => self.as_recorded * 100 / steps,
        }
    }
}

impl SessionFidelity {
    /// Whether a step, counted from 1, was answered otherwise.
    pub fn differs_at(&self, step: u32) -> bool {
        self.differing.binary_search(&step).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BeganAt, CauseKind};

    /// Catches: a departure whose fields have the names of those around it, and a change of what stores and programs read.
    #[test]
    fn every_measure_reads_back() {
        let text = || "x".to_owned();
        let departures = [
            Departure::NoAnswer { why: text() },
            Departure::Status { was: 200, is: 500 },
            Departure::Redirect { was: Some(text()), is: None },
            Departure::ContentType { was: text(), is: text() },
            Departure::ServerError { message: text() },
            Departure::LoginForm,
            Departure::Title { was: text(), is: text() },
            Departure::Heading { was: text() },
            Departure::Form { was: text() },
            Departure::Entries { of: text(), was: 2, is: 0 },
            Departure::Member { member: text() },
            Departure::Flag { member: text(), is: false },
            Departure::ErrorMember { member: text() },
            Departure::Words { of: 9, missing: vec![text()], lost: 4, added: Vec::new() },
            Departure::Empty,
        ];
        for departure in departures {
            let session = SessionFidelity {
                name: "s7".to_owned(),
                steps: 3,
                as_recorded: 1,
                left_at: Some(LeftAt::new(2, "POST", "/login?next=/", departure)),
                cause: Some(Cause {
                    kind: CauseKind::RefusedLogin,
                    began_at: Some(BeganAt { step: 2, method: "POST".to_owned(), path: "/login".to_owned() }),
                    explanation: text(),
                    remedy: text(),
                }),
                differing: vec![2, 3],
            };
            let json = serde_json::to_string(&session).unwrap();
            assert_eq!(serde_json::from_str::<SessionFidelity>(&json).unwrap(), session, "{json}");
        }
        let faithful =
            SessionFidelity { name: "s1".to_owned(), steps: 2, as_recorded: 2, ..Default::default() };
        let json = r#"{"name":"s1","steps":2,"as_recorded":2,"left_at":null,"differing":[]}"#;
        assert_eq!(serde_json::to_string(&faithful).unwrap(), json);
        assert_eq!(serde_json::from_str::<SessionFidelity>(json).unwrap(), faithful);
        assert_eq!(Fidelity::of(vec![faithful]).percent(), 100);
    }
}
