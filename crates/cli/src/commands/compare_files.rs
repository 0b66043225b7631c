//! `restage compare-files`: the comparators on two files or two folders, without a project.

use std::path::{Path, PathBuf};

use restage_model::{Difference, Headers, Place};
use restage_oracle::{Comparator, Comparators, Document, JsonRules, Oracle, differ_inside, insides};
use serde::{Serialize, Serializer};

use crate::args::Global;
use crate::failure::{Failure, Outcome};
use crate::files::{FilePair, file_pairs, media_type, unreadable};
use crate::open_project;
use crate::terminal::output::{count, cut, line};

/// What is asked for the differences that are shown, where no oracle is given: paper 2's best combination.
const SHOWN_BY: &str = "C-WD | N+I";
/// As many differences of a pair are shown to people; machines get all.
const SHOWN: usize = 20;
/// As many columns fit beside each other on a narrow terminal.
const COLUMNS: usize = 11;
/// Larger files are not compared: pages are not that large, and each is held in memory.
const LARGEST: u64 = 1 << 30;

/// Compare two files, or two folders of the same layout, with every comparator; exits 1 on differences
///
/// The type of a file (HTML, JSON, XML, text, other) is detected by its name, else by its first bytes. No project is needed; if
/// there is one, --oracle may name its comparators.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  restage compare-files old.html new.html
  restage compare-files pages-v1/ pages-v2/ --oracle 'C-WD | N+I'
  restage compare-files pages-v1/ pages-v2/ --json | jq -r 'select(.verdicts[\"C-WD\"] == \"fail\").path'")]
pub(crate) struct Args {
    /// The file or folder to compare with
    expected: PathBuf,
    /// The file or folder to judge
    actual: PathBuf,
    /// Judge by one oracle: comparators joined by | (either) and & (both), or `2 of (A, B, C)` [default: each comparator alone]
    #[arg(long, value_name = "EXPR", env = "RESTAGE_ORACLE", hide_env = true)]
    oracle: Option<String>,
    /// JSON: ignore the order of arrays
    #[arg(long)]
    unordered: bool,
    /// JSON: the relative difference that numbers may have, for example 0.001
    #[arg(long, value_name = "PART")]
    tolerance: Option<f64>,
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let config = open_project::find(global)?.config;
    let comparators = config.comparators()?;
    let json = config.oracle_rules()?.json;
    let json = JsonRules {
        unordered: args.unordered || json.unordered,
        tolerance: args.tolerance.unwrap_or(json.tolerance),
    };
    let judge = Judge::of(args, &comparators, json)?;
    let (mut passing, mut failing) = (0, 0);
    for pair in file_pairs(&args.expected, &args.actual)? {
        let pair = pair?;
        let verdict = judge.verdict(&pair)?;
        if verdict.passes() {
            passing += 1
        } else {
            failing += 1
        }
        if global.json {
            let text = verdict.json(&pair.path);
            line(&text.map_err(|e| Failure::environment(format!("cannot print JSON: {e}")))?);
        } else {
            verdict.print(&pair.path);
        }
    }
    if passing + failing == 0 {
        return Err(Failure::user(format!(
            "there are no files in {} and {}\n  hint: give two files, or two folders of the same layout",
            args.expected.display(),
            args.actual.display()
        )));
    }
    if !global.json {
        let by = judge.oracle.as_ref().map_or("every comparator".to_owned(), Oracle::to_string);
        line(&format!(
            "{} compared by {by}: {passing} pass, {failing} fail",
            count(passing + failing, "pair")
        ));
    }
    Ok(if failing == 0 { Outcome::Well } else { Outcome::Different })
}

/// By what files are judged.
struct Judge {
    /// The oracle that was asked for; else each comparator says its own.
    oracle: Option<Oracle>,
    /// Of whose differences are shown.
    shown: Oracle,
    comparators: Comparators,
    json: JsonRules,
}

/// What is said of a pair.
struct Verdict {
    /// By whom, and whether it failed.
    fails: Vec<(String, bool)>,
    /// Whether that is one oracle, and not the comparators.
    by_oracle: bool,
    differences: Vec<Difference>,
}

impl Judge {
    fn of(args: &Args, comparators: &Comparators, json: JsonRules) -> Result<Self, Failure> {
        let oracle = args.oracle.as_deref().map(|text| Oracle::parse(text, comparators)).transpose()?;
        let shown = match &oracle {
            Some(oracle) => oracle.clone(),
            None => Oracle::parse(SHOWN_BY, comparators)?,
        };
        Ok(Self { oracle, shown, comparators: comparators.clone(), json })
    }

    fn verdict(&self, pair: &FilePair) -> Result<Verdict, Failure> {
        let (Some(expected), Some(actual)) = (&pair.expected, &pair.actual) else {
            return Ok(self.alone(pair));
        };
        let (was, is) = (read(expected)?, read(actual)?);
        // Most pages of two versions are the same: they need no reading.
        if was == is {
            return Ok(self.said(|_| false, |_| false, Vec::new()));
        }
        let (was_headers, is_headers) = (headers(expected), headers(actual));
        let (was, is) = (Document::of(&was_headers, &was), Document::of(&is_headers, &is));
        let inside = |oracle: &Oracle| insides(oracle, &was, &is, self.json);
        let differences = match inside(&self.shown) {
            differences if differences.is_empty() && self.oracle.is_none() => self.nearest(&was, &is),
            differences => differences,
        };
        // JSON whose keys are in another order is the same, though its text is not.
        let fails = |oracle: &Oracle| differ_inside(oracle, &was, &is, self.json);
        Ok(self.said(|c| fails(&Oracle::One(c.clone())), fails, differences))
    }

