//! What each comparator, the flow of pages and the error oracle see in a step.

use std::ops::BitOr;
use std::sync::LazyLock;

use restage_model::{Answer, Headers, Run, Step, StepAt};
use restage_oracle::{Comparator, Document, PageFlow, flow_differences, header_differences, new_errors};
use restage_store::Store;

use crate::Trouble;

/// Paper 2's comparators in their order, then the flow of pages, the errors that a server prints, and headers.
pub static WATCHERS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    Comparator::ALL.iter().map(Comparator::id).chain(["Flist", "Errors", "Headers"]).collect()
});

/// Those of [`WATCHERS`] who see a difference, as a set; or an oracle that is a union of them. Beside them may stand the
/// verdict by each page's own oracle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Seen(u32);

impl Seen {
    /// Nobody.
    pub const NONE: Self = Self(0);
    /// The flow of pages.
    pub const FLOW: Self = Self(1 << Comparator::ALL.len());
    /// The errors that a server prints.
    pub const ERRORS: Self = Self(1 << (Comparator::ALL.len() + 1));
    /// Headers.
    pub const HEADERS: Self = Self(1 << (Comparator::ALL.len() + 2));
    /// What is said by the oracle that was chosen for each page, and all that judges beside it.
    pub const OWN: Self = Self(1 << (Comparator::ALL.len() + 3));

    /// One of [`WATCHERS`], by its place.
    pub fn by(watcher: usize) -> Self {
        Self(1 << watcher)
    }

    /// One of [`WATCHERS`], by its id; nobody where there is none.
    pub fn named(id: &str) -> Self {
        WATCHERS.iter().position(|w| *w == id).map_or(Self::NONE, Self::by)
    }

    /// Those of the named comparators.
    pub fn of<'a>(comparators: impl IntoIterator<Item = &'a Comparator>) -> Self {
        comparators.into_iter().fold(Self::NONE, |all, c| all | Self::named(c.id()))
    }

    /// The places of its members.
    pub fn places(self) -> impl Iterator<Item = usize> {
        (0..WATCHERS.len()).filter(move |&place| self.meets(Self::by(place)))
    }

    /// The comparators among them.
    pub fn comparators(self) -> impl Iterator<Item = &'static Comparator> {
        self.places().filter_map(|place| Comparator::ALL.get(place))
    }

    /// Whether the two have a member in common.
    pub fn meets(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }
}

impl BitOr for Seen {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// What is seen in a step.
#[derive(Clone, Copy, Debug)]
pub struct SeenStep {
    /// The step.
    pub at: StepAt,
    /// Whether its answer is another: the body's bytes, the status, or a field that leads on.
    pub shows: bool,
    /// By whom a difference is seen, each on its own.
    pub seen: Seen,
}

/// Compares two runs step by step.
pub fn seen(store: &Store, expected: &Run, actual: &Run) -> Result<Vec<SeenStep>, Trouble> {
    let (expected, actual) = (store.steps(expected.id)?, store.steps(actual.id)?);
    if expected.len() != actual.len() {
        return Err(format!("{} steps became {}", expected.len(), actual.len()).into());
    }
    expected.iter().zip(&actual).map(|(expected, actual)| seen_in(store, expected, actual)).collect()
}

fn seen_in(store: &Store, expected: &Step, actual: &Step) -> Result<SeenStep, Trouble> {
    let mut seen = Seen::NONE;
    if !flow_differences(&PageFlow::of(expected), &PageFlow::of(actual)).is_empty() {
        seen = Seen::FLOW;
    }
    if let (Some(a), Some(b)) = (expected.answer.received(), actual.answer.received())
        && a.body.id != b.body.id
    {
        let (was, is) = (store.body(&a.body)?, store.body(&b.body)?);
        let (a, b) = (Document::of(&a.headers, &was), Document::of(&b.headers, &is));
        seen = seen | Seen::of(Comparator::ALL.iter().filter(|c| c.differs(&a, &b)));
        if !new_errors(&was, &is).is_empty() {
            seen = seen | Seen::ERRORS;
        }
    }
    if let (Some(a), Some(b)) = (expected.answer.received(), actual.answer.received())
        && !header_differences(&a.headers, &b.headers).is_empty()
    {
        seen = seen | Seen::HEADERS;
    }
    Ok(SeenStep { at: expected.at, shows: shows(expected, actual), seen })
}

/// Whether the answer is another, without any comparator's help.
fn shows(expected: &Step, actual: &Step) -> bool {
    let leads = |headers: &Headers| ["location", "content-type"].map(|n| headers.get(n).map(str::to_owned));
    match (&expected.answer, &actual.answer) {
        (Answer::Received(a), Answer::Received(b)) => {
            a.status != b.status || a.body.id != b.body.id || leads(&a.headers) != leads(&b.headers)
        }
        (Answer::Failed(_), Answer::Failed(_)) => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a watcher that shares its bit with another, which would give one the other's sight.
    #[test]
    fn every_watcher_has_a_place_of_its_own() {
        let all = (0..WATCHERS.len()).fold(Seen::NONE, |all, w| all | Seen::by(w));
        assert_eq!(all.places().count(), 25);
        assert_eq!(Seen::named("Flist"), Seen::FLOW);
        assert_eq!(Seen::named("Errors"), Seen::ERRORS);
        assert_eq!(Seen::named("Headers"), Seen::HEADERS);
        assert!(!all.meets(Seen::OWN));
        assert_eq!(all.comparators().count(), 22);
        assert!(!Seen::named("C-WD").meets(Seen::named("C-W")));
    }
}
