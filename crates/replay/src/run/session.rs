//! One session, step by step, as a browser would.

use std::sync::Arc;
use std::time::Instant;

use restage_model::{Exchange, Headers, SetCookie, StepAt};
use restage_store::ReplayedStep;

use crate::facts::HEADER;
use crate::live::Prepared;
use crate::live::SessionCookies;
use crate::live::{Recorded, RecordedSteps};
use crate::live::{Visit, visited};
use crate::live::{live_request, recorded_request};
use crate::run::context::SessionContext;
use restage_app::RequestResult;
use restage_browser::{Client, CookieJar, Fetched, NoAnswer};

/// A session on its way: what is still to be sent, and what the live application gave so far.
pub(crate) struct SessionReplay {
    context: Arc<SessionContext>,
    ordinal: u32,
    /// The session's steps, as recorded.
    steps: RecordedSteps,
    /// How many of them are over.
    done: usize,
    cookies: SessionCookies,
    visits: Vec<Visit>,
}

/// A request about to be sent.
pub(crate) struct Outgoing {
    at: StepAt,
    pub(crate) recorded: Arc<Recorded>,
    prepared: Prepared,
    headers: Headers,
    /// By what name a probe knows it. It is sent, and no part of what is stored.
    mark: Option<String>,
}

/// What came of a request.
pub(crate) struct Outcome {
    /// The response, or why there is none.
    answer: Result<Fetched, NoAnswer>,
    /// After how many microseconds.
    took: u64,
}

impl Outcome {
    /// Whether there is no answer.
    pub(crate) fn is_failed(&self) -> bool {
        self.answer.is_err()
    }

    /// The same, as far as the app's health goes.
    pub(crate) fn result(&self) -> RequestResult {
        match &self.answer {
            Ok(_) => RequestResult::Answered,
            Err(no_answer) if no_answer.timed_out => RequestResult::TimedOut,
            Err(_) => RequestResult::Failed,
        }
    }
}

impl Outgoing {
    /// By what name a probe knows it.
    pub(crate) fn mark(&self) -> Option<&str> {
        self.mark.as_deref()
    }

    /// Why the live application does not offer what it uses, where it does not.
    pub(crate) fn stale(&self) -> Option<&str> {
        self.prepared.stale.as_deref()
    }

    /// Sends it and reads its response to the end.
    pub(crate) async fn send(&self, client: &mut Client) -> Outcome {
        let (begun, request) = (Instant::now(), &self.recorded.exchange.request);
        let answer = if request.body.cut {
            let why =
                format!("not sent: only the first part of its {} bytes was recorded", request.body.size);
            Err(NoAnswer::from(why))
        } else {
            let marked = self.mark.as_ref().map(|mark| {
                let mut headers = self.headers.clone();
                headers.set(HEADER, mark.clone());
                headers
            });
            let headers = marked.as_ref().unwrap_or(&self.headers);
            client.send(&request.method, &self.prepared.uri, headers, &self.prepared.body).await
        };
        Outcome { answer, took: begun.elapsed().as_micros() as u64 }
    }
}

impl SessionReplay {
    /// A session that begins.
    pub(crate) fn new(context: Arc<SessionContext>, ordinal: u32, steps: RecordedSteps) -> Self {
        Self { context, ordinal, steps, done: 0, cookies: SessionCookies::default(), visits: Vec::new() }
    }

    /// Adds a step at its end.
    pub(crate) fn push(&mut self, step: Arc<Recorded>) {
        self.steps.push(step);
    }

    /// Takes back the last step, where it was not sent yet.
    pub(crate) fn take_back(&mut self) {
        if self.steps.len() > self.done {
            self.steps.pop();
        }
    }

    /// Goes on with these cookies in place of those that there are.
    pub(crate) fn set_cookies(&mut self, live: CookieJar) {
        self.cookies.replace(live);
    }

    /// Cookies of these names are the server's: what was recorded of them is never sent.
    pub(crate) fn note_set_by_server<'n>(&mut self, names: impl IntoIterator<Item = &'n String>) {
        self.cookies.note_names(names);
    }

    /// Takes a live answer for that to a recorded request, which was not sent here.
    pub(crate) fn adopt(&mut self, recorded: Arc<Recorded>, uri: &str, live: (u16, Headers, Arc<Vec<u8>>)) {
        self.steps.truncate(self.done);
        self.steps.push(recorded.clone());
        self.done += 1;
        visited(&mut self.visits, Visit::new(self.done, recorded, uri, Some(live)));
    }

    /// The next request, as the live application would have the browser send it; none where all are sent.
    pub(crate) fn next(&self) -> Option<Outgoing> {
        let recorded = self.steps.get(self.done)?.clone();
        let at = StepAt { session: self.ordinal, step: self.done as u32 };
        let (prepared, headers) = if self.context.as_recorded {
            recorded_request(&recorded)
        } else {
            let before = self.cookie_before(at, recorded.exchange.request.headers.get("cookie"));
            live_request(&recorded, &self.visits, &self.cookies, before.as_deref())
        };
        let mark = self.context.marks.as_ref().map(|marks| marks.mark(at));
        Some(Outgoing { at, recorded, prepared, headers, mark })
    }

    /// The cookies that the live server gave so far.
    pub(crate) fn cookies(&self) -> &CookieJar {
        self.cookies.live()
    }

    /// Whether all its steps are over.
    pub(crate) fn is_over(&self) -> bool {
        self.done == self.steps.len()
    }

    /// Takes what came of the request; the step that it makes.
    pub(crate) fn receive(&mut self, outgoing: Outgoing, Outcome { answer, took }: Outcome) -> ReplayedStep {
        let Outgoing { at, recorded, prepared, headers, .. } = outgoing;
        let exchange = &recorded.exchange;
        let answer = match answer {
            Ok(Fetched { status, headers, body }) => Ok((status, headers, Arc::new(body))),
            Err(no_answer) => Err(no_answer.why),
        };
        if let Some(headers) = recorded.answered() {
            self.cookies.note_recorded(headers);
        }
        if let Ok((_, headers, _)) = &answer {
            self.cookies.receive(&prepared.uri, headers);
            self.note_cookies(exchange, headers);
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
            let trusted = self.context.reference.get(&at).map(|step| &step.uri);
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
        if let Some(step) = self.context.reference.get(&at) {
            return step.cookie.as_deref().map(|cookie| self.context.secrecy.reveal_field(cookie));
        }
        let earlier = self.context.earlier_cookies();
        let pairs = restage_model::cookie_pairs(recorded?).map(|(name, value)| {
            let live = earlier.get(&(name.to_owned(), value.to_owned()));
            format!("{name}={}", live.map_or(value, String::as_str))
        });
        Some(pairs.collect::<Vec<_>>().join("; "))
    }

    /// Notes what the live server gave in place of a recorded cookie, for the sessions after this one.
    fn note_cookies(&self, exchange: &Exchange, live: &Headers) {
        let Some(response) = &exchange.response else { return };
        let live: Vec<SetCookie> = SetCookie::all(live).collect();
        if live.is_empty() {
            return;
        }
        let mut earlier = self.context.earlier_cookies();
        for recorded in SetCookie::all(&response.headers) {
            if let Some(live) = live.iter().find(|c| c.name == recorded.name) {
                earlier.insert((recorded.name, recorded.value), live.value.clone());
            }
        }
    }
}
