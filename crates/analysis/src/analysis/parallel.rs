//! Work on both cores, with results in order.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The analysis goes as deep as the source is nested, several functions on top of each other.
const STACK: usize = 1 << 29;

/// Does something with every part of a list, on several threads; the results are in the list's order.
pub(super) fn each<T: Sync, R: Send>(threads: usize, parts: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::with_capacity(parts.len()));
    let run = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(part) = parts.get(at) else { return };
            let result = work(part);
            match done.lock() {
                Ok(mut done) => done.push((at, result)),
                Err(poisoned) => poisoned.into_inner().push((at, result)),
            }
        }
    };
    std::thread::scope(|scope| {
        let mut started = 0;
        for _ in 0..threads.clamp(1, parts.len().max(1)) {
            let spawned = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
            started += usize::from(spawned.is_ok());
        }
        if started == 0 {
            run();
        }
    });
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}
