//! What is made of a statement before the parser gets it: one statement at a time, without modifiers that the parser takes
//! for names, with a value where a place for one stands.

use super::statement::{Dialect, UNKNOWN};
use super::token::{Token, Tokens};

/// A statement's tokens, and its text without modifiers.
#[derive(Debug)]
pub(super) struct Prepared<'a> {
    pub(super) tokens: Vec<(usize, usize, Token<'a>)>,
}

/// Says how a statement runs, and stands where a name could.
const INSERT: &[&str] = &["low_priority", "delayed", "high_priority", "ignore"];
const UPDATE: &[&str] = &["low_priority", "ignore"];
const DELETE: &[&str] = &["low_priority", "quick", "ignore"];
const SELECT: &[&str] = &[
    "high_priority",
    "straight_join",
    "sql_small_result",
    "sql_big_result",
    "sql_buffer_result",
    "sql_no_cache",
    "sql_cache",
    "sql_calc_found_rows",
];

/// The statements of a text.
pub(super) fn statements(text: &str, dialect: Dialect) -> Vec<Prepared<'_>> {
    let mut all = Vec::new();
    let mut tokens = Vec::new();
    for found in Tokens::of(text, dialect != Dialect::MySql) {
        if found.2 == Token::Sign(';') {
            if !tokens.is_empty() {
                all.push(Prepared { tokens: std::mem::take(&mut tokens) });
            }
            continue;
        }
        tokens.push(found);
    }
    if !tokens.is_empty() {
        all.push(Prepared { tokens });
    }
    for prepared in &mut all {
        prepared.strip(dialect);
    }
    all
}

impl Prepared<'_> {
    /// Takes modifiers out, wherever a statement begins: also in parentheses and after `EXPLAIN`.
    fn strip(&mut self, dialect: Dialect) {
        let mut keep = vec![true; self.tokens.len()];
        let mut at = 0;
        while at < self.tokens.len() {
            let token = self.tokens[at].2;
            let modifiers = if token.is("insert") || token.is("replace") {
                INSERT
            } else if token.is("update") && dialect == Dialect::MySql && at == 0 {
                UPDATE
            } else if token.is("delete") && at == 0 {
                DELETE
            } else if token.is("select") {
                SELECT
            } else {
                &[]
            };
            // A word that a list of columns could have is one only if something follows that is not a comma.
            while !modifiers.is_empty()
                && self.tokens.get(at + 1).is_some_and(|(_, _, next)| next.is_any(modifiers))
                && !self.tokens.get(at + 2).is_none_or(|(_, _, after)| {
                    matches!(after, Token::Sign(',' | '.' | '='))
                        || after.is_any(&["set", "from"]) && modifiers != DELETE
                })
            {
                keep[at + 1] = false;
                at += 1;
            }
            // `UPDATE OR IGNORE t` of SQLite.
            at += 1;
        }
        if keep.contains(&false) {
            let mut kept = keep.into_iter();
            self.tokens.retain(|_| kept.next().unwrap_or(true));
        }
    }

    /// The statement for the parser.
    pub(super) fn sql(&self, text: &str) -> String {
        let mut sql = String::with_capacity(text.len() + 16);
        let mut end = self.tokens.first().map_or(0, |(begin, _, _)| *begin);
        for (begin, after, token) in &self.tokens {
            if *begin > end {
                sql.push(' ');
            }
            match token {
                Token::Placeholder => {
                    // Not glued to a name that is before it.
                    sql.push('?');
                }
                Token::Sign('%') => sql.push('%'),
                _ => sql.push_str(text.get(*begin..*after).unwrap_or_default()),
            }
            end = *after;
        }
        sql
    }

    /// Whether it is nothing but unknown.
    pub(super) fn is_unknown(&self) -> bool {
        self.tokens.iter().all(|(_, _, token)| {
            token.name().is_some_and(|name| name.chars().all(|c| c == UNKNOWN))
                || matches!(token, Token::Placeholder)
        })
    }
}
