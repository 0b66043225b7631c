//! Ctrl-C ends a measurement and, with it, every process it started.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::signal::unix::{SignalKind, signal};

use crate::Trouble;

/// A flag that is set on Ctrl-C or termination.
pub fn stop_on_interrupt() -> Result<Arc<AtomicBool>, Trouble> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = stop.clone();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut terminated = runtime.block_on(async { signal(SignalKind::terminate()) })?;
    std::thread::spawn(move || {
        runtime.block_on(async {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminated.recv() => {}
            }
        });
        flag.store(true, Ordering::Relaxed);
    });
    Ok(stop)
}

/// An error once the flag is set.
pub fn unless_stopped(stop: &AtomicBool) -> Result<(), Trouble> {
    if stop.load(Ordering::Relaxed) { Err("interrupted".into()) } else { Ok(()) }
}
