//! What ran of an application, for people and for other tools.
//!
//! - `covered_files`: what ran and what did not, file by file; every format is a view of it;
//! - `page`: the files and their lines as HTML;
//! - `lcov`, `cobertura`: the formats that CI systems and editors read.

mod cobertura;
mod covered_files;
mod lcov;
mod page;

pub use cobertura::cobertura;
pub use covered_files::{CoveredFile, CoveredFiles};
pub use lcov::lcov;
pub use page::{CoveragePage, SourceText, write_coverage_page};
