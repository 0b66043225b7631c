//! The project that a command works on, with notes to its user on what stands in the way.

use restage_project::{LockAttempt, Project, PutBack};
use restage_replay::Phase;
use restage_state::{SnapshotStore, StateLock};

use crate::args::{Global, WaitArgs};
use crate::failure::Failure;
use crate::terminal::interrupt::Interrupt;
use crate::terminal::progress::{note, say};

/// How long to wait between two looks whether others are done.
const LOOK: std::time::Duration = std::time::Duration::from_millis(50);
/// After how many looks somebody without a name is told of.
const NAMELESS: usize = 40;
/// How many projects may wait for each other's data to be restored.
const DEEPEST: usize = 8;
/// How much of a command line others are shown.
const SHOWN_COMMAND: usize = 120;

/// Finds the project that the command line names.
pub(crate) fn find(global: &Global) -> Result<Project, Failure> {
    Ok(Project::find(global.project.as_deref(), global.store.as_deref())?)
}

/// What a replay works on: nobody else does meanwhile. Ctrl-C ends the replay.
pub(crate) fn for_replay(
    global: &Global,
    project: &Project,
    wait: WaitArgs,
) -> Result<restage_replay::Project, Failure> {
    // What is missing is said before anything is waited for.
    drop(project.store()?);
    let (lock, interrupt) = state_alone(project, wait)?;
    let work = project.for_replay(lock, interrupt.stop, interrupt.phase)?;
    if work.state.is_none() {
        note(
            global,
            "note: [state] in restage.toml is empty, so the application's data is not restored between sessions",
        );
    }
    Ok(work)
}

/// Waits until no other restage uses the application's data, and restores it where a replay was interrupted before it could.
pub(crate) fn state_alone(project: &Project, wait: WaitArgs) -> Result<(StateLock, Interrupt), Failure> {
    let interrupt = Interrupt::listen()?;
    let lock = restored(project, wait, &interrupt, DEEPEST)?;
    Ok((lock, interrupt))
}

/// Waits until no other restage uses the application's data, whatever a killed replay left of it.
pub(crate) fn state_as_found(project: &Project, wait: WaitArgs) -> Result<(StateLock, Interrupt), Failure> {
    let interrupt = Interrupt::listen()?;
    let lock = locked(project, wait, &interrupt, DEEPEST)?;
    Ok((lock, interrupt))
}

/// Tells of replays that were killed before they could restore the application's data; in every mode.
pub(crate) fn tell_of_interrupted(project: &Project) -> Result<(), Failure> {
    for run in project.interrupted_runs()? {
        say(format!(
            "note: {run} was interrupted before it could restore the application's data\n  hint: the next command that uses the data restores it first; `restage snapshots restore 'before {run}'` does only that"
        ));
    }
    Ok(())
}

/// Frees what no snapshot needs any more.
pub(crate) fn collect_garbage(
    global: &Global,
    project: &Project,
    snapshot_store: &mut SnapshotStore,
) -> Result<(), Failure> {
    for problem in project.collect_garbage(snapshot_store)? {
        note(global, format!("note: {problem}"));
    }
    Ok(())
}

fn restored(
    project: &Project,
    wait: WaitArgs,
    interrupt: &Interrupt,
    deepest: usize,
) -> Result<StateLock, Failure> {
    let mut lock = locked(project, wait, interrupt, deepest)?;
    interrupt.phase.set(Phase::Restoring);
    let put_back = project.put_back(&mut lock);
    interrupt.phase.set(Phase::Before);
    tell_of(&put_back?);
    if interrupt.is_asked() { Err(Failure::environment("interrupted")) } else { Ok(lock) }
}

fn locked(
    project: &Project,
    wait: WaitArgs,
    interrupt: &Interrupt,
    deepest: usize,
) -> Result<StateLock, Failure> {
    let mut locker = project.locker(&command_line())?;
    let mut told = None;
    let mut unnamed = 0;
    loop {
        let busy = match project.attempt(&mut locker)? {
            LockAttempt::Taken(lock) => return Ok(*lock),
            LockAttempt::Others(others) if deepest > 0 => {
                for other in others {
                    say(format!("note: the same data is used by the project {}", other.root.display()));
                    drop(restored(&other, wait, interrupt, deepest - 1)?);
                }
                continue;
            }
            LockAttempt::Others(others) => {
                let others: Vec<String> = others.iter().map(|o| o.root.display().to_string()).collect();
                return Err(Failure::environment(format!(
                    "replays were killed in projects that use the same data: {}\n  hint: run `restage snapshots` in each of them, and restore what it names",
                    others.join(", ")
                )));
            }
            LockAttempt::Busy(busy) => busy,
        };
        // Who has just taken a lock is about to say its name, and who is being killed has it no more: in a moment it is known.
        unnamed = if busy.who.is_none() { unnamed + 1 } else { 0 };
        let known = unnamed == 0 || unnamed > NAMELESS;
        let busy = format!("{} is using {}", busy.who.as_deref().unwrap_or("another restage"), busy.what);
        if known && wait.no_wait {
            return Err(Failure::environment(format!(
                "{busy}\n  hint: without --no-wait, restage waits until it is done"
            )));
        }
        if known && told.as_ref() != Some(&busy) {
            say(format!("waiting: {busy}"));
            told = Some(busy);
        }
        if interrupt.is_asked() {
            return Err(Failure::environment("interrupted while waiting for another restage"));
        }
        std::thread::sleep(LOOK);
    }
}

fn tell_of(put_back: &PutBack) {
    if !put_back.runs.is_empty() {
        let kept = match &put_back.found {
            Some(name) => format!("what was there until now is kept as the snapshot `{name}`"),
            None => "what was there until now could not be saved".to_owned(),
        };
        say(format!(
            "restored the application's data: {} was interrupted before it could\n  {kept}",
            put_back.runs.join(", ")
        ));
    }
    if !put_back.copies.is_empty() {
        say(format!(
            "removed databases that an interrupted replay left behind: {}",
            put_back.copies.join(", ")
        ));
    }
}

/// What this process was called with, for others that wait for it.
fn command_line() -> String {
    let arguments = std::env::args().skip(1);
    let all: Vec<String> = std::iter::once("restage".to_owned()).chain(arguments).collect();
    crate::terminal::output::cut(&all.join(" "), SHOWN_COMMAND)
}
