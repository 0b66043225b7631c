//! Where fields without a partner stand among those that have one.

use crate::site::SiteField;

/// How two fields stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stand {
    /// Between the same fields, as many there, in the same order.
    SamePlace,
    /// Between the same fields.
    SameGap,
    /// Elsewhere.
    Elsewhere,
}

/// A run of fields without a partner: after which field, before which, and the fields.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Run {
    after: Option<usize>,
    before: Option<usize>,
    fields: Vec<usize>,
}

/// The runs of fields without a partner, of two forms. Neighbours are called by their place in the new one.
pub(crate) struct Gaps {
    old: Vec<Option<Run>>,
    new: Vec<Option<Run>>,
}

impl Gaps {
    /// `partner` says of each old field which new one it is.
    pub(crate) fn of(partner: &[Option<usize>], new: usize) -> Self {
        let mut is_taken = vec![None; new];
        partner.iter().flatten().for_each(|&place| is_taken[place] = Some(place));
        Self { old: runs(partner), new: runs(&is_taken) }
    }

    pub(crate) fn stand(&self, old: usize, new: usize) -> Stand {
        let (Some(a), Some(b)) = (&self.old[old], &self.new[new]) else { return Stand::Elsewhere };
        if (a.after, a.before) != (b.after, b.before) {
            // One of both neighbours is the same, where others came or went beside it.
            let beside = |run: &Run, field: usize| {
                (run.fields.first() == Some(&field), run.fields.last() == Some(&field))
            };
            let (first, last) = (beside(a, old), beside(b, new));
            let same_before = a.after == b.after && first.0 && last.0;
            let same_after = a.before == b.before && first.1 && last.1;
            return if same_before || same_after { Stand::SameGap } else { Stand::Elsewhere };
        }
        let place = |run: &Run, field: usize| run.fields.iter().position(|&other| other == field);
        let is_same = a.fields.len() == b.fields.len() && place(a, old) == place(b, new);
        if is_same { Stand::SamePlace } else { Stand::SameGap }
    }

    /// Whether all fields of the runs that two fields stand in are of the same types, one by one.
    pub(crate) fn are_alike(
        &self,
        old: usize,
        new: usize,
        of_old: &[SiteField],
        of_new: &[SiteField],
    ) -> bool {
        let (Some(a), Some(b)) = (&self.old[old], &self.new[new]) else { return false };
        a.fields.iter().zip(&b.fields).all(|(&a, &b)| of_old[a].control == of_new[b].control)
    }
}

/// Of each field without a partner, the run that it stands in.
fn runs(partner: &[Option<usize>]) -> Vec<Option<Run>> {
    let mut runs = vec![None; partner.len()];
    let mut place = 0;
    while place < partner.len() {
        let end =
            partner[place..].iter().position(Option::is_some).map_or(partner.len(), |length| place + length);
        let run = Run {
            after: place.checked_sub(1).and_then(|before| partner[before]),
            before: partner.get(end).copied().flatten(),
            fields: (place..end).collect(),
        };
        runs[place..end].fill(Some(run));
        place = end + 1;
    }
    runs
}
