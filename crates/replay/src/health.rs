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

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::time::Duration;

    use super::*;
    use crate::spec::{AppSpec, Restart};

    fn no_answer(timed_out: bool) -> Result<(), NoAnswer> {
        Err(NoAnswer { why: String::new(), timed_out })
    }

    /// Catches: one slow page restarts an app that is well, or an app whose every page is stuck is never restarted.
    #[test]
    fn three_time_outs_in_a_row_are_a_hang_and_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let spec = AppSpec {
            address: None,
            clock: crate::clock::Clock::Real,
            name: "test".to_owned(),
            command: "exec python3 -m http.server {port} --bind 127.0.0.1".to_owned(),
            dir: folder.path().to_owned(),
            env: std::collections::BTreeMap::new(),
            ready: "/".to_owned(),
            ready_timeout: Duration::from_secs(30),
            request_timeout: Duration::from_secs(30),
            grain: Duration::ZERO,
            restart: Restart::Never,
            database: None,
            log: folder.path().join("app.log"),
            logs: Vec::new(),
        };
        let mut app = App::start(&spec).unwrap();
        let mut health = Health::default();
        for answer in
            [no_answer(true), no_answer(true), Ok(()), no_answer(false), no_answer(true), no_answer(true)]
        {
            assert!(health.examine(&mut app, &answer).is_none());
        }
        assert!(matches!(health.examine(&mut app, &no_answer(true)), Some(Trouble::Hangs)));
        let pid = app.process().to_string();
        assert!(Command::new("kill").args(["-9", &pid]).status().unwrap().success());
        let trouble = health.examine(&mut app, &no_answer(false));
        assert!(matches!(&trouble, Some(Trouble::Ended(how)) if how.contains("signal: 9")), "{trouble:?}");
    }
}
