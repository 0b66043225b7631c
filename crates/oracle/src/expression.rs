//! Oracle expressions: `C-WD | N+I`.

use std::fmt;
use std::str::FromStr;

use restage_model::Difference;
use thiserror::Error;

use crate::comparator::{Comparator, compare};
use crate::document::Document;

/// Why an expression could not be read.
#[derive(Debug, Error, PartialEq, Eq)]
#[error(
    "in the oracle `{expression}`, at character {at}: {problem}\n  hint: comparators are {}, joined by | and &, as in `C-WD | N+I`",
    known()
)]
pub struct ExpressionError {
    expression: String,
    at: usize,
    problem: String,
}

fn known() -> String {
    Comparator::ALL.iter().map(|c| c.id()).collect::<Vec<_>>().join(", ")
}

/// An expression over comparators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Oracle {
    /// Fails when the comparator sees a difference.
    One(Comparator),
    /// Fails when any of them does.
    Any(Vec<Oracle>),
    /// Fails when all of them do.
    All(Vec<Oracle>),
    /// Never fails: nothing is left to judge by but the flow of pages.
    Nothing,
}

impl Oracle {
    /// What differs, where the oracle says fail; nothing where it says pass.
    pub fn judge(&self, expected: &Document<'_>, actual: &Document<'_>) -> Vec<Difference> {
        match self {
            Self::One(comparator) => compare(*comparator, expected, actual),
            Self::Any(parts) => parts.iter().flat_map(|p| p.judge(expected, actual)).collect(),
            Self::All(parts) => {
                let found: Vec<_> = parts.iter().map(|p| p.judge(expected, actual)).collect();
                if found.iter().any(Vec::is_empty) { Vec::new() } else { found.concat() }
            }
            Self::Nothing => Vec::new(),
        }
    }

    /// The oracle to use where `noisy` comparators see differences between runs of the same version:
    /// each noisy one gives way to the strictest ones below it that saw none. It is never stricter
    /// than what was asked for: a comparator that saw no noise today may see a date tomorrow.
    pub fn without(&self, noisy: &[Comparator]) -> Self {
        match self {
            Self::One(comparator) if noisy.contains(comparator) => {
                let quiet: Vec<Comparator> = Comparator::ALL
                    .iter()
                    .copied()
                    .filter(|c| c.is_below(*comparator) && !noisy.contains(c))
                    .collect();
                let strictest = quiet.iter().filter(|c| !quiet.iter().any(|other| c.is_below(*other)));
                Self::any(strictest.map(|c| Self::One(*c)).collect())
            }
            Self::Any(parts) => Self::any(parts.iter().map(|p| p.without(noisy)).collect()),
            Self::All(parts) => {
                let mut parts: Vec<Self> = parts.iter().map(|p| p.without(noisy)).collect();
                parts.retain(|p| *p != Self::Nothing);
                match parts.len() {
                    0 => Self::Nothing,
                    1 => parts.remove(0),
                    _ => Self::All(parts),
                }
            }
            other => other.clone(),
        }
    }

    /// The comparators it is made of, each once.
    pub fn comparators(&self) -> Vec<Comparator> {
        let mut found = Vec::new();
        self.collect(&mut found);
        found
    }

    fn collect(&self, found: &mut Vec<Comparator>) {
        match self {
            Self::One(comparator) if !found.contains(comparator) => found.push(*comparator),
            Self::Any(parts) | Self::All(parts) => parts.iter().for_each(|p| p.collect(found)),
            Self::One(_) | Self::Nothing => {}
        }
    }

    fn any(parts: Vec<Self>) -> Self {
        let mut flat: Vec<Self> = Vec::new();
        for part in parts {
            let parts = match part {
                Self::Nothing => Vec::new(),
                Self::Any(parts) => parts,
                other => vec![other],
            };
            for part in parts {
                if !flat.contains(&part) {
                    flat.push(part);
                }
            }
        }
        match flat.len() {
            0 => Self::Nothing,
            1 => flat.remove(0),
            _ => Self::Any(flat),
        }
    }
}