    /// What those comparators say that see a difference and least beside: they say most exactly what it is.
    fn nearest(&self, was: &Document<'_>, is: &Document<'_>) -> Vec<Difference> {
        let seeing: Vec<&Comparator> = Comparator::ALL.iter().filter(|c| c.differs(was, is)).collect();
        let nearest = seeing.iter().filter(|c| !seeing.iter().any(|other| other.is_below(c)));
        insides(&Oracle::any(nearest.map(|c| Oracle::One((*c).clone())).collect()), was, is, self.json)
    }

    /// A file without its counterpart: all fail.
    fn alone(&self, pair: &FilePair) -> Verdict {
        let whole = |side: &Option<PathBuf>| side.as_ref().map(|p| p.display().to_string());
        let difference = Difference {
            seen_by: vec!["files".to_owned()],
            place: Place::WholeFile,
            was: whole(&pair.expected),
            is: whole(&pair.actual),
        };
        self.said(|_| true, |_| true, vec![difference])
    }

    fn said(
        &self,
        differs: impl Fn(&Comparator) -> bool,
        fails: impl Fn(&Oracle) -> bool,
        differences: Vec<Difference>,
    ) -> Verdict {
        let verdicts = match &self.oracle {
            Some(oracle) => vec![(oracle.to_string(), fails(oracle))],
            None => self.comparators.iter().map(|c| (c.id().to_owned(), differs(c))).collect(),
        };
        Verdict { fails: verdicts, by_oracle: self.oracle.is_some(), differences }
    }
}

impl Verdict {
    fn passes(&self) -> bool {
        self.fails.iter().all(|(_, fails)| !fails)
    }

    /// One line of JSON.
    fn json(&self, path: &Path) -> Result<String, serde_json::Error> {
        let path = path.display().to_string();
        serde_json::to_string(&match &self.fails[..] {
            [(oracle, fails)] if self.by_oracle => Line {
                path,
                oracle: Some(oracle),
                verdict: Some(word(*fails)),
                verdicts: None,
                differences: restage_report::differences(&self.differences),
            },
            all => Line {
                path,
                oracle: None,
                verdict: None,
                verdicts: Some(Words(all)),
                differences: restage_report::differences(&self.differences),
            },
        })
    }

    fn print(&self, path: &Path) {
        let path = cut(&path.display().to_string(), usize::MAX);
        if self.passes() {
            let by = if self.by_oracle { String::new() } else { format!(" by all {}", self.fails.len()) };
            line(&format!("{path}: pass{by}"));
            return;
        }
        let failing = self.fails.iter().filter(|(_, fails)| *fails).count();
        let by =
            if self.by_oracle { String::new() } else { format!(" by {failing} of {}", self.fails.len()) };
        line(&format!("{path}: fail{by}"));
        if !self.by_oracle {
            self.fails.chunks(COLUMNS).for_each(print_columns);
        }
        for difference in self.differences.iter().take(SHOWN) {
            line(&format!("  - {}  [{}]", cut(&difference.to_string(), 300), difference.seen_by_all()));
            for (side, text) in [("expected", difference.expected()), ("actual", difference.actual())] {
                if !text.trim().is_empty() {
                    line(&format!("      {side:8}  {}", cut(text, 160)));
                }
            }
        }
        if self.differences.len() > SHOWN {
            line(&format!(
                "  and {} more; --json prints all",
                count(self.differences.len() - SHOWN, "difference")
            ));
        }
    }
}

/// A pair, for machines: with `verdict` by an `oracle`, or with the `verdicts` of all comparators.
#[derive(Serialize)]
struct Line<'a> {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    oracle: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdicts: Option<Words<'a>>,
    differences: Vec<serde_json::Value>,
}

/// Verdicts as words, in the comparators' order.
struct Words<'a>(&'a [(String, bool)]);

impl Serialize for Words<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(id, fails)| (id, word(*fails))))
    }
}

fn word(fails: bool) -> &'static str {
    if fails { "fail" } else { "pass" }
}

/// Names, and their verdicts below them.
fn print_columns(verdicts: &[(String, bool)]) {
    let (mut names, mut words) = (String::from(" "), String::from(" "));
    for (name, fails) in verdicts {
        let width = name.chars().count().max(4);
        names.push_str(&format!(" {name:width$}"));
        words.push_str(&format!(" {:width$}", word(*fails)));
    }
    line(names.trim_end());
    line(words.trim_end());
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let size = std::fs::metadata(path).map_err(|e| unreadable(path, &e))?.len();
    if size > LARGEST {
        return Err(Failure::user(format!(
            "{} is larger than 1 GiB\n  hint: compare such files with cmp",
            path.display()
        )));
    }
    std::fs::read(path).map_err(|e| unreadable(path, &e))
}

fn headers(path: &Path) -> Headers {
    media_type(path).map(|t| ("content-type".to_owned(), t.to_owned())).into_iter().collect()
}
