//! The sessions that others need.

/// The sessions that are kept, and all that they need, directly or by way of others; in order, each once. `needs` says
/// which sessions one needs directly.
pub fn with_needed(kept: &[usize], needs: &dyn Fn(usize) -> Vec<usize>) -> Vec<usize> {
    let mut all: Vec<usize> = kept.to_vec();
    let mut known: std::collections::BTreeSet<usize> = kept.iter().copied().collect();
    while let Some(session) = all.pop() {
        all.extend(needs(session).into_iter().filter(|&needed| known.insert(needed)));
    }
    known.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches needs that are followed one step only, and those that go round in a circle.
    #[test]
    fn needs_of_needs_are_kept() {
        let needs = |session: usize| match session {
            5 => vec![3],
            3 => vec![1, 5],
            _ => vec![],
        };
        assert_eq!(with_needed(&[7, 5], &needs), [1, 3, 5, 7]);
    }
}
