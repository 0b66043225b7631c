//! Something to try in place of a step.

use restage_site::repair::Cause;

use crate::live::Walk;

/// One thing that is done.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Move {
    /// The step, as it was recorded.
    AsIs,
    /// What the user did, done on a page: the likeliest offer, or one after it. On the latest page where none is named.
    Perform { page: Option<usize>, nth: usize },
    /// The step's address, typed.
    Typed { uri: String },
    /// The step is left out, for this cause; the page of a step of the walk stands for its own.
    Drop { cause: Cause, what: String, shown_by: Option<usize> },
    /// A way of the map, by its place, from a page; from the latest where none is named.
    Go { page: Option<usize>, edge: usize },
    /// A form of the latest page, by its place on it.
    Between { form: usize, with_values: bool },
    /// The home page, typed.
    Home { uri: String },
}

impl Move {
    /// Whether it stands for the step itself.
    pub(crate) fn is_the_step(&self) -> bool {
        matches!(self, Self::AsIs | Self::Perform { .. } | Self::Typed { .. } | Self::Drop { .. })
    }
}

/// Something to try.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Candidate {
    pub(crate) moves: Vec<Move>,
    /// What it takes away from the session's likeness to what was recorded; the cheapest is tried first.
    pub(crate) cost: f64,
}

impl Candidate {
    pub(crate) fn new(moves: Vec<Move>, cost: f64) -> Self {
        Self { moves, cost }
    }

    /// The same with more to do afterwards.
    pub(crate) fn and(&self, more: impl IntoIterator<Item = Move>, cost: f64) -> Self {
        let mut moves = self.moves.clone();
        moves.extend(more);
        Self { moves, cost: self.cost + cost }
    }

    /// Whether the step is left out, and nothing done in its place.
    pub(crate) fn leaves_out(&self) -> bool {
        self.moves.iter().any(|m| matches!(m, Move::Drop { .. }))
    }

    /// How often forms were put in between.
    pub(crate) fn forms_between(&self) -> usize {
        self.moves.iter().filter(|m| matches!(m, Move::Between { .. })).count()
    }

    /// What it is called in other sessions: pages go by their names.
    pub(crate) fn tag(&self, walk: &Walk) -> String {
        let page = |at: &Option<usize>| match at.and_then(|at| walk.steps.get(at)) {
            Some(step) => step.node.clone(),
            None => "latest".to_owned(),
        };
        let told = |m: &Move| match m {
            Move::AsIs => "as it is".to_owned(),
            Move::Perform { page: at, nth } => format!("offer {nth} of {}", page(at)),
            Move::Typed { .. } => "typed".to_owned(),
            Move::Drop { cause, .. } => format!("dropped: {cause}"),
            Move::Go { page: at, edge } => format!("edge {edge} from {}", page(at)),
            Move::Between { form, with_values } => format!("form {form} {with_values}"),
            Move::Home { .. } => "home".to_owned(),
        };
        self.moves.iter().map(told).collect::<Vec<_>>().join(", ")
    }
}
