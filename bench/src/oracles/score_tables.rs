//! Scores as Markdown tables.

use bookstore::FaultCategory;

use super::counts::Counts;
use super::trial::{Score, Trial};
use super::unions::best_unions;
use crate::seen::{Seen, WATCHERS};
use crate::table::Table;

/// How many unions are told of each size.
pub(super) const TOLD: usize = 7;
/// The best of paper 2's table 4; the first is the default oracle.
const OF_THE_PAPER: [[&str; 2]; 7] = [
    ["C-WD", "N+I"],
    ["C-WD", "N+I-S"],
    ["C-WD", "N+I-SL"],
    ["C", "N+F-Sel"],
    ["N+I", "N+F-Sel"],
    ["N+I", "N+U"],
    ["N+I", "N-SL+U"],
];

/// Those who are told of one by one: each watcher, the default oracle, and the usual one where it is another.
pub(super) fn told(trial: &Trial) -> Vec<Seen> {
    let usual = Some(trial.usual).filter(|usual| *usual != default_oracle());
    (0..WATCHERS.len()).map(Seen::by).chain([default_oracle()]).chain(usual).collect()
}

/// `C-WD | N+I`.
pub(super) fn default_oracle() -> Seen {
    union(OF_THE_PAPER[0])
}

/// `C-WD ∪ N+I`: a bar would end a table's cell.
pub(super) fn name(members: Seen) -> String {
    if members == Seen::OWN {
        return "each page's own".to_owned();
    }
    members.places().map(|place| WATCHERS[place]).collect::<Vec<_>>().join(" ∪ ")
}

/// Every watcher's score.
pub(super) fn scores(trial: &Trial) -> Table {
    let mut table = Table::new(1, &head(&["oracle"]));
    for members in told(trial) {
        let mut cells = vec![name(members)];
        cells.extend(figures(&trial.score(members)));
        table.row(cells);
    }
    table
}

/// Paper 2's unions, and the best of all pairs and triples, each after the F-measures of its members.
pub(super) fn unions(trial: &Trial) -> Table {
    let mut table = Table::new(2, &head(&["union", "mean F of each"]));
    let mut row = |label: String, members: Seen, score: &Score| {
        let alone = members.places().map(|place| two(Some(trial.score(Seen::by(place)).mean_f)));
        let mut cells = vec![label, alone.collect::<Vec<_>>().join(", ")];
        cells.extend(figures(score));
        table.row(cells);
    };
    for members in OF_THE_PAPER.map(union) {
        row(format!("paper: {}", name(members)), members, &trial.score(members));
    }
    for (size, word) in [(2, "pair"), (3, "triple")] {
        for best in best_unions(trial, size).iter().take(TOLD) {
            let alike = if best.alike > 0 { format!(" (and {} alike)", best.alike) } else { String::new() };
            row(format!("{word}: {}{alike}", name(best.members)), best.members, &best.score);
        }
    }
    table
}

/// How many faults of each category each finds, and the mean F-measure on them.
pub(super) fn categories(trial: &Trial) -> Table {
    let parts: Vec<Trial> = FaultCategory::ALL.iter().map(|&category| trial.only(category)).collect();
    let mut head = vec!["oracle".to_owned()];
    let heads = FaultCategory::ALL.iter().zip(&parts);
    head.extend(heads.map(|(category, part)| format!("{} ({})", category.name(), part.cases.len())));
    head.push(format!("all ({})", trial.cases.len()));
    let mut table = Table::new(1, &head.iter().map(String::as_str).collect::<Vec<_>>());
    for members in told(trial) {
        let mut cells = vec![name(members)];
        for part in parts.iter().chain([trial]) {
            let score = part.score(members);
            cells.push(format!("{} · {}", score.runs.right, two(Some(score.mean_f))));
        }
        table.row(cells);
    }
    table
}

/// A figure with two digits; a dash where it is unknown.
pub(super) fn two(figure: Option<f64>) -> String {
    figure.map_or_else(|| "–".to_owned(), |figure| format!("{figure:.2}"))
}

fn union(members: [&str; 2]) -> Seen {
    members.iter().fold(Seen::NONE, |all, id| all | Seen::named(id))
}

fn head<'a>(first: &[&'a str]) -> Vec<&'a str> {
    let figures = ["TP", "FP", "FN", "precision", "recall", "F", "mean F"];
    let of_runs = ["found", "missed", "clean fail", "precision", "recall", "F", "clean steps"];
    first.iter().copied().chain(figures).chain(of_runs).collect()
}

/// In the order of [`head`].
fn figures(score: &Score) -> Vec<String> {
    let Score { steps, runs, mean_f, clean_steps } = score;
    let mut cells = numbers([steps.right, steps.wrong, steps.missed]);
    cells.extend(measures(*steps));
    cells.push(two(Some(*mean_f)));
    cells.extend(numbers([runs.right, runs.missed, runs.wrong]));
    cells.extend(measures(*runs));
    cells.extend(numbers([*clean_steps]));
    cells
}

fn numbers<const N: usize>(numbers: [usize; N]) -> Vec<String> {
    numbers.iter().map(ToString::to_string).collect()
}

fn measures(counts: Counts) -> [String; 3] {
    [counts.precision(), counts.recall(), Some(counts.f_measure())].map(two)
}
