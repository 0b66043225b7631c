//! What `restage regenerate` counts as covered, against a naive reading of what the server did when the new sessions were run: the
//! definition, then the use, and nothing in between that defines the same.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use restage_facts::{SqlFact, StepFacts};
use restage_model::StepAt;
use restage_store::Store;
use serde_json::Value;

use crate::regenerate::recorded;
use crate::support::json;

/// Catches: a definition behind its use, one in between, one that changed nothing, and a pair that was planned and not seen.
#[test]
fn what_is_counted_was_seen_in_that_order() {
    let folder = recorded();
    let folder = folder.path();
    let shed = Shed::read(&folder.join("app"));
    for by in ["du", "vadu"] {
        let told = json(folder, &["regenerate", "recorded", "--by", by, "--app", "faulty", "--into", by]);
        let sessions = facts_of(folder, told["baseline"].as_str().unwrap());
        let round = &told["rounds"][0];
        let (mut counted, mut of_tables) = (0, 0);
        for sequence in round["kept"].as_array().unwrap() {
            let steps = &sessions[sequence["session"].as_str().unwrap()];
            for pair in sequence["pairs"].as_array().unwrap() {
                counted += 1;
                of_tables += u64::from(pair["state"]["kind"] == "table");
                assert!(shed.is_seen(steps, pair), "{by}: {pair} of {}", sequence["session"]);
            }
            // What did not come about is told with its reason, and not counted.
            for missed in sequence["missed"].as_array().unwrap() {
                let (pair, why) = (&missed[0], missed[1].as_str().unwrap());
                assert!(!sequence["pairs"].as_array().unwrap().contains(pair), "{pair}");
                assert!(["no-definition", "no-use", "defined-between", "other-rows"].contains(&why), "{why}");
            }
        }
        assert_eq!(counted, round["pairs"].as_u64().unwrap(), "each is counted once");
        assert!(of_tables > 20 && counted > of_tables, "{by}: {counted}, {of_tables} of tables");
        let missed: u64 = round["missed"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum();
        assert_eq!(round["asked"].as_u64().unwrap(), round["met"].as_u64().unwrap() + missed);
    }
}

/// What the server did in each step of each session of a run.
fn facts_of(folder: &Path, run: &str) -> BTreeMap<String, Vec<StepFacts>> {
    let store = Store::open(&folder.join(".restage/restage.db")).unwrap();
    let run = store.run_named(run).unwrap().unwrap();
    let suite = store.suite(run.suite).unwrap();
    let of_session = |(place, session): (usize, &restage_model::Session)| {
        let facts = |step: usize| {
            let at = StepAt { session: place as u32, step: step as u32 };
            store.step_facts(run.id, at).unwrap().unwrap_or_default()
        };
        (session.name.clone(), (0..session.exchanges.len()).map(facts).collect())
    };
    suite.sessions.iter().enumerate().map(of_session).collect()
}

/// The tool shed's source code, as far as it gives values to session variables: by file and line, the variable, or `*` for all.
struct Shed {
    defines: BTreeSet<(String, u32, String)>,
}

impl Shed {
    fn read(app: &Path) -> Self {
        let mut defines = BTreeSet::new();
        for file in std::fs::read_dir(app).unwrap() {
            let path = file.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            for (number, line) in std::fs::read_to_string(&path).unwrap().lines().enumerate() {
                let at = number as u32 + 1;
                for part in line.split("$_SESSION['").skip(1) {
                    let (variable, rest) = part.split_once("']").unwrap();
                    let rest = rest.trim_start();
                    let given = rest.starts_with("= ") || rest.starts_with("??= ");
                    if given || line.contains(&format!("unset($_SESSION['{variable}'])")) {
                        defines.insert((name.clone(), at, variable.to_owned()));
                    }
                }
                if line.contains("session_unset()") {
                    defines.insert((name.clone(), at, "*".to_owned()));
                }
            }
        }
        Self { defines }
    }

    /// Whether the steps have the definition of a pair, later its use, and nothing in between that defines the same.
    fn is_seen(&self, steps: &[StepFacts], pair: &Value) -> bool {
        let state = pair["state"]["name"].as_str();
        let is_table = pair["state"]["kind"] == "table";
        let defines = |step: &StepFacts| match state {
            Some(table) if is_table => step.sql.iter().any(|fact| writes(fact, table)),
            Some(variable) => self.gives(step, variable),
            // The session as a whole.
            None => step.lines.iter().any(|(file, lines)| {
                self.defines.iter().any(|(f, line, v)| v == "*" && f == file && lines.contains(*line))
            }),
        };
        (0..steps.len()).any(|first| {
            let is_definition = match state {
                Some(table) if is_table => {
                    steps[first].sql.iter().any(|fact| is_this(fact, table, &pair["definition"]))
                }
                _ => defines(&steps[first]) && at_line(&steps[first], &pair["definition"]["location"]),
            };
            is_definition
                && (first + 1..steps.len()).any(|last| {
                    let uses = match state {
                        Some(table) if is_table => {
                            uses_first(&steps[last], table, &pair["usage"]["location"])
                        }
                        _ => at_line(&steps[last], &pair["usage"]["location"]),
                    };
                    uses && !steps[first + 1..last].iter().any(defines)
                })
        })
    }

    fn gives(&self, step: &StepFacts, variable: &str) -> bool {
        let by_line = self.defines.iter().any(|(file, line, given)| {
            (given == variable || given == "*") && step.lines.get(file).is_some_and(|ran| ran.contains(*line))
        });
        let values = |of: &Option<BTreeMap<String, String>>| -> BTreeMap<String, String> {
            let own = |name: &String| name == variable || name.starts_with(&format!("{variable}."));
            of.iter().flatten().filter(|(name, _)| own(name)).map(|(n, v)| (n.clone(), v.clone())).collect()
        };
        by_line || step.session.as_ref().is_some_and(|s| values(&s.before) != values(&s.after))
    }
}

/// Whether a line of a location ran; one without a line is somewhere in the request.
fn at_line(step: &StepFacts, location: &Value) -> bool {
    match (location["file"].as_str(), location["line"].as_u64()) {
        (Some(file), Some(line)) => step.lines.get(file).is_some_and(|ran| ran.contains(line as u32)),
        _ => true,
    }
}

/// Whether a statement changed rows of a table.
fn writes(fact: &SqlFact, table: &str) -> bool {
    let text = fact.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let begins = ["INSERT INTO", "UPDATE", "DELETE FROM"];
    let own = begins.iter().any(|begin| {
        text.strip_prefix(begin)
            .is_some_and(|rest| rest.split([' ', '(']).find(|word| !word.is_empty()) == Some(table))
    });
    own && fact.error.is_none() && fact.rows != Some(0)
}

/// Whether a statement is the definition that a pair means: what it says with its values, or where it was sent.
fn is_this(fact: &SqlFact, table: &str, definition: &Value) -> bool {
    if !writes(fact, table) {
        return false;
    }
    match definition["value"]["set"].as_str() {
        Some(said) => {
            let mut bound = fact.bound.iter();
            let mut text = String::new();
            for c in fact.text.split_whitespace().collect::<Vec<_>>().join(" ").chars() {
                match c {
                    '?' => text.push_str(&match bound.next().unwrap() {
                        Value::String(value) => format!("'{}'", value.replace('\'', "''")),
                        value => value.to_string().replace("null", "NULL"),
                    }),
                    c => text.push(c),
                }
            }
            // Days are not told apart.
            text.replace("'2026-01-01'", "'date'") == said
        }
        None => sent_at(fact, &definition["location"]),
    }
}

fn sent_at(fact: &SqlFact, location: &Value) -> bool {
    location["sent"][0].as_str() == fact.file.as_deref()
        && location["sent"][1].as_u64() == fact.line.map(u64::from)
}

/// Whether a step reads a table there before it has changed it.
fn uses_first(step: &StepFacts, table: &str, location: &Value) -> bool {
    let before = step.sql.iter().take_while(|fact| !writes(fact, table)).count();
    // A statement that changes rows looks for them first.
    let reads = |fact: &SqlFact| fact.text.split([' ', ',', '\n']).any(|word| word == table);
    step.sql
        .iter()
        .take(before + 1)
        .any(|fact| fact.error.is_none() && reads(fact) && sent_at(fact, location))
}
