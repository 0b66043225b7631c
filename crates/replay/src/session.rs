//! One session, step by step, as a browser would.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use restage_model::{Exchange, Headers, SetCookie, Step, StepAt};
use restage_store::ReplayedStep;

use crate::ahead::Recorded;
use crate::client::Client;
use crate::error::ReplayError;
use crate::jar::Jar;
use crate::pace::Pace;
use crate::request::{live_request, recorded_request};
use crate::visit::Visit;

/// Cookies of earlier sessions of this run: what was recorded, and what the live server gave instead.
pub(crate) type Carried = HashMap<(String, String), String>;

/// What a session is replayed with.
pub(crate) struct SessionReplay<'a> {
    /// The session's steps, as recorded.
    pub(crate) steps: Vec<Arc<Recorded>>,
    pub(crate) client: &'a mut Client,
    pub(crate) ordinal: u32,
    /// The trusted run's steps of this session, where there is one.
    pub(crate) reference: &'a HashMap<StepAt, Step>,
    pub(crate) carried: &'a mut Carried,
    pub(crate) pace: &'a mut Pace,
    /// Send what was recorded, and nothing of what the live application offers.
    pub(crate) as_recorded: bool,
}

impl SessionReplay<'_> {
    /// Replays the session. `each` takes every step; an error of it ends the session.
    pub(crate) async fn run(
        mut self,
        each: &mut dyn FnMut(ReplayedStep) -> Result<(), ReplayError>,
    ) -> Result<(), ReplayError> {
        let mut jar = Jar::default();
        let mut visits: Vec<Visit> = Vec::new();
        for (number, recorded) in std::mem::take(&mut self.steps).into_iter().enumerate() {
            let exchange = &recorded.exchange;
            let at = StepAt { session: self.ordinal, step: number as u32 };
            let before = self.cookie_before(at, exchange.request.headers.get("cookie"));
            let (prepared, headers) = if self.as_recorded {
                recorded_request(&recorded)
            } else {
                live_request(&recorded, &visits, &jar, before.as_deref())
            };
            self.pace.wait(exchange).await;
            let begun = Instant::now();
            let answer = if exchange.request.body.cut {
                let size = exchange.request.body.size;
                Err(format!("not sent: only the first part of its {size} bytes was recorded"))
            } else {
                self.client.send(&exchange.request.method, &prepared.uri, &headers, &prepared.body).await
            };
            let took = begun.elapsed().as_micros() as u64;
            self.pace.note(exchange);
            let answer = answer.map(|(status, headers, body)| (status, headers, Arc::new(body)));
            if let Some(headers) = recorded.answered() {
                jar.note_recorded(headers);
            }
            if let Ok((_, headers, _)) = &answer {
                jar.receive(&prepared.uri, headers);
                self.carry(exchange, headers);
            }
            let (id, method) = (exchange.id, exchange.request.method.clone());
            visits.push(Visit::new(number + 1, recorded, &prepared.uri, answer.as_ref().ok().cloned()));
            each(ReplayedStep {
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
            })?;
        }
        Ok(())
    }

    /// The cookies a browser had from earlier sessions: as the trusted run sent them, or as earlier
    /// sessions of this run were given them.
    fn cookie_before(&self, at: StepAt, recorded: Option<&str>) -> Option<String> {
        if let Some(step) = self.reference.get(&at) {
            return step.sent.headers.get("cookie").map(str::to_owned);
        }
        let pairs = restage_model::cookie_pairs(recorded?).map(|(name, value)| {
            let live = self.carried.get(&(name.to_owned(), value.to_owned()));
            format!("{name}={}", live.map_or(value, String::as_str))
        });
        Some(pairs.collect::<Vec<_>>().join("; "))
    }

    fn carry(&mut self, exchange: &Exchange, live: &Headers) {
        let Some(response) = &exchange.response else { return };
        let live: Vec<SetCookie> = live.all("set-cookie").filter_map(SetCookie::parse).collect();
        for recorded in response.headers.all("set-cookie").filter_map(SetCookie::parse) {
            if let Some(live) = live.iter().find(|c| c.name == recorded.name) {
                self.carried.insert((recorded.name, recorded.value), live.value.clone());
            }
        }
    }
}
