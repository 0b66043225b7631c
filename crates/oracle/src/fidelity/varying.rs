//! What varies from run to run, and does not count.

use std::collections::HashSet;

use restage_model::Key;

use crate::noise::mask::{Mask, Masks};
use crate::noise::profile::Profile;
use crate::noise::run::RunNoise;

/// What is known to vary from run to run.
#[derive(Clone, Debug)]
pub struct Varying<'a> {
    noise: &'a RunNoise,
    profile: Option<&'a Profile>,
    /// The values that vary on any page.
    anywhere: Vec<&'a Mask>,
}

impl<'a> Varying<'a> {
    /// What two runs of the trusted version showed, and what calibrating found.
    pub fn new(noise: &'a RunNoise, profile: Option<&'a Profile>) -> Self {
        let mut anywhere: Vec<&Mask> = Vec::new();
        let mut known = HashSet::new();
        let profile_masks =
            profile.into_iter().flat_map(|profile| &profile.pages).flat_map(|page| &page.masks);
        for mask in noise.all_masks().chain(profile_masks).filter(|mask| mask.is_good_anywhere()) {
            if known.insert(mask.to_string()) {
                anywhere.push(mask);
            }
        }
        Self { noise, profile, anywhere }
    }

    /// The masks of a page. A value that varies on one page, as a quote of the day does, varies on others that have it in the same place: two
    /// runs that happened to draw the same there show nothing.
    pub(crate) fn masks(&self, key: &Key) -> Masks<'a> {
        let known = self.profile.map(|profile| profile.masks(key)).unwrap_or_default();
        Masks::of(known.into_iter().chain(&self.noise.page(key).masks).chain(self.anywhere.iter().copied()))
    }
}
