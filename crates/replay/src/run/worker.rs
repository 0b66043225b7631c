//! One app process with its state, its client and its logs: replays one session at a time, or one group of sessions.

use restage_model::{Exchange, RunEvent, RunSession, Session};
use restage_state::State;
use restage_store::{ReplayedStep, Store};
use tokio::runtime::Runtime;

use crate::error::ReplayError;
use crate::facts::FactsGatherer;
use crate::live::RecordedSteps;
use crate::order::interleave;
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
    /// What the app's probes write, where facts are asked for.
    facts: Option<FactsGatherer>,
    writer: StepWriter,
    /// Whether a session was replayed.
    begun: bool,
    /// The last step of the session before. It waits until the app is used again: it may answer first, and end then.
    last: Option<ReplayedStep>,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(
        plan: &'a Plan<'a>,
        mut spec: AppSpec,
        launch: Launch,
        state: Option<&'a mut State>,
        store: &'a mut Store,
        writer: StepWriter,
    ) -> Result<Self, ReplayError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let facts = plan.gather_facts(&mut spec, &launch);
        Ok(Self {
            facts,
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

    /// Replays one session or group after another, as long as there are any.
    pub(crate) fn replay_all(
        &mut self,
        prefetch: &Prefetch,
        events: &mut EventSink<'_>,
    ) -> Result<(), ReplayError> {
        let result = loop {
            match prefetch.next()? {
                None => break Ok(()),
                Some(_) if self.plan.is_stopped() => break Err(ReplayError::Interrupted),
                Some((unit, steps)) => {
                    let of_unit = self.plan.units[unit].iter();
                    let sessions: Vec<(u32, &Session)> =
                        of_unit.map(|number| self.plan.sessions[*number]).collect();
                    if let Err(error) = self.replay(&sessions, steps, events) {
                        break Err(error);
                    }
                }
            }
        };
        let looked = self.look_after_app(events);
        let gathered = self.finish_facts();
        looked?;
        result.and(gathered)
    }

    /// Once the app has ended, nothing more is written.
    fn finish_facts(&mut self) -> Result<(), ReplayError> {
        let Some(facts) = self.facts.take() else { return Ok(()) };
        self.client = None;
        self.supervisor.stop("the replay is over");
        self.plan.add_facts_report(facts.finish(self.store)?);
        Ok(())
    }

    /// Replays a session, or together the sessions of a group: from one snapshot, request by request. What they left behind is the
    /// first one's. A session that breaks the app is stored as such, and is no error.
    fn replay(
        &mut self,
        sessions: &[(u32, &Session)],
        steps: Vec<RecordedSteps>,
        events: &mut EventSink<'_>,
    ) -> Result<(), ReplayError> {
        let Some(&(leading, first)) = sessions.first() else { return Ok(()) };
        let group: Vec<String> = match sessions {
            [_] => Vec::new(),
            several => several.iter().map(|(_, session)| session.name.clone()).collect(),
        };
        for (_, session) in sessions {
            events(&RunEvent::SessionStarted {
                session: session.name.clone(),
                steps: session.exchanges.len(),
                group: group.clone(),
            });
        }
        let snapshot = self.make_ready(first, events)?;
        for (ordinal, session) in sessions {
            let begin = RunSession {
                ordinal: *ordinal,
                session: session.name.clone(),
                snapshot: snapshot.clone(),
                group: group.clone(),
                ..RunSession::default()
            };
            self.store.add_run_session(self.plan.run, &begin)?;
        }
        self.logs.begin(!self.begun);
        self.begun = true;
        let sent = self.send(sessions, steps, events);
        self.writer.flush()?;
        if let Some(facts) = &mut self.facts {
            // What restage itself does between two sessions is of no step.
            facts.mark(None);
            facts.collect(self.store)?;
        }
        let after = match (&sent, &mut self.state) {
            (Ok(true), Some(state)) => {
                save_after(state, self.plan.replay, &first.name, self.pace.seconds_ahead())
            }
            _ => Ok(None),
        };
        // What it wrote before it ended is what tells why.
        let log = self.logs.end();
        let name = after.as_ref().ok().and_then(Option::as_deref);
        let log = self.plan.context.secrecy.cover_log(self.store, log)?;
        self.store.end_run_session(self.plan.run, leading, name, &log.bytes, log.size)?;
        let served = sent?;
        after?;
        for (_, session) in sessions {
            events(&RunEvent::SessionEnded { session: session.name.clone(), served });
        }
        Ok(())
    }

    /// Sends the sessions' steps, one at a time; whether the app served them all.
    fn send(
        &mut self,
        sessions: &[(u32, &Session)],
        steps: Vec<RecordedSteps>,
        events: &mut EventSink<'_>,
    ) -> Result<bool, ReplayError> {
        let (Some(app), Some(client)) = (self.supervisor.app(), &mut self.client) else { return Ok(false) };
        let (plan, pace, writer) = (self.plan, &mut self.pace, &mut self.writer);
        let turns = turns(&steps);
        let mut live: Vec<SessionReplay> = sessions
            .iter()
            .zip(steps)
            .map(|((ordinal, _), steps)| SessionReplay::new(plan.context.clone(), *ordinal, steps))
            .collect();
        let name = |number: usize| sessions[number].1.name.as_str();
        let mut health = Health::default();
        let (last, facts) = (&mut self.last, &mut self.facts);
        let mut trouble: Option<(Trouble, usize)> = None;
        pace.begin();
        let sending = async {
            for number in turns {
                let session = &mut live[number];
                let Some(outgoing) = session.next() else { continue };
                let recorded = outgoing.recorded.clone();
                pace.wait(&recorded.exchange).await?;
                if let (Some(facts), Some(mark)) = (facts.as_mut(), outgoing.mark()) {
                    plan.statements.note_markers(facts.mark(Some(mark)));
                }
                let outcome = outgoing.send(client).await;
                pace.note(&recorded.exchange);
                let found = health.examine(app, outcome.result()).await;
                let mut step = session.receive(outgoing, outcome);
                if let (Some(trouble), Err(why)) = (&found, &mut step.answer) {
                    *why = trouble.of_step(why);
                }
                let replayed = step_replayed(name(number), &step);
                if let Some(facts) = facts {
                    facts.note(name(number), &step);
                }
                if let Some(before) = last.replace(step) {
                    writer.send(before)?;
                }
                events(&replayed);
                if let Some(found) = found {
                    trouble = Some((found, number));
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
        let Some((trouble, in_session)) = trouble else {
            app.wait_until_idle();
            return Ok(app.ended().is_none());
        };
        let step_number = last.as_ref().map_or(0, |step| step.at.step + 1);
        if let Some(step) = last.take() {
            self.writer.send(step)?;
        }
        let at = |number: usize| {
            if number == in_session {
                format!("{} at step {step_number}", trouble.told())
            } else {
                format!("{} at step {step_number} of session {}", trouble.told(), name(in_session))
            }
        };
        for (number, session) in live.iter_mut().enumerate() {
            for step in session.give_up(&at(number)) {
                events(&step_replayed(name(number), &step));
                self.writer.send(step)?;
            }
        }
        let what = format!(
            "{} in session {}, step {step_number}{}",
            trouble.told(),
            name(in_session),
            trouble.how()
        );
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

/// Whose turn it is, request by request, by the places of the sessions.
fn turns(sessions: &[RecordedSteps]) -> Vec<usize> {
    match sessions {
        [alone] => vec![0; alone.len()],
        several => {
            let exchanges: Vec<Vec<&Exchange>> =
                several.iter().map(|steps| steps.iter().map(|step| &step.exchange).collect()).collect();
            interleave(&exchanges)
        }
    }
}
