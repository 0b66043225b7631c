//! A sequence that nobody recorded: a session up to where it defines something, then requests that use it.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use super::aim::Aim;
use crate::dynamics::{Dynamics, StepDynamics};
use crate::pairs::Pair;

/// A step of the suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct StepPlace {
    /// The session, by its place in the suite.
    pub session: usize,
    /// The step, from 0.
    pub step: usize,
}

/// Which uses were tried behind which definitions: the last step before the uses, and the step that uses.
pub type Tried = HashSet<(StepPlace, StepPlace)>;

/// A request that uses, with the pages that it needs first.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct PlannedUse {
    /// The request.
    pub place: StepPlace,
    /// Earlier steps of its session that are asked for before it.
    pub pages: Vec<usize>,
    /// Those of them that are there so that the server knows of the user what the request needs: a login, say.
    pub context: Vec<usize>,
    /// Another row than the recorded one, that the request is to be about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aim: Option<Aim>,
    /// Pages that are asked for with that row, too.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub page_aims: BTreeMap<usize, Aim>,
    /// Whether it only lets the server know the row that the next one is aimed at.
    pub leads: bool,
}

impl PlannedUse {
    /// The request of a step with the pages that it needs.
    pub fn of(dynamics: &Dynamics, place: StepPlace) -> Option<Self> {
        let pages = dynamics.step(place.session, place.step)?.pages.clone();
        Some(Self { place, pages, context: Vec::new(), aim: None, page_aims: BTreeMap::new(), leads: false })
    }

    /// The same, aimed at another row.
    pub(super) fn aimed(self, dynamics: &Dynamics, aim: Option<Aim>) -> Self {
        let Some(aim) = aim else { return self };
        let pages = self.pages.iter().filter(|page| !self.context.contains(page));
        let page_aims = pages
            .filter_map(|page| Some((*page, aim.of_page(dynamics.step(self.place.session, *page)?)?)))
            .collect();
        Self { page_aims, aim: Some(aim), ..self }
    }

    /// How many requests it takes.
    pub fn requests(&self) -> usize {
        self.pages.len() + 1
    }
}

/// A sequence that nobody recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlannedSequence {
    /// The step that its session is cut after: it defines.
    pub cut: StepPlace,
    /// The requests that follow.
    pub uses: Vec<PlannedUse>,
    /// The pairs that it is there for; none where it was drawn at random.
    pub pairs: Vec<Pair>,
}

impl PlannedSequence {
    /// How many requests it sends.
    pub fn requests(&self) -> usize {
        self.cut.step + 1 + self.uses.iter().map(PlannedUse::requests).sum::<usize>()
    }

    /// The steps of the suite that it is made of, in order.
    pub fn places(&self) -> Vec<StepPlace> {
        let session = self.cut.session;
        let mut places: Vec<StepPlace> =
            (0..=self.cut.step).map(|step| StepPlace { session, step }).collect();
        for usage in &self.uses {
            let session = usage.place.session;
            places.extend(usage.pages.iter().map(|step| StepPlace { session, step: *step }));
            places.push(usage.place);
        }
        places
    }

    /// What the suite did in these steps; with the rows that they are aimed at.
    pub fn steps<'d>(&self, dynamics: &'d Dynamics) -> Vec<Cow<'d, StepDynamics>> {
        let session = self.cut.session;
        let own = (0..=self.cut.step).map(|step| (StepPlace { session, step }, None));
        let uses = self.uses.iter().flat_map(|usage| {
            let session = usage.place.session;
            let pages = usage
                .pages
                .iter()
                .map(move |step| (StepPlace { session, step: *step }, usage.page_aims.get(step)));
            pages.chain([(usage.place, usage.aim.as_ref())])
        });
        let step = |(place, aim): (StepPlace, Option<&Aim>)| {
            let step = dynamics.step(place.session, place.step)?;
            Some(aim.map_or(Cow::Borrowed(step), |aim| Cow::Owned(aim.applied(step))))
        };
        own.chain(uses).filter_map(step).collect()
    }
}
