//! The error oracle (paper 4, section 5.2): error messages and stack traces that a server printed into a page
//! or a log.
//!
//! "Only faults that are caused by a unique code location and have a distinct type are counted": an error
//! is its kind, what it says without the values in it, and its place; the same one again is not told twice.
//!
//! Most pages have none. One pass for a handful of tell-tale strings sorts those out; only a page with one of
//! them is put into lines ([`lines::Lines`]) and read by the forms whose tell-tale it has. Words such as
//! "error" or "warning" alone are not errors: each form asks for what only a machine prints.
//!
//! - `lines`: HTML, JSON or a log as plain lines;
//! - `forms`: which form reads what;
//! - `trace`: what the forms of stack traces share;
//! - `message`: what an error says, without the values in it;
//! - `php`, `python`, `java`, `ruby`, `node`, `go`, `dotnet`, `sql`: the forms.

mod dotnet;
mod forms;
mod go;
mod java;
mod lines;
mod message;
mod node;
mod php;
mod python;
mod ruby;
mod sql;
mod trace;

use std::collections::HashMap;
use std::fmt;

use restage_model::{Difference, Place};
use serde::{Deserialize, Serialize};

use crate::diff::collector::DifferenceCollector;

/// What an error comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ErrorKind {
    /// PHP and its frameworks.
    Php,
    /// Python: Django, Flask and others.
    Python,
    /// Java and its kin on the same machine: Kotlin, Scala, Groovy.
    Java,
    /// Ruby and Rails.
    Ruby,
    /// JavaScript on the server.
    Node,
    /// Go.
    Go,
    /// .NET.
    DotNet,
    /// A database, in its own words.
    Sql,
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Php => "PHP",
            Self::Python => "Python",
            Self::Java => "Java",
            Self::Ruby => "Ruby",
            Self::Node => "Node.js",
            Self::Go => "Go",
            Self::DotNet => ".NET",
            Self::Sql => "SQL",
        })
    }
}

/// An error a server printed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ServerError {
    /// What it comes from.
    pub kind: ErrorKind,
    /// Its type and message, without the values in it: `Warning: Undefined variable $x`.
    pub what: String,
    /// The source file, as printed.
    pub file: Option<String>,
    /// The line in it.
    pub line: Option<u32>,
}

impl ServerError {
    fn new(kind: ErrorKind, what: &str, place: Option<(&str, &str)>) -> Self {
        Self {
            kind,
            what: message::normal(what),
            file: place.map(|(file, _)| file.trim().to_owned()),
            line: place.and_then(|(_, line)| line.parse().ok()),
        }
    }

    fn place(&self) -> Place {
        Place::Error {
            language: self.kind.to_string(),
            message: self.what.clone(),
            file: self.file.clone(),
            line: self.line,
        }
    }

    /// What makes it the same fault in another version, whose lines have moved and whose files may be in
    /// another folder.
    fn fault(&self) -> (ErrorKind, &str, &str) {
        let file = self.file.as_deref().unwrap_or_default();
        (self.kind, &self.what, file.rsplit(['/', '\\']).next().unwrap_or_default())
    }
}

impl fmt::Display for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind, self.what)?;
        if let Some(file) = &self.file {
            write!(f, " in {file}")?;
        }
        if let Some(line) = self.line {
            write!(f, " line {line}")?;
        }
        Ok(())
    }
}

/// The errors printed into a page or a log, in order, each once.
pub fn find_errors(text: &[u8]) -> Vec<ServerError> {
    if !forms::may_have_errors(text) {
        return Vec::new();
    }
    let mut found = Vec::new();
    forms::read(&lines::Lines::of(text), &mut found);
    // A database's words in another's message are that one's error.
    let told: Vec<String> = found.iter().map(|e| e.what.clone()).collect();
    found.retain(|e| {
        let within = |what: &String| what.len() > e.what.len() && what.contains(&e.what);
        e.kind != ErrorKind::Sql || !told.iter().any(within)
    });
    found
}

/// The errors in the second text that the first does not have.
pub fn new_errors(expected: &[u8], actual: &[u8]) -> Vec<Difference> {
    let actual = find_errors(actual);
    if actual.is_empty() {
        return Vec::new();
    }
    unexpected_errors(&find_errors(expected), &actual)
}

/// The errors that a log tells of: what looks like tags in it is text.
pub fn find_logged_errors(log: &[u8]) -> Vec<ServerError> {
    if !forms::may_have_errors(log) {
        return Vec::new();
    }
    let mut text = Vec::with_capacity(log.len());
    for byte in log {
        match byte {
            b'<' => text.extend_from_slice(b"&lt;"),
            b'&' => text.extend_from_slice(b"&amp;"),
            _ => text.push(*byte),
        }
    }
    find_errors(&text)
}

/// The errors of the second list that the first does not have. A fault is known again by its kind, what it says
/// and the file's name: between versions lines move, and folders too. Where the second list has it in more
/// places than the first, the rest of them are new.
pub fn unexpected_errors(expected: &[ServerError], actual: &[ServerError]) -> Vec<Difference> {
    let mut known: HashMap<_, Vec<Option<u32>>> = HashMap::new();
    for error in expected {
        known.entry(error.fault()).or_default().push(error.line);
    }
    // Those on the very same line are matched first, so that what is told as new is another line.
    let mut left: Vec<&ServerError> = Vec::new();
    for error in actual {
        let same = known.get_mut(&error.fault());
        match same.and_then(|lines| lines.iter().position(|l| *l == error.line).map(|at| (lines, at))) {
            Some((lines, at)) => drop(lines.swap_remove(at)),
            None => left.push(error),
        }
    }
    let mut found = DifferenceCollector::by("Errors");
    for error in left {
        if known.get_mut(&error.fault()).and_then(Vec::pop).is_none() {
            found.add(|| (error.place(), None, Some(error.to_string())));
        }
    }
    found.finish()
}

#[cfg(test)]
mod tests;
