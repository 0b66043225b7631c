//! The order of what stands in each layer, so that lines cross seldom: sweeps by barycentre, after Sugiyama.

/// Sweeps that find nothing better before the best order so far is taken.
const PATIENCE: usize = 4;
/// The most sweeps. Each is linear in the lines, but for sorting.
const SWEEPS: usize = 24;

/// Layers of vertices, and lines between vertices of neighbouring layers.
pub(crate) struct Layering {
    pub(crate) layers: Vec<Vec<usize>>,
    /// From each vertex to the layer before it.
    before: Vec<Vec<usize>>,
    /// From each vertex to the layer after it.
    after: Vec<Vec<usize>>,
}

impl Layering {
    /// Layers that are in some order. A line joins a vertex with one of the layer after it.
    pub(crate) fn new(layers: Vec<Vec<usize>>, lines: &[(usize, usize)]) -> Self {
        let count = layers.iter().map(Vec::len).sum();
        let (mut before, mut after) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        for &(left, right) in lines {
            after[left].push(right);
            before[right].push(left);
        }
        Self { layers, before, after }
    }

    /// Brings each layer into an order with few crossings. The same layers give the same order.
    pub(crate) fn order(&mut self) {
        let mut places = self.places();
        let mut best = (self.crossings(&places), self.layers.clone());
        let mut waited = 0;
        for sweep in 0..SWEEPS {
            if best.0 == 0 || waited == PATIENCE {
                break;
            }
            let forward = sweep % 2 == 0;
            let count = self.layers.len();
            for step in 1..count {
                let layer = if forward { step } else { count - 1 - step };
                self.sort_layer(layer, forward, &mut places);
            }
            let crossings = self.crossings(&places);
            if crossings < best.0 {
                best = (crossings, self.layers.clone());
                waited = 0;
            } else {
                waited += 1;
            }
        }
        self.layers = best.1;
    }

    /// The place of each vertex in its layer.
    pub(crate) fn places(&self) -> Vec<usize> {
        let mut places = vec![0; self.before.len()];
        for layer in &self.layers {
            layer.iter().enumerate().for_each(|(place, &vertex)| places[vertex] = place);
        }
        places
    }

    fn sort_layer(&mut self, layer: usize, forward: bool, places: &mut [usize]) {
        let (ways, beside) = if forward { (&self.before, layer - 1) } else { (&self.after, layer + 1) };
        // A vertex that is joined with none of the other layer stays about where it is.
        let scale = self.layers[beside].len() as f64 / self.layers[layer].len().max(1) as f64;
        let barycentre = |vertex: usize| match ways[vertex].as_slice() {
            [] => places[vertex] as f64 * scale,
            joined => joined.iter().map(|&other| places[other] as f64).sum::<f64>() / joined.len() as f64,
        };
        let mut keyed: Vec<(f64, usize)> =
            self.layers[layer].iter().map(|&vertex| (barycentre(vertex), vertex)).collect();
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (place, &(_, vertex)) in keyed.iter().enumerate() {
            places[vertex] = place;
        }
        self.layers[layer] = keyed.into_iter().map(|(_, vertex)| vertex).collect();
    }

    fn crossings(&self, places: &[usize]) -> u64 {
        self.layers.windows(2).map(|pair| self.crossings_between(&pair[0], pair[1].len(), places)).sum()
    }

    /// Lines that are read from top to bottom on the left cross as often as their right ends are out of order.
    fn crossings_between(&self, left: &[usize], right: usize, places: &[usize]) -> u64 {
        let mut seen = Counts::new(right);
        let (mut crossings, mut ends) = (0, Vec::new());
        for &vertex in left {
            ends.clear();
            ends.extend(self.after[vertex].iter().map(|&other| places[other]));
            crossings += ends.iter().map(|&end| seen.above(end)).sum::<u64>();
            ends.iter().for_each(|&end| seen.add(end));
        }
        crossings
    }
}

/// How many numbers above another were added: a Fenwick tree.
struct Counts {
    tree: Vec<u64>,
    all: u64,
}

impl Counts {
    fn new(bound: usize) -> Self {
        Self { tree: vec![0; bound + 1], all: 0 }
    }

    fn add(&mut self, number: usize) {
        self.all += 1;
        let mut at = number + 1;
        while at < self.tree.len() {
            self.tree[at] += 1;
            at += at & at.wrapping_neg();
        }
    }

    fn above(&self, number: usize) -> u64 {
        let (mut at, mut up_to) = (number + 1, 0);
        while at > 0 {
            up_to += self.tree[at];
            at -= at & at.wrapping_neg();
        }
        self.all - up_to
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Catches: lines that cross though they need not.
    #[test]
    fn a_tree_is_drawn_without_crossings() {
        // 0 leads to 1, 2, 3; these to three each, mixed up.
        let lines: Vec<(usize, usize)> =
            (1..4).map(|child| (0, child)).chain((4..13).map(|leaf| (1 + leaf % 3, leaf))).collect();
        let mut layering = Layering::new(vec![vec![0], vec![1, 2, 3], (4..13).collect()], &lines);
        assert!(layering.crossings(&layering.places()) > 0);
        layering.order();
        assert_eq!(layering.crossings(&layering.places()), 0);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Catches: crossings that are counted wrongly, so that a worse order counts as better.
        #[test]
        fn crossings_are_those_that_one_counts(lines in proptest::collection::vec((0_usize..6, 6_usize..12), 0..20)) {
            let layering = Layering::new(vec![(0..6).collect(), (6..12).collect()], &lines);
            let cross = |a: &(usize, usize), b: &(usize, usize)| a.0 < b.0 && a.1 > b.1;
            let counted = lines.iter().flat_map(|a| lines.iter().map(move |b| u64::from(cross(a, b)))).sum::<u64>();
            prop_assert_eq!(layering.crossings(&layering.places()), counted);
        }

        /// Catches: a vertex that is lost, doubled or put into another layer.
        #[test]
        fn ordering_only_orders(lines in proptest::collection::vec((0_usize..6, 6_usize..12), 0..20)) {
            let mut layering = Layering::new(vec![(0..6).collect(), (6..12).collect()], &lines);
            let before = layering.crossings(&layering.places());
            layering.order();
            prop_assert!(layering.crossings(&layering.places()) <= before);
            for (layer, range) in layering.layers.iter().zip([0..6, 6..12]) {
                let mut sorted = layer.clone();
                sorted.sort_unstable();
                prop_assert_eq!(sorted, range.collect::<Vec<_>>());
            }
        }
    }
}
