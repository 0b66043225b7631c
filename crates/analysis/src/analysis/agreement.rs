//! How far an analysis agrees with what a run really did.
//!
//! A run with facts says which statements it sent, and which lines called each other until then. [`agreement`] puts each
//! statement at the innermost of these lines at which the analysis has a call of a database, as the analysis itself does, counts
//! the tables that both know there, and lists what the analysis missed, and what it named at lines that ran without it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use serde::Serialize;

use super::result::{Analysis, Location, UnresolvedKind};

/// A line of a file.
pub type Line = (Arc<str>, u32);

/// A statement that a run sent.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct SentStatement {
    /// The lines that called each other until it was sent, innermost first.
    pub callers: Vec<Line>,
    /// The tables that it touched.
    pub tables: BTreeSet<String>,
}

/// How far an analysis agrees with a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Agreement {
    /// Lines at which statements were sent.
    pub lines: usize,
    /// Tables at lines: the run touched them, and the analysis named them there.
    pub named: usize,
    /// The run touched them, and the analysis did not name them there.
    pub missed: Vec<Disagreement>,
    /// Those of the missed that the analysis names at a line further out that led there.
    pub named_further_out: usize,
    /// The analysis named them at lines that ran, and the application has no such table.
    pub absent: Vec<Disagreement>,
    /// The analysis named them at lines that ran, and the run never touched them there. Another run might.
    pub untouched: Vec<Disagreement>,
}

/// A table at a line, of which the analysis and a run say different things.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Disagreement {
    /// The file.
    pub file: Arc<str>,
    /// The line.
    pub line: u32,
    /// The table.
    pub table: String,
    /// What the analysis has there.
    pub has: LineHas,
}

/// What an analysis has at a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LineHas {
    /// No call of a database.
    #[default]
    Nothing,
    /// A call that it could not resolve.
    Unresolved,
    /// A call whose table comes from outside of the program.
    Dynamic,
    /// A call that it resolved.
    Tables,
}

impl Agreement {
    /// Of the touched tables, those that the analysis named, in percent; nothing where none was touched.
    pub fn recall(&self) -> Option<f64> {
        self.share(self.named)
    }

    /// The same of those that it named there or further out.
    pub fn recall_of_calls(&self) -> Option<f64> {
        self.share(self.named + self.named_further_out)
    }

    fn share(&self, named: usize) -> Option<f64> {
        let all = self.named + self.missed.len();
        (all > 0).then(|| 100.0 * named as f64 / all as f64)
    }
}

/// Compares an analysis with what a run sent. Names are compared without schemas, without regard to case, and `*` in a name of
/// the analysis stands for anything. `schema` has the application's tables; where it is empty, nothing counts as absent.
pub fn agreement(analysis: &Analysis, sent: &[SentStatement], schema: &BTreeSet<String>) -> Agreement {
    let known = known(analysis);
    // By table, whether it is named at a line further out.
    let mut touched: BTreeMap<&Line, BTreeMap<String, bool>> = BTreeMap::new();
    for statement in sent {
        let listed = statement.callers.iter().find(|line| known.contains_key(line));
        if let Some(line) = listed.or(statement.callers.first()) {
            let tables = touched.entry(line).or_default();
            for table in statement.tables.iter().map(|table| without_schema(table).to_lowercase()) {
                let mut callers = statement.callers.iter().filter_map(|line| known.get(line));
                let is_named = callers.any(|at| at.tables.iter().any(|pattern| is_named_by(&table, pattern)));
                *tables.entry(table).or_default() |= is_named;
            }
        }
    }
    let mut agreement = Agreement { lines: touched.len(), ..Agreement::default() };
    let nothing = Known::default();
    for (line, tables) in touched {
        let known = known.get(line).unwrap_or(&nothing);
        let at = |table: &String| Disagreement {
            file: line.0.clone(),
            line: line.1,
            table: table.clone(),
            has: known.has,
        };
        for (table, further_out) in &tables {
            if known.tables.iter().any(|pattern| is_named_by(table, pattern)) {
                agreement.named += 1;
            } else {
                agreement.missed.push(at(table));
                agreement.named_further_out += usize::from(*further_out);
            }
        }
        for pattern in &known.tables {
            if tables.keys().any(|table| is_named_by(table, pattern)) {
                continue;
            }
            let exists = schema.is_empty() || schema.iter().any(|table| is_named_by(table, pattern));
            let list = if exists { &mut agreement.untouched } else { &mut agreement.absent };
            list.push(at(pattern));
        }
    }
    agreement
}

/// What the analysis has at a line.
#[derive(Default)]
struct Known {
    has: LineHas,
    tables: BTreeSet<String>,
}

