//! What changed, for a person at a prompt.
//!
//! Everything is readable without colour; the caller decides whether there is any. One entry a finding, the worst
//! first, with the changes that it consists of; then the steps that were stale, unanswered or missing.

use std::io::Write;

use anstyle::{AnsiColor, Style};
use restage_model::{Change, Finding, RunState, StepAt};

use crate::plain::{counted, one_line, shortened};
use crate::{Report, ReportError, ReportStep, phrases};

/// How many entries of a kind are shown where nothing else is asked for.
pub const ENTRIES: usize = 20;

/// So many pages that are mostly masked are named.
const MOSTLY_MASKED: usize = 5;
/// The column where a change's name stands, so that the names line up.
const ID_COLUMN: usize = 76;
/// How many of a finding's further changes are shown.
const PARTS: usize = 4;
/// How much of a line of foreign text is shown.
const ROOM: usize = 160;

/// Writes the summary, with at most [`ENTRIES`] entries of a kind.
pub fn terminal(report: &Report<'_>, out: &mut dyn Write, colour: bool) -> Result<(), ReportError> {
    terminal_at_most(report, out, colour, ENTRIES)
}

/// Writes the summary, with at most so many entries of a kind.
pub fn terminal_at_most(
    report: &Report<'_>,
    out: &mut dyn Write,
    colour: bool,
    entries: usize,
) -> Result<(), ReportError> {
    let mut summary = Summary { report, out, styles: Styles::new(colour), entries };
    summary.headline()?;
    summary.broken_runs()?;
    summary.findings()?;
    summary.milder()?;
    summary.undescribed()?;
    summary.stale()?;
    summary.unanswered()?;
    summary.missing()
}

#[derive(Clone, Copy, Default)]
struct Styles {
    good: Style,
    bad: Style,
    strong: Style,
    dim: Style,
}

impl Styles {
    fn new(colour: bool) -> Self {
        if !colour {
            return Self::default();
        }
        Self {
            good: AnsiColor::Green.on_default().bold(),
            bad: AnsiColor::Red.on_default().bold(),
            strong: Style::new().bold(),
            dim: Style::new().dimmed(),
        }
    }
}

struct Summary<'a, 's> {
    report: &'a Report<'s>,
    out: &'a mut dyn Write,
    styles: Styles,
    entries: usize,
}

impl Summary<'_, '_> {
    fn headline(&mut self) -> Result<(), ReportError> {
        let counts = self.report.counts;
        let (steps, sessions) = (counted(counts.steps, "step"), counted(counts.sessions, "session"));
        let noisy = match counts.weakened {
            0 => String::new(),
            n => {
                let by: Vec<String> = self
                    .report
                    .comparison
                    .weaker_oracles
                    .iter()
                    .map(|(oracle, n)| {
                        format!("{n} by {oracle}{}", if *oracle == "Flist" { " alone" } else { "" })
                    })
                    .collect();
                format!("{} noisy and judged by less: {}", counted_are(n), by.join(", "))
            }
        };
        let Styles { good, bad, dim, .. } = self.styles;
        if counts.failing + counts.failing_aftermaths == 0 {
            let (style, missing) = match counts.missing {
                0 => (good, String::new()),
                n => (bad, format!(", but {} missing", counted_are(n))),
            };
            let noisy = if noisy.is_empty() { noisy } else { format!(" ({noisy})") };
            let but = phrases::but(&counts);
            writeln!(self.out, "{style}{steps} in {sessions}: no differences{but}{missing}{style:#}{noisy}")?;
            self.compared()?;
            return self.settled();
        }
        let what = format!("{} ({} of {sessions})", phrases::verdict(&counts), counts.failing_sessions);
        writeln!(self.out, "{bad}{what}{bad:#}")?;
        self.compared()?;
        if !noisy.is_empty() {
            writeln!(self.out, "{dim}{noisy}{dim:#}")?;
        }
        self.settled()
    }

