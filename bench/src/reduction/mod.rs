//! The study of reduced suites: paper 1's tables 1 and 2.
//!
//! - `suites`: a suite reduced in every way, HGS a hundred times as in the paper;
//! - `answers`: which pages with which outcome a run got;
//! - `project`: a project of its own, replayed as a user would;
//! - `report`: the tables.

mod answers;
mod project;
mod report;
mod suites;

pub use answers::PageSet;
pub use project::{ProjectRuns, Shown as FaultShown};
pub use report::{FaultFinds, ReductionStudy, Replayed};
pub use suites::{ReducedSuite, reduced_suites};
