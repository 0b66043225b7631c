//! One app process with its state, its client and its logs: replays one session at a time.

use restage_model::{RunSession, Session};
use restage_state::State;
use restage_store::{ReplayedStep, Store};
use tokio::runtime::Runtime;

use crate::ahead::{Ahead, RecordedSteps};
use crate::client::Client;
use crate::error::ReplayError;
use crate::health::{Health, Trouble};
use crate::keeper::Keeper;
use crate::launch::Launch;
use crate::logs::Logs;
use crate::pace::Pace;
use crate::plan::Plan;
use crate::run::Tick;
use crate::session::SessionReplay;
use crate::snapshots::{place_state, save_after};
use crate::spec::{AppSpec, Restart};
use crate::writer::StepWriter;

/// An app process with its state, its client and its logs.
pub(crate) struct Worker<'a> {
    plan: &'a Plan<'a>,
    keeper: Keeper,
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
            keeper: Keeper::new(spec, launch),
        })
    }

    /// Replays one session after another, as long as there are any.
    pub(crate) fn replay_all(
        &mut self,
        ahead: &Ahead,
        tick: &mut dyn FnMut(Tick<'_>),
    ) -> Result<(), ReplayError> {
        let result = loop {
            match ahead.next()? {
                None => break Ok(()),
                Some(_) if self.plan.is_stopped() => break Err(ReplayError::Interrupted),
                Some((number, steps)) => {
                    let (ordinal, session) = self.plan.sessions[number];
                    if let Err(error) = self.replay(session, ordinal, steps, tick) {
                        break Err(error);
                    }
                }
            }
        };
        self.look_after_app(tick)?;
        result
    }

    /// Replays a session. A session that breaks the app is stored as such, and is no error.
    fn replay(
        &mut self,
        session: &Session,
        ordinal: u32,
        steps: RecordedSteps,
        tick: &mut dyn FnMut(Tick<'_>),
    ) -> Result<(), ReplayError> {
        tick(Tick::Session(&session.name));
        let snapshot = self.make_ready(session, tick)?;
        let begin = RunSession { ordinal, session: session.name.clone(), snapshot, ..RunSession::default() };
        self.store.add_run_session(self.plan.run, &begin)?;
        self.logs.begin(!self.begun);
        self.begun = true;
        let sent = self.send(&session.name, ordinal, steps, tick);
        self.writer.flush()?;
        let after = match (&sent, &mut self.state) {
            (Ok(true), Some(state)) => save_after(state, self.plan.replay, &session.name),
            _ => Ok(None),
        };
        // What it wrote before it ended is what tells why.
        let log = self.logs.end();
        let name = after.as_ref().ok().and_then(Option::as_deref);
        let log = self.plan.secrecy.cover_log(self.store, log)?;
        self.store.end_run_session(self.plan.run, ordinal, name, &log.bytes, log.size)?;
        sent.map(|_| ())?;
        after.map(|_| ())
    }

    /// Sends the session's steps; whether the app served them all.
    fn send(
        &mut self,
        name: &str,
        ordinal: u32,
        steps: RecordedSteps,
        tick: &mut dyn FnMut(Tick<'_>),
    ) -> Result<bool, ReplayError> {
        let (Some(app), Some(client)) = (self.keeper.app(), &mut self.client) else { return Ok(false) };
        let (plan, pace, writer) = (self.plan, &mut self.pace, &mut self.writer);
        let mut session = SessionReplay::new(plan, ordinal, steps);
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
                trouble = health.examine(app, &outcome.0);
                let mut step = session.receive(outgoing, outcome);
                if let (Some(trouble), Err(why)) = (&trouble, &mut step.answer) {
                    *why = trouble.of_step(why);
                }
                if let Some(before) = last.replace(step) {
                    writer.send(before)?;
                }
                tick(Tick::Step);
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
            app.wait_for_rest();
            return Ok(app.ended().is_none());
        };
        let number = last.as_ref().map_or(0, |step| step.at.step + 1);
        if let Some(step) = last.take() {
            self.writer.send(step)?;
        }
        for step in session.give_up(&format!("{} at step {number}", trouble.told())) {
            self.writer.send(step)?;
            tick(Tick::Step);
        }
        let what = format!("{} in session {name}, step {number}{}", trouble.told(), trouble.how());
        let note = format!("{what}; it is started again\n{}", app.last_output().trim_end());
        tick(Tick::Note(&note));
        self.keeper.stop(&what);
        Ok(false)
    }

    /// Starts the app where it does not run, and puts the state as it has to be before the session; the snapshot
    /// that it then is.
    fn make_ready(
        &mut self,
        session: &Session,
        tick: &mut dyn FnMut(Tick<'_>),
    ) -> Result<Option<String>, ReplayError> {
        self.look_after_app(tick)?;
        if self.keeper.app().is_some() && self.keeper.spec.restart == Restart::EachSession {
            self.keeper.stop(&format!("the app was stopped before session {}", session.name));
        }
        if self.keeper.app().is_none() {
            // The app may look at its state when it starts: it finds what the session will.
            self.place(&session.name)?;
            self.pace.start(session.from)?;
            tick(Tick::Starting);
            let address = self.keeper.start(self.plan)?.address();
            self.client = Some(Client::new(address, self.keeper.spec.request_timeout));
        }
        self.place(&session.name)
    }

    /// Whether the app still runs after a session; if not, its last step is marked.
    fn look_after_app(&mut self, tick: &mut dyn FnMut(Tick<'_>)) -> Result<(), ReplayError> {
        let ended = self.keeper.app().and_then(|app| Some((app.ended()?, app.last_output())));
        if let Some((status, output)) = ended {
            let what = format!("the app ended after its last answer ({status})");
            tick(Tick::Note(&format!("{what}\n{}", output.trim_end())));
            if let Some(step) = &mut self.last {
                step.answer = Err(format!("the app answered, and ended then ({status})"));
            }
            self.keeper.stop(&what);
        }
        if let Some(step) = self.last.take() {
            self.writer.send(step)?;
        }
        Ok(())
    }

    fn place(&mut self, session: &str) -> Result<Option<String>, ReplayError> {
        match &mut self.state {
            Some(state) => place_state(state, self.plan, session, !self.begun),
            None => Ok(None),
        }
    }
}