    /// What differs and fails nothing, each in one line.
    fn settled(&mut self) -> Result<(), ReportError> {
        let (counts, dim) = (self.report.counts, self.styles.dim);
        for (what, extent, one) in [
            ("accepted", counts.accepted, "change"),
            ("ignored", counts.ignored, "change"),
            ("masked", counts.masked, "part"),
        ] {
            if !extent.is_empty() {
                let why = if what == "masked" { ", varying on the trusted version too" } else { "" };
                let (things, places) = (counted(extent.distinct, one), phrases::places(extent));
                writeln!(self.out, "{dim}{what}: {things} {places}{why}{dim:#}")?;
            }
        }
        let (shares, bad) = (&self.report.masked_shares, self.styles.bad);
        if !shares.is_empty() {
            writeln!(self.out, "{dim}masked share: {}{dim:#}", shares.said())?;
        }
        for page in shares.pages.iter().take(MOSTLY_MASKED) {
            let key = one_line(page.key.as_str());
            writeln!(self.out, "{bad}warning: {key} is mostly masked: {}{bad:#}", page.said())?;
        }
        if shares.pages.len() > MOSTLY_MASKED {
            let more = shares.pages.len() - MOSTLY_MASKED;
            writeln!(self.out, "{bad}warning: and {more} more pages are mostly masked{bad:#}")?;
        }
        Ok(())
    }

    /// What was compared with what, and by what.
    fn compared(&mut self) -> Result<(), ReportError> {
        let (comparison, dim) = (&self.report.comparison, self.styles.dim);
        writeln!(
            self.out,
            "{dim}expected: {} (app {})   actual: {} (app {})   oracle: {}{dim:#}",
            one_line(&comparison.expected),
            one_line(&self.report.expected.app),
            one_line(&comparison.actual),
            one_line(&self.report.actual.app),
            one_line(&comparison.oracle)
        )?;
        if let Some(line) = phrases::together(self.report) {
            writeln!(self.out, "{dim}{}{dim:#}", shortened(&line, 2 * ROOM))?;
        }
        self.fidelity()
    }

    /// That what is judged by is not what users did, as long as it is not.
    fn fidelity(&mut self) -> Result<(), ReportError> {
        let bad = self.styles.bad;
        if let Some(line) = phrases::unfaithful(self.report) {
            let run = one_line(&self.report.expected.name);
            writeln!(
                self.out,
                "{bad}{line}{bad:#}; `restage runs show {run}` says where, why, and what to do"
            )?;
        }
        Ok(())
    }

    fn broken_runs(&mut self) -> Result<(), ReportError> {
        let bad = self.styles.bad;
        for run in [&self.report.expected, &self.report.actual] {
            let name = one_line(&run.name);
            match &run.state {
                RunState::Complete => {}
                RunState::Unfinished => {
                    writeln!(self.out, "{bad}the run {name} did not come to its end{bad:#}")?
                }
                RunState::Broken(why) => {
                    let why = shortened(&one_line(why), ROOM);
                    writeln!(self.out, "{bad}the run {name} stopped early: {why}{bad:#}")?;
                }
            }
        }
        Ok(())
    }

    fn findings(&mut self) -> Result<(), ReportError> {
        let findings = &self.report.comparison.findings;
        for (number, finding) in findings.iter().take(self.entries).enumerate() {
            self.finding(number + 1, finding)?;
        }
        let left = findings.len().saturating_sub(self.entries);
        if left > 0 {
            writeln!(self.out, "\nand {left} more: see the report")?;
        }
        Ok(())
    }

    fn finding(&mut self, number: usize, finding: &Finding) -> Result<(), ReportError> {
        let Some(change) = &self.report.as_change(finding) else { return Ok(()) };
        let Styles { strong, dim, .. } = self.styles;
        let mut pages = change.keys.first().map(|key| one_line(key.as_str())).unwrap_or_default();
        pages = shortened(&pages, 60);
        match change.keys.len() {
            0 | 1 => {}
            n => pages.push_str(&format!(" and {}", counted(n - 1, "other page"))),
        }
        let dash = if pages.is_empty() { "" } else { "  —  " };
        let head = format!("{}: {pages}{dash}{}", finding.kind, phrases::extent(self.report, change));
        let used = number.to_string().len() + 2 + head.chars().count();
        let gap = " ".repeat(ID_COLUMN.saturating_sub(used).max(2));
        let indent = " ".repeat(number.to_string().len() + 2);
        writeln!(
            self.out,
            "\n{number}  {strong}{head}{strong:#}{gap}{dim}[{}]{dim:#}",
            one_line(self.report.short_id(&change.id))
        )?;
        writeln!(self.out, "{indent}{}", shortened(&one_line(&phrases::told(change)), ROOM))?;
        let report = self.report;
        let first = report.changes_of(finding).next().and_then(|change| phrases::first(report, change));
        let first = first.map(|first| format!(" · first {}", one_line(&first)));
        writeln!(
            self.out,
            "{indent}{dim}seen by {}{}{dim:#}",
            one_line(&change.difference.seen_by_all()),
            first.unwrap_or_default()
        )?;
        for part in report.changes_of(finding).skip(1).take(PARTS) {
            let id = one_line(report.short_id(&part.id));
            let summary = shortened(&one_line(&phrases::told(part)), ROOM);
            writeln!(self.out, "{indent}with it {summary}  {dim}[{id}]{dim:#}")?;
        }
        let left = finding.changes.len().saturating_sub(1 + PARTS);
        if left > 0 {
            writeln!(
                self.out,
                "{indent}{dim}and {} with it: see the report{dim:#}",
                counted(left, "more change")
            )?;
        }
        Ok(())
    }

