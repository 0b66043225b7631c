//! The study as Markdown: paper 4's tables 2, 3 and 4, and what the parts of VADU are worth.

use std::fmt;

use super::{Found, Made, RegeneratedSubject, StartingSuite, Technique, wilcoxon_above};
use crate::Table;
use crate::oracles::{mean, median};

/// A difference is significant where chance alone makes it as rarely as this.
const LEVEL: f64 = 0.05;
/// What VADU should gain, in percent, over all subjects: coverage and faults, as in the paper.
const AIMS: (f64, f64) = (15.0, 9.0);

/// All subjects.
#[derive(Clone, Debug)]
pub struct RegenerationStudy {
    /// The subjects, in order.
    pub subjects: Vec<RegeneratedSubject>,
}

type Gain = fn(&StartingSuite, Technique) -> Option<f64>;

impl RegenerationStudy {
    /// The suites of one subject, or of all.
    fn suites<'a>(&'a self, subject: Option<&'a RegeneratedSubject>) -> Vec<&'a StartingSuite> {
        match subject {
            Some(subject) => subject.suites.iter().collect(),
            None => self.subjects.iter().flat_map(|subject| &subject.suites).collect(),
        }
    }

    /// Each subject with its name, and all of them at the end.
    fn groups(&self) -> Vec<(String, Vec<&StartingSuite>)> {
        let mut groups: Vec<_> = self
            .subjects
            .iter()
            .map(|subject| {
                let most =
                    subject.max_requests.map_or(String::new(), |most| format!(", at most {most} requests"));
                (format!("{}, {}{most}", subject.name, subject.counts), self.suites(Some(subject)))
            })
            .collect();
        if groups.len() > 1 {
            groups.push(("all".to_owned(), self.suites(None)));
        }
        groups
    }

    fn users(&self) -> Table {
        let head = [
            "subject",
            "counted",
            "users",
            "requests",
            "covered by all",
            "starting suites",
            "sessions",
            "requests of one",
        ];
        let mut table = Table::new(2, &head);
        for subject in &self.subjects {
            let of = |figure: fn(&StartingSuite) -> f64| one(mean(subject.suites.iter().map(figure)));
            table.row(vec![
                subject.name.clone(),
                subject.counts.clone(),
                subject.users.sequences.to_string(),
                subject.users.requests.to_string(),
                subject.users_cover.to_string(),
                subject.suites.len().to_string(),
                of(|suite| suite.size.sequences as f64),
                of(|suite| suite.size.requests as f64),
            ]);
        }
        table
    }

    fn code(&self) -> Table {
        let head =
            ["subject", "variables", "defs", "uses", "functions", "defs", "uses", "tables", "defs", "uses"];
        let mut table = Table::new(1, &head);
        for subject in &self.subjects {
            let mut row = vec![subject.name.clone()];
            let cells = |found: Found| [found.number, found.definitions, found.uses].map(|n| n.to_string());
            match subject.code {
                Some(code) => {
                    row.extend([code.variables, code.functions, code.tables].into_iter().flat_map(cells))
                }
                None => row.extend(std::iter::repeat_n("·".to_owned(), 9)),
            }
            table.row(row);
        }
        table
    }

    fn sizes(&self) -> Table {
        let head =
            ["subject", "technique", "for the session", "requests", "for tables", "requests", "came about %"];
        let mut table = Table::new(2, &head);
        for (name, suites) in self.groups() {
            let measured =
                |technique: &Technique| *technique != Technique::Random && is_run(&suites, *technique);
            for technique in Technique::COMPARED.into_iter().filter(measured) {
                let made = |of: fn(&super::Outcome) -> Made| {
                    let made =
                        || suites.iter().filter_map(|suite| Some(of(suite.outcomes.get(&technique)?)));
                    [
                        one(mean(made().map(|made| made.sequences as f64))),
                        one(mean(made().map(|made| made.requests as f64))),
                    ]
                };
                let outcomes = || suites.iter().filter_map(|suite| suite.outcomes.get(&technique));
                let asked: usize = outcomes().map(|outcome| outcome.asked).sum();
                let met: usize = outcomes().map(|outcome| outcome.met).sum();
                let mut row = vec![name.clone(), technique.name().to_owned()];
                row.extend(made(|outcome| outcome.of_sessions));
                row.extend(made(|outcome| outcome.of_tables));
                row.push(one(Some(100.0 * met as f64 / asked.max(1) as f64)));
                table.row(row);
            }
        }
        table
    }

