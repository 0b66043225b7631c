//! Where in the report, or in which file beside it, a step is shown.

use std::collections::HashMap;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use restage_model::StepAt;

use super::aftermath;
use super::step::anchor;

/// So many steps of a session are shown at one place.
pub(super) const GROUP: usize = 50;

/// What a link may hold as it is.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// Where a group of steps is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// In the report itself.
    Here,
    /// In the file of this number beside it.
    File(u32),
    /// Nowhere: the report holds as much as it may, or all is well there.
    Nowhere,
}

/// Where all steps are shown.
#[derive(Clone, Debug)]
pub(super) struct Targets {
    /// The folder of the files, as a link names it.
    folder: String,
    groups: HashMap<(u32, u32), Target>,
    aftermaths: HashMap<u32, Target>,
}

impl Targets {
    /// Of a report with this folder beside it.
    pub(super) fn new(folder: &str) -> Self {
        let folder = utf8_percent_encode(folder, PLAIN).to_string();
        Self { folder, groups: HashMap::new(), aftermaths: HashMap::new() }
    }

    pub(super) fn set(&mut self, steps: &[StepAt], target: Target) {
        self.groups.extend(steps.iter().map(|at| (group(*at), target)));
    }

    pub(super) fn set_aftermath(&mut self, ordinal: u32, target: Target) {
        self.aftermaths.insert(ordinal, target);
    }

    /// The address of a step.
    pub(super) fn of(&self, at: StepAt) -> String {
        let target = self.groups.get(&group(at)).copied().unwrap_or(Target::Nowhere);
        self.address(target, &anchor(at), at.session)
    }

    /// The address of what a session left behind.
    pub(super) fn of_aftermath(&self, ordinal: u32) -> String {
        let target = self.aftermaths.get(&ordinal).copied().unwrap_or(Target::Nowhere);
        self.address(target, &aftermath::anchor(ordinal), ordinal)
    }

    /// The address of a file.
    pub(super) fn file(&self, number: u32) -> String {
        format!("{}/{}", self.folder, file_name(number))
    }

    fn address(&self, target: Target, anchor: &str, session: u32) -> String {
        match target {
            Target::Here => format!("#{anchor}"),
            Target::File(number) => format!("{}#{anchor}", self.file(number)),
            Target::Nowhere => format!("#{}", session_anchor(session)),
        }
    }
}

/// Where a session is in the report.
pub(super) fn session_anchor(ordinal: u32) -> String {
    format!("session-{}", ordinal + 1)
}

/// The name of a file beside the report.
pub(super) fn file_name(number: u32) -> String {
    format!("steps-{number:03}.html")
}

fn group(at: StepAt) -> (u32, u32) {
    (at.session, at.step / GROUP as u32)
}
