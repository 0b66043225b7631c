//! Which bodies the report holds, and how they are shown.
//!
//! Bodies are the bulk of a report. It holds those of failing steps only, of one example of each change
//! in any case and then of others up to a limit; a page that many steps got is held once.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use maud::{Markup, html};
use restage_html::Tokens;
use restage_model::{Answer, BodyId, Step, StepAt};

use super::limits::Limits;
use crate::content::{Content, LARGEST};
use crate::plain::{one_line, size};
use crate::rendered::{Assets, Part, changed_places, framed};
use crate::side_by_side::SideBySide;
use crate::{Mark, Report, ReportError, ReportStep, lines};

/// Of so many failing steps the pages are held.
pub(super) const STEPS: usize = 200;

/// The bodies a report holds.
#[derive(Default)]
pub(super) struct Pages {
    steps: HashMap<StepAt, StepPages>,
    frames: Vec<Vec<Part>>,
    assets: Vec<String>,
}

/// The two bodies of a step.
pub(super) struct StepPages {
    /// The two as text, side by side; none where one is no text.
    pub(super) source: Option<SideBySide>,
    pub(super) expected: Side,
    pub(super) actual: Side,
}

/// One of the two.
pub(super) enum Side {
    /// A page that can be rendered.
    Frame(usize),
    /// Anything else, in words.
    Words(String),
}

impl Pages {
    pub(super) fn read(report: &Report<'_>, limits: Limits) -> Result<Self, ReportError> {
        let chosen = chosen(report);
        if chosen.is_empty() {
            return Ok(Self::default());
        }
        let mut reader = Reader {
            report,
            assets: Assets::recorded_in(report.store)?,
            frames: Vec::new(),
            known: HashMap::new(),
            room: limits.pages,
        };
        let mut steps = HashMap::new();
        for at in chosen {
            if reader.room == 0 {
                break;
            }
            if let Some(step) = report.read_step(at)? {
                let told = report.told_of(at)?;
                steps.insert(at, reader.step(&step, told)?);
            }
        }
        Ok(Self { steps, assets: reader.assets.kept().to_vec(), frames: reader.frames })
    }

    pub(super) fn of(&self, at: StepAt) -> Option<&StepPages> {
        self.steps.get(&at)
    }

    /// The pages and what they share, out of sight until a frame asks for them.
    pub(super) fn held(&self) -> Markup {
        html! {
            @for (id, text) in self.assets.iter().enumerate() {
                data hidden id={ "asset-" (id) } data-text=(text) {}
            }
            @for (id, parts) in self.frames.iter().enumerate() {
                template id={ "page-" (id) } {
                    @for part in parts {
                        @match part {
                            Part::Text(text) => i data-text=(text) {},
                            Part::Asset(asset) => i data-asset=(asset.0) {},
                        }
                    }
                }
            }
        }
    }
}

/// The steps whose pages are held: the example of each change first.
fn chosen(report: &Report<'_>) -> Vec<StepAt> {
    let examples = report.comparison.changes.iter().filter_map(|change| change.steps.first().copied());
    let mut seen = HashSet::new();
    let mut chosen: Vec<StepAt> = examples.filter(|at| seen.insert(*at)).collect();
    let failing = report.sessions.iter().flat_map(|session| {
        let failing = session.marks.iter().filter(|(_, mark)| matches!(mark, Mark::Fail | Mark::Unanswered));
        failing.map(|(step, _)| StepAt { session: session.ordinal, step: *step })
    });
    for at in failing {
        if chosen.len() >= STEPS {
            break;
        }
        if seen.insert(at) {
            chosen.push(at);
        }
    }
    chosen
}

struct Reader<'a, 's> {
    report: &'a Report<'s>,
    assets: Assets<'s>,
    frames: Vec<Vec<Part>>,
    /// By their body, that of the page beside them, and their address.
    known: HashMap<(BodyId, Option<BodyId>, String), usize>,
    /// How many bytes may still be held.
    room: usize,
}

/// The two pages of a step, and at which of their tags they differ.
struct Pair {
    pages: [Tokens; 2],
    bodies: [Option<BodyId>; 2],
    told: Vec<String>,
    /// Looked for where one of the two is not held yet.
    places: OnceCell<[HashSet<usize>; 2]>,
}

impl Pair {
    fn places(&self, side: usize) -> &HashSet<usize> {
        let find = || changed_places([&self.pages[0], &self.pages[1]], &self.told);
        &self.places.get_or_init(find)[side]
    }
}