fn known(analysis: &Analysis) -> HashMap<Line, Known> {
    let mut known: HashMap<Line, Known> = HashMap::new();
    for unresolved in &analysis.unresolved {
        let has = match unresolved.kind {
            UnresolvedKind::Dynamic => LineHas::Dynamic,
            UnresolvedKind::Statement => LineHas::Unresolved,
            UnresolvedKind::Doubtful | UnresolvedKind::Variable => continue,
        };
        let known = known.entry(line_of(&unresolved.location)).or_default();
        known.has = known.has.max(has);
    }
    for call in &analysis.database_calls {
        let known = known.entry(line_of(&call.location)).or_default();
        known.has = LineHas::Tables;
        let tables = call.statements.iter().flat_map(|s| s.reads.iter().chain(&s.writes));
        known.tables.extend(tables.map(|table| without_schema(&table.to_string()).to_lowercase()));
    }
    known
}

fn line_of(location: &Location) -> Line {
    (location.file.clone(), location.line)
}

/// Whether a name of the analysis is that of a table; both in lower case and without schemas.
fn is_named_by(table: &str, pattern: &str) -> bool {
    let parts: Vec<&str> = pattern.split('*').collect();
    let [first, .., last] = &parts[..] else { return table == pattern };
    let Some(middle) = table.strip_prefix(first) else { return false };
    let Some(mut middle) = middle.strip_suffix(last) else { return false };
    for part in &parts[1..parts.len() - 1] {
        let Some(at) = middle.find(part) else { return false };
        middle = &middle[at + part.len()..];
    }
    true
}

fn without_schema(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::super::reading::{Options, Source, analyze};
    use super::*;

    fn sent(callers: &[u32], tables: &[&str]) -> SentStatement {
        SentStatement {
            callers: callers.iter().map(|line| (Arc::from("a.php"), *line)).collect(),
            tables: tables.iter().map(|name| (*name).to_owned()).collect(),
        }
    }

    fn list(all: &[Disagreement]) -> Vec<(u32, &str, LineHas)> {
        all.iter().map(|one| (one.line, one.table.as_str(), one.has)).collect()
    }

    #[test]
    fn what_both_say_is_counted_and_what_one_says_is_listed() {
        let php = r#"<?php
mysqli_query($db, "SELECT * FROM users JOIN groups ON users.g = groups.id JOIN nonsense");
mysqli_query($db, "INSERT INTO {$prefix}log VALUES (1)");
mysqli_query($db, $_GET["q"]);
mysqli_query($db, "DELETE FROM never_run");
"#;
        let source = Source { path: "a.php".to_owned(), content: php.into() };
        let analysis = analyze(&[source], Options { threads: 1, ..Options::default() });
        let sent = [
            sent(&[2], &["shop.Users"]),
            sent(&[3], &["my_log", "my_logs"]),
            sent(&[4], &["secrets"]),
            sent(&[9], &["unseen"]),
        ];
        let schema = ["users", "groups", "my_log"].map(str::to_owned).into();
        let agreement = agreement(&analysis, &sent, &schema);
        assert_eq!((agreement.named, agreement.lines), (2, 4));
        let missed = [
            (3, "my_logs", LineHas::Tables),
            (4, "secrets", LineHas::Dynamic),
            (9, "unseen", LineHas::Nothing),
        ];
        assert_eq!(list(&agreement.missed), missed);
        assert_eq!(list(&agreement.untouched), [(2, "groups", LineHas::Tables)]);
        assert_eq!(list(&agreement.absent), [(2, "nonsense", LineHas::Tables)]);
        assert_eq!(agreement.recall(), Some(40.0));
    }

    /// Catches: statements of a wrapper that are compared with the wrapper, of which the analysis says nothing.
    #[test]
    fn a_statement_belongs_to_the_innermost_line_that_the_analysis_lists() {
        let php = r#"<?php
function ask($sql) { return mysqli_query($GLOBALS['db'], $sql); }
function users() { return ask("SELECT * FROM users"); }
users(); ask("DELETE FROM old");
"#;
        let source = Source { path: "a.php".to_owned(), content: php.into() };
        let analysis = analyze(&[source], Options { threads: 1, ..Options::default() });
        let sent = [sent(&[2, 3, 4], &["users"]), sent(&[2, 4], &["old"]), sent(&[3, 4], &["old"])];
        let agreement = agreement(&analysis, &sent, &BTreeSet::new());
        assert_eq!((agreement.named, agreement.lines), (2, 2));
        assert_eq!(list(&agreement.missed), [(3, "old", LineHas::Tables)]);
        assert_eq!((agreement.named_further_out, agreement.recall_of_calls()), (1, Some(100.0)));
        assert!(agreement.untouched.is_empty());
    }

    #[test]
    fn names_match_where_the_known_parts_do() {
        for (table, pattern, matches) in [
            ("users", "users", true),
            ("users", "user", false),
            ("wp_users", "*users", true),
            ("users", "*users", true),
            ("wp_users_old", "*users", false),
            ("wp_2_posts", "wp_*_posts", true),
            ("wp_posts", "wp_*_posts", false),
            ("a_b_c", "*b*", true),
        ] {
            assert_eq!(is_named_by(table, pattern), matches, "{table} {pattern}");
        }
    }

    #[test]
    fn where_nothing_ran_nothing_is_said() {
        assert_eq!(agreement(&Analysis::default(), &[], &BTreeSet::new()).recall(), None);
    }
}
