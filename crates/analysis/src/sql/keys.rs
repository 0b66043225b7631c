//! Which rows a statement means, as far as it says so by literal values: `column = value` in conditions, and the values that
//! are inserted or set.

use super::scan::name_at;
use super::statement::{Key, KeyRole, Operation, Statement, TableName, UNKNOWN};
use super::token::Token;

type Found<'a> = (usize, usize, Token<'a>);

/// As many keys of a statement are listed: a statement that inserts thousands of rows is not worth more.
const MOST: usize = 64;

/// The keys of a statement.
pub(super) fn keys(tokens: &[Found<'_>], statement: &Statement) -> Vec<Key> {
    let only = match (&statement.reads[..], &statement.writes[..]) {
        ([table], []) | ([], [table]) => Some(table.clone()),
        _ => None,
    };
    let mut keys = Vec::new();
    if matches!(statement.operation, Operation::Insert | Operation::Replace) {
        inserted(tokens, statement.writes.first(), &mut keys);
    }
    let mut role = None;
    for (at, (_, _, token)) in tokens.iter().enumerate() {
        if keys.len() >= MOST {
            break;
        }
        if token.is_any(&["where", "on", "having"]) {
            role = Some(KeyRole::Condition);
        } else if token.is("set") {
            role = Some(KeyRole::Value);
        } else if token.is_any(&["order", "group", "limit", "values"]) {
            role = None;
        }
        let Some(role) = role else { continue };
        let before = at.checked_sub(1).and_then(|before| column_before(tokens, before));
        let Some((qualifier, column)) = before else { continue };
        let table = qualifier.map(|alias| table_of(tokens, alias)).or_else(|| only.clone());
        let mut add = |value: &str| keys.push(key(table.clone(), column, value, role));
        match token {
            Token::Sign('=') => {
                // `<=`, `>=`, `!=` are made of two signs: what is before is no column then.
                if let Some(value) = literal(tokens, at + 1) {
                    add(value);
                }
            }
            token if token.is("in") && role == KeyRole::Condition => {
                let mut next = at + 2;
                while let Some(value) = literal(tokens, next) {
                    add(value);
                    next += 2;
                }
            }
            _ => {}
        }
    }
    keys.truncate(MOST);
    keys
}

fn key(table: Option<TableName>, column: &str, value: &str, role: KeyRole) -> Key {
    Key { table, column: column.to_owned(), value: value.to_owned(), role }
}

/// A literal that is all of a value: nothing is added to it.
fn literal<'a>(tokens: &[Found<'a>], at: usize) -> Option<&'a str> {
    let value = match tokens.get(at)?.2 {
        Token::Text(value) | Token::Number(value) => value,
        _ => return None,
    };
    let ends = tokens.get(at + 1).is_none_or(|(_, _, next)| match next {
        Token::Sign(sign) => ",);".contains(*sign),
        Token::Word(_) => !next.is("collate") && !next.is("div") && !next.is("mod"),
        _ => false,
    });
    (ends && !value.contains(UNKNOWN)).then_some(value)
}

/// The column that ends at a token, with what stands before its dot.
fn column_before<'a>(tokens: &[Found<'a>], at: usize) -> Option<(Option<&'a str>, &'a str)> {
    let column = tokens[at].2.name()?;
    if column.contains(UNKNOWN) || tokens[at].2.is_any(&["not", "and", "or", "where", "set"]) {
        return None;
    }
    let dot = at.checked_sub(1).is_some_and(|dot| tokens[dot].2 == Token::Sign('.'));
    let qualifier = dot.then(|| at.checked_sub(2).and_then(|at| tokens[at].2.name())).flatten();
    Some((qualifier, column))
}

/// The table that an alias stands for: `t AS a`, `t a`, or `a` itself.
fn table_of(tokens: &[Found<'_>], alias: &str) -> TableName {
    let is = |token: Token<'_>| token.name().is_some_and(|name| name.eq_ignore_ascii_case(alias));
    for (at, (_, _, token)) in tokens.iter().enumerate() {
        if !(token.is_any(&["from", "join", "update", "into"]) || *token == Token::Sign(',')) {
            continue;
        }
        let Some((table, mut after)) = name_at(tokens, at + 1) else { continue };
        if tokens.get(after).is_some_and(|(_, _, token)| token.is("as")) {
            after += 1;
        }
        if tokens.get(after).is_some_and(|(_, _, token)| is(*token))
            && tokens.get(after + 1).is_none_or(|(_, _, next)| *next != Token::Sign('.'))
        {
            return table;
        }
    }
    TableName::new(alias)
}

/// `(a, b) VALUES (1, 2), (3, 4)`.
fn inserted(tokens: &[Found<'_>], table: Option<&TableName>, keys: &mut Vec<Key>) {
    let Some(values) = tokens.iter().position(|(_, _, token)| token.is_any(&["values", "value"])) else {
        return;
    };
    if values == 0 || tokens[values - 1].2 != Token::Sign(')') {
        return;
    }
    let Some(open) = tokens[..values].iter().rposition(|(_, _, token)| *token == Token::Sign('(')) else {
        return;
    };
    let columns: Vec<&str> =
        tokens[open + 1..values - 1].iter().filter_map(|(_, _, token)| token.name()).collect();
    let (mut depth, mut column) = (0, 0);
    for (at, (_, _, token)) in tokens.iter().enumerate().skip(values + 1) {
        match token {
            Token::Sign('(') => {
                depth += 1;
                if depth == 1 {
                    column = 0;
                }
            }
            Token::Sign(')') => depth -= 1,
            Token::Sign(',') if depth == 1 => column += 1,
            Token::Sign(',') => {}
            token if depth == 0 && token.is_any(&["on", "returning", "as"]) => return,
            _ if depth == 1 && matches!(tokens[at - 1].2, Token::Sign('(' | ',')) => {
                if let (Some(name), Some(value)) = (columns.get(column), literal(tokens, at)) {
                    keys.push(key(table.cloned(), name, value, KeyRole::Value));
                }
                if keys.len() >= MOST {
                    return;
                }
            }
            _ => {}
        }
    }
}
