//! Statements on tables, which name them after their first words.

use super::scan::name_at;
use super::statement::{Operation, Statement};
use super::token::Token;

type Found<'a> = (usize, usize, Token<'a>);

/// Says what kind of thing is made, or how.
const WORDS: &[&str] = &[
    "table",
    "tables",
    "temporary",
    "temp",
    "unlogged",
    "or",
    "if",
    "not",
    "exists",
    "global",
    "local",
    "only",
    "external",
    "virtual",
    "view",
    "materialized",
    "recursive",
    "low_priority",
    "full",
    "extended",
    "ignore",
    "online",
    "offline",
    "force",
];

/// What a statement on a table does; `inner` reads the statement that begins at a byte.
pub(super) fn scanned(
    tokens: &[Found<'_>],
    operation: Operation,
    inner: impl Fn(usize) -> Option<Statement>,
) -> Statement {
    let mut statement = Statement::new(operation);
    match operation {
        Operation::Describe => {
            describe(tokens, &mut statement, inner);
            return statement;
        }
        Operation::Truncate => {}
        _ => {
            // `CREATE FUNCTION`, `DROP DATABASE`, `ALTER USER` concern no table's rows; an index, a trigger neither.
            let is_table = tokens
                .iter()
                .skip(1)
                .map(|(_, _, token)| *token)
                .take_while(|token| token.is_any(WORDS) || token.is("replace") || token.is("algorithm"))
                .any(|token| token.is_any(&["table", "tables", "view"]));
            if !is_table && !tokens.first().is_some_and(|(_, _, token)| token.is("rename")) {
                statement.operation = Operation::Other;
                return statement;
            }
        }
    }
    let mut at = 1;
    while tokens.get(at).is_some_and(|(_, _, token)| token.is_any(WORDS) || token.is("replace")) {
        at += 1;
    }
    let list = operation != Operation::Create;
    while let Some((name, after)) = name_at(tokens, at) {
        statement.write(name);
        at = after;
        // `RENAME TABLE a TO b, c TO d`: the new names are tables too.
        let goes_on =
            tokens.get(at).is_some_and(|(_, _, token)| *token == Token::Sign(',') || token.is("to"));
        if !list || !goes_on || operation == Operation::Alter && !tokens[0].2.is("rename") {
            break;
        }
        at += 1;
    }
    if operation == Operation::Create {
        let select =
            tokens[at.min(tokens.len())..].iter().position(|(_, _, token)| token.is_any(&["select", "with"]));
        if let Some(select) = select
            && let Some(source) = inner(tokens[at + select].0)
        {
            statement.reads = source.reads;
            statement.guessed = source.guessed;
        }
        // `CREATE TABLE a LIKE b`.
        if tokens.get(at).is_some_and(|(_, _, token)| token.is("like"))
            && let Some((name, _)) = name_at(tokens, at + 1)
        {
            statement.read(name);
        }
    }
    statement
}

fn describe(tokens: &[Found<'_>], statement: &mut Statement, inner: impl Fn(usize) -> Option<Statement>) {
    let word = |at: usize| tokens.get(at).map(|(_, _, token)| *token);
    if word(0).is_some_and(|token| token.is("show")) {
        // `SHOW COLUMNS FROM t`, `SHOW INDEX IN t`, `SHOW CREATE TABLE t`; `SHOW TABLES FROM db` names no table.
        let of_table = ["columns", "fields", "index", "indexes", "keys"];
        if tokens.iter().take(5).any(|(_, _, token)| token.is_any(&of_table)) {
            let from = tokens.iter().position(|(_, _, token)| token.is_any(&["from", "in"]));
            if let Some((name, _)) = from.and_then(|from| name_at(tokens, from + 1)) {
                statement.read(name);
            }
        } else if word(1).is_some_and(|token| token.is("create"))
            && word(2).is_some_and(|token| token.is_any(&["table", "view"]))
            && let Some((name, _)) = name_at(tokens, 3)
        {
            statement.read(name);
        }
        return;
    }
    let verb = tokens.iter().skip(1).position(|(_, _, token)| {
        token.is_any(&["select", "with", "insert", "replace", "update", "delete", "merge"])
    });
    if let Some(verb) = verb {
        // What is explained is not done: all its tables are read.
        if let Some(explained) = inner(tokens[verb + 1].0) {
            explained.writes.into_iter().chain(explained.reads).for_each(|table| statement.read(table));
            statement.guessed = explained.guessed;
        }
    } else if let Some((name, _)) =
        name_at(tokens, if word(1).is_some_and(|t| t.is_any(WORDS)) { 2 } else { 1 })
    {
        statement.read(name);
    }
}

/// `LOAD DATA … INTO TABLE t`, `COPY t FROM …`, `COPY t TO …`.
pub(super) fn loaded(tokens: &[Found<'_>]) -> Statement {
    if tokens[0].2.is("copy") {
        let writes = tokens.iter().any(|(_, _, token)| token.is("from"));
        let mut statement = Statement::new(if writes { Operation::Insert } else { Operation::Select });
        if let Some((name, _)) = name_at(tokens, 1) {
            if writes { statement.write(name) } else { statement.read(name) }
        }
        return statement;
    }
    let mut statement = Statement::new(Operation::Other);
    let into = tokens.windows(2).position(|pair| pair[0].2.is("into") && pair[1].2.is("table"));
    if let Some((name, _)) = into.and_then(|into| name_at(tokens, into + 2)) {
        statement.operation = Operation::Insert;
        statement.write(name);
    }
    statement
}