    fn gains(&self) -> Table {
        let head = [
            "subject",
            "technique",
            "covered %, mean",
            "median",
            "faults, mean",
            "coverage gained %, mean",
            "median",
            "faults gained %, mean",
            "median",
            "requests",
            "s",
        ];
        let mut table = Table::new(2, &head);
        for (name, suites) in self.groups() {
            for technique in Technique::COMPARED.into_iter().filter(|technique| is_run(&suites, *technique)) {
                let covered =
                    || suites.iter().map(|suite| 100.0 * suite.covered as f64 / suite.of.max(1) as f64);
                let costs = suites.iter().filter_map(|suite| suite.cost(technique)).map(|cost| cost as f64);
                let seconds = suites.iter().filter_map(|suite| Some(suite.outcomes.get(&technique)?.seconds));
                let mut row = vec![
                    name.clone(),
                    technique.name().to_owned(),
                    one(mean(covered())),
                    one(median(covered())),
                    one(mean(suites.iter().map(|suite| suite.faults as f64))),
                ];
                for gain in [StartingSuite::coverage_gain as Gain, StartingSuite::fault_gain] {
                    let gains = || suites.iter().filter_map(|suite| gain(suite, technique));
                    let mark = if is_above(&suites, technique, gain) { "**" } else { "" };
                    row.push(format!("{mark}{}{mark}", two(mean(gains()))));
                    row.push(two(median(gains())));
                }
                row.extend([whole(mean(costs)), whole(mean(seconds))]);
                table.row(row);
            }
        }
        table
    }

    fn tests(&self) -> Table {
        let head =
            ["subject", "above", "coverage, p", "more / less / same", "faults, p", "more / less / same"];
        let mut table = Table::new(2, &head);
        for (name, suites) in self.groups() {
            let measured =
                |(above, below): &&(Technique, Technique)| is_run(&suites, *above) && is_run(&suites, *below);
            for (above, below) in ABOVE.iter().filter(measured) {
                let mut row = vec![name.clone(), format!("{} above {}", above.name(), below.name())];
                for gain in [StartingSuite::coverage_gain as Gain, StartingSuite::fault_gain] {
                    let pairs = pairs(&suites, *above, *below, gain);
                    let count = |is: fn(&(f64, f64)) -> bool| pairs.iter().filter(|pair| is(pair)).count();
                    row.push(format!("{:.4}", wilcoxon_above(&pairs)));
                    row.push(format!(
                        "{} / {} / {}",
                        count(|(one, other)| one > other),
                        count(|(one, other)| one < other),
                        count(|(one, other)| (one - other).abs() == 0.0)
                    ));
                }
                table.row(row);
            }
        }
        table
    }

    fn parts(&self) -> Option<Table> {
        let head =
            ["subject", "technique", "suites", "sequences", "requests", "coverage gained %", "faults gained"];
        let mut table = Table::new(2, &head);
        let mut is_empty = true;
        for (name, suites) in self.groups() {
            let measured: Vec<&StartingSuite> = suites
                .into_iter()
                .filter(|suite| Technique::ABLATIONS.iter().all(|part| suite.outcomes.contains_key(part)))
                .collect();
            for technique in [Technique::Vadu].into_iter().chain(Technique::ABLATIONS) {
                let outcomes = || measured.iter().filter_map(|suite| suite.outcomes.get(&technique));
                if outcomes().next().is_none() {
                    continue;
                }
                is_empty = false;
                table.row(vec![
                    name.clone(),
                    technique.name().to_owned(),
                    measured.len().to_string(),
                    one(mean(outcomes().map(|outcome| outcome.all.sequences as f64))),
                    whole(mean(outcomes().map(|outcome| outcome.all.requests as f64))),
                    two(mean(measured.iter().filter_map(|suite| suite.coverage_gain(technique)))),
                    two(mean(outcomes().map(|outcome| outcome.new_faults as f64))),
                ]);
            }
        }
        (!is_empty).then_some(table)
    }

    fn aims(&self) -> String {
        let suites = self.suites(None);
        let gained = |technique, gain: Gain| mean(suites.iter().filter_map(|suite| gain(suite, technique)));
        let coverage = |technique| gained(technique, StartingSuite::coverage_gain).unwrap_or(0.0);
        let [random, du, vadu] = [Technique::Random, Technique::Du, Technique::Vadu].map(coverage);
        let faults = gained(Technique::Vadu, StartingSuite::fault_gain).unwrap_or(0.0);
        let met = |is: bool| if is { "met" } else { "missed" };
        format!(
            "- VADU above DU above random on mean coverage gained: {vadu:.2}, {du:.2}, {random:.2} %: {}.\n- VADU gains {} % coverage: {vadu:.2} %: {}.\n- VADU gains {} % faults: {faults:.2} %: {}.\n",
            met(vadu > du && du > random),
            AIMS.0,
            met(vadu >= AIMS.0),
            AIMS.1,
            met(faults >= AIMS.1),
        )
    }
}

