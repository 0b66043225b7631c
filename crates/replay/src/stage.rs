//! An app with its state, for those who do not replay a suite: requests are sent one by one, and what comes back decides on the next.
//!
//! The spider, the generator and the repair work on it. The state is put aside before the app starts, and put back when all is over,
//! whatever happened meanwhile; a process that is killed leaves it to the next command, as a replay does.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use restage_app::{AppSpec, Launch, Restart, Supervisor};
use restage_browser::{Client, CookieJar, Fetched, NoAnswer};
use restage_model::{BodyRef, Exchange, ExchangeId, Headers, Moment, NewRequest, NewStep, Origin, Request};
use restage_state::State;
use restage_store::{ReplayedStep, Store, StoreError};
use tokio::runtime::Runtime;

use crate::error::ReplayError;
use crate::live::{Recorded, RecordedSteps};
use crate::run::{ASIDE, Pace, Phase, Project, SessionContext, SessionReplay, ensure_initial, put_back};

/// An app with its state.
pub struct Stage<'p> {
    project: &'p mut Project,
    /// What its snapshots are named after.
    name: String,
    supervisor: Supervisor,
    client: Option<Client>,
    pace: Pace,
    runtime: Runtime,
    /// Reads recorded answers, where they are looked into.
    later: Arc<Mutex<Store>>,
    /// The snapshots that it made, which go when it is over.
    made: Vec<String>,
    /// When nothing is waited for any more.
    deadline: Option<Instant>,
}

/// A session on its way on a stage: its steps are sent one by one.
pub struct StagedSession {
    replay: SessionReplay,
}

impl StagedSession {
    /// The cookies that the live server gave so far.
    pub fn cookies(&self) -> &CookieJar {
        self.replay.cookies()
    }

    /// Goes on with these cookies: what was sent besides its steps may have brought others.
    pub fn set_cookies(&mut self, cookies: &CookieJar) {
        self.replay.set_cookies(cookies.clone());
    }

    /// Whether all its steps are over.
    pub fn is_over(&self) -> bool {
        self.replay.is_over()
    }
}