impl Reader<'_, '_> {
    /// The pages of a step, of which it is told what differs.
    fn step(&mut self, step: &ReportStep, told: Vec<String>) -> Result<StepPages, ReportError> {
        let (expected, actual) = (self.content(step.expected.as_ref())?, self.content(step.actual.as_ref())?);
        let source = source(expected.as_ref(), actual.as_ref());
        self.room = self.room.saturating_sub(source.as_ref().map_or(0, SideBySide::size));
        let tokens = |content: &Option<Content>| match content {
            Some(Content::Html(html)) => Tokens::of(html.as_bytes()),
            _ => Tokens::of(b""),
        };
        let pages = [tokens(&expected), tokens(&actual)];
        let body = |step: &Option<Step>| step.as_ref()?.answer.received()?.body.id;
        let bodies = [body(&step.expected), body(&step.actual)];
        let pair = Pair { pages, bodies, told, places: OnceCell::new() };
        let expected = self.side(step.expected.as_ref(), expected, &pair, 0)?;
        let actual = self.side(step.actual.as_ref(), actual, &pair, 1)?;
        Ok(StepPages { source, expected, actual })
    }

    fn content(&self, step: Option<&Step>) -> Result<Option<Content>, ReportError> {
        let received = step.and_then(|step| step.answer.received());
        received.map(|received| Content::read(self.report.store, received, self.report.cover)).transpose()
    }

    fn side(
        &mut self,
        step: Option<&Step>,
        content: Option<Content>,
        pair: &Pair,
        side: usize,
    ) -> Result<Side, ReportError> {
        let of_type = |size_of, media_type: &str| {
            let media_type = if media_type.is_empty() { "of no type" } else { media_type };
            format!("{} {}", size(size_of), one_line(media_type))
        };
        let words = match content {
            None => match step.map(|step| &step.answer) {
                Some(Answer::Failed(why)) => format!("No answer: {}", one_line(why)),
                _ => "This run lacks the step.".to_owned(),
            },
            Some(Content::Empty) => "An empty body.".to_owned(),
            Some(Content::Json(_)) => "JSON: see the source.".to_owned(),
            Some(Content::Text(_)) => "Text: see the source.".to_owned(),
            Some(Content::Binary { size, media_type }) => format!("Binary, {}.", of_type(size, &media_type)),
            Some(Content::Large { size: s, media_type }) => {
                format!("{}: more than the {} shown here.", of_type(s, &media_type), size(LARGEST))
            }
            Some(Content::Html(html)) => {
                match step.and_then(|step| self.frame(step, &html, pair, side).transpose()) {
                    Some(frame) => return Ok(Side::Frame(frame?)),
                    None => "Not rendered: this report holds as many pages as it may.".to_owned(),
                }
            }
        };
        Ok(Side::Words(words))
    }

    fn frame(
        &mut self,
        step: &Step,
        html: &str,
        pair: &Pair,
        side: usize,
    ) -> Result<Option<usize>, ReportError> {
        let key = pair.bodies[side].map(|id| (id, pair.bodies[1 - side], step.sent.uri.clone()));
        if let Some(known) = key.as_ref().and_then(|key| self.known.get(key)) {
            return Ok(Some(*known));
        }
        if html.len() > self.room {
            return Ok(None);
        }
        self.room -= html.len();
        self.frames.push(framed(&pair.pages[side], &step.sent.uri, pair.places(side), &mut self.assets)?);
        let frame = self.frames.len() - 1;
        if let Some(key) = key {
            self.known.insert(key, frame);
        }
        Ok(Some(frame))
    }
}

fn source(expected: Option<&Content>, actual: Option<&Content>) -> Option<SideBySide> {
    let (expected, actual) = (text_lines(expected)?, text_lines(actual)?);
    Some(SideBySide::of(&expected, &actual))
}

fn text_lines(content: Option<&Content>) -> Option<Vec<String>> {
    match content? {
        Content::Empty => Some(Vec::new()),
        Content::Html(text) => Some(lines::of_html(text).into_iter().map(str::to_owned).collect()),
        Content::Json(text) => Some(lines::of_json(text)),
        Content::Text(text) => Some(text.lines().map(str::to_owned).collect()),
        Content::Binary { .. } | Content::Large { .. } => None,
    }
}
