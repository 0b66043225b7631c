//! Whether the app still serves: a request without an answer may mean that it ended, or that it hangs.

use crate::app::App;
use crate::client::NoAnswer;

/// How many requests in a row may be left without an answer.
const PATIENCE: u32 = 3;

/// What is wrong with an app: it ended, or it hangs.
#[derive(Clone, Debug)]
pub(crate) enum Trouble {
    /// It ended, and how.
    Ended(String),
    /// It does not answer.
    Hangs,
}

impl Trouble {
    /// What is said of the step at which it showed. How the connection broke is chance, and not told: one crash is one
    /// change in every run.
    pub(crate) fn of_step(&self, why: &str) -> String {
        match self {
            Self::Ended(how) => format!("the app ended ({how})"),
            Self::Hangs => format!("the app hangs: {why}"),
        }
    }

    /// What happened, for the steps after that one.
    pub(crate) fn told(&self) -> &'static str {
        match self {
            Self::Ended(_) => "the app ended",
            Self::Hangs => "the app hung",
        }
    }

    /// How it ended, in parentheses.
    pub(crate) fn how(&self) -> String {
        match self {
            Self::Ended(how) => format!(" ({how})"),
            Self::Hangs => String::new(),
        }
    }
}

/// How an app has answered lately.
#[derive(Debug, Default)]
pub(crate) struct Health {
    /// Time-outs in a row.
    silent: u32,
}

impl Health {
    /// Looks at what came of a request; what is wrong with the app, where something is.
    pub(crate) fn examine<T>(&mut self, app: &mut App, answer: &Result<T, NoAnswer>) -> Option<Trouble> {
        let Err(no_answer) = answer else {
            self.silent = 0;
            return None;
        };
        if let Some(status) = app.about_to_end() {
            return Some(Trouble::Ended(status.to_string()));
        }
        if !no_answer.timed_out {
            return None;
        }
        self.silent += 1;
        // One page may be slow while the others are well.
        (self.silent >= PATIENCE || !app.answers()).then_some(Trouble::Hangs)
    }
}
