//! How far an analysis agrees with what a run really did.
//!
//! A run with facts says at which lines which tables were touched. The analysis says which it found there. [`agreement`] counts
//! what both say, what the analysis missed, and what it named at lines that ran without touching it. It measures nothing by
//! itself: the places of a run are to be those at which the analysis puts a statement, the calls of the application and not of
//! its library.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;

use super::result::{Analysis, Location};

/// A line of a file.
pub type Line = (Arc<str>, u32);

/// How far an analysis agrees with a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Agreement {
    /// Tables at lines: the run touched them, and the analysis named them there.
    pub named: usize,
    /// The run touched them, and the analysis did not name them there.
    pub missed: Vec<Disagreement>,
    /// The analysis named them at lines that ran, and the run never touched them there.
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
}

impl Agreement {
    /// Of the touched tables, those that the analysis named, in percent; nothing where none was touched.
    pub fn recall(&self) -> Option<f64> {
        let all = self.named + self.missed.len();
        (all > 0).then(|| 100.0 * self.named as f64 / all as f64)
    }

    /// Of the tables that the analysis named at lines that ran, those that were touched, in percent; nothing where it named none.
    pub fn precision(&self) -> Option<f64> {
        let all = self.named + self.untouched.len();
        (all > 0).then(|| 100.0 * self.named as f64 / all as f64)
    }
}

/// Compares an analysis with what a run touched: for each line that ran and sent statements, the names of their tables. A line
/// that ran and sent none is there without tables. Names are compared without schemas, without regard to case, and `*` in a
/// name of the analysis stands for anything.
pub fn agreement(analysis: &Analysis, touched: &BTreeMap<Line, BTreeSet<String>>) -> Agreement {
    let named = named(analysis);
    let mut agreement = Agreement::default();
    let none = BTreeSet::new();
    for ((file, line), tables) in touched {
        let said = named.get(&(file.clone(), *line)).unwrap_or(&none);
        let at = |table: &String| Disagreement { file: file.clone(), line: *line, table: table.clone() };
        for table in tables {
            if said.iter().any(|pattern| is_named_by(table, pattern)) {
                agreement.named += 1;
            } else {
                agreement.missed.push(at(table));
            }
        }
        let never = said.iter().filter(|pattern| !tables.iter().any(|table| is_named_by(table, pattern)));
        agreement.untouched.extend(never.map(at));
    }
    agreement
}

/// The tables that the analysis named, by line.
fn named(analysis: &Analysis) -> BTreeMap<Line, BTreeSet<String>> {
    let mut named: BTreeMap<Line, BTreeSet<String>> = BTreeMap::new();
    for table in &analysis.tables {
        for access in table.definitions.iter().chain(&table.uses) {
            let Location { file, line, .. } = &access.location;
            named.entry((file.clone(), *line)).or_default().insert(table.name.clone());
        }
    }
    named
}

/// Whether a name of the analysis is that of a table.
fn is_named_by(table: &str, pattern: &str) -> bool {
    let (table, pattern) = (without_schema(table).to_lowercase(), without_schema(pattern).to_lowercase());
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

    fn of(lines: &[(u32, &[&str])]) -> BTreeMap<Line, BTreeSet<String>> {
        let tables = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        lines.iter().map(|(line, names)| ((Arc::from("a.php"), *line), tables(names))).collect()
    }

    #[test]
    fn what_both_say_is_counted_and_what_one_says_is_listed() {
        let php = r#"<?php
mysqli_query($db, "SELECT * FROM users JOIN groups ON users.g = groups.id");
mysqli_query($db, "INSERT INTO {$prefix}log VALUES (1)");
mysqli_query($db, $_GET["q"]);
mysqli_query($db, "DELETE FROM never_run");
"#;
        let source = Source { path: "a.php".to_owned(), content: php.into() };
        let analysis = analyze(&[source], Options { threads: 1, ..Options::default() });
        let touched = of(&[(2, &["shop.Users"]), (3, &["my_log", "my_logs"]), (4, &["secrets"])]);
        let agreement = agreement(&analysis, &touched);
        let list = |all: &[Disagreement]| -> Vec<(u32, String)> {
            all.iter().map(|one| (one.line, one.table.clone())).collect()
        };
        assert_eq!(agreement.named, 2);
        assert_eq!(list(&agreement.missed), [(3, "my_logs".to_owned()), (4, "secrets".to_owned())]);
        assert_eq!(list(&agreement.untouched), [(2, "groups".to_owned())]);
        assert_eq!(agreement.recall(), Some(50.0));
        assert_eq!(agreement.precision().map(f64::round), Some(67.0));
    }

    #[test]
    fn names_match_where_the_known_parts_do() {
        for (table, pattern, matches) in [
            ("users", "users", true),
            ("USERS", "users", true),
            ("users", "user", false),
            ("wp_users", "*users", true),
            ("users", "*users", true),
            ("wp_users_old", "*users", false),
            ("wp_2_posts", "wp_*_posts", true),
            ("wp_posts", "wp_*_posts", false),
            ("a_b_c", "*b*", true),
            ("main.users", "users", true),
        ] {
            assert_eq!(is_named_by(table, pattern), matches, "{table} {pattern}");
        }
    }

    #[test]
    fn where_nothing_ran_nothing_is_said() {
        let agreement = agreement(&Analysis::default(), &BTreeMap::new());
        assert_eq!((agreement.recall(), agreement.precision()), (None, None));
    }
}
