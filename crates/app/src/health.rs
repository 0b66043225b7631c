//! Whether the app still serves: a request without an answer may mean that it ended, or that it hangs.

use crate::process::App;

/// How many requests in a row may be left without an answer.
const PATIENCE: u32 = 3;

/// What came of a request, as far as the app's health goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestResult {
    /// An answer, whatever it says.
    Answered,
    /// No answer: the connection broke, or there was none.
    Failed,
    /// No answer in the time there was for it.
    TimedOut,
}

/// What is wrong with an app: it ended, or it hangs.
#[derive(Clone, Debug)]
pub enum Trouble {
    /// It ended, and how.
    Ended(String),
    /// It does not answer.
    Hangs,
}

impl Trouble {
    /// What is said of the step at which it showed. How the connection broke is chance, and not told: one crash is one
    /// change in every run.
    pub fn of_step(&self, why: &str) -> String {
        match self {
            Self::Ended(how) => format!("the app ended ({how})"),
            Self::Hangs => format!("the app hangs: {why}"),
        }
    }

    /// What happened, for the steps after that one.
    pub fn told(&self) -> &'static str {
        match self {
            Self::Ended(_) => "the app ended",
            Self::Hangs => "the app hung",
        }
    }

    /// How it ended, in parentheses.
    pub fn how(&self) -> String {
        match self {
            Self::Ended(how) => format!(" ({how})"),
            Self::Hangs => String::new(),
        }
    }
}

/// How an app has answered lately.
#[derive(Debug, Default)]
pub struct Health {
    /// Time-outs in a row.
    silent: u32,
}

impl Health {
    /// Looks at what came of a request; what is wrong with the app, where something is. Other requests go on meanwhile.
    pub async fn examine(&mut self, app: &mut App, result: RequestResult) -> Option<Trouble> {
        if result == RequestResult::Answered {
            self.silent = 0;
            return None;
        }
        if let Some(status) = app.about_to_end().await {
            return Some(Trouble::Ended(status.to_string()));
        }
        if result == RequestResult::Failed {
            return None;
        }
        self.silent += 1;
        // One page may be slow while the others are well.
        (self.silent >= PATIENCE || !app.answers().await).then_some(Trouble::Hangs)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::path::Path;
    use std::process::Command;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::*;
    use crate::app_spec::{AppSpec, Restart};

    fn spec(folder: &Path) -> AppSpec {
        AppSpec {
            address: None,
            clock: crate::clock::Clock::Real,
            name: "test".to_owned(),
            command: "exec python3 -m http.server {port} --bind 127.0.0.1".to_owned(),
            dir: folder.to_owned(),
            env: std::collections::BTreeMap::new(),
            ready: "/".to_owned(),
            ready_timeout: Duration::from_secs(30),
            request_timeout: Duration::from_secs(30),
            stop_timeout: crate::app_spec::STOP_TIMEOUT,
            grain: Duration::ZERO,
            restart: Restart::Never,
            database: None,
            log: folder.join("app.log"),
            logs: Vec::new(),
        }
    }

    /// Catches: while the app is asked whether it hangs, nothing else goes on, so that one slow page makes the requests of
    /// all other sessions time out.
    #[test]
    fn other_requests_go_on_while_the_app_is_looked_at() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let (release, released) = channel();
        let spec = AppSpec { address: Some(listener.local_addr().unwrap()), ..spec(folder.path()) };
        let server = std::thread::spawn(move || {
            let answer = |wait: bool| {
                let (mut stream, _) = listener.accept().unwrap();
                stream.read_exact(&mut [0; 16]).unwrap();
                if !wait || released.recv().is_ok() {
                    let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
                }
            };
            // Ready; and then only when another task of the runtime has run.
            answer(false);
            answer(true);
        });
        let mut app = App::start(&spec).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let trouble = runtime.block_on(async {
            let other = tokio::spawn(async move { release.send(()) });
            let trouble = Health::default().examine(&mut app, RequestResult::TimedOut).await;
            other.await.unwrap().unwrap();
            trouble
        });
        assert!(trouble.is_none(), "{trouble:?}");
        server.join().unwrap();
    }

    /// Catches: one slow page restarts an app that is well, or an app whose every page is stuck is never restarted.
    #[test]
    fn three_time_outs_in_a_row_are_a_hang_and_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let mut app = App::start(&spec(folder.path())).unwrap();
        let mut health = Health::default();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let mut examine = |app: &mut App, result| runtime.block_on(health.examine(app, result));
        let (silence, broken) = (RequestResult::TimedOut, RequestResult::Failed);
        for result in [silence, silence, RequestResult::Answered, broken, silence, silence] {
            assert!(examine(&mut app, result).is_none());
        }
        assert!(matches!(examine(&mut app, silence), Some(Trouble::Hangs)));
        let pid = app.process().to_string();
        assert!(Command::new("kill").args(["-9", &pid]).status().unwrap().success());
        let trouble = examine(&mut app, broken);
        assert!(matches!(&trouble, Some(Trouble::Ended(how)) if how.contains("signal: 9")), "{trouble:?}");
    }
}
