//! The log of statements that a database server keeps itself: for applications without a probe that sees them (paper 4, section 4).
//!
//! What belongs to which step is told by order, not by time: before each step, a marker is sent to the database of the app's copy, and
//! is found in the log between the statements of that database. So clocks do not matter. The log is read once, at the end.

use std::sync::mpsc::{Receiver, Sender, channel};

use super::address::{DatabaseSpec, ServerKind};
use super::{mariadb, postgres};
use crate::error::{Error, Result};

/// What a marker begins with.
pub(crate) const MARKER: &str = "restage step ";

/// A server's log, switched on; it is put back as it was when this is dropped.
pub struct StatementLog {
    log: Box<dyn ServerLog>,
    spec: DatabaseSpec,
}

/// What was found in a log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LogFound {
    /// How many markers.
    pub markers: u64,
    /// How many statements that follow one.
    pub statements: u64,
}

/// Sends markers to one database. The connection is on a thread of its own: whoever replays may do so inside of a runtime, in which no
/// client may wait.
pub struct StatementMarker {
    texts: Sender<String>,
    answers: Receiver<Result<()>>,
    shown: String,
}

/// What an engine has for it.
pub(crate) trait ServerLog: Send {
    /// Hands out each statement that follows a marker in the same database, with the marker's name.
    fn read(&mut self, each: &mut dyn FnMut(&str, String)) -> Result<LogFound>;

    /// Puts the log back as it was.
    fn put_back(&mut self) -> Result<()>;
}

/// What sends markers.
pub(crate) trait Marker {
    /// Sends a statement that does nothing.
    fn send(&mut self, text: &str) -> Result<()>;
}

impl StatementLog {
    /// Switches on the log of a database's server.
    pub fn open(spec: &DatabaseSpec) -> Result<Self> {
        let log: Box<dyn ServerLog> = match spec.kind {
            ServerKind::Mariadb => Box::new(mariadb::GeneralLog::open(spec)?),
            ServerKind::Postgres => Box::new(postgres::open_log(spec)?),
        };
        Ok(Self { log, spec: spec.clone() })
    }

    /// Which database it is of.
    pub fn database(&self) -> &DatabaseSpec {
        &self.spec
    }

    /// What sends markers to this database of the same server: the application's own, or that of a copy.
    pub fn marker(spec: &DatabaseSpec) -> Result<StatementMarker> {
        let ((texts, inbox), (outbox, answers)) = (channel::<String>(), channel());
        let (of, shown) = (spec.clone(), spec.shown());
        // It ends with the marker that it works for.
        std::thread::spawn(move || match open_marker(&of) {
            Err(error) => drop(outbox.send(Err(error))),
            Ok(mut marker) => {
                let mut going = outbox.send(Ok(())).is_ok();
                while going && let Ok(text) = inbox.recv() {
                    going = outbox.send(marker.send(&text)).is_ok();
                }
            }
        });
        let marker = StatementMarker { texts, answers, shown };
        marker.answer()?;
        Ok(marker)
    }

    /// Hands out each statement that follows a marker in the same database, with the marker's name.
    pub fn read(&mut self, each: &mut dyn FnMut(&str, String)) -> Result<LogFound> {
        self.log.read(each)
    }

    /// Puts the log back as it was; an error says what was left.
    pub fn close(mut self) -> Result<()> {
        self.log.put_back()
    }
}

impl Drop for StatementLog {
    fn drop(&mut self) {
        // After `close`, there is nothing left to do. Where the run ends by an error, that is what is told.
        let _ = self.log.put_back();
    }
}

impl StatementMarker {
    /// What follows in this database is of this name; of nobody where there is none.
    pub fn mark(&mut self, name: Option<&str>) -> Result<()> {
        // Where nobody listens any more, there is no answer.
        let _ = self.texts.send(format!("{MARKER}{}", name.unwrap_or("-")));
        self.answer()
    }

    fn answer(&self) -> Result<()> {
        let gone =
            || Error::ServerAway { database: self.shown.clone(), said: "the connection was lost".to_owned() };
        self.answers.recv().unwrap_or_else(|_| Err(gone()))
    }
}

fn open_marker(spec: &DatabaseSpec) -> Result<Box<dyn Marker>> {
    Ok(match spec.kind {
        ServerKind::Mariadb => Box::new(mariadb::LogMarker::open(spec)?),
        ServerKind::Postgres => Box::new(postgres::LogMarker::open(spec)?),
    })
}

/// Attributes statements to markers, database by database, as they come in the order of the log.
#[derive(Debug, Default)]
pub(crate) struct Attribution {
    /// The marker that holds in a database.
    current: std::collections::HashMap<String, String>,
    pub(crate) found: LogFound,
}

impl Attribution {
    /// A statement of a connection to a database.
    pub(crate) fn statement(&mut self, database: &str, text: &str, each: &mut dyn FnMut(&str, String)) {
        if let Some(name) = marker_in(text) {
            self.found.markers += u64::from(name != "-");
            self.current.insert(database.to_owned(), name.to_owned());
            return;
        }
        let Some(name) = self.current.get(database).filter(|name| *name != "-") else { return };
        self.found.statements += 1;
        each(name, text.to_owned());
    }
}

/// The name of the marker that a statement is: `DO 'restage step NAME'`, `SELECT 'restage step NAME'`.
fn marker_in(text: &str) -> Option<&str> {
    let quoted = text.strip_prefix("DO '").or_else(|| text.strip_prefix("SELECT '"))?;
    quoted.strip_prefix(MARKER)?.strip_suffix('\'')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: statements of one copy's database that are put down to the step of another, and restage's own between two steps.
    #[test]
    fn statements_belong_to_the_marker_before_them_in_their_own_database() {
        let mut attribution = Attribution::default();
        let mut seen = Vec::new();
        for (database, text) in [
            ("a", "SELECT 0"),
            ("a", "DO 'restage step x/1'"),
            ("b", "SELECT 'restage step x/2'"),
            ("a", "SELECT 1"),
            ("b", "SELECT 2"),
            ("c", "SELECT 3"),
            ("a", "DO 'restage step -'"),
            ("a", "SELECT 4"),
            ("b", "INSERT INTO t VALUES ('DO ''restage step y')"),
        ] {
            attribution.statement(database, text, &mut |name, text| seen.push(format!("{name} {text}")));
        }
        assert_eq!(
            seen,
            ["x/1 SELECT 1", "x/2 SELECT 2", "x/2 INSERT INTO t VALUES ('DO ''restage step y')"]
        );
        assert_eq!(attribution.found, LogFound { markers: 2, statements: 3 });
    }
}
