//! How many steps a second restage replays, beside `wget` started once a request and beside a bare client
//! that sends the same requests; and what it costs to put the application's state back.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use clap::Parser;
use restage_bench::{
    BareClient, Noise, Request, Rounds, Subject, Table, Trouble, Wget, requests, run_program,
    stop_on_interrupt, timed_replay, unless_stopped, wait_for_quiet,
};
use restage_model::{RunId, StatePolicy};
use restage_replay::{App, INITIAL, Order};

/// How many steps a second restage replays, beside wget and beside a bare client
#[derive(Debug, Parser)]
struct Args {
    /// How often each is measured, in turns
    #[arg(long, value_name = "N", default_value_t = 7)]
    rounds: usize,
    /// Replay this many times and measure nothing: for a profiler
    #[arg(long, value_name = "N")]
    only_replay: Option<usize>,
}

fn main() -> ExitCode {
    run_program(|args: Args| measure(&args))
}

fn measure(args: &Args) -> Result<(), Trouble> {
    let stop = stop_on_interrupt()?;
    // Without noise, what one replay sent is right for every other client as it is: tokens, ids and all.
    let mut subject = Subject::record(Noise::Off, stop.clone())?;
    let baseline = subject.baseline("baseline")?.id;
    if let Some(times) = args.only_replay {
        for number in 0..times {
            let timed = timed_replay(
                &mut subject,
                format!("replay-{number}"),
                StatePolicy::Initial,
                None,
                Order::InTurn,
            )?;
            subject.project.store.remove_run(timed.run.id)?;
        }
        return Ok(());
    }
    let sent = requests(&subject.project.store, baseline)?;
    let gets = sent.iter().filter(|r| r.method == "GET").count();
    println!("{} sessions, {} requests, {gets} of them GET\n", subject.suite.sessions.len(), sent.len());
    let mut figures = Figures::default();
    let mut quiet = 0;
    for round in 0..args.rounds {
        quiet += usize::from(wait_for_quiet());
        figures.round(&mut subject, &sent, round, baseline, &stop)?;
    }
    println!("{}\n{quiet} of {} rounds began on a quiet machine.\n", figures.table(sent.len()), args.rounds);
    println!("{}", restores(&mut subject, &sent, baseline, &stop)?);
    Ok(())
}

/// Seconds of each client, round by round.
#[derive(Default)]
struct Figures {
    bare: Rounds,
    initial: Rounds,
    initial_whole: Rounds,
    /// What the engine waited for the app.
    waited: Rounds,
    restore: Rounds,
    restore_whole: Rounds,
    wget: Rounds,
    same: Same,
}

/// How many answers were those of the baseline.
#[derive(Default)]
struct Same {
    bare: usize,
    replay: usize,
    wget: usize,
}

impl Figures {
    fn round(
        &mut self,
        subject: &mut Subject,
        sent: &[Request],
        round: usize,
        baseline: RunId,
        stop: &Arc<AtomicBool>,
    ) -> Result<(), Trouble> {
        unless_stopped(stop)?;
        self.bare(subject, sent)?;
        let timed =
            timed_replay(subject, format!("initial-{round}"), StatePolicy::Initial, None, Order::InTurn)?;
        self.initial.add(timed.steps.as_secs_f64());
        self.initial_whole.add((timed.steps + timed.end).as_secs_f64());
        let steps = subject.project.store.steps(timed.run.id)?;
        self.waited.add(steps.iter().map(|s| s.took as f64).sum::<f64>() / 1e6);
        let again = requests(&subject.project.store, timed.run.id)?;
        self.same.replay =
            again.iter().zip(sent).filter(|(a, b)| (a.status, &a.page) == (b.status, &b.page)).count();
        subject.project.store.remove_run(timed.run.id)?;
        unless_stopped(stop)?;
        self.wget(subject, sent)?;
        let timed = timed_replay(
            subject,
            format!("restore-{round}"),
            StatePolicy::Restore,
            Some(baseline),
            Order::InTurn,
        )?;
        self.restore.add(timed.steps.as_secs_f64());
        self.restore_whole.add((timed.steps + timed.end).as_secs_f64());
        subject.project.store.remove_run(timed.run.id)?;
        Ok(())
    }

    fn bare(&mut self, subject: &mut Subject, sent: &[Request]) -> Result<(), Trouble> {
        let mut app = start(subject)?;
        let mut client = BareClient::connect(app.address())?;
        let begun = Instant::now();
        let answers = client.send(sent)?;
        self.bare.add(begun.elapsed().as_secs_f64());
        app.stop();
        let same =
            answers.iter().zip(sent).filter(|((status, page), r)| (*status, page) == (r.status, &r.page));
        self.same.bare = same.count();
        Ok(())
    }

