//! The one way in: a text becomes what its statements do.

use super::keys;
use super::modifiers::{Prepared, statements};
use super::statement::{Dialect, Operation, Statement};
use super::token::Token;
use super::{definition, parsed, scan};

/// What the statements of a text do: usually one, several where it has several.
pub fn classify(sql: &str, dialect: Dialect) -> Vec<Statement> {
    statements(sql, dialect).iter().map(|prepared| one(sql, prepared, dialect)).collect()
}

/// The same, with the columns and literal values that say which rows are meant.
pub fn classify_with_keys(sql: &str, dialect: Dialect) -> Vec<Statement> {
    let with_keys = |prepared: &Prepared<'_>| {
        let mut statement = one(sql, prepared, dialect);
        statement.keys = keys::keys(&prepared.tokens, &statement);
        statement
    };
    statements(sql, dialect).iter().map(with_keys).collect()
}

/// Whether a text begins like a statement on rows or tables.
pub fn looks_like_sql(text: &str) -> bool {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '(');
    let (first, rest) = text.split_at(text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len()));
    // One word is a word, and may be anything.
    let more = rest.trim_start();
    let rows = [
        "select", "insert", "replace", "update", "delete", "with", "truncate", "create", "alter", "drop",
        "merge",
    ];
    let others = [
        "show", "describe", "explain", "set", "lock", "unlock", "optimize", "analyze", "pragma", "vacuum",
        "grant",
    ];
    let is = |words: &[&str]| words.iter().any(|word| first.eq_ignore_ascii_case(word));
    (is(&rows) || is(&others))
        && rest.starts_with(|c: char| c.is_whitespace() || "(`'\"*".contains(c))
        && !more.is_empty()
}

/// What stands at the first word.
pub(super) fn verb(token: Token<'_>) -> Operation {
    let Token::Word(word) = token else { return Operation::Unknown };
    let verbs = [
        ("select", Operation::Select),
        ("with", Operation::Select),
        ("values", Operation::Select),
        ("table", Operation::Select),
        ("insert", Operation::Insert),
        ("replace", Operation::Replace),
        ("update", Operation::Update),
        ("delete", Operation::Delete),
        ("merge", Operation::Merge),
        ("truncate", Operation::Truncate),
        ("create", Operation::Create),
        ("alter", Operation::Alter),
        ("rename", Operation::Alter),
        ("drop", Operation::Drop),
        ("load", Operation::Insert),
        ("copy", Operation::Insert),
        ("show", Operation::Describe),
        ("describe", Operation::Describe),
        ("desc", Operation::Describe),
        ("explain", Operation::Describe),
    ];
    if let Some((_, operation)) = verbs.iter().find(|(verb, _)| word.eq_ignore_ascii_case(verb)) {
        return *operation;
    }
    let others = [
        "set",
        "begin",
        "start",
        "commit",
        "rollback",
        "savepoint",
        "release",
        "lock",
        "unlock",
        "use",
        "call",
        "do",
        "pragma",
        "vacuum",
        "analyze",
        "optimize",
        "check",
        "repair",
        "flush",
        "grant",
        "revoke",
        "kill",
        "prepare",
        "execute",
        "deallocate",
        "listen",
        "notify",
        "declare",
        "fetch",
        "close",
        "attach",
        "detach",
        "reindex",
        "purge",
        "reset",
        "change",
        "stop",
        "install",
        "uninstall",
        "handler",
        "cache",
        "end",
        "abort",
        "discard",
        "refresh",
        "cluster",
        "comment",
        "xa",
        "checksum",
        "backup",
        "restore",
        "shutdown",
        "help",
        "signal",
    ];
    if others.iter().any(|other| word.eq_ignore_ascii_case(other)) {
        Operation::Other
    } else {
        Operation::Unknown
    }
}

fn one(text: &str, prepared: &Prepared<'_>, dialect: Dialect) -> Statement {
    let mut tokens = &prepared.tokens[..];
    // `(SELECT …) UNION (SELECT …)`.
    while let [(_, _, Token::Sign('(')), rest @ ..] = tokens {
        tokens = rest;
    }
    let Some((_, _, first)) = tokens.first() else { return Statement::new(Operation::Unknown) };
    if prepared.is_unknown() {
        return Statement::new(Operation::Unknown);
    }
    match verb(*first) {
        Operation::Other => Statement::new(Operation::Other),
        operation @ (Operation::Truncate
        | Operation::Create
        | Operation::Alter
        | Operation::Drop
        | Operation::Describe) => definition::scanned(tokens, operation, |inner| {
            classify(text.get(inner..).unwrap_or_default(), dialect).into_iter().next()
        }),
        _ if first.is_any(&["load", "copy"]) => definition::loaded(tokens),
        Operation::Unknown => {
            let mut statement = scan::scan(tokens, Operation::Unknown);
            statement.guessed = true;
            statement
        }
        operation => parsed::parsed(&prepared.sql(text), dialect, operation).unwrap_or_else(|| {
            let mut statement = scan::scan(tokens, operation);
            statement.guessed = true;
            statement
        }),
    }
}
