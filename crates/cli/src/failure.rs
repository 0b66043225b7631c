//! Exit codes, and the one place that maps errors to them.

use std::io::Write;
use std::process::ExitCode;

use restage_capture::{ImportError, RecordError};
use restage_judge::JudgingError;
use restage_oracle::{ExpressionError, JudgeError};
use restage_project::{ProjectError, SettingError};
use restage_replay::{AppError, MergeError, ReplayError};
use restage_report::ReportError;
use restage_store::StoreError;

/// How a command ended, when it did what it was asked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// All well: exit 0.
    Well,
    /// Differences were found: exit 1.
    Different,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Well => Self::SUCCESS,
            Outcome::Different => Self::from(1),
        }
    }
}

/// Whose the failure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    /// The user's mistake: exit 2.
    User,
    /// The environment's: the app did not start, the disk is full: exit 3.
    Environment,
}

/// Why a command could not do what it was asked to.
#[derive(Debug)]
pub(crate) struct Failure {
    whose: Whose,
    message: String,
}

impl Failure {
    pub(crate) fn user(message: impl Into<String>) -> Self {
        Self { whose: Whose::User, message: message.into() }
    }

    pub(crate) fn environment(message: impl Into<String>) -> Self {
        Self { whose: Whose::Environment, message: message.into() }
    }

    /// Tells the user, and says with which code to exit.
    pub(crate) fn report(&self, json: bool) -> ExitCode {
        let code = match self.whose {
            Whose::User => 2,
            Whose::Environment => 3,
        };
        if json {
            let told = serde_json::json!({ "error": self.message, "exit": code });
            let _ = writeln!(std::io::stdout(), "{told}");
        }
        // Nobody may be there to read it: a terminal that was closed.
        let _ = writeln!(std::io::stderr(), "error: {}", self.message);
        ExitCode::from(code)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Missing(_) | StoreError::Taken { .. } | StoreError::Unknown { .. } => {
                Self::user(error.to_string())
            }
            _ => Self::environment(error.to_string()),
        }
    }
}

impl From<ProjectError> for Failure {
    fn from(error: ProjectError) -> Self {
        match error {
            ProjectError::Store(error) => error.into(),
            ProjectError::State(error) => error.into(),
            ProjectError::Replay(error) => error.into(),
            ProjectError::Judging(error) => error.into(),
            ProjectError::Import(error) => error.into(),
            ProjectError::Reduce(error) => error.into(),
            ProjectError::Write { .. }
            | ProjectError::MakeFolder { .. }
            | ProjectError::StandInKey { .. }
            | ProjectError::NotPutBack { .. }
            | ProjectError::Io(_) => Self::environment(error.to_string()),
            _ => Self::user(error.to_string()),
        }
    }
}

impl From<SettingError> for Failure {
    fn from(error: SettingError) -> Self {
        Self::user(error.to_string())
    }
}

impl From<restage_state::Error> for Failure {
    fn from(error: restage_state::Error) -> Self {
        use restage_state::Error;
        match error {
            Error::SnapshotStoreInFolder { .. }
            | Error::NoSnapshot { .. }
            | Error::DatabaseUrl { .. }
            | Error::NotADatabase { .. }
            | Error::NotAFolder { .. }
            | Error::SnapshotExists { .. }
            | Error::OtherParts { .. }
            | Error::RelativePath { .. } => Self::user(error.to_string()),
            _ => Self::environment(error.to_string()),
        }
    }
}

impl From<ReplayError> for Failure {
    fn from(error: ReplayError) -> Self {
        match error {
            ReplayError::Store(error) => error.into(),
            ReplayError::State(error) => error.into(),
            ReplayError::NoSnapshot(_) | ReplayError::Refused(_) => Self::user(error.to_string()),
            _ => Self::environment(error.to_string()),
        }
    }
}

impl From<AppError> for Failure {
    fn from(error: AppError) -> Self {
        ReplayError::from(error).into()
    }
}

impl From<MergeError> for Failure {
    fn from(error: MergeError) -> Self {
        match error {
            MergeError::Store(error) => error.into(),
            _ => Self::user(error.to_string()),
        }
    }
}

impl From<ImportError> for Failure {
    fn from(error: ImportError) -> Self {
        match error {
            ImportError::Store(error) => error.into(),
            ImportError::Stopped { .. } => Self::environment(error.to_string()),
            _ => Self::user(error.to_string()),
        }
    }
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Self {
        match error {
            RecordError::Listen { .. } => Self::environment(error.to_string()),
            _ => Self::user(error.to_string()),
        }
    }
}

impl From<ReportError> for Failure {
    fn from(error: ReportError) -> Self {
        Self::environment(error.to_string())
    }
}

impl From<JudgingError> for Failure {
    fn from(error: JudgingError) -> Self {
        match error {
            JudgingError::Store(error) => error.into(),
            JudgingError::State(error) => error.into(),
            JudgingError::Step(error) => error.into(),
            JudgingError::DifferentSuites { .. } | JudgingError::NotAPart { .. } => {
                Self::user(error.to_string())
            }
        }
    }
}

impl From<JudgeError> for Failure {
    fn from(error: JudgeError) -> Self {
        Self::environment(error.to_string())
    }
}

impl From<restage_suite::reduce::ReduceError> for Failure {
    fn from(error: restage_suite::reduce::ReduceError) -> Self {
        match error {
            restage_suite::reduce::ReduceError::NoFacts(..) => Self::user(error.to_string()),
            restage_suite::reduce::ReduceError::Source(_) => Self::environment(error.to_string()),
        }
    }
}

impl From<ExpressionError> for Failure {
    fn from(error: ExpressionError) -> Self {
        Self::user(error.to_string())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::environment(error.to_string())
    }
}
