//! The study of oracles as Markdown and figures.

use std::fmt;
use std::path::{Path, PathBuf};

use super::boxes::{BoxPlot, Group, PAIR_WIDTH};
use super::clean_pairs::CleanPairs;
use super::score_tables::{TOLD, categories, default_oracle, name, scores, told, two, unions};
use super::spread::{Spread, mean};
use super::trial::Trial;
use super::truth::Shown;
use crate::Trouble;
use crate::calibrated::Calibrated;
use crate::seen::{Seen, WATCHERS};
use crate::table::Table;

/// So many clean runs are told apart: `restage calibrate` is made of as many.
const FURTHER: usize = 5;

/// All that the study found.
#[derive(Clone, Debug)]
pub struct OracleStudy {
    /// How many steps a replay has.
    pub steps: usize,
    /// The days that runs are on, counted from the baseline's.
    pub days: Vec<u32>,
    /// The faults that the state shows.
    pub in_state: Vec<Shown>,
    /// The clean release against itself.
    pub pairs: CleanPairs,
    /// What was learnt of the trusted release.
    pub calibrated: Calibrated,
    /// The faults, judged in each way.
    pub trials: Vec<Trial>,
}

impl OracleStudy {
    /// Writes the tables, and the figures beside them; which files those are.
    pub fn write(&self, into: &Path) -> Result<Vec<PathBuf>, Trouble> {
        let figure = |name: &str| into.with_file_name(format!("oracles-{name}.svg"));
        let mut files =
            vec![(into.to_owned(), self.to_string()), (figure("noise"), self.noise_figure().to_string())];
        files.extend(self.trials.iter().map(|trial| (figure(trial.name), trial_figure(trial).to_string())));
        for (path, text) in &files {
            std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))?;
        }
        Ok(files.into_iter().map(|(path, _)| path).collect())
    }

    /// The aims, and what is reached of them.
    pub fn aims(&self) -> String {
        let mut lines = String::new();
        for trial in &self.trials {
            match trial.name {
                "checked" => lines.push_str(&format!(
                    "- without calibrate, `C-WD | N+I`: mean F {:.3} (aim: 0.91)\n",
                    trial.score(default_oracle()).mean_f
                )),
                "calibrated" => {
                    let (found, faults) = (trial.found(), trial.cases.len() + self.only_in_state().len());
                    lines.push_str(&format!(
                        "- {FURTHER} further clean runs on other days: {} failing steps (aim: 0); of all {}: {}\n\
                         - faults found after calibrate: {found} of {faults} that any page or the state shows ({:.0} %; aim: 95 %)\n",
                        trial.wrong_in_first(FURTHER),
                        trial.cases.len(),
                        trial.wrong_in_first(trial.cases.len()),
                        100.0 * found as f64 / faults.max(1) as f64,
                    ));
                }
                _ => {}
            }
        }
        lines
    }

    /// What the usual oracle reaches in each trial.
    fn summary(&self) -> String {
        let mut lines = String::new();
        for trial in &self.trials {
            let score = trial.score(trial.usual);
            let (found, faults) = (score.runs.right, trial.cases.len() + self.only_in_state().len());
            lines.push_str(&format!(
                "- {}: F {} over all steps, {} on average over the faults; {found} of {faults} faults found ({:.0} %); \
                 {} of {} steps of clean runs fail.\n",
                trial.title,
                two(Some(score.steps.f_measure())),
                two(Some(score.mean_f)),
                100.0 * found as f64 / faults.max(1) as f64,
                score.clean_steps,
                trial.cases.len() * self.steps,
            ));
        }
        lines
    }

    /// Faults that no page shows. No oracle of pages finds them.
    fn only_in_state(&self) -> Vec<&str> {
        self.in_state.iter().filter(|shown| !shown.in_pages()).map(|shown| shown.fault.name()).collect()
    }

    fn noise(&self) -> Table {
        let mut table = Table::new(1, &["comparator", "mean steps", "least", "most", "of D's"]);
        for (watcher, id) in WATCHERS.iter().enumerate() {
            let of_watcher = || self.pairs.of_watcher(watcher);
            table.row(vec![
                (*id).to_owned(),
                mean(of_watcher().map(|n| n as f64)).map_or_else(String::new, |mean| format!("{mean:.1}")),
                of_watcher().min().unwrap_or(0).to_string(),
                of_watcher().max().unwrap_or(0).to_string(),
                two(mean(self.pairs.normalized(watcher))),
            ]);
        }
        table
    }

    fn noise_figure(&self) -> BoxPlot {
        let group = |(watcher, id): (usize, &&str)| Group {
            name: (*id).to_owned(),
            boxes: vec![Spread::of(self.pairs.normalized(watcher))],
        };
        BoxPlot {
            title: format!(
                "What is reported between {} pairs of clean runs, to what D reports",
                self.pairs.len()
            ),
            axis: "false positives, as a share of D's".to_owned(),
            top: 1.0,
            group_width: PAIR_WIDTH,
            ground: "comparator".to_owned(),
            series: vec!["false positives".to_owned()],
            groups: WATCHERS.iter().enumerate().map(group).collect(),
        }
    }
}

