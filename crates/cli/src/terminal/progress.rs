//! Progress on anything that takes time, on standard error.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::args::Global;
use crate::failure::Failure;

/// A bar over a known number of steps; hidden where standard error is no terminal.
pub(crate) fn bar(global: &Global, what: &str, length: usize) -> ProgressBar {
    let bar = ProgressBar::new(length as u64);
    if global.quiet || global.json {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    if let Ok(style) =
        ProgressStyle::with_template("{prefix:>22} [{bar:32}] {pos}/{len} {per_sec}  {eta} left  {msg}")
    {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.set_prefix(what.to_owned());
    bar
}

/// A bar over a number of bytes, as far as it is known, that follows a counter until it is dropped.
pub(crate) struct ByteBar {
    bar: ProgressBar,
    done: Arc<AtomicBool>,
    follower: Option<std::thread::JoinHandle<()>>,
}

impl ByteBar {
    pub(crate) fn follow(
        global: &Global,
        what: &str,
        length: Option<u64>,
        counter: Arc<AtomicU64>,
    ) -> Result<Self, Failure> {
        let bar = length.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
        if global.quiet || global.json {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        let template = match length {
            Some(_) => "{prefix:>22} [{bar:32}] {bytes}/{total_bytes} {bytes_per_sec}  {eta} left  {msg}",
            None => "{prefix:>22} {bytes} {bytes_per_sec}  {msg}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_prefix(what.to_owned());
        let done = Arc::new(AtomicBool::new(false));
        let (followed, until) = (bar.clone(), done.clone());
        let follower = std::thread::Builder::new().name("restage-progress".to_owned()).spawn(move || {
            while !until.load(Ordering::Relaxed) {
                followed.set_position(counter.load(Ordering::Relaxed));
                std::thread::park_timeout(std::time::Duration::from_millis(100));
            }
        })?;
        Ok(Self { bar, done, follower: Some(follower) })
    }

    pub(crate) fn about(&self, what: &str) {
        self.bar.set_message(what.to_owned());
    }
}

impl Drop for ByteBar {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        if let Some(follower) = self.follower.take() {
            follower.thread().unpark();
            let _ = follower.join();
        }
        self.bar.finish_and_clear();
    }
}

/// A note for the user, beside the data.
pub(crate) fn note(global: &Global, text: impl AsRef<str>) {
    if !global.quiet && !global.json {
        say(text);
    }
}

/// Something about the user's own data, which is said in every mode. Nobody may be there to read it: a terminal that was closed.
pub(crate) fn say(text: impl AsRef<str>) {
    let _ = writeln!(std::io::stderr(), "{}", text.as_ref());
}
