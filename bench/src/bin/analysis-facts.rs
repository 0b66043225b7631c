//! How far the analysis of PHP agrees with what a run really did: of the tables that statements touched from a line, how many the
//! analysis names there, and which it names wrongly.
//!
//! Subjects are projects with a baseline that has facts: `scripts/subjects/analysis-facts` makes them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use restage_analysis::sql::{Dialect, TableName, classify};
use restage_analysis::{
    Agreement, Disagreement, LineHas, Options, SentStatement, agreement, analyze, read_folder,
};
use restage_bench::{Table, Trouble, run_program};
use restage_facts::SqlFact;
use restage_model::RunKind;
use restage_store::Store;

/// How far the analysis of PHP agrees with what a run really did
#[derive(Debug, Parser)]
struct Args {
    /// A subject: its name, its project, its code in there, its database (mariadb, sqlite or postgres), and a file with the names of
    /// its tables
    #[arg(long, num_args = 5, value_names = ["NAME", "DIR", "CODE", "DATABASE", "FILE"], required = true)]
    subject: Vec<String>,
    /// Also list what they do not agree on
    #[arg(long)]
    details: bool,
}

fn main() -> ExitCode {
    run_program(|args: Args| study(&args))
}

fn study(args: &Args) -> Result<(), Trouble> {
    let head = [
        "subject",
        "statements",
        "lines",
        "tables at lines",
        "named",
        "named %",
        "or further out %",
        "missed: call not found",
        "not resolved",
        "dynamic",
        "other tables",
        "wrong: no such table",
        "not touched there",
    ];
    let mut table = Table::new(1, &head);
    for subject in args.subject.chunks_exact(5) {
        let [name, folder, code, database, schema] = subject else { continue };
        let dialect = match database.as_str() {
            "mariadb" => Dialect::MySql,
            "sqlite" => Dialect::Sqlite,
            "postgres" => Dialect::Postgres,
            other => {
                return Err(format!("no database is called `{other}`: mariadb, sqlite or postgres").into());
            }
        };
        let schema = std::fs::read_to_string(schema).map_err(|e| format!("{schema}: {e}"))?.to_lowercase();
        let schema: BTreeSet<String> = schema.lines().map(str::to_owned).collect();
        let sent = sent(Path::new(folder), dialect)?;
        let sources =
            read_folder(&PathBuf::from(folder).join(code)).map_err(|error| error.to_string())?.sources;
        let analysis = analyze(&sources, Options { dialect, ..Options::default() });
        let found = agreement(&analysis, &sent, &schema);
        table.row(cells(name, sent.len(), &found));
        if args.details {
            print_details(name, &found);
        }
    }
    println!("{table}");
    Ok(())
}

/// The statements of the newest baseline that touched a table and were not refused, each once for each way that led to it.
fn sent(folder: &Path, dialect: Dialect) -> Result<Vec<SentStatement>, Trouble> {
    let store = Store::open(&folder.join(".restage/restage.db"))?;
    let runs = store.runs()?;
    let baseline =
        runs.iter().rev().find(|run| run.kind == RunKind::Baseline).ok_or("there is no baseline")?;
    let mut sent = BTreeSet::new();
    store.each_step_facts(baseline.id, |_, facts| -> Result<(), Trouble> {
        let done = facts.sql.iter().filter(|fact| fact.error.is_none() && !fact.callers.is_empty());
        sent.extend(done.map(|fact| statement(fact, dialect)));
        Ok(())
    })?;
    sent.retain(|statement| !statement.tables.is_empty());
    if sent.is_empty() {
        let name = &baseline.name;
        return Err(
            format!("{name} has no statements with callers: `restage baseline --facts=sql,callers`").into()
        );
    }
    Ok(sent.into_iter().collect())
}

fn statement(fact: &SqlFact, dialect: Dialect) -> SentStatement {
    let statements = classify(&fact.text, dialect);
    let tables = statements.iter().flat_map(|s| s.reads.iter().chain(&s.writes));
    SentStatement {
        callers: fact.callers.iter().map(|(file, line)| (Arc::from(file.as_str()), *line)).collect(),
        tables: tables.filter(|table| table.is_known()).map(TableName::to_string).collect(),
    }
}

fn cells(name: &str, statements: usize, found: &Agreement) -> Vec<String> {
    let missed = |has: LineHas| found.missed.iter().filter(|one| one.has == has).count();
    let numbers = [
        missed(LineHas::Nothing),
        missed(LineHas::Unresolved),
        missed(LineHas::Dynamic),
        missed(LineHas::Tables),
        found.absent.len(),
        found.untouched.len(),
    ];
    let mut cells = vec![
        name.to_owned(),
        statements.to_string(),
        found.lines.to_string(),
        (found.named + found.missed.len()).to_string(),
        found.named.to_string(),
        percent(found.recall()),
        percent(found.recall_of_calls()),
    ];
    cells.extend(numbers.map(|number| number.to_string()));
    cells
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{share:.1}"))
}

fn print_details(name: &str, found: &Agreement) {
    let lists = [
        ("missed", &found.missed),
        ("no such table", &found.absent),
        ("not touched there", &found.untouched),
    ];
    for (what, list) in lists {
        for Disagreement { file, line, table, has } in list {
            println!("{name}: {what}: {file}:{line}: {table} ({has:?})");
        }
    }
}
