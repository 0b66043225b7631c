//! All sessions on one app at once, interleaved as they were recorded: for faults that show only when users meet.

use std::sync::{Arc, Mutex};

use restage_model::{Exchange, RunEvent, RunSession};
use restage_state::State;
use restage_store::{Store, StoreError};
use tokio::task::{JoinError, JoinSet};

use crate::error::ReplayError;
use crate::facts::FactsGatherer;
use crate::live::Recorded;
use crate::order::schedule::{Due, schedule};
use crate::run::Pace;
use crate::run::Plan;
use crate::run::place_state;
use crate::run::{EventSink, step_replayed};
use crate::run::{Outcome, Outgoing, SessionReplay};
use crate::run::{StepWriter, Writer};
use restage_app::Launch;
use restage_app::Logs;
use restage_app::Supervisor;
use restage_app::{Health, Trouble};
use restage_browser::Client;

/// Replays all sessions at once on one app.
pub(crate) fn replay_overlapping(
    plan: &Plan<'_>,
    mut state: Option<&mut State>,
    store: &mut Store,
    writer: &Writer,
    events: &mut EventSink<'_>,
) -> Result<(), ReplayError> {
    let sessions = &plan.sessions;
    let Some(&(first_ordinal, first)) = sessions.first() else { return Ok(()) };
    let read = |id: &_| store.exchange(*id);
    let exchanges: Vec<Vec<Exchange>> = sessions
        .iter()
        .map(|(_, session)| session.exchanges.iter().map(read).collect())
        .collect::<Result<_, StoreError>>()?;
    let due = schedule(&exchanges);
    let mut place = || match &mut state {
        Some(state) => place_state(state, plan, first, true).map(|_| ()),
        None => Ok(()),
    };
    place()?;
    events(&RunEvent::AppStarting { copy: 1 });
    let mut app = plan.replay.app.clone();
    let facts = plan.gather_facts(&mut app, &Launch::default());
    let app = &app;
    let mut logs = Logs::of(&app.log, &app.logs);
    let mut supervisor = Supervisor::new(app.clone(), Launch::default());
    let is_stopped = || plan.is_stopped();
    supervisor.start(&is_stopped).map_err(|e| plan.app_failed(e))?;
    place()?;
    for (ordinal, session) in sessions {
        // Which state a session began from cannot be said: nothing is to be compared with the state after it.
        let begin = RunSession { ordinal: *ordinal, session: session.name.clone(), ..RunSession::default() };
        store.add_run_session(plan.run, &begin)?;
    }
    logs.begin(true);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut overlap = Overlap {
        plan,
        store,
        later: Arc::new(Mutex::new(Store::open(plan.store)?)),
        supervisor: &mut supervisor,
        health: Health::default(),
        pace: Pace::of(app, Some(first.from))?,
        writer: writer.steps(),
        exchanges,
        live: sessions.iter().map(|_| Seat::Before).collect(),
        in_flight: Vec::new(),
        requests: JoinSet::new(),
        trouble: None,
        facts,
    };
    let result = runtime.block_on(async {
        tokio::select! {
            biased;
            result = overlap.send_all(&due, events) => result,
            () = plan.stopped() => Err(ReplayError::Interrupted),
        }
    });
    let facts = overlap.facts.take();
    drop(overlap);
    if let Some(app) = supervisor.app() {
        app.wait_until_idle();
    }
    supervisor.stop("the replay is over");
    if let Some(facts) = facts {
        plan.add_facts_report(facts.finish(store)?);
    }
    // Who wrote what cannot be told: it is all put down to the first session.
    let log = logs.end();
    let log = plan.context.secrecy.cover_log(store, log)?;
    store.end_run_session(plan.run, first_ordinal, None, &log.bytes, log.size)?;
    result
}

/// Where a session stands.
enum Seat {
    /// It has not begun.
    Before,
    /// It is on its way. Its client is away while a request is in flight.
    Live(Box<SessionReplay>, Option<Client>),
    /// It is over, or was given up.
    Over,
}

/// A request that came to its end: which, and of what session.
type Done = (usize, Client, Outgoing, Outcome);

struct Overlap<'a> {
    plan: &'a Plan<'a>,
    store: &'a Store,
    /// For what is read only where it is looked into.
    later: Arc<Mutex<Store>>,
    supervisor: &'a mut Supervisor,
    health: Health,
    pace: Pace,
    writer: StepWriter,
    /// What was recorded, until its session begins.
    exchanges: Vec<Vec<Exchange>>,
    live: Vec<Seat>,
    in_flight: Vec<Due>,
    requests: JoinSet<Done>,
    /// What is wrong with the app; it is started again when nothing is in flight any more.
    trouble: Option<Trouble>,
    /// What the app's probes write, where facts are asked for.
    facts: Option<FactsGatherer>,
}

