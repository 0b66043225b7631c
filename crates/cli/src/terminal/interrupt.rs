//! Stopping when the user, or the system, asks for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::Failure;

/// Sets `stop` on the first Ctrl-C or termination; a second one ends the process at once.
pub(crate) fn stop_on_interrupt(stop: &Arc<AtomicBool>) -> Result<(), Failure> {
    let stop = stop.clone();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    std::thread::Builder::new().name("restage-signals".to_owned()).spawn(move || {
        runtime.block_on(async {
            loop {
                stop_signal().await;
                if stop.swap(true, Ordering::Relaxed) {
                    std::process::exit(130);
                }
            }
        });
    })?;
    Ok(())
}

/// Waits until the user, or the system, asks the process to end.
pub(crate) async fn stop_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut term), Ok(mut hangup)) = (signal(SignalKind::terminate()), signal(SignalKind::hangup()))
    else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = term.recv() => {}
        _ = hangup.recv() => {}
    }
}
