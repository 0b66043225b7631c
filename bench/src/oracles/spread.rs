//! How figures spread, as paper 2's box plots show it.

/// Quartiles, whiskers, mean and outliers.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    /// The lower quartile, the median, the upper quartile.
    pub quartiles: [f64; 3],
    /// The lowest and the highest figure that lie within 1.5 times the quartiles' distance of the box.
    pub whiskers: [f64; 2],
    /// The mean of all.
    pub mean: f64,
    /// Figures beyond the whiskers, each once.
    pub outliers: Vec<f64>,
}

impl Spread {
    /// Of figures in any order; nothing of none.
    pub fn of(figures: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut figures: Vec<f64> = figures.into_iter().collect();
        figures.sort_by(f64::total_cmp);
        let mean = mean(figures.iter().copied())?;
        let quartiles = [0.25, 0.5, 0.75].map(|part| quantile(&figures, part));
        let reach = 1.5 * (quartiles[2] - quartiles[0]);
        let is_within = |figure: f64| quartiles[0] - reach <= figure && figure <= quartiles[2] + reach;
        let within: Vec<f64> = figures.iter().copied().filter(|&figure| is_within(figure)).collect();
        let whiskers = [within.first(), within.last()].map(|end| end.copied().unwrap_or(mean));
        let mut outliers: Vec<f64> = figures.into_iter().filter(|&figure| !is_within(figure)).collect();
        outliers.dedup();
        Some(Self { quartiles, whiskers, mean, outliers })
    }

    /// All of it by a factor.
    pub fn scaled(&self, factor: f64) -> Self {
        Self {
            quartiles: self.quartiles.map(|figure| figure * factor),
            whiskers: self.whiskers.map(|figure| figure * factor),
            mean: self.mean * factor,
            outliers: self.outliers.iter().map(|figure| figure * factor).collect(),
        }
    }
}

/// The mean; nothing of no figures.
pub(crate) fn mean(figures: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (sum, n) = figures.into_iter().fold((0.0, 0_usize), |(sum, n), figure| (sum + figure, n + 1));
    (n > 0).then(|| sum / n as f64)
}

/// The median; nothing of no figures.
pub(crate) fn median(figures: impl IntoIterator<Item = f64>) -> Option<f64> {
    Spread::of(figures).map(|spread| spread.quartiles[1])
}

/// Between two figures, in proportion. `sorted` is not empty.
fn quantile(sorted: &[f64], part: f64) -> f64 {
    let place = part * (sorted.len() - 1) as f64;
    let (below, above) = (place.floor() as usize, place.ceil() as usize);
    sorted[below] + (sorted[above] - sorted[below]) * (place - place.floor())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches quartiles by place instead of proportion, and whiskers that end at an outlier.
    #[test]
    fn a_box_its_whiskers_and_what_lies_beyond() {
        let spread = Spread::of([0.4, 0.1, 0.2, 0.3, 0.5, 5.0, 5.0]).unwrap();
        assert!(
            spread.quartiles.iter().zip([0.25, 0.4, 2.75]).all(|(a, b)| (a - b).abs() < 1e-12),
            "{spread:?}"
        );
        let spread = Spread::of([1.0, 1.0, 1.0, 1.0, 0.5, 0.5]).unwrap();
        assert_eq!(spread.quartiles, [0.625, 1.0, 1.0]);
        let spread = Spread::of([1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0]).unwrap();
        assert_eq!(
            (spread.whiskers, spread.outliers.as_slice(), spread.mean),
            ([1.0, 1.0], [0.0].as_slice(), 0.8)
        );
        assert_eq!(Spread::of([]), None);
    }
}
