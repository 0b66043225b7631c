//! Every session as a strip of its steps, which unfolds to the steps themselves.

use maud::{Markup, PreEscaped, html};
use restage_model::StepAt;

use super::aftermath;
use super::limits::Limits;
use super::pages::Pages;
use super::step::step;
use super::step_files::StepFiles;
use super::targets::{GROUP, Target, Targets, session_anchor};
use crate::plain::{counted, one_line, shortened};
use crate::{Mark, Report, ReportError, ReportSession, ReportStep, SessionOverview};

/// With more steps than this, those of sessions where all is well are not listed.
const LISTED: usize = 5_000;

/// Writes the sessions, one after the other.
pub(super) struct Sessions<'a, 'w> {
    report: &'a Report<'a>,
    pages: &'a Pages,
    limits: Limits,
    files: StepFiles<'w>,
    targets: Targets,
    /// How much of the report the steps take so far.
    used: usize,
    list_all: bool,
    squares: bool,
}

impl<'a, 'w> Sessions<'a, 'w> {
    pub(super) fn new(
        report: &'a Report<'a>,
        pages: &'a Pages,
        limits: Limits,
        files: StepFiles<'w>,
        folder: &str,
    ) -> Self {
        let steps = report.step_count();
        Self {
            report,
            pages,
            limits,
            files,
            targets: Targets::new(folder),
            used: 0,
            list_all: steps <= LISTED,
            squares: steps <= limits.squares,
        }
    }

    /// The section on sessions, and where each step is.
    pub(super) fn write(mut self) -> Result<(Markup, Targets), ReportError> {
        let report = self.report;
        let mut all = String::new();
        for overview in &report.sessions {
            all.push_str(&self.session(overview)?.into_string());
        }
        self.files.finish()?;
        let has = |mark: &Mark| report.sessions.iter().any(|s| s.marks.iter().any(|(_, m)| m == mark));
        let marks: Vec<Mark> = Mark::ALL.into_iter().filter(has).collect();
        let section = html! {
            section {
                h2 { "Sessions" }
                div .bar {
                    div .legend {
                        @for mark in &marks {
                            span { i class={ "square " (mark.name()) } {} (mark.meaning()) }
                        }
                        @if report.counts.aftermaths > 0 {
                            span { i .square .round .pass {} "state and log after the session" }
                        }
                    }
                    @if marks.iter().any(|mark| mark.needs_a_look()) || report.counts.failing_aftermaths > 0 {
                        label { input #only type="checkbox"; " only what needs a look" }
                    }
                }
                div .sessions { (PreEscaped(all)) }
            }
        };
        Ok((section, self.targets))
    }

    fn session(&mut self, overview: &SessionOverview) -> Result<Markup, ReportError> {
        let ill = overview.needs_a_look();
        let session = if ill || self.list_all { Some(self.report.read(overview.ordinal)?) } else { None };
        let steps = match &session {
            Some(session) => self.steps(session, overview.aftermath)?,
            None => html! {
                p .soft .body { "All is well here; with this many steps only sessions with something to see are listed." }
            },
        };
        Ok(html! {
            details class={ "session " (if ill { "ill" } else { "well" }) } id=(session_anchor(overview.ordinal)) {
                summary {
                    span .mono { (shortened(&one_line(&overview.name), 40)) }
                    span .strip {
                        @if self.squares {
                            @for (i, (at, mark)) in overview.marks.iter().enumerate() {
                                (self.square(StepAt { session: overview.ordinal, step: *at }, *mark, session.as_ref().and_then(|s| s.steps.get(i))))
                            }
                        }
                        (aftermath::square(overview, &self.targets))
                    }
                    span .small .soft { (tally(overview)) }
                }
                div .steps { (steps) }
            }
        })
    }

    /// The steps of a session, as far as there is room for them here; else where they are.
    fn steps(&mut self, session: &ReportSession, after: Option<Mark>) -> Result<Markup, ReportError> {
        let mut here = String::new();
        let groups = session.steps.chunk_by(|a, b| a.at.step / GROUP as u32 == b.at.step / GROUP as u32);
        for group in groups {
            let places: Vec<StepAt> = group.iter().map(|step| step.at).collect();
            let what = match places.as_slice() {
                [only] => format!("step {}", only.step + 1),
                _ => format!("steps {} to {}", places[0].step + 1, places[places.len() - 1].step + 1),
            };
            let (target, markup) = self.place(session, &what, |pages| {
                html! { @for s in group { (step(self.report, pages, s)) } }
            })?;
            self.targets.set(&places, target);
            here.push_str(&markup.into_string());
        }
        if let Some(mark) = after {
            let line = aftermath::line(session, mark);
            let (target, markup) = self.place(session, "state and log", |_| line.clone())?;
            self.targets.set_aftermath(session.ordinal, target);
            here.push_str(&markup.into_string());
        }
        Ok(PreEscaped(here))
    }

    /// Puts a part of a session here, into a file, or nowhere; and what is to be seen of it here.
    fn place(
        &mut self,
        session: &ReportSession,
        what: &str,
        part: impl Fn(Option<&Pages>) -> Markup,
    ) -> Result<(Target, Markup), ReportError> {
        if self.used < self.limits.steps {
            let markup = part(Some(self.pages));
            // One group may be larger than all the room there is.
            if markup.0.len() <= self.limits.steps + self.limits.pages {
                self.used += markup.0.len();
                return Ok((Target::Here, markup));
            }
        }
        let text = part(None).into_string();
        Ok(match self.files.add(&session.name, &text)? {
            Some(number) => {
                let link = html! { p .body { a href=(self.targets.file(number)) { (what) } " in a file beside this report" } };
                (Target::File(number), link)
            }
            None => (
                Target::Nowhere,
                html! {
                    p .soft .body {
                        (what) ": not in this report, which holds as much as it may. " code { "--json" } " lists them all."
                    }
                },
            ),
        })
    }

    fn square(&self, at: StepAt, mark: Mark, step: Option<&ReportStep>) -> Markup {
        let class = format!("square {}", mark.name());
        let request = step.map_or_else(String::new, |step| {
            let (method, uri) = step.request();
            format!(" {}", shortened(&one_line(&format!("{method} {uri}")), 80))
        });
        let title = format!("step {}:{request} {}", at.step + 1, mark.meaning());
        html! {
            @if mark.needs_a_look() {
                a class=(class) href=(self.targets.of(at)) title=(title) aria-label=(title) {}
            } @else {
                i class=(class) title=(title) {}
            }
        }
    }
}

fn tally(session: &SessionOverview) -> String {
    let steps = counted(session.marks.len(), "step");
    let steps = match session.failing {
        0 => steps,
        1 => format!("1 of {steps} fails"),
        failing => format!("{failing} of {steps} fail"),
    };
    if session.aftermath == Some(Mark::Fail) { format!("{steps}, state or log differs") } else { steps }
}
