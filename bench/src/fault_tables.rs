//! The study of faults as Markdown.

use std::collections::BTreeSet;
use std::fmt;

use bookstore::{Fault, FaultCategory};
use restage_model::StepAt;

use crate::judging::TestResult;
use crate::sighting::{SEERS, Sighting};
use crate::table::Table;

/// What became of one fault.
#[derive(Clone, Debug)]
pub struct FaultRow {
    /// The fault.
    pub fault: Fault,
    /// With chance and the clock fixed: who sees it.
    pub sighting: Sighting,
    /// The same, as `restage test` judges.
    pub fixed: Judgement,
    /// With both as they are, as `restage test` judges.
    pub noisy: Judgement,
}

/// What `restage test` says.
#[derive(Clone, Copy, Debug, Default)]
pub struct Judgement {
    /// Steps that fail where the fault shows.
    pub failing: usize,
    /// Steps that fail where it does not: noise, unless chance has led the fault elsewhere.
    pub elsewhere: usize,
    /// Distinct differences.
    pub changes: usize,
}

impl Judgement {
    /// Counts a comparison's; `shows` is where the fault shows.
    pub fn of(said: &TestResult, shows: &BTreeSet<StepAt>) -> Self {
        let failing = said.failing().count();
        let right = said.failing().filter(|v| shows.contains(&v.at)).count();
        // Those of pages: what sessions left behind is another study.
        let changes = said.comparison.changes.iter().filter(|change| !change.steps.is_empty()).count();
        Self { failing: right, elsewhere: failing - right, changes }
    }

    fn found(self) -> bool {
        self.failing > 0
    }
}

impl FaultRow {
    /// Whether any answer is another because of it.
    pub fn shows(&self) -> bool {
        !self.sighting.shows.is_empty()
    }

    /// Whether the oracle `D` sees it.
    pub fn found_by_d(&self) -> bool {
        self.sighting.found > 0
    }
}

/// What became of every fault.
#[derive(Clone, Debug)]
pub struct FaultStudy {
    /// One a fault.
    pub rows: Vec<FaultRow>,
    /// How many steps a replay has.
    pub steps: usize,
    /// The default oracle.
    pub oracle: String,
    /// For each replay of the clean release with chance and the clock as they are: steps that fail, each
    /// of them wrongly. One list a baseline.
    pub clean: Vec<Vec<usize>>,
    /// For each baseline: steps judged by a weaker oracle, because they are noisy.
    pub weakened: Vec<usize>,
}

impl FaultStudy {
    /// Whether the oracle `D` finds every fault that shows.
    pub fn d_finds_all(&self) -> bool {
        self.rows.iter().all(|row| row.found_by_d() || !row.shows())
    }

    /// `N faults show, D finds N`, and how the default oracle does.
    pub fn summary(&self) -> String {
        let count = |holds: fn(&FaultRow) -> bool| self.rows.iter().filter(|r| holds(r)).count();
        format!(
            "{} faults show, D finds {}. `{}` finds {}, and {} under real noise, where {} of {} steps of clean runs \
             fail wrongly.",
            count(FaultRow::shows),
            count(FaultRow::found_by_d),
            self.oracle,
            count(|r| r.fixed.found()),
            count(|r| r.noisy.found()),
            self.clean.iter().flatten().sum::<usize>(),
            self.steps * self.clean.iter().flatten().count(),
        )
    }

    fn each(&self) -> Table {
        let mut head = vec!["fault", "category", "page", "shows"];
        head.extend(SEERS);
        let mut table = Table::new(3, &head);
        for row in &self.rows {
            let mut cells = names(row.fault);
            cells.push(number(row.sighting.shows.len()));
            cells.extend(row.sighting.seen.map(number));
            table.row(cells);
        }
        table
    }

    fn totals(&self) -> Table {
        let mut head = vec!["category", "faults", "show"];
        head.extend(SEERS);
        head.extend(["oracle D", "default oracle", "under noise"]);
        let mut table = Table::new(1, &head);
        let mut total = |name: &str, rows: &[&FaultRow]| {
            let count =
                |holds: &dyn Fn(&FaultRow) -> bool| rows.iter().filter(|r| holds(r)).count().to_string();
            let mut cells = vec![name.to_owned(), rows.len().to_string(), count(&FaultRow::shows)];
            cells.extend((0..SEERS.len()).map(|seer| count(&|r| r.sighting.seen[seer] > 0)));
            cells.push(count(&FaultRow::found_by_d));
            cells.extend([count(&|r| r.fixed.found()), count(&|r| r.noisy.found())]);
            table.row(cells);
        };
        for &category in FaultCategory::ALL {
            let rows: Vec<&FaultRow> = self.rows.iter().filter(|r| r.fault.category() == category).collect();
            total(category.name(), &rows);
        }
        total("all", &self.rows.iter().collect::<Vec<_>>());
        table
    }

    fn judged(&self) -> Table {
        let head = ["fault", "category", "page", "failing", "changes", "under noise", "elsewhere", "changes"];
        let mut table = Table::new(3, &head);
        for row in &self.rows {
            let mut cells = names(row.fault);
            let (fixed, noisy) = (row.fixed, row.noisy);
            cells.extend(
                [fixed.failing, fixed.changes, noisy.failing, noisy.elsewhere, noisy.changes].map(number),
            );
            table.row(cells);
        }
        table
    }
}

impl fmt::Display for FaultStudy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { steps, oracle, weakened, clean, .. } = self;
        let listed =
            |figures: &[usize]| figures.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let (weakened, clean) =
            (listed(weakened), clean.iter().map(|c| listed(c)).collect::<Vec<_>>().join("; "));
        write!(
            f,
            "# Which faults are found\n\n\
             Made by `scripts/study faults`; do not edit. The bookstore's 40 shoppers ({steps} steps) are recorded, and\n\
             replayed on the trusted release and on a release with one fault switched on, each session on the state\n\
             it had in the baseline.\n\n**{}**\n\n## By category\n\n\
             How many faults are seen in any step. First each comparator on its own, with chance and the clock fixed\n\
             (Flist is the flow of pages). Then whole oracles, which look at the flow first: D; the default oracle,\n\
             `{oracle}`; the same with chance and the clock as they are.\n\n{}\n\
             ## Who sees what\n\n\
             `bookstore --seed 7 --today 2026-11-15` for both releases: every difference is the fault's. In how many\n\
             steps the answer is another (*shows*: bytes, status, `Location` or `Content-Type`), and in how many each\n\
             comparator sees a difference.\n\n{}\n\
             ## What `restage test` says\n\n\
             By `{oracle}`: steps that fail and the distinct changes they are, first with chance and the clock fixed;\n\
             then as they are, on a baseline that was checked for noise, where *under noise* counts the failing steps\n\
             in which the fault shows and *elsewhere* the others, which noise has made fail (or chance has led the\n\
             fault to).\n\n\
             Noisy steps, judged by a weaker oracle, baseline by baseline: {weakened} of {steps}. Steps that fail on\n\
             the clean release, each of them wrongly, run by run and baseline by baseline: {clean}.\n\n{}",
            self.summary(),
            self.totals(),
            self.each(),
            self.judged(),
        )
    }
}

fn names(fault: Fault) -> Vec<String> {
    vec![fault.name().to_owned(), fault.category().name().to_owned(), fault.page().to_owned()]
}

/// A zero is easier to see as a dot.
fn number(n: usize) -> String {
    if n == 0 { "·".to_owned() } else { n.to_string() }
}
