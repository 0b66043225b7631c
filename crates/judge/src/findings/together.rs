//! Changes that show in the same steps, or after the same sessions.
//!
//! Nearly the same is not enough: a button that has another name on every visit of a page would take along a total that is wrong on most. What
//! shows in some of them alone is put together by what it takes for [`dependence`](super::dependence).

use std::collections::HashMap;

use restage_model::{Change, StepAt};

use super::Clusters;

pub(super) fn join(changes: &[Change], clusters: &mut Clusters) {
    let mut first: HashMap<(&[StepAt], &[u32]), usize> = HashMap::new();
    for (at, change) in changes.iter().enumerate() {
        // A page and the data are put together by more than that.
        let sessions: &[u32] = if change.steps.is_empty() { &change.sessions } else { &[] };
        let earlier = *first.entry((&change.steps, sessions)).or_insert(at);
        clusters.join(earlier, at);
    }
}
