//! Stopping when the user, or the system, asks for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use restage_replay::{Phase, PhaseCell};
use tokio::runtime::Runtime;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::failure::Failure;
use crate::terminal::progress::say;

/// A process that can be asked to end, and does so as soon as the application's data is as it was.
#[derive(Clone, Debug)]
pub(crate) struct Interrupt {
    /// Set once it was asked to.
    pub(crate) stop: Arc<AtomicBool>,
    /// What has to be done before.
    pub(crate) phase: Arc<PhaseCell>,
}

impl Interrupt {
    /// Listens from now on.
    pub(crate) fn listen() -> Result<Self, Failure> {
        let this = Self { stop: Arc::default(), phase: Arc::default() };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        // Before the thread runs: a signal that comes first is not lost.
        let mut signals = {
            let _inside = runtime.enter();
            StopSignals::listen()?
        };
        let listener = this.clone();
        std::thread::Builder::new().name("restage-signals".to_owned()).spawn(move || {
            runtime.block_on(async {
                loop {
                    signals.next().await;
                    listener.asked();
                }
            });
        })?;
        Ok(this)
    }

    /// Whether it was asked to end.
    pub(crate) fn is_asked(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Lets others listen from now on; an error where it was asked to end already.
    pub(crate) fn hand_over(&self) -> Result<(), Failure> {
        self.phase.set(Phase::Handed);
        if self.is_asked() { Err(Failure::environment("interrupted")) } else { Ok(()) }
    }

    /// It was asked to end, for the first time or again.
    fn asked(&self) {
        let phase = self.phase.get();
        if phase == Phase::Handed {
            return;
        }
        let again = self.stop.swap(true, Ordering::Relaxed);
        let waits_for = match phase {
            Phase::Before if !again => return,
            Phase::Before | Phase::Over | Phase::Handed => {
                say("error: interrupted");
                std::process::exit(3);
            }
            Phase::Saving => "the application's data is being saved; nothing has been replayed yet",
            Phase::Replaying => "the app is being stopped; then the application's data is restored",
            Phase::Restoring => "the application's data is being restored",
        };
        if again || phase == Phase::Restoring {
            say(format!("still waiting: {waits_for}"));
        }
    }
}

/// The signals by which the user, or the system, asks a process to end.
struct StopSignals([Signal; 4]);

impl StopSignals {
    fn listen() -> std::io::Result<Self> {
        Ok(Self([
            signal(SignalKind::interrupt())?,
            signal(SignalKind::terminate())?,
            signal(SignalKind::hangup())?,
            signal(SignalKind::quit())?,
        ]))
    }

    async fn next(&mut self) {
        let [interrupt, terminate, hangup, quit] = &mut self.0;
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
            _ = quit.recv() => {}
        }
    }
}

/// Waits until the user, or the system, asks the process to end; it listens from now on, and not only when it is waited for.
pub(crate) fn stop_signal(runtime: &Runtime) -> Result<impl Future<Output = ()> + use<>, Failure> {
    let _inside = runtime.enter();
    let mut signals = StopSignals::listen()?;
    Ok(async move { signals.next().await })
}