/// Does some work on an app and its state; afterwards the app is stopped, and the state is as it was. `name` is what the user is told
/// of, should the process be killed meanwhile.
pub fn on_stage<T, E: From<ReplayError>>(
    project: &mut Project,
    app: &AppSpec,
    name: &str,
    work: impl FnOnce(&mut Stage<'_>) -> Result<T, E>,
) -> Result<T, E> {
    project.phase.set(Phase::Saving);
    let aside = put_aside(project, name)?;
    project.phase.set(Phase::Replaying);
    let result = match Stage::open(project, app, name) {
        Ok(mut stage) => {
            let result = work(&mut stage);
            stage.close();
            result
        }
        Err(error) => Err(error.into()),
    };
    project.phase.set(Phase::Restoring);
    let back = aside.map_or(Ok(()), |aside| put_back(project, &aside));
    project.phase.set(Phase::Before);
    match (result, back) {
        (result, Ok(())) => result,
        // That the user's own data is not as it was comes before anything else.
        (_, Err(error)) => Err(error.into()),
    }
}

fn put_aside(project: &mut Project, name: &str) -> Result<Option<String>, ReplayError> {
    let Some(state) = &mut project.state else { return Ok(None) };
    let name = format!("{ASIDE}{name}");
    state.replace(&name)?;
    state.snapshot_store().sync()?;
    Ok(Some(name))
}

impl<'p> Stage<'p> {
    fn open(project: &'p mut Project, app: &AppSpec, name: &str) -> Result<Self, ReplayError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let later = Arc::new(Mutex::new(Store::open(&project.store_path)?));
        Ok(Self {
            pace: Pace::of(app, None)?,
            project,
            name: name.to_owned(),
            supervisor: Supervisor::new(app.clone(), Launch::default()),
            client: None,
            runtime,
            later,
            made: Vec::new(),
            deadline: None,
        })
    }

    /// The store.
    pub fn store(&mut self) -> &mut Store {
        &mut self.project.store
    }

    /// The application's state, where it is configured.
    pub fn state(&mut self) -> Option<&mut State> {
        self.project.state.as_mut()
    }

    /// Whether the state can be saved and restored.
    pub fn has_state(&self) -> bool {
        self.project.state.is_some()
    }

    /// Whether the user wants to stop.
    pub fn is_stopped(&self) -> bool {
        self.project.stop.load(Ordering::Relaxed)
    }

    /// Saves the state as it is now, once the app is idle, under a name of the stage's own; nothing where there is none.
    pub fn save(&mut self, name: &str) -> Result<(), ReplayError> {
        self.wait_until_idle();
        let name = format!("{}/{name}", self.name);
        if let Some(state) = &mut self.project.state {
            state.replace(&name)?;
            self.made.push(name);
        }
        Ok(())
    }

    /// Restores what the stage saved under this name.
    pub fn restore(&mut self, name: &str) -> Result<(), ReplayError> {
        self.restore_snapshot(&format!("{}/{name}", self.name))
    }

    /// Restores any snapshot: that before a session of a baseline, say.
    pub fn restore_snapshot(&mut self, snapshot: &str) -> Result<(), ReplayError> {
        if self.project.state.is_none() {
            return Ok(());
        }
        if self.supervisor.spec().restart == Restart::EachSession {
            self.supervisor.stop("the app was stopped before its data was restored");
            self.client = None;
        }
        self.wait_until_idle();
        if let Some(state) = &mut self.project.state {
            state.restore(snapshot)?;
        }
        Ok(())
    }

    /// Restores the state before the first recorded session; that which is there now counts as it where none was saved.
    pub fn restore_initial(&mut self) -> Result<(), ReplayError> {
        if let Some(state) = &mut self.project.state {
            ensure_initial(state)?;
        }
        self.restore_snapshot(crate::run::INITIAL)
    }

    /// Restores the state as it was found.
    pub fn restore_start(&mut self) -> Result<(), ReplayError> {
        let aside = format!("{ASIDE}{}", self.name);
        self.restore_snapshot(&aside)
    }

    /// Sends a request with these header fields, secrets put in place of what stands for them, and reads its answer to the end. An app
    /// that has ended is started again first.
    pub fn send(
        &mut self,
        method: &str,
        uri: &str,
        headers: &Headers,
        body: &[u8],
    ) -> Result<Result<Fetched, NoAnswer>, ReplayError> {
        self.make_ready()?;
        let Some(client) = &mut self.client else { return Ok(Err(NoAnswer::from("no app".to_owned()))) };
        let secrecy = &self.project.secrecy;
        let (uri, body) = (secrecy.reveal_field(uri), secrecy.reveal_body(body.to_vec()));
        let mut headers = headers.clone();
        if method != "GET" {
            // A secret need not be as long as what stands for it.
            headers.set("content-length", body.len().to_string());
        }
        let sending = client.send(method, &uri, &headers, &body);
        let answer = match self.deadline {
            Some(deadline) => self.runtime.block_on(async {
                tokio::time::timeout_at(deadline.into(), sending).await.unwrap_or_else(|_| {
                    Err(NoAnswer { why: "the time for all of it was over".to_owned(), timed_out: true })
                })
            }),
            None => self.runtime.block_on(sending),
        };
        if answer.as_ref().is_err_and(|why| why.timed_out) {
            // Half an answer may still come over it.
            self.client = None;
        }
        self.look_after_app(answer.is_err());
        Ok(answer)
    }

    /// Answers to single requests are waited for until then at the longest, whatever the app's own limit is.
    pub fn answer_by(&mut self, deadline: Instant) {
        self.deadline = Some(deadline);
    }

    /// Begins a session of these steps. They need not be stored; of those that are not, nothing is stored.
    pub fn begin(&mut self, steps: &[NewStep]) -> Result<StagedSession, ReplayError> {
        let steps: RecordedSteps = steps.iter().map(|step| self.read(step)).collect::<Result<_, _>>()?;
        let context = SessionContext::new(false, self.project.secrecy.clone());
        self.pace.begin();
        Ok(StagedSession { replay: SessionReplay::new(Arc::new(context), 0, steps) })
    }

    /// Begins a session in the middle, with the cookies that a browser has by now. Cookies of the names that are the server's are sent
    /// as the live server gave them, and else not at all.
    pub fn begin_with(&mut self, cookies: &CookieJar, of_server: &BTreeSet<String>) -> StagedSession {
        let context = SessionContext::new(false, self.project.secrecy.clone());
        self.pace.begin();
        let mut replay = SessionReplay::new(Arc::new(context), 0, Vec::new());
        replay.set_cookies(cookies.clone());
        replay.note_set_by_server(of_server);
        StagedSession { replay }
    }

    /// Takes the live answer for an address as that to a recorded request: the steps after it find there what the recorded ones found
    /// in the recorded answer. Nothing is sent.
    pub fn adopt(
        &mut self,
        session: &mut StagedSession,
        recorded: ExchangeId,
        uri: &str,
        answer: &Fetched,
    ) -> Result<(), ReplayError> {
        let recorded = self.read(&NewStep::Stored(recorded))?;
        let live = (answer.status, answer.headers.clone(), Arc::new(answer.body.clone()));
        session.replay.adopt(recorded, uri, live);
        Ok(())
    }

    /// Sends a recorded request as the next of a session, with live values, from a browser that has these header fields; none where the
    /// live application does not offer what it uses.
    pub fn send_recorded(
        &mut self,
        session: &mut StagedSession,
        recorded: ExchangeId,
        browser: &Headers,
    ) -> Result<Result<ReplayedStep, String>, ReplayError> {
        let mut exchange = self.project.store.exchange(recorded)?;
        for (name, value) in browser.iter() {
            exchange.request.headers.set(name, value);
        }
        let recorded = Recorded::read(&self.project.store, exchange, &self.later, &self.project.secrecy)?;
        session.replay.push(Arc::new(recorded));
        let Some(outgoing) = session.replay.next() else { return Ok(Err("nothing is left".to_owned())) };
        if let Some(why) = outgoing.stale() {
            let why = why.to_owned();
            session.replay.take_back();
            return Ok(Err(why));
        }
        self.make_ready()?;
        let Some(client) = &mut self.client else { return Ok(Err("there is no app".to_owned())) };
        let deadline = self.deadline;
        let outcome = self.runtime.block_on(async {
            match deadline {
                Some(deadline) => tokio::time::timeout_at(deadline.into(), outgoing.send(client)).await.ok(),
                None => Some(outgoing.send(client).await),
            }
        });
        let Some(outcome) = outcome else {
            // Half an answer may still come over it.
            self.client = None;
            session.replay.take_back();
            return Ok(Err("the time for all of it was over".to_owned()));
        };
        let failed = outcome.is_failed();
        let step = session.replay.receive(outgoing, outcome);
        self.look_after_app(failed);
        Ok(Ok(step))
    }

    /// Adds a step at the end of a session: what came back so far decides on it.
    pub fn add(&mut self, session: &mut StagedSession, step: &NewStep) -> Result<(), ReplayError> {
        let step = self.read(step)?;
        session.replay.push(step);
        Ok(())
    }

    /// Takes back the step that was added last, where it was not sent yet.
    pub fn take_back(&self, session: &mut StagedSession) {
        session.replay.take_back();
    }

    /// Why the live application does not offer what the next step of a session uses, before that is sent; none where it does.
    pub fn is_stale(&self, session: &StagedSession) -> Option<String> {
        session.replay.next().and_then(|next| next.stale().map(str::to_owned))
    }

    /// Sends the next step of a session, with live values; none where all are sent.
    pub fn step(&mut self, session: &mut StagedSession) -> Result<Option<ReplayedStep>, ReplayError> {
        if self.is_stopped() {
            return Err(ReplayError::Interrupted);
        }
        let Some(outgoing) = session.replay.next() else { return Ok(None) };
        self.make_ready()?;
        let Some(client) = &mut self.client else { return Ok(None) };
        let (pace, exchange) = (&mut self.pace, &outgoing.recorded.clone().exchange);
        let outcome = self.runtime.block_on(async {
            pace.wait(exchange).await?;
            let outcome = outgoing.send(client).await;
            pace.note(exchange);
            Ok::<_, ReplayError>(outcome)
        })?;
        let failed = outcome.is_failed();
        let step = session.replay.receive(outgoing, outcome);
        self.look_after_app(failed);
        Ok(Some(step))
    }

    /// The app's clock, where it follows the recording, goes on from then.
    pub fn set_clock(&mut self, from: Moment) -> Result<(), ReplayError> {
        self.pace.start(from)
    }

    /// Waits until the app has nothing left to do.
    pub fn wait_until_idle(&mut self) {
        if let Some(app) = self.supervisor.app() {
            app.wait_until_idle();
        }
    }

    fn make_ready(&mut self) -> Result<(), ReplayError> {
        if self.is_stopped() {
            return Err(ReplayError::Interrupted);
        }
        if self.supervisor.app().is_none() {
            let stop = self.project.stop.clone();
            self.supervisor.start(&|| stop.load(Ordering::Relaxed))?;
            self.client = None;
        }
        if self.client.is_none() {
            let address = self.supervisor.app().map(|app| app.address());
            let timeout = self.supervisor.spec().request_timeout;
            self.client = address.map(|address| Client::new(address, timeout));
        }
        Ok(())
    }

    fn look_after_app(&mut self, failed: bool) {
        let ended = failed && self.supervisor.app().is_some_and(|app| app.ended().is_some());
        if ended {
            self.supervisor.stop("the app ended");
            self.client = None;
        }
    }

    fn close(mut self) {
        self.client = None;
        self.supervisor.stop("the work is over");
        if let Some(state) = &mut self.project.state {
            for name in self.made.drain(..) {
                // A snapshot that is left over costs some room and nothing else.
                let _ = state.snapshot_store_mut().remove(&name);
            }
        }
    }

    fn read(&self, step: &NewStep) -> Result<Arc<Recorded>, StoreError> {
        let (store, secrecy) = (&self.project.store, &self.project.secrecy);
        let recorded = match step {
            NewStep::Stored(id) => Recorded::read(store, store.exchange(*id)?, &self.later, secrecy)?,
            NewStep::New(request) => {
                let response = match request.origin() {
                    Origin::Edited { of, .. } => store.exchange(*of)?.response,
                    Origin::Recorded | Origin::Generated { .. } => None,
                };
                let exchange = Exchange { response, ..unstored(request) };
                Recorded::read(store, exchange, &self.later, secrecy)?
                    .with_body(secrecy.reveal_body(request.body.clone()))
            }
        };
        Ok(Arc::new(recorded))
    }
}

/// A request that is not stored, as an exchange; its body is elsewhere.
fn unstored(request: &NewRequest) -> Exchange {
    Exchange {
        id: ExchangeId(0),
        at: request.at,
        took: 0,
        client: request.client.clone(),
        request: Request {
            method: request.method.clone(),
            uri: request.uri.clone(),
            headers: request.headers.clone(),
            body: BodyRef::default(),
        },
        response: None,
        error: None,
        imported: false,
        origin: request.origin().clone(),
    }
}
