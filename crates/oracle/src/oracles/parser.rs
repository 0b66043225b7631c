//! Reading oracle expressions.
//!
//! ```text
//! union        = intersection { "|" intersection }
//! intersection = primary { "&" primary }
//! primary      = comparator | "Flist" | "(" union ")" | number "of" "(" union { "," union } ")"
//! ```

use thiserror::Error;

use crate::comparators::registry::Comparators;
use crate::oracles::expression::Oracle;

/// Deeper nesting than anyone writes; a limit, since the parser calls itself.
const DEEPEST: usize = 64;

/// Why an expression could not be read.
#[derive(Debug, Error, PartialEq, Eq)]
#[error(
    "in the oracle `{expression}`, at character {at}: {problem}\n  hint: comparators are {known}; join them by | (either) and & (both), as in `C-WD | N+I`, or count them: `2 of (C-WD, N+I, D)`"
)]
pub struct ExpressionError {
    expression: String,
    at: usize,
    problem: String,
    known: String,
}

/// Reads an expression.
pub(crate) fn parse(text: &str, comparators: &Comparators) -> Result<Oracle, ExpressionError> {
    let mut parser = Parser { text, at: 0, depth: 0, comparators };
    let oracle = parser.union()?;
    match parser.peek() {
        None => Ok(oracle),
        Some(c) => Err(parser.error(format!("`{c}` is not expected here"))),
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    comparators: &'a Comparators,
}

impl<'a> Parser<'a> {
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
        Ok(if parts.len() == 1 { parts.remove(0) } else { Oracle::all(parts) })
    }

    fn primary(&mut self) -> Result<Oracle, ExpressionError> {
        if self.depth == DEEPEST {
            return Err(self.error(format!("more than {DEEPEST} parentheses in one another")));
        }
        self.depth += 1;
        let found = match self.peek() {
            Some('(') => self.parentheses(),
            Some(c) if c.is_ascii_digit() => self.count(),
            _ => self.comparator(),
        };
        self.depth -= 1;
        found
    }

    fn parentheses(&mut self) -> Result<Oracle, ExpressionError> {
        self.eat('(');
        let inner = self.union()?;
        self.expect(')')?;
        Ok(inner)
    }

    /// `2 of (A, B, C)`.
    fn count(&mut self) -> Result<Oracle, ExpressionError> {
        let start = self.at;
        let digits = self.take_while(|c| c.is_ascii_digit());
        self.peek();
        let before_of = self.at;
        if !self.take_while(char::is_alphabetic).eq_ignore_ascii_case("of") {
            self.at = before_of;
            return Err(self.error(format!("`of` is missing after `{digits}`")));
        }
        self.expect('(')?;
        let mut parts = vec![self.union()?];
        while self.eat(',') {
            parts.push(self.union()?);
        }
        self.expect(')')?;
        match digits.parse::<usize>() {
            Ok(least) if (1..=parts.len()).contains(&least) => Ok(Oracle::of(least, parts)),
            _ => {
                self.at = start;
                Err(self.error(format!("{digits} of {} cannot be", parts.len())))
            }
        }
    }

    fn comparator(&mut self) -> Result<Oracle, ExpressionError> {
        let start = self.at;
        let id = self.take_while(|c| !matches!(c, '|' | '&' | '(' | ')' | ',')).trim_end();
        if id.is_empty() {
            self.at = start;
            return Err(self.error("a comparator is missing".to_owned()));
        }
        if id.eq_ignore_ascii_case("Flist") {
            return Ok(Oracle::Nothing);
        }
        match self.comparators.named(id) {
            Some(comparator) => Ok(Oracle::One(comparator.clone())),
            None => {
                self.at = start;
                Err(self.error(format!("no comparator is called `{id}`")))
            }
        }
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = &self.text[self.at..];
        let taken = &rest[..rest.find(|c| !wanted(c)).unwrap_or(rest.len())];
        self.at += taken.len();
        taken
    }

    fn peek(&mut self) -> Option<char> {
        self.take_while(char::is_whitespace);
        self.text[self.at..].chars().next()
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += if found { wanted.len_utf8() } else { 0 };
        found
    }

    fn expect(&mut self, wanted: char) -> Result<(), ExpressionError> {
        if self.eat(wanted) { Ok(()) } else { Err(self.error(format!("a `{wanted}` is missing"))) }
    }

    fn error(&self, problem: String) -> ExpressionError {
        let at = self.text[..self.at].chars().count() + 1;
        let known = self.comparators.iter().map(|c| c.id()).collect::<Vec<_>>().join(", ");
        ExpressionError { expression: self.text.to_owned(), at, problem, known }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparators::features::{Features, TextDetail};

    fn shown(text: &str) -> String {
        text.parse::<Oracle>().unwrap().to_string()
    }

    #[test]
    fn precedence_and_parentheses() {
        assert_eq!(shown("C-WD|n+i"), "C-WD | N+I");
        assert_eq!(shown("D & (C-W | T) | N+I"), "D & (C-W | T) | N+I");
        assert_eq!(shown("(D & T) & (N)"), "D & T & N");
    }

    #[test]
    fn counting() {
        assert_eq!(shown("2 of (C-WD, N+I | T, D)"), "2 of (C-WD, N+I | T, D)");
        assert_eq!(shown("C & 2OF(D,T & N,2 of (C, T, N))"), "C & 2 of (D, T & N, 2 of (C, T, N))");
        assert_eq!(shown("1 of (D, T)"), "D | T");
        assert_eq!(shown("2 of (D, T)"), "D & T");
    }

    #[test]
    fn errors_say_where() {
        for (text, at, problem) in [
            ("C-WD | X", 8, "no comparator is called `X`"),
            ("C-WD |", 7, "a comparator is missing"),
            ("(D", 3, "a `)` is missing"),
            ("D ) T", 3, "`)` is not expected here"),
            ("D, T", 2, "`,` is not expected here"),
            ("", 1, "a comparator is missing"),
            ("2 (D, T)", 3, "`of` is missing after `2`"),
            ("D | 2 off (D)", 7, "`of` is missing after `2`"),
            ("2 of D, T", 6, "a `(` is missing"),
            ("2 of (D, T", 11, "a `)` is missing"),
            ("2 of (D,)", 9, "a comparator is missing"),
            ("D & 3 of (D, T)", 5, "3 of 2 cannot be"),
            ("0 of (D)", 1, "0 of 1 cannot be"),
            ("99999999999999999999 of (D)", 1, "99999999999999999999 of 1 cannot be"),
        ] {
            let error = text.parse::<Oracle>().unwrap_err();
            assert_eq!((error.at, error.problem.as_str()), (at, problem), "{text}");
        }
        assert!("(".repeat(100_000).parse::<Oracle>().unwrap_err().problem.contains("parentheses"));
    }

    #[test]
    fn ones_own_are_known_and_listed() {
        let mut comparators = Comparators::default();
        comparators.define("mine", Features::text(TextDetail::Words)).unwrap();
        assert_eq!(Oracle::parse("Mine | T", &comparators).unwrap().to_string(), "mine | T");
        let error = Oracle::parse("yours", &comparators).unwrap_err().to_string();
        assert!(error.contains("N-SL+F-Sel, mine;"), "{error}");
    }
}