/// Whether a technique was run on any of these.
fn is_run(suites: &[&StartingSuite], technique: Technique) -> bool {
    suites.iter().any(|suite| suite.outcomes.contains_key(&technique))
}

/// Which techniques are compared with one another.
const ABOVE: &[(Technique, Technique)] = &[
    (Technique::Du, Technique::Random),
    (Technique::Vadu, Technique::Random),
    (Technique::Vadu, Technique::Du),
    (Technique::Feedback, Technique::Vadu),
    (Technique::Chained, Technique::Feedback),
];

fn pairs(suites: &[&StartingSuite], above: Technique, below: Technique, gain: Gain) -> Vec<(f64, f64)> {
    suites.iter().filter_map(|suite| Some((gain(suite, above)?, gain(suite, below)?))).collect()
}

/// Whether a technique is significantly above all those before it.
fn is_above(suites: &[&StartingSuite], technique: Technique, gain: Gain) -> bool {
    let mut before = Technique::COMPARED.into_iter().take_while(|other| *other != technique).peekable();
    before.peek().is_some()
        && before.all(|below| wilcoxon_above(&pairs(suites, technique, below, gain)) <= LEVEL)
}

fn one(figure: Option<f64>) -> String {
    figure.map_or_else(|| "·".to_owned(), |figure| format!("{figure:.1}"))
}

fn two(figure: Option<f64>) -> String {
    figure.map_or_else(|| "·".to_owned(), |figure| format!("{figure:.2}"))
}

fn whole(figure: Option<f64>) -> String {
    figure.map_or_else(|| "·".to_owned(), |figure| format!("{figure:.0}"))
}

impl fmt::Display for RegenerationStudy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "# What regenerated suites cover and find\n\nMade by `scripts/study regeneration`; do not edit.\n\n{INTRODUCTION}\n{}\n",
            self.users()
        )?;
        write!(f, "## The aims\n\n{}\n", self.aims())?;
        write!(f, "## What the source code has (table 2)\n\n{CODE}\n{}\n", self.code())?;
        write!(f, "## Sequences and requests (table 3)\n\n{SIZES}\n{}\n", self.sizes())?;
        write!(f, "## What was gained (table 4)\n\n{GAINS}\n{}\n", self.gains())?;
        write!(f, "![box plots](regeneration.svg)\n\n{TESTS}\n{}", self.tests())?;
        match self.parts() {
            Some(parts) => write!(f, "\n## What the parts of VADU are worth\n\n{PARTS}\n{parts}"),
            None => Ok(()),
        }
    }
}

const INTRODUCTION: &str = "Of each subject, many users were recorded. Each starting suite is a random half of them that covers at least 90 % of what all cover, reduced by `restage reduce --by greedy` to sessions that keep its coverage. *Branches* are counted by Xdebug or by restage's probe for Python, *lines* by pcov. Of all that is in files that no request ran, nothing is known; it is not counted.\n";
const CODE: &str = "By restage's static analysis of PHP, in files that the users ran; nothing where those are more than 1 MB. `restage regenerate` takes tables from the statements that were sent, not from here.\n";
const SIZES: &str = "Averages over the starting suites. A sequence is counted by the first pair that it was made for. *Came about* are the pairs that were planned and seen when the sequences were run.\n";
const GAINS: &str = "Coverage and faults gained are in percent of what the starting suite has; where that shows no fault, as if it showed one. Coverage is that of all sequences that were run, kept or not. Faults are errors and warnings of the language, of the database and of the server, each once by its place and type. *Requests* are those of the suite, to know what it does, and those of the new sequences; *s* is the whole of `restage regenerate`, which reads what the suite did from its baseline. Bold is significantly more than all techniques above it (Wilcoxon's paired one-sided signed-rank test at 95 %).\n";
const TESTS: &str = "The test between techniques, with its exact distribution, over starting suites that gain more by the first, less, and the same:\n";
const PARTS: &str = "VADU, and what it is without one of its parts, on the starting suites on which all were run: steps put together whatever rows they are about, and pairs planned that the suite covers already.\n";
