//! What a probe writes to `$RESTAGE_FACTS`: one JSON object a line.
//!
//! `{"v": 1, "step": "…", …}` is a step, `{"v": 1, "file": "…", …}` a file of the application.

use serde::Deserialize;
use thiserror::Error;

use crate::{FileOutline, StepFacts};

/// A line of a probe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// What one step did.
    Step(Box<StepFacts>),
    /// What is in a file.
    File(FileOutline),
}

/// A line that no probe of this protocol writes.
#[derive(Debug, Error)]
pub enum RecordError {
    /// Cut off, or written by two at once.
    #[error("no JSON object: {0}")]
    Json(#[from] serde_json::Error),
    /// A probe of another protocol.
    #[error("written for version {0} of the protocol; this restage reads version 1")]
    Version(u64),
}

#[derive(Deserialize)]
struct Head {
    v: u64,
    #[serde(default)]
    file: Option<serde::de::IgnoredAny>,
}

impl Record {
    /// Reads a line.
    pub fn parse(line: &[u8]) -> Result<Self, RecordError> {
        let head: Head = serde_json::from_slice(line)?;
        if head.v != 1 {
            return Err(RecordError::Version(head.v));
        }
        Ok(match head.file {
            Some(_) => Self::File(serde_json::from_slice(line)?),
            None => Self::Step(Box::new(serde_json::from_slice(line)?)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_and_files_are_told_apart() {
        let step =
            br#"{"v":1,"step":"s1/3","lines":{"a.php":[[1,3],7]},"sql":[{"text":"SELECT 1","rows":1}]}"#;
        let Ok(Record::Step(step)) = Record::parse(step) else { panic!("a step") };
        assert_eq!((step.step.as_str(), step.lines["a.php"].len(), step.sql.len()), ("s1/3", 4, 1));
        let file = br#"{"v":1,"file":"a.php","lines":[1],"functions":[{"name":"f","first":1,"last":2}]}"#;
        assert!(matches!(Record::parse(file), Ok(Record::File(file)) if file.functions.len() == 1));
    }

    #[test]
    fn what_is_cut_off_or_of_another_version_is_refused() {
        assert!(matches!(Record::parse(br#"{"v":1,"step":"s1"#), Err(RecordError::Json(_))));
        assert!(matches!(Record::parse(br#"{"v":2,"step":"s1"}"#), Err(RecordError::Version(2))));
    }
}
