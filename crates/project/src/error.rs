//! What can be wrong with a project: where, what was expected, and what to do about it.

use std::fmt;
use std::io;
use std::path::PathBuf;

use restage_capture::ImportError;
use restage_judge::JudgingError;
use restage_oracle::ExpressionError;
use restage_replay::ReplayError;
use restage_store::StoreError;
use restage_suite::reduce::ReduceError;
use thiserror::Error;

/// How many secrets an error lists.
const SHOWN_SECRETS: usize = 10;

/// A mistake in a settings file: where in the file, what is wrong, and how to mend it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct SettingError {
    place: Option<String>,
    problem: String,
    hint: Option<String>,
}

impl SettingError {
    /// What is wrong.
    pub fn new(problem: impl fmt::Display) -> Self {
        Self { place: None, problem: problem.to_string().trim_end().to_owned(), hint: None }
    }

    /// With what to do about it. An error of a deeper place may bring its own hint; that one says more.
    #[must_use]
    pub fn or_hint(mut self, hint: impl Into<String>) -> Self {
        if self.hint.is_none() && !self.problem.contains("\n  hint: ") {
            self.hint = Some(hint.into());
        }
        self
    }

    /// With the section of the file it is in: `[[ignore]] 2`.
    #[must_use]
    pub fn in_section(mut self, section: impl fmt::Display) -> Self {
        self.place.get_or_insert_with(|| section.to_string());
        self
    }

    /// With the file it is in.
    pub fn in_file(self, file: impl Into<PathBuf>) -> ProjectError {
        ProjectError::Setting { file: file.into(), error: self }
    }
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "in {place}: ")?;
        }
        f.write_str(&self.problem)?;
        if let Some(hint) = &self.hint {
            write!(f, "\n  hint: {hint}")?;
        }
        Ok(())
    }
}

