//! Measurements taken in turns, round by round, and their medians.

/// The figures of one subject, one a round.
#[derive(Clone, Debug, Default)]
pub struct Rounds(Vec<f64>);

impl Rounds {
    /// Adds a round's figure.
    pub fn add(&mut self, figure: f64) {
        self.0.push(figure);
    }

    /// The median; 0 where nothing was measured.
    pub fn median(&self) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        match sorted.len() {
            0 => 0.0,
            n if n % 2 == 1 => sorted[n / 2],
            n => f64::midpoint(sorted[n / 2 - 1], sorted[n / 2]),
        }
    }

    /// The median over rounds of this figure divided by the other's of the same round: what disturbs one
    /// round disturbs both.
    pub fn ratio_to(&self, other: &Self) -> f64 {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a / b).collect()).median()
    }

    /// Smallest and largest.
    pub fn range(&self) -> (f64, f64) {
        let least = self.0.iter().copied().fold(f64::INFINITY, f64::min);
        (least, self.0.iter().copied().fold(0.0, f64::max))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounds(figures: &[f64]) -> Rounds {
        Rounds(figures.to_vec())
    }

    #[test]
    fn a_disturbed_round_moves_neither_median_nor_ratio() {
        let (fast, slow) = (rounds(&[20.0, 2.0, 22.0]), rounds(&[10.0, 1.0, 11.0]));
        assert_eq!(fast.median(), 20.0);
        assert_eq!(fast.ratio_to(&slow), 2.0);
        assert_eq!(fast.range(), (2.0, 22.0));
        assert_eq!(rounds(&[1.0, 2.0]).median(), 1.5);
    }
}
