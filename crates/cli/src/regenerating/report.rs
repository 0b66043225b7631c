//! What regenerating came to, round by round.

use std::collections::BTreeMap;

use restage_regenerate::{Fault, Missed, Pair, Plan, PlannedSequence, StateId, StepPlace, Tried, gained};
use serde::Serialize;

use super::known_suite::{KeptSession, KnownSuite};
use super::trial::{Tested, TestedSession};
use super::{Regenerating, Way};

/// What regenerating came to.
#[derive(Debug, Serialize)]
pub(crate) struct Regenerated {
    /// The new suite; none where nothing was gained, or nothing was to be stored.
    pub(crate) suite: Option<String>,
    /// The suite that it was made of.
    pub(crate) from: String,
    pub(crate) by: &'static str,
    /// The run that said what the suite does.
    pub(crate) run: String,
    pub(crate) app: String,
    /// How many definitions and uses of session variables the source code has.
    pub(crate) code: CodeTold,
    /// How many pairs the suite covers already.
    pub(crate) covered: usize,
    /// How many pairs the first round's sequences were for.
    pub(crate) planned: usize,
    /// How many sequences those are.
    pub(crate) sequences: usize,
    /// How many requests they send.
    pub(crate) planned_requests: usize,
    /// What --max-requests left no room for.
    pub(crate) sequences_over_limit: usize,
    pub(crate) pairs_over_limit: usize,
    /// How many errors the suite shows.
    pub(crate) errors_before: usize,
    pub(crate) rounds: Vec<RoundTold>,
    /// How much of the code ran.
    pub(crate) coverage: CoverageTold,
    /// The suite's baseline.
    pub(crate) baseline: Option<String>,
    pub(crate) sessions: usize,
    pub(crate) requests: usize,
    /// What would be made, where nothing was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) planned_sequences: Option<Vec<PlannedTold>>,
}

/// What the source code has.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct CodeTold {
    pub(crate) definitions: usize,
    pub(crate) uses: usize,
}

/// How much of the code ran.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct CoverageTold {
    pub(crate) lines: RanTold,
    /// Of branches; all 0 where the run that said what the suite does has none.
    pub(crate) branches: RanTold,
}

/// How many lines or branches ran.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct RanTold {
    /// In the suite.
    pub(crate) before: usize,
    /// With new sessions, whether they are kept or not.
    pub(crate) after: usize,
    /// So many there are in the files of which something ran.
    pub(crate) of: usize,
}

/// A sequence that would be made.
#[derive(Debug, Serialize)]
pub(crate) struct PlannedTold {
    /// The session that defines, and after which of its steps it is cut.
    pub(crate) defines: String,
    /// The steps that use.
    pub(crate) uses: Vec<String>,
    pub(crate) pairs: Vec<Pair>,
}

/// A round.
#[derive(Debug, Serialize)]
pub(crate) struct RoundTold {
    /// How many sequences were run.
    pub(crate) sequences: usize,
    pub(crate) requests: usize,
    /// How many pairs they were for.
    pub(crate) asked: usize,
    /// How many of those came about.
    pub(crate) met: usize,
    /// How many pairs were covered that were not before, also such as no sequence was for.
    pub(crate) pairs: usize,
    /// Why the others did not come about, and how often.
    pub(crate) missed: BTreeMap<Missed, usize>,
    /// Lines that ran in no session before.
    pub(crate) lines: usize,
    /// And branches.
    pub(crate) branches: usize,
    /// How long the sessions took, with restoring the data before them.
    pub(crate) took_ms: u64,
    /// Sequences that the time left no room for.
    pub(crate) over_time: usize,
    /// Sequences that are kept.
    pub(crate) kept: Vec<SequenceTold>,
    /// Sequences that came to nothing.
    pub(crate) left_out: Vec<SequenceTold>,
}

/// A sequence that was run.
#[derive(Debug, Serialize)]
pub(crate) struct SequenceTold {
    /// The session that it is.
    pub(crate) session: String,
    pub(crate) defines: String,
    pub(crate) uses: Vec<String>,
    /// What it defines and uses, by the first pair that it was for; none where it was drawn at random.
    pub(crate) state: Option<StateId>,
    pub(crate) requests: usize,
    /// The pairs that it covers and nothing before it did.
    pub(crate) pairs: Vec<Pair>,
    /// The pairs that it was for and does not cover, and why.
    pub(crate) missed: Vec<(Pair, Missed)>,
    /// Errors that nothing before it showed.
    pub(crate) errors: Vec<Fault>,
    /// Lines that nothing before it ran.
    pub(crate) lines: usize,
    /// And branches.
    pub(crate) branches: usize,
}

