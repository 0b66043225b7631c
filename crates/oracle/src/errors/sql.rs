//! Databases in their own words: MySQL and MariaDB, PostgreSQL, SQLite, Oracle, SQL Server, and `SQLSTATE`.

use regex_lite::Regex;

use super::forms::Form;
use super::lines::Lines;
use super::trace::pattern;
use super::{ErrorKind, ServerError};

pub(super) const FORMS: &[Form] = &[
    Form { tell_tale: "SQLSTATE[", raw: &[], digit: false, read: sqlstate },
    Form { tell_tale: "ou have an error in your SQL syntax", raw: &[], digit: false, read: mysql_syntax },
    Form { tell_tale: "Unknown column ", raw: &[], digit: false, read: mysql },
    Form { tell_tale: "Duplicate entry ", raw: &[], digit: false, read: mysql },
    Form { tell_tale: "' doesn't exist", raw: NOT_THERE, digit: false, read: mysql },
    Form { tell_tale: "ERROR:  ", raw: &[], digit: false, read: postgres },
    Form { tell_tale: "SQLITE_", raw: &[], digit: false, read: sqlite },
    Form { tell_tale: "no such table: ", raw: &[], digit: false, read: sqlite_missing },
    Form { tell_tale: "no such column: ", raw: &[], digit: false, read: sqlite_missing },
    Form { tell_tale: "ORA-", raw: &[], digit: true, read: oracle },
    Form { tell_tale: "Unclosed quotation mark after ", raw: &[], digit: false, read: sql_server },
    Form { tell_tale: "Incorrect syntax near ", raw: &[], digit: false, read: sql_server },
    Form { tell_tale: "Invalid object name ", raw: &[], digit: false, read: sql_server },
    Form { tell_tale: "[SQL Server]", raw: &[], digit: false, read: odbc },
];

/// Apostrophes as they stand in text and in HTML.
const NOT_THERE: &[&str] = &["' doesn't exist", "&#039; doesn&#039;t exist", "&#39; doesn&#39;t exist"];

pattern!(SQLSTATE, r"(SQLSTATE\[\w{5}\].*)");
pattern!(
    MYSQL,
    r"(Unknown column '[^']+' in '[^']+'|Duplicate entry '.*?' for key '[^']+'|Table '[\w$-]+\.[^']+' doesn't exist)"
);
pattern!(
    POSTGRES,
    r"(?:ERROR|FATAL|PANIC):  ((?:relation|column|syntax error|duplicate key|null value|permission denied for|invalid input|invalid byte|operator does not exist|function|deadlock detected|current transaction is aborted|value too long|insert or update on table|update or delete on table|new row for relation|division by zero|missing FROM-clause|canceling statement|unterminated quoted string|invalid reference|schema|database|role|type|table|more than one row|numeric field overflow|could not serialize) ?.*)"
);
pattern!(
    SQLITE,
    r"\b(SQLITE_(?:ERROR|CONSTRAINT|BUSY|LOCKED|MISMATCH|CORRUPT|READONLY|CANTOPEN|FULL|RANGE)\w*)(?:: (.*))?"
);
pattern!(SQLITE_MISSING, r"(no such (?:table|column): [A-Za-z_][\w.]*)");
pattern!(ORACLE, r"\b(ORA-\d{5}): (.*)");
pattern!(
    SQL_SERVER,
    r"(Unclosed quotation mark after the character string|Incorrect syntax near (?:'|the keyword)|Invalid object name '[^']+')"
);
pattern!(ODBC, r"\[SQL Server\](\S.*)");

fn sqlstate(lines: &Lines, at: usize, found: &mut Vec<ServerError>) {
    say(lines, at, &SQLSTATE, found);
}

fn mysql(lines: &Lines, at: usize, found: &mut Vec<ServerError>) {
    say(lines, at, &MYSQL, found);
}

fn mysql_syntax(_: &Lines, _: usize, found: &mut Vec<ServerError>) {
    push("You have an error in your SQL syntax", found);
}

fn postgres(lines: &Lines, at: usize, found: &mut Vec<ServerError>) {
    say(lines, at, &POSTGRES, found);
}

fn sqlite(lines: &Lines, at: usize, found: &mut Vec<ServerError>) {
    if let Some(parts) = SQLITE.captures(lines.get(at)) {
        let message = parts.get(2).map_or("", |m| m.as_str());
        push(format!("{}: {message}", &parts[1]).trim_end_matches([':', ' ']), found);
    }
}

fn sqlite_missing(lines: &Lines, at: usize, found: &mut Vec<ServerError>) {
    say(lines, at, &SQLITE_MISSING, found);
}

fn oracle(lines: &Lines, at: usize, found: &mut Vec<ServerError>) {
    if let Some(parts) = ORACLE.captures(lines.get(at)) {
        push(&format!("{}: {}", &parts[1], &parts[2]), found);
    }
}

fn sql_server(lines: &Lines, at: usize, found: &mut Vec<ServerError>) {
    say(lines, at, &SQL_SERVER, found);
}

fn odbc(lines: &Lines, at: usize, found: &mut Vec<ServerError>) {
    say(lines, at, &ODBC, found);
}

fn say(lines: &Lines, at: usize, pattern: &Regex, found: &mut Vec<ServerError>) {
    if let Some(parts) = pattern.captures(lines.get(at)) {
        push(&parts[1], found);
    }
}

fn push(what: &str, found: &mut Vec<ServerError>) {
    found.push(ServerError::new(ErrorKind::Sql, without_statement(what), None));
}

/// The statement, which many put behind the message, and the piece of it where the fault is, are values.
fn without_statement(what: &str) -> &str {
    let ends = [
        " (SQL: ",
        " (Connection: ",
        "; check the manual",
        " near ",
        " LINE ",
        " at line ",
        " at character ",
        " in /",
        " Stack trace",
    ];
    let end = ends.iter().filter_map(|end| what.find(end)).min().unwrap_or(what.len());
    what[..end].trim_end_matches([' ', ',', ';'])
}
