//! A pair of a definition and a use.

use std::fmt;

use serde::Serialize;

use crate::dynamics::{AccessLocation, StateId};

/// What is to be covered: a definition that reaches a use.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Pair {
    /// The state.
    pub state: StateId,
    /// What counts as one definition.
    pub definition: DefinitionMark,
    /// What counts as one use.
    pub usage: UseMark,
}

/// What counts as one definition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct DefinitionMark {
    /// Where; none where only the statement counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<AccessLocation>,
    /// The value or the statement, where it counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<DefinedValue>,
    /// How many of its kind came before it in the session, where that counts.
    #[serde(skip_serializing_if = "is_zero")]
    pub earlier: usize,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// A value that a state was given.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DefinedValue {
    /// This one, or what this statement made.
    Set(String),
    /// It is gone.
    Gone,
}

/// What counts as one use.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct UseMark {
    /// Where.
    pub location: AccessLocation,
    /// The request that it is in, where that counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    /// Whether it is known to be about other rows than those that were defined: it asks for the table, and not for what was defined.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub other_rows: bool,
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, defined", self.state)?;
        if let Some(location) = &self.definition.location {
            write!(f, " at {location}")?;
        }
        match &self.definition.value {
            Some(DefinedValue::Set(value)) => write!(f, " as {}", shortened(value))?,
            Some(DefinedValue::Gone) => f.write_str(" as gone")?,
            None => {}
        }
        if self.definition.earlier > 0 {
            write!(f, " after {} like it", self.definition.earlier)?;
        }
        write!(f, ", used at {}", self.usage.location)?;
        match &self.usage.request {
            Some(request) if *request != self.usage.location.to_string() => write!(f, " by {request}")?,
            _ => {}
        }
        f.write_str(if self.usage.other_rows { " for other rows" } else { "" })
    }
}

/// So many characters of a value are enough to know it by.
const SHOWN: usize = 60;

fn shortened(value: &str) -> String {
    match value.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.to_owned(),
    }
}
