//! What the formats need of a comparison, read session by session.
//!
//! Kept of each step is its mark, and where it is. Steps, verdicts and bodies stay in the store until a format asks for them, a session at a time: a
//! report of many steps takes no more memory than one of few.

use std::collections::{HashMap, HashSet};
use std::fmt;

use restage_judge::{Comparison, VerdictSource};
use restage_model::{Change, ChangeId, Fidelity, Finding, Origin, Outcome, Run, StepAt};
use restage_redact::Cover;
use restage_store::Store;

use crate::covered::Covered;
use crate::masked::MaskedParts;
use crate::masked_shares::{MaskedShares, SharesSoFar};
use crate::reader::SessionReader;
use crate::{Counts, Mark, MaskedPart, ReportError, ReportSession, ReportStep};

/// A comparison, and where to read more about it.
pub struct Report<'s> {
    pub(crate) store: &'s Store,
    /// What puts stand-ins in place of secrets, in a report for others.
    pub(crate) cover: Option<&'s Cover>,
    /// The run that is right.
    pub expected: Run,
    /// The run that is judged.
    pub actual: Run,
    /// What comparing them gave; its changes are sorted by how many steps they show in.
    pub comparison: Comparison,
    /// How faithful the run that is right was to the recording, where that was measured.
    pub fidelity: Option<Fidelity>,
    /// The sessions that the run that is judged replayed together.
    pub groups: Vec<Vec<String>>,
    /// The sessions, in the order they were replayed.
    pub sessions: Vec<SessionOverview>,
    /// The parts that vary on the trusted version too, the most frequent first.
    pub masked: Vec<MaskedPart>,
    /// How much of what was compared that is.
    pub masked_shares: MaskedShares,
    /// How many of what.
    pub counts: Counts,
    /// How many steps of each page fail, and how many there are.
    pub(crate) pages: HashMap<String, (usize, usize)>,
    /// Microseconds that the steps of the run that is judged took together.
    pub(crate) took: u64,
    pub(crate) noted: Noted,
    /// Where the requests come from that nobody recorded.
    origins: HashMap<StepAt, Origin>,
    /// How much of an id tells a change from the others here.
    id_length: usize,
    reader: SessionReader<'s>,
    places: HashMap<u32, usize>,
}

/// What is kept of a session.
#[derive(Clone, Debug)]
pub struct SessionOverview {
    /// Its name.
    pub name: String,
    /// Its place in the run.
    pub ordinal: u32,
    /// The places of its steps, in order, and what is to be said of each at a glance.
    pub marks: Vec<(u32, Mark)>,
    /// What is to be said of what it left behind, where that is known.
    pub aftermath: Option<Mark>,
    /// How many of its steps fail.
    pub failing: usize,
}

/// Steps that the terminal lists beside the changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Noted {
    /// Failing, and no change speaks of them.
    pub(crate) undescribed: Vec<StepAt>,
    pub(crate) stale: Vec<StepAt>,
    pub(crate) unanswered: Vec<StepAt>,
    pub(crate) missing: Vec<StepAt>,
}

impl<'s> Report<'s> {
    /// Reads through the verdicts once, and keeps what every format needs.
    pub fn gather(
        store: &'s Store,
        expected: &Run,
        actual: &Run,
        comparison: Comparison,
        verdicts: &'s dyn VerdictSource,
    ) -> Result<Self, ReportError> {
        Self::gather_covered(store, (expected, actual), comparison, verdicts, None)
    }

    /// The same with stand-ins in place of secrets, for a report that others get to see.
    pub fn gather_covered(
        store: &'s Store,
        (expected, actual): (&Run, &Run),
        mut comparison: Comparison,
        verdicts: &'s dyn VerdictSource,
        cover: Option<&'s Cover>,
    ) -> Result<Self, ReportError> {
        comparison
            .changes
            .sort_by_key(|change| std::cmp::Reverse(change.steps.len() + change.sessions.len()));
        let described: HashSet<StepAt> =
            comparison.changes.iter().flat_map(|change| change.steps.iter().copied()).collect();
        let settled = comparison.accepted.iter().chain(&comparison.ignored).map(|settled| &settled.change);
        if comparison.findings.is_empty() {
            comparison.findings = comparison.changes.iter().map(Finding::of).collect();
        }
        let id_length =
            ChangeId::telling_length(comparison.changes.iter().chain(settled).map(|change| &change.id));
        let reader = SessionReader::new(store, expected, actual, &comparison, verdicts, cover)?;
        let (mut fidelity, actual_id) = (store.fidelity(expected.id)?, actual.id);
        let (mut expected, mut actual) = (expected.clone(), actual.clone());
        if let Some(cover) = cover {
            comparison.cover(cover);
            fidelity.cover(cover);
            expected.cover(cover);
            actual.cover(cover);
        }
        let mut report = Self {
            store,
            cover,
            expected,
            actual,
            fidelity,
            groups: store.groups_of_run(actual_id)?,
            counts: Counts::of(&comparison),
            comparison,
            sessions: Vec::new(),
            masked: Vec::new(),
            masked_shares: MaskedShares::default(),
            pages: HashMap::new(),
            took: 0,
            noted: Noted::default(),
            origins: HashMap::new(),
            id_length,
            reader,
            places: HashMap::new(),
        };
        let (mut masked, mut shares) = (MaskedParts::default(), SharesSoFar::default());
        for ordinal in report.reader.ordinals() {
            let session = report.reader.read(ordinal)?;
            masked.add(&session);
            shares.add(&session);
            report.counts.add(&session);
            report.note(&session, &described);
            report.places.insert(ordinal, report.sessions.len());
            report.sessions.push(SessionOverview::of(&session));
        }
        report.masked = masked.finish();
        report.masked_shares = shares.finish();
        report.counts.masked.distinct = report.masked.len();
        Ok(report)
    }

