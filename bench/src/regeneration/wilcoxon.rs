//! Wilcoxon's paired signed-rank test, one-sided and with its exact distribution, as paper 4 compares techniques.

/// The probability that the first of each pair is so much above the second by chance alone; 1 where no pair differs.
///
/// Pairs that are equal are left out; differences of the same size share their ranks. The distribution is that of all signs of these ranks,
/// so it is exact with ties, too.
pub fn wilcoxon_above(pairs: &[(f64, f64)]) -> f64 {
    let mut differences: Vec<f64> =
        pairs.iter().map(|(one, other)| one - other).filter(|difference| *difference != 0.0).collect();
    differences.sort_by(|one, other| one.abs().total_cmp(&other.abs()));
    // Twice the ranks, so that those of ties are whole numbers.
    let mut ranks = vec![0_usize; differences.len()];
    let mut from = 0;
    while from < differences.len() {
        let size = differences[from].abs();
        let tied = differences[from..].iter().take_while(|d| is_same(d.abs(), size)).count();
        ranks[from..from + tied].fill(2 * from + tied + 1);
        from += tied;
    }
    let positive: usize = ranks
        .iter()
        .zip(&differences)
        .filter(|(_, difference)| **difference > 0.0)
        .map(|(rank, _)| rank)
        .sum();
    // How probable each sum is, where each rank counts or not by the toss of a coin.
    let mut probable = vec![0.0; ranks.iter().sum::<usize>() + 1];
    probable[0] = 1.0;
    let mut highest = 0;
    for rank in ranks {
        highest += rank;
        for sum in (0..=highest).rev() {
            let with = if sum >= rank { probable[sum - rank] } else { 0.0 };
            probable[sum] = 0.5 * (probable[sum] + with);
        }
    }
    probable[positive..].iter().sum::<f64>().min(1.0)
}

/// Figures that were computed differ in their last digits where they are the same.
fn is_same(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * one.abs().max(other.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(is: f64, should: f64, within: f64) {
        assert!((is - should).abs() < within, "{is}, not {should}");
    }

    /// Hollander and Wolfe's example (1973, p. 29), the depression of nine patients before and after: V = 40, p = 0.01953.
    #[test]
    fn a_published_example() {
        // In thousandths.
        let before = [1830.0, 500.0, 1620.0, 2480.0, 1680.0, 1880.0, 1550.0, 3060.0, 1300.0];
        let after = [878.0, 647.0, 598.0, 2050.0, 1060.0, 1290.0, 1060.0, 3140.0, 1290.0];
        let pairs: Vec<(f64, f64)> = before.into_iter().zip(after).collect();
        near(wilcoxon_above(&pairs), 0.01953, 0.000_01);
    }

    /// The table of critical values: with 10 pairs, a sum of 10 of the ranks against it is significant at 5 % and one of 11 is not; with 30,
    /// 151 and 152.
    #[test]
    fn published_critical_values() {
        for (pairs, most) in
            [(5, 0), (6, 2), (8, 5), (10, 10), (12, 17), (15, 30), (20, 60), (25, 100), (30, 151)]
        {
            for (against, significant) in [(most, true), (most + 1, false)] {
                // Ranks whose sum is that, the largest first.
                let mut left = against;
                let signed: Vec<(f64, f64)> = (1..=pairs)
                    .rev()
                    .map(|rank: usize| {
                        let is_against = rank <= left;
                        left -= if is_against { rank } else { 0 };
                        (if is_against { -(rank as f64) } else { rank as f64 }, 0.0)
                    })
                    .collect();
                let p = wilcoxon_above(&signed);
                assert_eq!(p <= 0.05, significant, "{pairs} pairs, {against} against: {p}");
            }
        }
    }

    #[test]
    fn ties_share_their_ranks_and_equal_pairs_are_left_out() {
        // Of the eight ways to give signs to three ranks of 2, one has all of them above.
        near(wilcoxon_above(&[(1.0, 0.0), (2.0, 1.0), (5.0, 4.0), (3.0, 3.0)]), 0.125, 1e-12);
        near(wilcoxon_above(&[(0.0, 1.0), (1.0, 2.0), (4.0, 5.0)]), 1.0, 1e-12);
        near(wilcoxon_above(&[(3.0, 3.0)]), 1.0, 1e-12);
        near(wilcoxon_above(&[]), 1.0, 1e-12);
    }
}
