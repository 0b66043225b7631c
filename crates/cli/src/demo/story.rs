//! The story that the demo tells on standard output.

use std::path::Path;
use std::time::Instant;

use crate::args::Global;
use crate::terminal::output;

/// Tells what happens, on standard output.
pub(crate) struct Story<'a> {
    global: &'a Global,
    chapter: usize,
}

impl<'a> Story<'a> {
    pub(crate) fn new(global: &'a Global) -> Self {
        Self { global, chapter: 0 }
    }

    pub(crate) fn chapter(&mut self, title: &str) {
        self.chapter += 1;
        if !self.global.json {
            output::line(&format!("{}. {title}", self.chapter));
        }
    }

    pub(crate) fn tell(&self, text: String) {
        if !self.global.json {
            output::line(&format!("   {text}"));
        }
    }

    pub(crate) fn next(&self, report: &Path, dir: &Path, begun: Instant) {
        if self.global.json {
            return;
        }
        let dir = dir.display();
        output::line(&format!(
            "\ndone in {:.0} s; report: {}\n\nTry next:\n  restage --project {dir} sessions\n  restage --project {dir} runs show faulty\n  \
             restage --project {dir} test --app faulty --oracle D\n  restage --project {dir} snapshots\n  \
             restage init                     in your own application's folder",
            begun.elapsed().as_secs_f64(),
            report.display(),
        ));
    }
}
