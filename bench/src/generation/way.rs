//! How a suite is made.

use restage_site::{Criterion, Graph, Limits, generate, paper_heuristic};

/// The most requests of a sequence that `restage generate` makes where nobody says otherwise.
const USUAL: usize = 50;

/// How a suite is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuiteWay {
    /// Recorded: nothing is generated.
    Recorded,
    /// By a criterion, with the most requests of a sequence.
    Generated(Criterion, Option<usize>),
    /// For ordered pairs, by the paper's own heuristic.
    Paper,
}

impl SuiteWay {
    /// All of them, in the tables' order.
    pub const ALL: [Self; 6] = [
        Self::Recorded,
        Self::Generated(Criterion::AllEdges, None),
        Self::Generated(Criterion::AllEdges, Some(USUAL)),
        Self::Generated(Criterion::OrderedPairs, None),
        Self::Generated(Criterion::OrderedPairs, Some(USUAL)),
        Self::Paper,
    ];

    /// What the tables call it.
    pub fn name(self) -> String {
        let criterion = |by| if by == Criterion::AllEdges { "all-edges" } else { "ordered-pairs" };
        match self {
            Self::Recorded => "recorded".to_owned(),
            Self::Generated(by, None) => criterion(by).to_owned(),
            Self::Generated(by, Some(most)) => format!("{}-{most}", criterion(by)),
            Self::Paper => "paper-pairs".to_owned(),
        }
    }

    /// What it is to cover.
    pub fn criterion(self) -> Criterion {
        match self {
            Self::Generated(by, _) => by,
            Self::Recorded | Self::Paper => Criterion::OrderedPairs,
        }
    }

    /// Its sequences over a user's graph; none of what is recorded.
    pub fn sequences(self, graph: &Graph) -> Vec<Vec<usize>> {
        match self {
            Self::Recorded => Vec::new(),
            Self::Generated(by, longest) => generate(graph, by, Limits { start: graph.home, longest }).paths,
            Self::Paper => paper_heuristic(graph, graph.home),
        }
    }
}
