//! What there is in a file of the application, whether it ran or not: the other half of every share of coverage.

use serde::{Deserialize, Serialize};

use crate::LineSet;

/// A file's lines that can run, its functions and its branches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileOutline {
    /// Relative to the application's folder, with `/`.
    pub file: String,
    /// Lines that can run.
    #[serde(default)]
    pub lines: LineSet,
    /// Functions and methods, in the order of the file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub functions: Vec<Function>,
    /// Branches; a step says by their ids which it took.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub branches: Vec<Branch>,
    /// A digest of the file, so that another version of it is known as one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
}

/// A function or method. It ran where one of its lines did, but that which declares it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Function {
    /// `Cart::add`, `checkout`.
    pub name: String,
    /// The line that declares it.
    pub first: u32,
    /// Its last line.
    pub last: u32,
}

/// A way that the control may take from one line to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Branch {
    /// Unique in the file.
    pub id: u32,
    /// Where it leaves.
    pub from: u32,
    /// Where it leads to; none where it leaves the function.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<u32>,
}
