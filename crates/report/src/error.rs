//! What can go wrong while a report is made.

use std::path::PathBuf;

use thiserror::Error;

/// What can go wrong while a report is made.
#[derive(Debug, Error)]
pub enum ReportError {
    /// The store did not give what the report is about.
    #[error(transparent)]
    Store(#[from] restage_store::StoreError),
    /// The verdicts could not be read.
    #[error(transparent)]
    Judging(#[from] restage_judge::JudgingError),
    /// Nobody takes what is written any more.
    #[error("cannot write the report: {0}")]
    Output(#[from] std::io::Error),
    /// The JUnit file could not be put together.
    #[error("cannot write the JUnit report: {0}")]
    Junit(#[from] quick_junit::SerializeError),
    /// The report's file could not be written.
    #[error("cannot write the report {path}: {source}\n  hint: check that its folder can be written")]
    Write {
        /// The report's file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}