impl CoverageTold {
    pub(super) fn of(known: &KnownSuite) -> Self {
        let outlines = || known.outlines.values();
        Self {
            lines: RanTold {
                before: known.ran_before.0,
                after: known.coverage.lines(),
                of: outlines().map(|outline| outline.lines.len()).sum(),
            },
            branches: RanTold {
                before: known.ran_before.1,
                after: known.coverage.branches(),
                of: outlines().map(|outline| outline.branches.len()).sum(),
            },
        }
    }
}

impl Regenerated {
    pub(super) fn new(asked: &Regenerating<'_>, known: &KnownSuite) -> Self {
        let (definitions, uses) = known.reader.lines.counts();
        Self {
            suite: None,
            from: asked.suite.name.clone(),
            by: asked.way.name(),
            run: known.run.name.clone(),
            app: asked.app.name.clone(),
            code: CodeTold { definitions, uses },
            covered: 0,
            planned: 0,
            sequences: 0,
            planned_requests: 0,
            sequences_over_limit: 0,
            pairs_over_limit: 0,
            errors_before: known.faults.len(),
            rounds: Vec::new(),
            coverage: CoverageTold::of(known),
            baseline: None,
            sessions: 0,
            requests: 0,
            planned_sequences: None,
        }
    }

    pub(super) fn add_plan(&mut self, plan: &Plan) {
        self.covered = plan.covered;
        self.planned = plan.planned;
        self.sequences = plan.sequences.len();
        self.planned_requests = plan.sequences.iter().map(PlannedSequence::requests).sum();
        self.sequences_over_limit = plan.sequences_over_limit;
        self.pairs_over_limit = plan.over_limit;
    }
}

impl PlannedTold {
    pub(super) fn of(sequence: &PlannedSequence, known: &KnownSuite) -> Self {
        Self {
            defines: place(sequence.cut, known),
            uses: sequence.uses.iter().map(|usage| place(usage.place, known)).collect(),
            pairs: sequence.pairs.clone(),
        }
    }
}

impl RoundTold {
    /// What a round came to, and the sessions that are kept: those that cover a pair that nothing before did, or show a new error. Of those
    /// drawn at random all are kept, since they are there to compare with.
    pub(super) fn of(
        asked: &Regenerating<'_>,
        known: &mut KnownSuite,
        tried: &mut Tried,
        tested: Tested,
    ) -> (Self, Vec<KeptSession>) {
        let mut round = Self {
            sequences: tested.sessions.len(),
            requests: tested.requests,
            asked: 0,
            met: 0,
            pairs: 0,
            missed: BTreeMap::new(),
            lines: 0,
            branches: 0,
            took_ms: tested.took.as_millis() as u64,
            over_time: tested.over_time,
            kept: Vec::new(),
            left_out: Vec::new(),
        };
        known.outlines.extend(tested.outlines);
        let mut kept = Vec::new();
        for TestedSession { made, source, seen, coverage } in tested.sessions {
            let sequence = &made.sequence;
            tried.extend(sequence.uses.iter().map(|usage| (sequence.cut, usage.place)));
            let came = gained(&seen.dynamics.steps, made.prefix, &sequence.pairs, asked.way.criterion());
            round.asked += sequence.pairs.len();
            round.met += came.met;
            for (_, why) in &came.missed {
                *round.missed.entry(*why).or_default() += 1;
            }
            let mut pairs: Vec<Pair> =
                came.covered.into_iter().filter(|pair| known.covered.insert(pair.clone())).collect();
            pairs.sort();
            let errors = known.new_faults(seen.faults);
            let new = coverage.without(&known.coverage);
            let (lines, branches) = (new.lines(), new.branches());
            known.coverage.join(&new);
            round.pairs += pairs.len();
            round.lines += lines;
            round.branches += branches;
            let is_kept = !pairs.is_empty() || !errors.is_empty() || matches!(asked.way, Way::Random { .. });
            let told = SequenceTold {
                session: source.session.name.clone(),
                defines: place(sequence.cut, known),
                uses: sequence.uses.iter().map(|usage| place(usage.place, known)).collect(),
                state: sequence.pairs.first().map(|pair| pair.state.clone()),
                requests: made.session.steps.len(),
                pairs,
                missed: came.missed,
                errors,
                lines,
                branches,
            };
            if is_kept {
                round.kept.push(told);
                kept.push(KeptSession { source, dynamics: seen.dynamics });
            } else {
                round.left_out.push(told);
            }
        }
        (round, kept)
    }

    /// The errors that it found.
    pub(crate) fn errors(&self) -> impl Iterator<Item = (&SequenceTold, &Fault)> {
        self.kept.iter().flat_map(|told| told.errors.iter().map(move |fault| (told, fault)))
    }
}

/// A step, as users name it, with its request: `s17/3 POST /cart`.
fn place(place: StepPlace, known: &KnownSuite) -> String {
    let session = known.sources.get(place.session).map_or("", |source| source.session.name.as_str());
    let request = known.dynamics.step(place.session, place.step).map_or("", |step| step.request.as_str());
    format!("{session}/{} {request}", place.step + 1)
}
