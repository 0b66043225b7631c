//! One session, step by step, as a browser would.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use restage_model::{Exchange, Headers, SetCookie, StepAt};
use restage_store::ReplayedStep;

use crate::ahead::{Recorded, RecordedSteps};
use crate::client::{Client, NoAnswer, Response};
use crate::jar::Jar;
use crate::live::Prepared;
use crate::plan::Plan;
use crate::request::{live_request, recorded_request};
use crate::visit::{Visit, visited};

/// Cookies of earlier sessions of this run: what was recorded, and what the live server gave instead.
pub(crate) type Carried = HashMap<(String, String), String>;

/// A session on its way: what is still to be sent, and what the live application gave so far.
pub(crate) struct SessionReplay<'a> {
    plan: &'a Plan<'a>,
    ordinal: u32,
    /// The session's steps, as recorded.
    steps: RecordedSteps,
    /// How many of them are over.
    done: usize,
    jar: Jar,
    visits: Vec<Visit>,
}

/// A request about to be sent.
pub(crate) struct Outgoing {
    at: StepAt,
    pub(crate) recorded: Arc<Recorded>,
    prepared: Prepared,
    headers: Headers,
}

/// What came of a request: the response or why there is none, and after how many microseconds.
pub(crate) type Outcome = (Result<Response, NoAnswer>, u64);

impl Outgoing {
    /// Sends it and reads its response to the end.
    pub(crate) async fn send(&self, client: &mut Client) -> Outcome {
        let (begun, request) = (Instant::now(), &self.recorded.exchange.request);
        let answer = if request.body.cut {
            let why =
                format!("not sent: only the first part of its {} bytes was recorded", request.body.size);
            Err(NoAnswer::from(why))
        } else {
            client.send(&request.method, &self.prepared.uri, &self.headers, &self.prepared.body).await
        };
        (answer, begun.elapsed().as_micros() as u64)
    }
}

impl<'a> SessionReplay<'a> {
    /// A session that begins.
    pub(crate) fn new(plan: &'a Plan<'a>, ordinal: u32, steps: RecordedSteps) -> Self {
        Self { plan, ordinal, steps, done: 0, jar: Jar::default(), visits: Vec::new() }
    }

    /// The next request, as the live application would have the browser send it; none where all are sent.
    pub(crate) fn next(&self) -> Option<Outgoing> {
        let recorded = self.steps.get(self.done)?.clone();
        let at = StepAt { session: self.ordinal, step: self.done as u32 };
        let (prepared, headers) = if self.plan.replay.as_recorded {
            recorded_request(&recorded)
        } else {
            let before = self.cookie_before(at, recorded.exchange.request.headers.get("cookie"));
            live_request(&recorded, &self.visits, &self.jar, before.as_deref())
        };
        Some(Outgoing { at, recorded, prepared, headers })
    }

    /// Whether all its steps are over.
    pub(crate) fn is_over(&self) -> bool {
        self.done == self.steps.len()
    }

    /// Takes what came of the request; the step that it makes.
    pub(crate) fn receive(&mut self, outgoing: Outgoing, (answer, took): Outcome) -> ReplayedStep {
        let Outgoing { at, recorded, prepared, headers } = outgoing;
        let exchange = &recorded.exchange;
        let answer = match answer {
            Ok((status, headers, body)) => Ok((status, headers, Arc::new(body))),
            Err(no_answer) => Err(no_answer.why),
        };
        if let Some(headers) = recorded.answered() {
            self.jar.note_recorded(headers);
        }
        if let Ok((_, headers, _)) = &answer {
            self.jar.receive(&prepared.uri, headers);
            self.carry(exchange, headers);
        }
        self.done += 1;
        let (id, method) = (exchange.id, exchange.request.method.clone());
        let live = answer.as_ref().ok().cloned();
        visited(&mut self.visits, Visit::new(self.done, recorded, &prepared.uri, live));
        ReplayedStep {
            at,
            exchange: id,
            method,
            uri: prepared.uri,
            headers,
            body: prepared.body,
            answer,
            substitutions: prepared.substitutions,
            stale: prepared.stale,
            took,
        }
    }

    /// Ends the session early: the steps that are left, as not sent.
    pub(crate) fn give_up(&mut self, why: &str) -> Vec<ReplayedStep> {
        let left = self.done..self.steps.len();
        self.done = self.steps.len();
        left.map(|number| {
            let at = StepAt { session: self.ordinal, step: number as u32 };
            let exchange = &self.steps[number].exchange;
            // Where it would have gone is not known: as the trusted run sent it, it shows no difference of its own.
            let trusted = self.plan.reference.get(&at).map(|step| &step.uri);
            ReplayedStep {
                at,
                exchange: exchange.id,
                method: exchange.request.method.clone(),
                uri: trusted.unwrap_or(&exchange.request.uri).clone(),
                headers: Headers::new(),
                body: Vec::new(),
                answer: Err(format!("not sent: {why}")),
                substitutions: Vec::new(),
                stale: None,
                took: 0,
            }
        })
        .collect()
    }

    /// The cookies a browser had from earlier sessions: as the trusted run sent them, or as earlier
    /// sessions of this run were given them.
    fn cookie_before(&self, at: StepAt, recorded: Option<&str>) -> Option<String> {
        if let Some(step) = self.plan.reference.get(&at) {
            return step.cookie.as_deref().map(|cookie| self.plan.secrecy.reveal_field(cookie));
        }
        let carried = self.plan.carried();
        let pairs = restage_model::cookie_pairs(recorded?).map(|(name, value)| {
            let live = carried.get(&(name.to_owned(), value.to_owned()));
            format!("{name}={}", live.map_or(value, String::as_str))
        });
        Some(pairs.collect::<Vec<_>>().join("; "))
    }

    fn carry(&self, exchange: &Exchange, live: &Headers) {
        let Some(response) = &exchange.response else { return };
        let live: Vec<SetCookie> = SetCookie::all(live).collect();
        if live.is_empty() {
            return;
        }
        let mut carried = self.plan.carried();
        for recorded in SetCookie::all(&response.headers) {
            if let Some(live) = live.iter().find(|c| c.name == recorded.name) {
                carried.insert((recorded.name, recorded.value), live.value.clone());
            }
        }
    }
}
