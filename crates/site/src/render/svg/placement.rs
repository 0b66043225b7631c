//! How high everything stands: near to what it is joined with, and nothing on top of another.
//!
//! Each layer is placed by itself, layer after layer and back: every vertex wishes to stand at the mean of what it is joined with, and the
//! placement with the least squares of distances from all wishes that keeps the order and the gaps is found exactly (isotonic regression,
//! by pooling neighbours that violate it).

/// Sweeps there and back.
const ROUNDS: usize = 6;

/// What is placed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub(crate) height: f64,
    /// The gap that it needs above and below; of two neighbours, the larger counts.
    pub(crate) gap: f64,
    /// How much its wish counts.
    pub(crate) weight: f64,
}

/// A line between two vertices, with how far below their middles it begins and ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tie {
    pub(crate) left: (usize, f64),
    pub(crate) right: (usize, f64),
}

/// The middle of each vertex, from 0 downwards to the returned height.
pub(crate) fn place(layers: &[Vec<usize>], extents: &[Extent], ties: &[Tie]) -> (Vec<f64>, f64) {
    let mut before = vec![Vec::new(); extents.len()];
    let mut after = vec![Vec::new(); extents.len()];
    for tie in ties {
        // Where the other is, from where this should be.
        after[tie.left.0].push((tie.right.0, tie.right.1 - tie.left.1));
        before[tie.right.0].push((tie.left.0, tie.left.1 - tie.right.1));
    }
    let mut middles = vec![0.0; extents.len()];
    let wish = |ties: &[(usize, f64)], middles: &[f64]| {
        let sum: f64 = ties.iter().map(|&(other, offset)| middles[other] + offset).sum();
        (!ties.is_empty()).then(|| sum / ties.len() as f64)
    };
    let is_tied = |vertex: usize| !before[vertex].is_empty() || !after[vertex].is_empty();
    for layer in layers {
        set_layer(layer, extents, &mut middles, |_, _| None);
    }
    for _ in 0..ROUNDS {
        for layer in layers {
            set_layer(layer, extents, &mut middles, |vertex, middles| wish(&before[vertex], middles));
        }
        for layer in layers.iter().rev() {
            set_layer(layer, extents, &mut middles, |vertex, middles| wish(&after[vertex], middles));
        }
    }
    for layer in layers {
        set_layer(layer, extents, &mut middles, |vertex, middles| {
            let both: Vec<(usize, f64)> = before[vertex].iter().chain(&after[vertex]).copied().collect();
            wish(&both, middles)
        });
    }
    // What no line leads to or from would be anywhere: it stands on top, or below its neighbour.
    let tied = (0..extents.len()).filter(|&vertex| is_tied(vertex));
    let highest =
        tied.map(|vertex| middles[vertex] - extents[vertex].height / 2.0).fold(f64::INFINITY, f64::min);
    for layer in layers.iter().filter(|layer| highest.is_finite() && !layer.iter().any(|&v| is_tied(v))) {
        set_layer(layer, extents, &mut middles, |vertex, _| Some(highest + extents[vertex].height / 2.0));
        let shift = layer.first().map_or(0.0, |&v| highest - (middles[v] - extents[v].height / 2.0));
        layer.iter().for_each(|&vertex| middles[vertex] += shift);
    }
    let top = |vertex: usize, middles: &[f64]| middles[vertex] - extents[vertex].height / 2.0;
    let highest = (0..extents.len()).map(|vertex| top(vertex, &middles)).fold(f64::INFINITY, f64::min);
    if highest.is_finite() {
        middles.iter_mut().for_each(|middle| *middle -= highest);
    }
    let bottom = |vertex: usize| middles[vertex] + extents[vertex].height / 2.0;
    let height = (0..extents.len()).map(bottom).fold(0.0, f64::max);
    (middles, height)
}

/// Vertices that touch each other, and so move as one.
struct Pool {
    /// The weighted mean of their wishes, less how far below the layer's first each must be.
    at: f64,
    weight: f64,
    count: usize,
}