    fn note(&mut self, session: &ReportSession, described: &HashSet<StepAt>) {
        for step in &session.steps {
            self.took += step.actual.as_ref().map_or(0, |actual| actual.took);
            if let Some(origin) = step.origin() {
                self.origins.insert(step.at, origin.clone());
            }
            let page = self.pages.entry(step.page()).or_default();
            page.0 += usize::from(step.fails());
            page.1 += 1;
            let noted = [
                (&mut self.noted.undescribed, step.fails() && !described.contains(&step.at)),
                (&mut self.noted.stale, step.stale().is_some()),
                (&mut self.noted.unanswered, step.unanswered().is_some()),
                (&mut self.noted.missing, step.verdict.is_none()),
            ];
            for (list, wanted) in noted {
                if wanted {
                    list.push(step.at);
                }
            }
        }
    }

    /// The session at a place of the run.
    pub fn session(&self, ordinal: u32) -> Option<&SessionOverview> {
        self.places.get(&ordinal).map(|place| &self.sessions[*place])
    }

    /// The session of a step, where there is such a step.
    pub fn session_of(&self, at: StepAt) -> Option<&SessionOverview> {
        self.session(at.session).filter(|session| session.has(at.step))
    }

    /// Reads a session, with all its steps.
    pub fn read(&self, ordinal: u32) -> Result<ReportSession, ReportError> {
        self.reader.read(ordinal)
    }

    /// Reads one step as both runs saw it, without the verdict on it; none where there is no such step.
    pub fn read_step(&self, at: StepAt) -> Result<Option<ReportStep>, ReportError> {
        self.session_of(at).map(|session| self.reader.read_step(&session.name, at)).transpose()
    }

    /// The parts of a step that differ and fail, as they were and as they are.
    pub(crate) fn told_of(&self, at: StepAt) -> Result<Vec<String>, ReportError> {
        let differences = self.reader.differences(at)?;
        let sides = differences.iter().flat_map(|one| [one.expected().to_owned(), one.actual().to_owned()]);
        Ok(sides.filter(|side| !side.is_empty()).collect())
    }

    /// Where the request of a step comes from, where nobody recorded it.
    pub(crate) fn origin(&self, at: StepAt) -> Option<&Origin> {
        self.origins.get(&at)
    }

    /// A change's id as it is shown: as much of it as tells it from the others here.
    pub fn short_id<'a>(&self, id: &'a ChangeId) -> &'a str {
        id.prefix(self.id_length)
    }

    /// How many steps there are, missing ones among them.
    pub fn step_count(&self) -> usize {
        self.sessions.iter().map(|session| session.marks.len()).sum()
    }

    /// The changes of a finding, that which tells most first.
    pub fn changes_of<'r>(&'r self, finding: &'r Finding) -> impl Iterator<Item = &'r Change> {
        finding.changes.iter().filter_map(|id| self.comparison.changes.iter().find(|change| change.id == *id))
    }

    /// A finding as if it were a change: the one that tells most, with the pages, steps and sessions of all.
    pub(crate) fn as_change(&self, finding: &Finding) -> Option<Change> {
        let mut changes = self.changes_of(finding);
        let mut whole = changes.next()?.clone();
        let example = whole.steps.first().copied();
        for change in changes {
            whole.keys.extend(
                change.keys.iter().filter(|key| !whole.keys.contains(key)).cloned().collect::<Vec<_>>(),
            );
            whole.steps.extend(&change.steps);
            whole.sessions.extend(&change.sessions);
        }
        whole.steps.sort_unstable();
        whole.steps.dedup();
        whole.sessions.sort_unstable();
        whole.sessions.dedup();
        // The example stays that of the change that is quoted.
        if let Some(at) = example.and_then(|at| whole.steps.iter().position(|step| *step == at)) {
            whole.steps[..=at].rotate_right(1);
        }
        Some(whole)
    }

    /// How many sessions a change shows in a step of.
    pub fn sessions_of(&self, change: &Change) -> usize {
        let mut sessions: Vec<u32> = change.steps.iter().map(|at| at.session).collect();
        sessions.sort_unstable();
        sessions.dedup();
        sessions.len()
    }
}

impl fmt::Debug for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Report")
            .field("expected", &self.expected.name)
            .field("actual", &self.actual.name)
            .field("counts", &self.counts)
            .finish_non_exhaustive()
    }
}

impl SessionOverview {
    fn of(session: &ReportSession) -> Self {
        let after = |aftermath: &restage_model::Aftermath| {
            if aftermath.outcome == Outcome::Fail {
                Mark::Fail
            } else if !aftermath.accepted.is_empty() {
                Mark::Accepted
            } else if !aftermath.ignored.is_empty() {
                Mark::Ignored
            } else {
                Mark::Pass
            }
        };
        Self {
            name: session.name.clone(),
            ordinal: session.ordinal,
            marks: session.steps.iter().map(|step| (step.at.step, step.mark())).collect(),
            aftermath: session.aftermath.as_ref().map(after),
            failing: session.steps.iter().filter(|step| step.fails()).count(),
        }
    }

    /// Whether it has a step at this place.
    pub fn has(&self, step: u32) -> bool {
        self.marks.binary_search_by_key(&step, |(at, _)| *at).is_ok()
    }

    /// Whether somebody should look at it.
    pub fn needs_a_look(&self) -> bool {
        self.aftermath == Some(Mark::Fail) || self.marks.iter().any(|(_, mark)| mark.needs_a_look())
    }
}