/// Precision and recall of each oracle, fault by fault (paper 2, figure 5).
fn trial_figure(trial: &Trial) -> BoxPlot {
    let group = |members: Seen| {
        let oracle = trial.oracle(members);
        let counts: Vec<_> = trial.cases.iter().map(|case| case.counts(oracle)).collect();
        let precision = Spread::of(counts.iter().filter_map(|c| c.precision()));
        let recall = Spread::of(counts.iter().filter_map(|c| c.recall()));
        Group { name: name(members), boxes: vec![precision, recall] }
    };
    BoxPlot {
        title: format!("{}: precision and recall over {} faults", trial.title, trial.cases.len()),
        axis: "precision, recall".to_owned(),
        top: 1.0,
        group_width: PAIR_WIDTH,
        ground: "oracle".to_owned(),
        series: vec!["precision".to_owned(), "recall".to_owned()],
        groups: told(trial).into_iter().map(group).collect(),
    }
}

/// The faults that the usual oracle does not find.
fn missed(trial: &Trial) -> String {
    let oracle = trial.oracle(trial.usual);
    let cases = trial.cases.iter().filter(|case| case.counts(oracle).right == 0);
    let names: Vec<&str> = cases.map(|case| case.fault.name()).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

impl fmt::Display for OracleStudy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let days = self.days.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let state = match self.only_in_state().as_slice() {
            [] => "the pages show all of these, too".to_owned(),
            names => format!("it alone shows {}", names.join(", ")),
        };
        write!(
            f,
            "# How well the oracles do\n\n\
             Made by `scripts/study oracles`; do not edit. Precision, recall and F-measure of paper 2's 22 comparators, of the\n\
             flow of pages (Flist), of printed errors (Errors) and of unions, on the bookstore's faults, each switched on alone:\n\
             40 shoppers, {steps} steps, each session on the state it had in the baseline.\n\n\
             The aims (paper 2's best average F-measure is .91):\n\n{aims}\n\
             What `C-WD | N+I` reaches, and after calibrate each page's own oracle:\n\n{summary}\n\
             ## How it is measured\n\n\
             As in paper 2, sections 4 and 5, with these differences:\n\n\
             - What is true is not a person's judgement. A step is *affected* where its answer (bytes, status, `Location`,\n  \
               `Content-Type`) is another than the clean release's when both run with chance and the clock fixed\n  \
               (`--seed 7 --today 2026-11-15`). The state, read row by row after each session, shows {in_state} faults;\n  {state}.\n\
             - The unit is a step's answer, as the paper's is an HTML response; redirects are counted, too.\n\
             - Under noise, chance may lead a fault to a step that it does not reach with chance fixed. A report there is\n  \
               counted as wrong.\n\
             - The paper waited for other days; here libfaketime puts the app there. Runs are on days {days},\n  \
               counted from the baseline's. Each faulty run has a clean twin on the same day.\n\
             - One subject instead of four, so that what is averaged is faults. The paper has no faults in links.\n\n\
             TP, FP, FN, and the precision, recall and F made of them, are over the steps of all faulty runs. *Mean F* is the\n\
             mean of each fault's own F-measure over its run, which is nearest to the paper's average; unions are ranked by it.\n\
             Then over runs: faults *found* in a step that they affect, faults *missed*, and clean twins that *fail* (each a\n\
             false positive), with precision, recall and F of these; and how many steps of all clean twins fail. The figures show precision and\n\
             recall fault by fault, as the paper's figure 5; where an oracle reports nothing, a fault has no precision.\n\n\
             ## Noise: the clean release against itself\n\n\
             {runs} clean runs, each on another day, compared two by two: {pairs} pairs (figure 4 of the paper). All that is\n\
             reported is wrong.\n\n![Box plots of false positives](oracles-noise.svg)\n\n{noise}",
            steps = self.steps,
            aims = self.aims(),
            summary = self.summary(),
            in_state = self.in_state.len(),
            runs = self.days.len(),
            pairs = self.pairs.len(),
            noise = self.noise(),
        )?;
        for trial in &self.trials {
            write!(
                f,
                "\n## {title}\n\n{about}\n\n![Box plots of precision and recall](oracles-{file}.svg)\n\n{}\n\
                 ### Unions\n\n\
                 The paper's best, the best {TOLD} of all pairs and the best {TOLD} of all triples.\n\n{}\n\
                 ### By category\n\n\
                 Faults found · mean F. `{}` misses: {}.\n\n{}",
                scores(trial),
                unions(trial),
                name(trial.usual),
                missed(trial),
                categories(trial),
                title = trial.title,
                about = trial.about,
                file = trial.name,
            )?;
            if trial.usual == Seen::OWN {
                write!(f, "\n### What was learnt\n\n{}", self.calibrated)?;
            }
        }
        Ok(())
    }
}