fn set_layer(
    layer: &[usize],
    extents: &[Extent],
    middles: &mut [f64],
    wish: impl Fn(usize, &[f64]) -> Option<f64>,
) {
    let mut offsets: Vec<f64> = Vec::with_capacity(layer.len());
    for (place, &vertex) in layer.iter().enumerate() {
        let extent = extents[vertex];
        let above = place.checked_sub(1).map(|last| (offsets[last], extents[layer[last]]));
        offsets.push(above.map_or(0.0, |(offset, above)| {
            offset + (above.height + extent.height) / 2.0 + above.gap.max(extent.gap)
        }));
    }
    let wishes: Vec<Option<f64>> = layer
        .iter()
        .zip(&offsets)
        .map(|(&vertex, offset)| wish(vertex, middles).map(|at| at - offset))
        .collect();
    // What has no wish goes with its neighbour above; the first ones with the first that has one.
    let mut last = wishes.iter().flatten().next().copied();
    let mut pools: Vec<Pool> = Vec::with_capacity(layer.len());
    for ((&vertex, offset), own) in layer.iter().zip(&offsets).zip(&wishes) {
        last = own.or(last);
        let at = last.unwrap_or(middles[vertex] - offset);
        let weight = extents[vertex].weight * if own.is_some() { 1.0 } else { 0.05 };
        pools.push(Pool { at, weight, count: 1 });
        while let [.., above, last] = pools.as_slice() {
            if above.at <= last.at {
                break;
            }
            let weight = above.weight + last.weight;
            let at = (above.at * above.weight + last.at * last.weight) / weight;
            let count = above.count + last.count;
            pools.truncate(pools.len() - 2);
            pools.push(Pool { at, weight, count });
        }
    }
    let at = pools.iter().flat_map(|pool| std::iter::repeat_n(pool.at, pool.count));
    for ((&vertex, at), offset) in layer.iter().zip(at).zip(offsets) {
        middles[vertex] = at + offset;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Catches: boxes on top of each other, a box above the picture's edge, an order that is not kept.
        #[test]
        fn nothing_is_on_top_of_another(
            heights in proptest::collection::vec(1.0_f64..50.0, 12),
            ties in proptest::collection::vec((0_usize..5, 5_usize..12, -10.0_f64..10.0), 0..30),
        ) {
            let extents: Vec<Extent> =
                heights.iter().map(|&height| Extent { height, gap: 4.0, weight: 1.0 }).collect();
            let ties: Vec<Tie> = ties
                .into_iter()
                .map(|(left, right, offset)| Tie { left: (left, offset), right: (right, 0.0) })
                .collect();
            let layers = [(0..5).collect::<Vec<_>>(), (5..12).collect()];
            let (middles, height) = place(&layers, &extents, &ties);
            for layer in &layers {
                for pair in layer.windows(2) {
                    let gap = middles[pair[1]] - middles[pair[0]] - (heights[pair[0]] + heights[pair[1]]) / 2.0;
                    prop_assert!(gap >= 4.0 - 1e-6, "{}", gap);
                }
            }
            for (middle, own) in middles.iter().zip(&heights) {
                prop_assert!(middle - own / 2.0 >= -1e-6 && middle + own / 2.0 <= height + 1e-6);
            }
        }
    }

    /// Catches: a node that stands far from the only page that leads to it, though there is room beside it.
    #[test]
    fn what_is_joined_stands_side_by_side() {
        let extents = [Extent { height: 10.0, gap: 2.0, weight: 1.0 }; 6];
        let tie = |left, right| Tie { left: (left, 0.0), right: (right, 0.0) };
        let (middles, _) =
            place(&[vec![0, 1, 2], vec![3, 4, 5]], &extents, &[tie(0, 3), tie(2, 4), tie(2, 5)]);
        assert!((middles[0] - middles[3]).abs() < 1.0, "{middles:?}");
        assert!((middles[2] - (middles[4] + middles[5]) / 2.0).abs() < 1.0, "{middles:?}");
    }
}
