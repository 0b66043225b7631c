//! The error oracle over what a sequence did (paper 4, section 5.2): errors of the language, of the database and of the server, each once by
//! where it is and what kind it is.

use std::collections::HashSet;
use std::fmt;

use restage_facts::StepFacts;
use restage_oracle::{ServerError, find_errors, find_logged_errors};
use serde::Serialize;

/// An error that the server made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// `Warning`, `SQL`, `500`.
    pub kind: String,
    /// What it said.
    pub message: String,
    /// Where, as far as it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// Errors, each once.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    known: HashSet<(String, String, Option<u32>)>,
}

impl Faults {
    /// Takes in errors; those that are new.
    pub fn add(&mut self, faults: Vec<Fault>) -> Vec<Fault> {
        faults.into_iter().filter(|fault| self.known.insert(fault.identity())).collect()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }
}

impl Fault {
    /// The errors of a step: those that the probe saw, those on the page, and the status alone where nothing says more.
    pub fn of_step(facts: Option<&StepFacts>, answer: Option<(u16, &[u8])>, request: &str) -> Vec<Self> {
        let mut faults = Vec::new();
        for error in facts.iter().flat_map(|facts| &facts.errors) {
            faults.push(Self {
                kind: error.r#type.clone(),
                message: error.message.clone(),
                file: error.file.clone(),
                line: error.line,
            });
        }
        for statement in facts.iter().flat_map(|facts| &facts.sql) {
            if let Some(error) = &statement.error {
                let (file, line) = (statement.file.clone(), statement.line);
                faults.push(Self { kind: "SQL".to_owned(), message: error.clone(), file, line });
            }
        }
        if let Some((status, body)) = answer {
            faults.extend(find_errors(body).iter().map(Self::of_error));
            if status >= 500 && faults.is_empty() {
                let message = format!("answered with {status}: {request}");
                faults.push(Self { kind: status.to_string(), message, file: None, line: None });
            }
        }
        faults
    }

    /// The errors that a log tells of.
    pub fn of_log(log: &[u8]) -> Vec<Self> {
        find_logged_errors(log).iter().map(Self::of_error).collect()
    }

    fn of_error(error: &ServerError) -> Self {
        let kind = error.what.split_once(':').map(|(kind, _)| kind.trim()).filter(|kind| is_type(kind));
        Self {
            kind: kind.map_or_else(|| error.kind.to_string(), str::to_owned),
            message: error.what.clone(),
            file: error.file.clone(),
            line: error.line,
        }
    }

    /// An error is its place and its kind; one without a place is what it says.
    fn identity(&self) -> (String, String, Option<u32>) {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => {
                let name = file.rsplit(['/', '\\']).next().unwrap_or_default();
                (kind_of(&self.kind), name.to_owned(), Some(line))
            }
            _ => (kind_of(&self.kind), without_values(&self.message), None),
        }
    }
}

/// A type's name, and not a sentence.
fn is_type(text: &str) -> bool {
    !text.is_empty() && text.split_whitespace().count() <= 2
}

/// The same type is written in several ways: `Fatal error: Uncaught TypeError` is a `TypeError`.
fn kind_of(kind: &str) -> String {
    let last = kind.rsplit(['\\', '.', ' ']).next().unwrap_or(kind);
    last.to_lowercase()
}

fn without_values(message: &str) -> String {
    message.chars().filter(|c| !c.is_ascii_digit()).collect()
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.message.starts_with(&self.kind) {
            write!(f, "{}: ", self.kind)?;
        }
        f.write_str(&self.message)?;
        if let Some(file) = &self.file {
            write!(f, " in {file}")?;
        }
        if let Some(line) = self.line {
            write!(f, " line {line}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_known_by_place_and_kind() {
        let facts: StepFacts = serde_json::from_str(
            r#"{"step": "s1/1", "errors": [{"type": "Warning", "message": "Undefined variable $x", "file": "shop/cart.php", "line": 12}],
                "sql": [{"text": "SELECT", "error": "syntax error", "file": "shop/cart.php", "line": 14}]}"#,
        )
        .unwrap();
        let page = b"<br />\n<b>Warning</b>:  Undefined variable $x in <b>/srv/shop/cart.php</b> on line <b>12</b><br />";
        let mut known = Faults::default();
        let new = known.add(Fault::of_step(Some(&facts), Some((200, page)), "GET /cart"));
        let told: Vec<String> = new.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "Warning: Undefined variable $x in shop/cart.php line 12",
                "SQL: syntax error in shop/cart.php line 14"
            ]
        );
        assert_eq!(known.add(Fault::of_step(Some(&facts), None, "GET /cart")), []);
        assert_eq!(known.add(Fault::of_step(None, Some((500, b"")), "GET /cart")).len(), 1);
    }
}
