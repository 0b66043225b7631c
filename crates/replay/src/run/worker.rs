//! One app process with its state, its client and its logs: replays one session at a time.

use restage_model::{RunEvent, RunSession, Session};
use restage_state::State;
use restage_store::{ReplayedStep, Store};
use tokio::runtime::Runtime;

use crate::error::ReplayError;
use crate::live::RecordedSteps;
use crate::run::events::{EventSink, step_replayed};
use crate::run::pace::Pace;
use crate::run::plan::Plan;
use crate::run::prefetch::Prefetch;
use crate::run::session::SessionReplay;
use crate::run::snapshots::{place_state, save_after};
use crate::run::writer::StepWriter;
use restage_app::Launch;
use restage_app::Logs;
use restage_app::Supervisor;
use restage_app::{AppSpec, Restart};
use restage_app::{Health, Trouble};
use restage_browser::Client;

/// An app process with its state, its client and its logs.
pub(crate) struct Worker<'a> {
    plan: &'a Plan<'a>,
    supervisor: Supervisor,
    state: Option<&'a mut State>,
    store: &'a mut Store,
    /// The connection to it; all sessions go over one, while it lives.
    client: Option<Client>,
    logs: Logs,
    pace: Pace,
    runtime: Runtime,
    writer: StepWriter,
    /// Whether a session was replayed.
    begun: bool,
    /// The last step of the session before. It waits until the app is used again: it may answer first, and end then.
    last: Option<ReplayedStep>,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(
        plan: &'a Plan<'a>,
        spec: AppSpec,
        launch: Launch,
        state: Option<&'a mut State>,
        store: &'a mut Store,
        writer: StepWriter,
    ) -> Result<Self, ReplayError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        Ok(Self {
            plan,
            state,
            store,
            client: None,
            logs: Logs::of(&spec.log, &spec.logs),
            pace: Pace::of(&spec, plan.sessions.first().map(|(_, first)| first.from))?,
            runtime,
            writer,
            begun: false,
            last: None,
            supervisor: Supervisor::new(spec, launch),
        })
    }

    /// Replays one session after another, as long as there are any.
    pub(crate) fn replay_all(
        &mut self,
        prefetch: &Prefetch,
        events: &mut EventSink<'_>,
    ) -> Result<(), ReplayError> {
        let result = loop {
            match prefetch.next()? {
                None => break Ok(()),
                Some(_) if self.plan.is_stopped() => break Err(ReplayError::Interrupted),
                Some((number, steps)) => {
                    let (ordinal, session) = self.plan.sessions[number];
                    if let Err(error) = self.replay(session, ordinal, steps, events) {
                        break Err(error);
                    }
                }
            }
        };
        self.look_after_app(events)?;
        result
    }

    /// Replays a session. A session that breaks the app is stored as such, and is no error.
    fn replay(
        &mut self,
        session: &Session,
        ordinal: u32,
        steps: RecordedSteps,
        events: &mut EventSink<'_>,
    ) -> Result<(), ReplayError> {
        events(&RunEvent::SessionStarted { session: session.name.clone(), steps: session.exchanges.len() });
        let snapshot = self.make_ready(session, events)?;
        let begin = RunSession { ordinal, session: session.name.clone(), snapshot, ..RunSession::default() };
        self.store.add_run_session(self.plan.run, &begin)?;
        self.logs.begin(!self.begun);
        self.begun = true;
        let sent = self.send(&session.name, ordinal, steps, events);
        self.writer.flush()?;
        let after = match (&sent, &mut self.state) {
            (Ok(true), Some(state)) => save_after(state, self.plan.replay, &session.name),
            _ => Ok(None),
        };
        // What it wrote before it ended is what tells why.
        let log = self.logs.end();
        let name = after.as_ref().ok().and_then(Option::as_deref);
        let log = self.plan.context.secrecy.cover_log(self.store, log)?;
        self.store.end_run_session(self.plan.run, ordinal, name, &log.bytes, log.size)?;
        let served = sent?;
        after?;
        events(&RunEvent::SessionEnded { session: session.name.clone(), served });
        Ok(())
    }

    /// Sends the session's steps; whether the app served them all.
    fn send(
        &mut self,
        name: &str,
        ordinal: u32,
        steps: RecordedSteps,
        events: &mut EventSink<'_>,
    ) -> Result<bool, ReplayError> {
        let (Some(app), Some(client)) = (self.supervisor.app(), &mut self.client) else { return Ok(false) };
        let (plan, pace, writer) = (self.plan, &mut self.pace, &mut self.writer);
        let mut session = SessionReplay::new(plan.context.clone(), ordinal, steps);
        let mut health = Health::default();
        let last = &mut self.last;
        let mut trouble: Option<Trouble> = None;
        pace.begin();
        let sending = async {
            while let Some(outgoing) = session.next() {
                let recorded = outgoing.recorded.clone();
                pace.wait(&recorded.exchange).await?;
                let outcome = outgoing.send(client).await;
                pace.note(&recorded.exchange);
                trouble = health.examine(app, outcome.result()).await;
                let mut step = session.receive(outgoing, outcome);
                if let (Some(trouble), Err(why)) = (&trouble, &mut step.answer) {
                    *why = trouble.of_step(why);
                }
                let replayed = step_replayed(name, &step);
                if let Some(before) = last.replace(step) {
                    writer.send(before)?;
                }
                events(&replayed);
                if trouble.is_some() {
                    return Ok(());
                }
                if plan.is_stopped() {
                    return Err(ReplayError::Interrupted);
                }
            }
            Ok(())
        };
        let result = self.runtime.block_on(async {
            tokio::select! {
                biased;
                result = sending => result,
                () = plan.stopped() => Err(ReplayError::Interrupted),
            }
        });
        result?;
        let Some(trouble) = trouble else {
            app.wait_until_idle();
            return Ok(app.ended().is_none());
        };
        let number = last.as_ref().map_or(0, |step| step.at.step + 1);
        if let Some(step) = last.take() {
            self.writer.send(step)?;
        }
        for step in session.give_up(&format!("{} at step {number}", trouble.told())) {
            events(&step_replayed(name, &step));
            self.writer.send(step)?;
        }
        let what = format!("{} in session {name}, step {number}{}", trouble.told(), trouble.how());
        let output = app.last_output().trim_end().to_owned();
        events(&RunEvent::AppFailed { what: format!("{what}; it is started again"), output });
        self.supervisor.stop(&what);
        Ok(false)
    }

    /// Starts the app where it does not run, and puts the state as it has to be before the session; the snapshot
    /// that it then is.
    fn make_ready(
        &mut self,
        session: &Session,
        events: &mut EventSink<'_>,
    ) -> Result<Option<String>, ReplayError> {
        self.look_after_app(events)?;
        if self.supervisor.app().is_some() && self.supervisor.spec().restart == Restart::EachSession {
            self.supervisor.stop(&format!("the app was stopped before session {}", session.name));
        }
        if self.supervisor.app().is_none() {
            // The app may look at its state when it starts: it finds what the session will.
            self.place(session)?;
            self.pace.start(session.from)?;
            events(&RunEvent::AppStarting { copy: self.supervisor.copy() });
            let started = self.supervisor.start(&|| self.plan.is_stopped());
            let address = started.map_err(|e| self.plan.app_failed(e))?.address();
            self.client = Some(Client::new(address, self.supervisor.spec().request_timeout));
        }
        self.place(session)
    }

    /// Whether the app still runs after a session; if not, its last step is marked.
    fn look_after_app(&mut self, events: &mut EventSink<'_>) -> Result<(), ReplayError> {
        let ended = self.supervisor.app().and_then(|app| Some((app.ended()?, app.last_output())));
        if let Some((status, output)) = ended {
            let what = format!("the app ended after its last answer ({status})");
            let output = output.trim_end().to_owned();
            events(&RunEvent::AppFailed { what: what.clone(), output });
            if let Some(step) = &mut self.last {
                step.answer = Err(format!("the app answered, and ended then ({status})"));
            }
            self.supervisor.stop(&what);
        }
        if let Some(step) = self.last.take() {
            self.writer.send(step)?;
        }
        Ok(())
    }

    fn place(&mut self, session: &Session) -> Result<Option<String>, ReplayError> {
        match &mut self.state {
            Some(state) => place_state(state, self.plan, session, !self.begun),
            None => Ok(None),
        }
    }
}