    fn wget(&mut self, subject: &mut Subject, sent: &[Request]) -> Result<(), Trouble> {
        let mut app = start(subject)?;
        let folder = subject.scratch()?;
        let wget = Wget { folder: folder.path(), address: app.address() };
        let begun = Instant::now();
        wget.send(sent)?;
        self.wget.add(begun.elapsed().as_secs_f64());
        app.stop();
        self.same.wget = 0;
        for (number, request) in sent.iter().enumerate() {
            // wget makes no file for a redirect.
            let page = std::fs::read(wget.page(number)).unwrap_or_default();
            self.same.wget += usize::from(page == request.page);
        }
        Ok(())
    }

    fn table(&self, steps: usize) -> Table {
        let head = ["", "steps/s", "to bare client", "to wget", "same answers"];
        let mut table = Table::new(1, &head);
        let mut row = |name: &str, seconds: &Rounds, same: Option<usize>| {
            table.row(vec![
                name.to_owned(),
                format!("{:.0}", steps as f64 / seconds.median()),
                format!("{:.2}", self.bare.ratio_to(seconds)),
                format!("{:.1}", self.wget.ratio_to(seconds)),
                same.map(|n| format!("{n}/{steps}")).unwrap_or_default(),
            ]);
        };
        row("bare client", &self.bare, Some(self.same.bare));
        row("restage replay, steps", &self.initial, Some(self.same.replay));
        row("… of which waiting for the app", &self.waited, None);
        row("… until all is stored and the app stopped", &self.initial_whole, None);
        row("restage replay --state restore, steps", &self.restore, None);
        row("… until all is stored and the app stopped", &self.restore_whole, None);
        row("wget, once a request", &self.wget, Some(self.same.wget));
        table
    }
}

/// Starts the app as a replay does: asking whether it is ready has left nothing in its state.
fn start(subject: &mut Subject) -> Result<App, Trouble> {
    subject.restore(INITIAL)?;
    let app = App::start(&subject.app(&[])?)?;
    subject.restore(INITIAL)?;
    Ok(app)
}

/// What it costs to put the state back after each session: by a snapshot under the running app, and by
/// `cp` of the database and a restart.
fn restores(
    subject: &mut Subject,
    sent: &[Request],
    baseline: RunId,
    stop: &Arc<AtomicBool>,
) -> Result<Table, Trouble> {
    let sessions = subject.project.store.run_sessions(baseline)?;
    let spec = subject.app(&[])?;
    let folder = subject.scratch()?;
    let copy = folder.path().join("shop.db");
    let (mut restored, mut copied) = (Rounds::default(), Rounds::default());
    for session in &sessions {
        unless_stopped(stop)?;
        let snapshot = session.snapshot.as_deref().ok_or("a baseline has a snapshot for each session")?;
        let requests: Vec<Request> = sent.iter().filter(|r| r.session == session.ordinal).cloned().collect();
        subject.restore(snapshot)?;
        // With no app the database is one file, and a copy of it is whole.
        cp(&subject.database(), &copy)?;
        let mut app = App::start(&spec)?;
        BareClient::connect(app.address())?.send(&requests)?;
        restored.add(subject.restore(snapshot)?.as_secs_f64() * 1e3);
        BareClient::connect(app.address())?.send(&requests)?;
        let begun = Instant::now();
        app.stop();
        cp(&copy, &subject.database())?;
        app = App::start(&spec)?;
        copied.add(begun.elapsed().as_secs_f64() * 1e3);
        app.stop();
    }
    let mut table =
        Table::new(1, &["after a session, the state put back by", "ms", "lowest", "highest", "ratio"]);
    for (name, figures) in
        [("a snapshot, the app running", &restored), ("cp of the database, the app restarted", &copied)]
    {
        let (least, most) = figures.range();
        let ratio = figures.ratio_to(&restored);
        let mut cells = vec![name.to_owned()];
        cells.extend([figures.median(), least, most].map(|ms| format!("{ms:.2}")));
        cells.push(format!("{ratio:.1}"));
        table.row(cells);
    }
    Ok(table)
}

fn cp(from: &std::path::Path, to: &std::path::Path) -> Result<(), Trouble> {
    let status = std::process::Command::new("cp").arg(from).arg(to).status()?;
    if status.success() { Ok(()) } else { Err(format!("cp {}: {status}", from.display()).into()) }
}
