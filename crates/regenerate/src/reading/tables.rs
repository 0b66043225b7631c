//! What statements define and use: tables, by the facts alone (paper 4, algorithm 3).

use restage_analysis::sql::{Dialect, KeyRole, Operation, Statement, TableName, classify_with_keys};
use restage_facts::SqlFact;

use super::bound::with_bound;
use super::distinct::{distinct, shape};
use crate::dynamics::{Access, AccessKind, AccessLocation, RowKeys, StateId};

/// What the statements of a request define and use, in their order.
pub(super) fn table_accesses(sql: &[SqlFact]) -> Vec<Access> {
    sql.iter().enumerate().flat_map(|(order, fact)| of_statement(fact, order as u32)).collect()
}

fn of_statement(fact: &SqlFact, order: u32) -> Vec<Access> {
    let text = with_bound(&fact.text, &fact.bound);
    let dialect = dialect(&text);
    let sent = fact.file.clone().zip(fact.line);
    let location = AccessLocation::Statement { sent, shape: shape(&text, dialect == Dialect::Sqlite) };
    let value = distinct(&text);
    let mut accesses = Vec::new();
    for statement in statements(&text, dialect) {
        let access = |table: &TableName, kind: AccessKind, failed: bool| Access {
            state: StateId::Table(table.name.clone()),
            kind,
            location: location.clone(),
            value: Some(value.clone()),
            rows: rows(&statement, table, kind),
            order: Some(order),
            earlier: 0,
            failed,
        };
        let refused = fact.error.is_some();
        // What changed no row left everything as it was.
        let changed_nothing = fact.rows == Some(0) && is_about_rows(statement.operation);
        for table in statement.reads.iter().filter(|table| table.is_known()) {
            accesses.push(access(table, AccessKind::Use, refused));
        }
        for table in statement.writes.iter().filter(|table| table.is_known()) {
            accesses.push(access(table, AccessKind::Definition, refused || changed_nothing));
        }
    }
    accesses
}

/// What a text says. Whose SQL it is shows by its quotes alone; what MySQL's parser does not read may be PostgreSQL's.
fn statements(text: &str, dialect: Dialect) -> Vec<Statement> {
    let guesses = |found: &[Statement]| found.iter().filter(|statement| statement.guessed).count();
    let found = classify_with_keys(text, dialect);
    if dialect != Dialect::MySql || guesses(&found) == 0 {
        return found;
    }
    let other = classify_with_keys(text, Dialect::Postgres);
    if guesses(&other) < guesses(&found) { other } else { found }
}

fn is_about_rows(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::Insert | Operation::Replace | Operation::Update | Operation::Delete | Operation::Merge
    )
}

/// Which rows of a table a statement is about. What rows it looks for counts before what values it gives them.
fn rows(statement: &Statement, table: &TableName, kind: AccessKind) -> RowKeys {
    let mut rows = RowKeys::default();
    for role in [KeyRole::Condition, KeyRole::Value] {
        if role == KeyRole::Value && kind == AccessKind::Use {
            continue;
        }
        for key in statement.keys.iter().filter(|key| key.role == role) {
            if key.table.as_ref().is_none_or(|known| known.name == table.name) {
                rows.0.entry(key.column.to_ascii_lowercase()).or_insert_with(|| key.value.clone());
            }
        }
    }
    rows
}

/// Whose SQL it is, by the quotes around names.
pub(super) fn dialect(text: &str) -> Dialect {
    let lower = text.to_ascii_lowercase();
    let names = ["from \"", "into \"", "update \"", "join \"", "table \""];
    if !text.contains('`') && names.iter().any(|name| lower.contains(name)) {
        Dialect::Sqlite
    } else {
        Dialect::MySql
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fact(json: &str) -> SqlFact {
        serde_json::from_str(json).unwrap()
    }

    fn told(json: &str) -> Vec<(String, AccessKind, bool, RowKeys)> {
        let accesses = table_accesses(&[fact(json)]);
        accesses.into_iter().map(|a| (a.state.to_string(), a.kind, a.failed, a.rows)).collect()
    }

    #[test]
    fn statements_define_and_use_tables_by_rows() {
        let update =
            r#"{"text": "UPDATE loan SET state = ? WHERE id = ?", "bound": ["asked", 7], "rows": 1}"#;
        let rows = RowKeys::from([("id", "7"), ("state", "asked")]);
        assert_eq!(told(update), [("table loan".to_owned(), AccessKind::Definition, false, rows)]);
        let select = r#"{"text": "SELECT * FROM \"loan\" WHERE \"id\" = 7", "rows": 0}"#;
        let rows = RowKeys::from([("id", "7")]);
        assert_eq!(told(select), [("table loan".to_owned(), AccessKind::Use, false, rows)]);
    }

    #[test]
    fn what_failed_or_changed_nothing_is_no_definition() {
        for json in [
            r#"{"text": "DELETE FROM loan WHERE id = 7", "error": "no such table"}"#,
            r#"{"text": "DELETE FROM loan WHERE id = 7", "rows": 0}"#,
        ] {
            assert!(told(json).iter().all(|(.., failed, _)| *failed), "{json}");
        }
        assert!(!told(r#"{"text": "DELETE FROM loan WHERE id = 7"}"#)[0].2, "nobody counted");
    }

    /// Catches: one place for all that a wrapper sends, and another for each value.
    #[test]
    fn a_place_is_a_line_and_what_it_sends() {
        let at = |text: &str| {
            let fact = fact(&format!(r#"{{"text": "{text}", "file": "c.php", "line": 3}}"#));
            table_accesses(&[fact])[0].location.clone()
        };
        let one = at("SELECT a FROM b WHERE c = 1");
        assert_eq!(one, at("SELECT a  FROM b WHERE c = 'x y'"));
        assert_ne!(one, at("SELECT a FROM b WHERE d = 1"));
        assert_eq!(one.to_string(), "c.php:3 (SELECT a FROM b WHERE c = ?)");
    }
}