impl fmt::Display for Oracle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = |parts: &[Self], sign: &str| {
            let shown = parts.iter().map(|p| match p {
                Self::Any(_) if sign == " & " => format!("({p})"),
                _ => p.to_string(),
            });
            shown.collect::<Vec<_>>().join(sign)
        };
        match self {
            Self::One(comparator) => write!(f, "{comparator}"),
            Self::Any(parts) => f.write_str(&joined(parts, " | ")),
            Self::All(parts) => f.write_str(&joined(parts, " & ")),
            Self::Nothing => f.write_str("Flist"),
        }
    }
}

impl FromStr for Oracle {
    type Err = ExpressionError;

    fn from_str(text: &str) -> Result<Self, ExpressionError> {
        let mut parser = Parser { text, at: 0 };
        let oracle = parser.union()?;
        match parser.peek() {
            None => Ok(oracle),
            Some(c) => Err(parser.error(format!("`{c}` is not expected here"))),
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl Parser<'_> {
    fn union(&mut self) -> Result<Oracle, ExpressionError> {
        let mut parts = vec![self.intersection()?];
        while self.eat('|') {
            parts.push(self.intersection()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Oracle::any(parts) })
    }

    fn intersection(&mut self) -> Result<Oracle, ExpressionError> {
        let mut parts = vec![self.primary()?];
        while self.eat('&') {
            parts.push(self.primary()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Oracle::All(parts) })
    }

    fn primary(&mut self) -> Result<Oracle, ExpressionError> {
        if self.eat('(') {
            let inner = self.union()?;
            if !self.eat(')') {
                return Err(self.error("a `)` is missing".to_owned()));
            }
            return Ok(inner);
        }
        self.peek();
        let rest = &self.text[self.at..];
        let id: &str = &rest[..rest.find(['|', '&', '(', ')']).unwrap_or(rest.len())];
        let id = id.trim();
        if id.is_empty() {
            return Err(self.error("a comparator is missing".to_owned()));
        }
        let found = if id.eq_ignore_ascii_case("Flist") {
            Oracle::Nothing
        } else {
            let comparator =
                Comparator::named(id).ok_or_else(|| self.error(format!("no comparator is called `{id}`")))?;
            Oracle::One(comparator)
        };
        self.at += id.len();
        Ok(found)
    }

    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn error(&self, problem: String) -> ExpressionError {
        let at = self.text[..self.at].chars().count() + 1;
        ExpressionError { expression: self.text.to_owned(), at, problem }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn oracle(text: &str) -> Oracle {
        text.parse().unwrap()
    }

    #[test]
    fn precedence_and_parentheses() {
        assert_eq!(oracle("C-WD|n+i").to_string(), "C-WD | N+I");
        assert_eq!(oracle("D & (C-W | T) | N+I").to_string(), "D & (C-W | T) | N+I");
    }

    #[test]
    fn errors_say_where() {
        for (text, at) in [("C-WD | X", 8), ("C-WD |", 7), ("(D", 3), ("D ) T", 3), ("", 1)] {
            assert_eq!(text.parse::<Oracle>().unwrap_err().at, at, "{text}");
        }
    }

    #[test]
    fn noise_weakens_to_the_strictest_that_is_quiet() {
        let c = |ids: &[&str]| ids.iter().map(|id| Comparator::named(id).unwrap()).collect::<Vec<_>>();
        // A token in a hidden field: links and names are quiet.
        let noisy = c(&["D", "DB", "DB-W", "T", "T-S", "T-SL", "N+I", "N+I-S", "N+I-SL", "N+F", "N+F-Sel", "N-SL+F", "N-SL+F-Sel"]);
        assert_eq!(oracle("C-WD | N+I").without(&noisy).to_string(), "C-WD | N+U");
        assert_eq!(oracle("D").without(&c(&["D", "DB", "C"])).to_string(), "DB-W");
        assert_eq!(oracle("C-WD").without(&c(&["C-WD"])), Oracle::Nothing);
        assert_eq!(oracle("C-WD & N").without(&c(&["N", "N-S", "N-SL"])).to_string(), "C-WD");
    }
}
