//! What sequences and sessions cover of a map, all users together.

use std::ops::AddAssign;

use restage_site::Coverage;

/// How many sequences or sessions there are, how long they are, and what they cover.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cover {
    /// How long each is.
    pub lengths: Vec<usize>,
    /// Edges that they go along, and edges that there are.
    pub edges: (usize, usize),
    /// Ordered pairs that they visit, and those that there are.
    pub pairs: (usize, usize),
}

impl Cover {
    /// What one user's sequences cover of her graph.
    pub fn of(sequences: &[Vec<usize>], coverage: &Coverage) -> Self {
        Self {
            lengths: sequences.iter().map(Vec::len).collect(),
            edges: (coverage.edges_covered, coverage.edges),
            pairs: (coverage.pairs_covered, coverage.pairs),
        }
    }

    /// How many requests all of them have.
    pub fn requests(&self) -> usize {
        self.lengths.iter().sum()
    }

    /// Their number, requests, the longest, the shortest and the mean, then what they cover, as cells of a table.
    pub(crate) fn cells(&self) -> Vec<String> {
        let count = self.lengths.len();
        let end = |end: Option<&usize>| end.map_or_else(|| "·".to_owned(), ToString::to_string);
        vec![
            count.to_string(),
            self.requests().to_string(),
            end(self.lengths.iter().max()),
            end(self.lengths.iter().min()),
            format!("{:.2}", self.requests() as f64 / count.max(1) as f64),
            share(self.edges),
            share(self.pairs),
        ]
    }
}

/// Another user's.
impl AddAssign for Cover {
    fn add_assign(&mut self, other: Self) {
        self.lengths.extend(other.lengths);
        self.edges = (self.edges.0 + other.edges.0, self.edges.1 + other.edges.1);
        self.pairs = (self.pairs.0 + other.pairs.0, self.pairs.1 + other.pairs.1);
    }
}

fn share((part, all): (usize, usize)) -> String {
    if all == 0 {
        return "·".to_owned();
    }
    format!("{part} of {all} ({:.1} %)", part as f64 / all as f64 * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: a mean over sequences of one user, shares that are not of all users' sums.
    #[test]
    fn users_add_up() {
        let mut all = Cover { lengths: vec![4], edges: (1, 2), pairs: (3, 4) };
        all += Cover { lengths: vec![2, 3], edges: (2, 2), pairs: (0, 4) };
        assert_eq!(
            all.cells(),
            ["3", "9", "4", "2", "3.00", "3 of 4 (75.0 %)", "3 of 8 (37.5 %)"].map(str::to_owned)
        );
        assert_eq!(Cover::default().cells()[2..4], ["·".to_owned(), "·".to_owned()]);
    }
}