impl Overlap<'_> {
    async fn send_all(&mut self, due: &[Due], events: &mut EventSink<'_>) -> Result<(), ReplayError> {
        for due in due {
            while self.in_flight.iter().any(|earlier| due.waits_for(earlier)) {
                self.receive(events).await?;
            }
            self.restart(events).await?;
            if self.plan.is_stopped() {
                return Err(ReplayError::Interrupted);
            }
            self.send(due, events).await?;
        }
        while !self.in_flight.is_empty() {
            self.receive(events).await?;
        }
        Ok(())
    }

    /// Sends a session's next request, and does not wait for its answer.
    async fn send(&mut self, due: &Due, events: &mut EventSink<'_>) -> Result<(), ReplayError> {
        if let Seat::Before = self.live[due.session] {
            let (ordinal, joined) = self.plan.sessions[due.session];
            let (session, steps) = (joined.name.clone(), joined.exchanges.len());
            events(&RunEvent::SessionStarted { session, steps, group: Vec::new() });
            let recorded = std::mem::take(&mut self.exchanges[due.session]).into_iter();
            let steps = recorded.enumerate().map(|(step, exchange)| {
                let recorded = Recorded::read(self.store, exchange, &self.later, &self.plan.context.secrecy)?;
                Ok(Arc::new(recorded.of_part(joined.part_of(step))))
            });
            let steps = steps.collect::<Result<Vec<_>, StoreError>>()?;
            let session = Box::new(SessionReplay::new(self.plan.context.clone(), ordinal, steps));
            self.live[due.session] = Seat::Live(session, None);
        }
        let Some(address) = self.supervisor.app().map(|app| app.address()) else { return Ok(()) };
        let timeout = self.supervisor.spec().request_timeout;
        let Seat::Live(session, client) = &mut self.live[due.session] else { return Ok(()) };
        let Some(outgoing) = session.next() else { return Ok(()) };
        let mut client = client.take().unwrap_or_else(|| Client::new(address, timeout));
        self.pace.wait(&outgoing.recorded.exchange).await?;
        client.connect().await;
        let number = due.session;
        self.requests.spawn(async move {
            let outcome = outgoing.send(&mut client).await;
            (number, client, outgoing, outcome)
        });
        self.in_flight.push(due.clone());
        // Let it go out before the next.
        tokio::task::yield_now().await;
        Ok(())
    }

    /// Waits for one answer.
    async fn receive(&mut self, events: &mut EventSink<'_>) -> Result<(), ReplayError> {
        let Some(done) = self.requests.join_next().await else {
            self.in_flight.clear();
            return Ok(());
        };
        let (number, client, outgoing, outcome) = done.unwrap_or_else(panicked);
        self.in_flight.retain(|due| due.session != number);
        self.pace.note(&outgoing.recorded.exchange);
        let trouble = match self.supervisor.app() {
            Some(app) => self.health.examine(app, outcome.result()).await,
            None => None,
        };
        let Seat::Live(session, place) = &mut self.live[number] else { return Ok(()) };
        *place = Some(client);
        let mut step = session.receive(outgoing, outcome);
        if let (Some(trouble), Err(why)) = (&trouble, &mut step.answer) {
            *why = trouble.of_step(why);
        }
        let (at, name) = (step.at.step + 1, &self.plan.sessions[number].1.name);
        events(&step_replayed(name, &step));
        if let Some(facts) = &mut self.facts {
            facts.note(name, &step);
        }
        self.writer.send(step)?;
        if let Some(trouble) = trouble {
            let what = format!("{} in session {name}, step {at}{}", trouble.told(), trouble.how());
            let what = format!("{what}; it is started again");
            events(&RunEvent::AppFailed { what, output: String::new() });
            for step in session.give_up(&format!("{} at step {at}", trouble.told())) {
                events(&step_replayed(name, &step));
                self.writer.send(step)?;
            }
            self.live[number] = Seat::Over;
            self.trouble = Some(trouble);
            events(&RunEvent::SessionEnded { session: name.clone(), served: false });
        } else if session.is_over() {
            // Its pages need not be kept any longer.
            self.live[number] = Seat::Over;
            events(&RunEvent::SessionEnded { session: name.clone(), served: true });
        }
        Ok(())
    }

    /// Where the app ended or hangs, starts it again, once all that is in flight has failed.
    async fn restart(&mut self, events: &mut EventSink<'_>) -> Result<(), ReplayError> {
        if self.trouble.is_none() {
            return Ok(());
        }
        while !self.in_flight.is_empty() {
            self.receive(events).await?;
        }
        let Some(trouble) = self.trouble.take() else { return Ok(()) };
        self.supervisor.stop(&format!("{}{}", trouble.told(), trouble.how()));
        events(&RunEvent::AppStarting { copy: 1 });
        let started = self.supervisor.start(&|| self.plan.is_stopped());
        started.map_err(|e| self.plan.app_failed(e))?;
        for seat in &mut self.live {
            if let Seat::Live(_, client) = seat {
                *client = None;
            }
        }
        Ok(())
    }
}

fn panicked(error: JoinError) -> Done {
    match error.try_into_panic() {
        Ok(panic) => std::panic::resume_unwind(panic),
        Err(error) => unreachable!("no request is cancelled while it is waited for: {error}"),
    }
}
