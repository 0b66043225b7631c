//! From sources to a result.

use std::sync::Arc;

use super::result::{Analysis, Location, Problem};
use super::{attribution, parallel, rounds};
use crate::php::ir::Unit;
use crate::php::lower;
use crate::program::Program;
use crate::sql::Dialect;

/// A file's name and what is in it.
#[derive(Clone, Debug)]
pub struct Source {
    /// What it is called in the result: a path with slashes.
    pub path: String,
    /// What is in it.
    pub content: Vec<u8>,
}

/// How to analyze.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Whose SQL the application speaks.
    pub dialect: Dialect,
    /// On how many threads.
    pub threads: usize,
}

impl Default for Options {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(8);
        Self { dialect: Dialect::default(), threads }
    }
}

/// Larger files are data, and not read.
const LARGEST: usize = 16 << 20;

/// Finds where an application defines and uses its session variables and tables.
pub fn analyze(sources: &[Source], options: Options) -> Analysis {
    let read = parallel::each(options.threads, sources, read);
    let mut analysis = Analysis::default();
    let mut units = Vec::with_capacity(read.len());
    for (source, (unit, problems)) in sources.iter().zip(read) {
        analysis.problems.extend(problems);
        let path: Arc<str> = Arc::from(source.path.as_str());
        if let Some(unit) = unit {
            for (position, message) in &unit.errors {
                analysis.problems.push(Problem {
                    location: Location { file: path.clone(), line: position.line, column: position.column },
                    message: format!(
                        "not read as PHP: {message}\n  hint: what is around it was read; check it with `php -l {}`",
                        source.path
                    ),
                });
            }
            analysis.files += 1;
            analysis.lines += memchr::memchr_iter(b'\n', &source.content).count();
            units.push((path, unit));
        }
    }
    let program = Program::of(units);
    let effects = rounds::effects(&program, options);
    attribution::attribute(&program, &effects, options, &mut analysis);
    analysis
}

fn read(source: &Source) -> (Option<Unit>, Option<Problem>) {
    let problem = |message: &str| Problem {
        location: Location { file: Arc::from(source.path.as_str()), line: 0, column: 0 },
        message: message.to_owned(),
    };
    let content = &source.content;
    if content.len() > LARGEST {
        let message =
            "larger than 16 MiB: not read\n  hint: such files are data; what they hold is not analyzed";
        return (None, Some(problem(message)));
    }
    if content.starts_with(&[0xff, 0xfe]) || content.starts_with(&[0xfe, 0xff]) {
        let message = "in UTF-16, which PHP does not read: not read\n  hint: store it in UTF-8 (`iconv -f UTF-16 -t UTF-8`)";
        return (None, Some(problem(message)));
    }
    let head = &content[..content.len().min(8192)];
    if memchr::memchr(0, head).is_some() {
        let message = "binary: not read\n  hint: leave it out if it is no PHP";
        return (None, Some(problem(message)));
    }
    // A parser that gives up on something odd ends this file, not the others.
    match std::panic::catch_unwind(|| lower(content)) {
        Ok(unit) => (Some(unit), None),
        Err(_) => (
            None,
            Some(problem(
                "the parser gave up: not read\n  hint: check it with `php -l`, and report it if that is content",
            )),
        ),
    }
}