    /// What fails nothing because of its kind is worth a look all the same.
    fn milder(&mut self) -> Result<(), ReportError> {
        let comparison = &self.report.comparison;
        let Some(kind) = comparison.fail_on else { return Ok(()) };
        let milder: Vec<&Change> = comparison
            .ignored
            .iter()
            .map(|settled| &settled.change)
            .filter(|change| change.difference.kind() > kind)
            .collect();
        if milder.is_empty() {
            return Ok(());
        }
        let Styles { strong, dim, .. } = self.styles;
        let count = counted(milder.len(), "change");
        writeln!(self.out, "\n{strong}milder than {kind}, so that no step fails on them: {count}{strong:#}")?;
        for change in milder.iter().take(self.entries) {
            let page = change.keys.first().map(|key| shortened(&one_line(key.as_str()), 60));
            let page = page.map(|page| format!(" {page}")).unwrap_or_default();
            let summary = shortened(&one_line(&phrases::told(change)), ROOM);
            let id = one_line(self.report.short_id(&change.id));
            writeln!(self.out, "   {}:{page}  —  {summary}  {dim}[{id}]{dim:#}", change.difference.kind())?;
        }
        let left = milder.len().saturating_sub(self.entries);
        if left > 0 {
            writeln!(self.out, "   and {left} more: see the report")?;
        }
        Ok(())
    }

    /// Failing steps that no change speaks of would otherwise be counted and never shown.
    fn undescribed(&mut self) -> Result<(), ReportError> {
        let report = self.report;
        self.section("failing, no difference named", &report.noted.undescribed, |_| Some(String::new()))
    }

    fn stale(&mut self) -> Result<(), ReportError> {
        let report = self.report;
        let why = |step: &ReportStep| step.stale().map(str::to_owned);
        self.section("stale: the live page no longer offers what was used", &report.noted.stale, why)
    }

    fn unanswered(&mut self) -> Result<(), ReportError> {
        let report = self.report;
        self.section("no answer", &report.noted.unanswered, |step| step.unanswered().map(str::to_owned))
    }

    fn missing(&mut self) -> Result<(), ReportError> {
        let report = self.report;
        self.section("missing", &report.noted.missing, |step| {
            let lacks = if step.actual.is_some() { &report.expected } else { &report.actual };
            Some(format!("not in {}", lacks.name))
        })
    }

    /// Lists steps, each with the reason it is listed for.
    fn section(
        &mut self,
        title: &str,
        steps: &[StepAt],
        why: impl Fn(&ReportStep) -> Option<String>,
    ) -> Result<(), ReportError> {
        if steps.is_empty() {
            return Ok(());
        }
        let strong = self.styles.strong;
        writeln!(self.out, "\n{strong}{title}: {}{strong:#}", counted(steps.len(), "step"))?;
        for at in steps.iter().take(self.entries) {
            let (Some(session), Some(step)) = (self.report.session_of(*at), self.report.read_step(*at)?)
            else {
                continue;
            };
            writeln!(self.out, "   {}", located(&session.name, &step, &why(&step).unwrap_or_default()))?;
        }
        let left = steps.len().saturating_sub(self.entries);
        if left > 0 {
            writeln!(self.out, "   and {left} more: see the report")?;
        }
        Ok(())
    }
}

fn counted_are(count: usize) -> String {
    format!("{} {}", counted(count, "step"), if count == 1 { "is" } else { "are" })
}

/// `s57 step 4  GET /cart  —  why`.
fn located(session: &str, step: &ReportStep, why: &str) -> String {
    let (method, uri) = step.request();
    let request = shortened(&one_line(&format!("{method} {uri}")), 60);
    let why = shortened(&one_line(why), ROOM);
    let dash = if why.is_empty() { "" } else { "  —  " };
    let origin =
        step.origin().map(|origin| shortened(&format!(" ({})", one_line(&origin.to_string())), ROOM));
    let origin = origin.unwrap_or_default();
    format!("{} step {}  {request}{origin}{dash}{why}", one_line(session), step.number())
}
