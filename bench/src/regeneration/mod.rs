//! The study of regenerated suites: paper 4's tables 2, 3 and 4, and its figure 4.
//!
//! - `technique`: the ways that are compared; `outcome`: what came of each on a starting suite of a subject;
//! - `starting`: starting suites, drawn from many users and reduced;
//! - `trials`: `restage regenerate` on them;
//! - `wilcoxon`: the test between techniques;
//! - `report`, `figures`: tables and box plots.

mod figures;
mod outcome;
mod report;
mod starting;
mod technique;
mod trials;
mod wilcoxon;

pub use figures::regeneration_figures;
pub use outcome::{CodeCounts, Found, Made, Outcome, RegeneratedSubject, StartingSuite};
pub use report::RegenerationStudy;
pub use starting::{DrawnSuite, draw_starting};
pub use technique::Technique;
pub use trials::{RegenerationProject, count_code};
pub use wilcoxon::wilcoxon_above;