/// Why a project cannot be used as asked.
#[derive(Debug, Error)]
pub enum ProjectError {
    /// The folder that was named is none.
    #[error("the project {0} is not a folder")]
    NotAFolder(PathBuf),
    /// There are no settings, and they are needed.
    #[error(
        "there is no restage.toml in {0} or above it\n  hint: `restage init` writes one; it says how to start the application"
    )]
    NoSettings(PathBuf),
    /// A file of the project says what it cannot mean.
    #[error("{}: {error}", file.display())]
    Setting {
        /// The file.
        file: PathBuf,
        /// The mistake.
        error: SettingError,
    },
    /// A file that people write cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A folder cannot be made.
    #[error("cannot create the folder {}: {source}", path.display())]
    MakeFolder {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file that the settings name is missing or cannot be read.
    #[error(
        "cannot read the secrets in {}: {source}\n  hint: the file holds lines NAME=value; `file` in [redact] secrets or RESTAGE_SECRETS names it",
        path.display()
    )]
    SecretsFile {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file of secrets is where recordings are handed on.
    #[error(
        "{} is in the folder of the store, which is handed on with the recordings\n  hint: keep secrets in a file elsewhere",
        .0.display()
    )]
    SecretsBesideStore(PathBuf),
    /// A variable of the environment is missing.
    #[error("the environment has no {name}, which {asked_by} asks for\n  hint: export {name}=… first")]
    MissingVariable {
        /// Its name.
        name: String,
        /// The setting that names it.
        asked_by: &'static str,
    },
    /// The key that stand-ins are made with cannot be used.
    #[error(
        "cannot use the key for stand-ins, {}: {source}\n  hint: or set RESTAGE_REDACT_KEY to a long random text",
        path.display()
    )]
    StandInKey {
        /// The key's file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A map that cannot be read.
    #[error("{place}: {source}")]
    Map {
        /// Its file, or its name in the store.
        place: String,
        /// What is wrong with it.
        source: restage_site::MapError,
    },
    /// Nothing was recorded or imported.
    #[error(
        "nothing is recorded yet\n  hint: `restage record --upstream URL`, then use the application through it; or `restage import FILE`. `restage sessions --all` shows sessions that are left out"
    )]
    NothingRecorded,
    /// There is no baseline at all.
    #[error(
        "there is no baseline to compare with\n  hint: `restage baseline` makes one on the trusted version"
    )]
    NoBaseline,
    /// There is no baseline of what a run replays.
    #[error(
        "there is no baseline of the suite that `{run}` replays\n  hint: --baseline names a run to compare with"
    )]
    NoBaselineOf {
        /// The run.
        run: String,
    },
    /// No baseline has the sessions whose needs are asked for.
    #[error(
        "no baseline has these sessions, so it is not known which others they need\n  hint: `restage baseline` makes one on the trusted version"
    )]
    NoBaselineWithSessions,
    /// It is not known which sessions of a suite need which.
    #[error(
        "the suite `{suite}` has no baseline, so it is not known which sessions need which\n  hint: `restage baseline {suite}` makes one"
    )]
    NeedsUnknown {
        /// The suite.
        suite: String,
    },
    /// There is no replay to judge.
    #[error("nothing was replayed since the baseline\n  hint: `restage test`")]
    NothingReplayed,
    /// A shard cannot begin from the state of the first session alone.
    #[error(
        "a shard cannot be replayed with --state initial: the sessions before it are missing\n  hint: make a baseline of this suite first (`restage baseline`), or use --state fresh"
    )]
    ShardWithoutSnapshots,
    /// A shard of sessions that overlap.
    #[error(
        "--shard cannot be used with --overlap: the sessions that a session met are in other shards\n  hint: use --overlap without --shard, on one machine; `restage replay --overlap --only s2,s7` replays some sessions that met"
    )]
    ShardOverlaps,
    /// A suite has no session of that name.
    #[error("the suite `{suite}` has no session `{session}`\n  hint: `restage sessions` lists them")]
    UnknownSession {
        /// The suite.
        suite: String,
        /// The name that was asked for.
        session: String,
    },
    /// The settings name a session that was not recorded.
    #[error(
        "restage.toml: groups in [replay] names the session `{session}`, which was not recorded\n  hint: `restage sessions` lists them"
    )]
    UnknownInGroup {
        /// The name.
        session: String,
    },
    /// What is about to be written holds secrets.
    #[error(
        "{what} would contain secrets, so nothing was written:\n{}\n  hint: `restage sanitize` replaces them in the store; `keep` in [redact] lists what is not secret; --with-secrets writes them anyway",
        listed(found)
    )]
    HoldsSecrets {
        /// What was to be written.
        what: String,
        /// Where the secrets are.
        found: Vec<String>,
    },
    /// An oracle that cannot be read.
    #[error(transparent)]
    Oracle(#[from] ExpressionError),
    /// What a killed replay left could not be put back.
    #[error(
        "the application's data is not as it was before a replay that was interrupted, and cannot be restored: {why}\n  hint: it is kept as the snapshot `{snapshot}`; restage restores it as soon as it can. `restage snapshots remove '{snapshot}'` keeps the data as it is now"
    )]
    NotPutBack {
        /// The snapshot that holds it.
        snapshot: String,
        /// Why.
        why: String,
    },
    /// A reduction.
    #[error(transparent)]
    Reduce(#[from] ReduceError),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The application's state, or a snapshot of it.
    #[error(transparent)]
    State(#[from] restage_state::Error),
    /// A replay.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// Judging.
    #[error(transparent)]
    Judging(#[from] JudgingError),
    /// Redaction while importing or recording.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// The file system.
    #[error(transparent)]
    Io(#[from] io::Error),
}

fn listed(found: &[String]) -> String {
    let mut lines: Vec<String> = found.iter().take(SHOWN_SECRETS).map(|place| format!("  {place}")).collect();
    if found.len() > SHOWN_SECRETS {
        lines.push(format!("  and {} more", found.len() - SHOWN_SECRETS));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: a hint of a deeper place that is hidden by a general one, a section that is said twice.
    #[test]
    fn the_deepest_place_and_hint_are_said() {
        let error = SettingError::new("it is wrong\n")
            .or_hint("mend it")
            .in_section("[[ignore]] 2")
            .or_hint("see the manual")
            .in_section("[ignore]")
            .in_file("restage.toml");
        assert_eq!(error.to_string(), "restage.toml: in [[ignore]] 2: it is wrong\n  hint: mend it");
        let parsed = SettingError::new("`x` is no clock\n  hint: real or recorded").or_hint("see the manual");
        assert_eq!(parsed.to_string(), "`x` is no clock\n  hint: real or recorded");
    }

    #[test]
    fn many_secrets_are_counted() {
        let found = (1..=12).map(|n| format!("s{n}, POST /login")).collect();
        let said = ProjectError::HoldsSecrets { what: "the report".to_owned(), found }.to_string();
        assert!(said.contains("  s10, POST /login\n  and 2 more\n  hint: "), "{said}");
    }
}
