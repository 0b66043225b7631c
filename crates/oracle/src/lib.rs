//! Comparators, oracle expressions, verdicts and changes (paper 1, section 5; paper 2).
//!
//! A [`Comparator`] is a named point in a small space of [`Features`]. A response is read once into a
//! [`Document`]: its words, and one atom a tag that already holds the hash each kind of comparator
//! needs. A comparator is then a selection of atoms and words, and no comparator parses again.
//!
//! - `page`: a response prepared for comparison, and what counts as a date;
//! - `comparators`: the space of features, the 22 named points in it, a project's own;
//! - `oracles`: `C-WD | N+I`, and which one for which key;
//! - `diff`: where two answers differ; `body`: what is not a page, each format in its own way;
//! - `flist`, `headers`: the flow of pages and the headers worth comparing;
//! - `fidelity`: whether a live answer is what was recorded;
//! - `errors`: the errors a server printed into a page or a log (paper 4, section 5.2);
//! - `noise`: what varies on one and the same version, and masks for just that;
//! - `judging`: run + run → verdicts, changes, and which of them fail nothing.

mod body;
mod comparators;
mod diff;
mod errors;
mod fidelity;
mod flist;
mod headers;
mod judging;
mod noise;
mod oracles;
mod page;

pub use body::binary::binary_differences;
pub use body::body_diff::{differ_inside, insides};
pub use body::json::{JsonRules, json_differences};
pub use body::plain::plain_differences;
pub use body::xml::xml_differences;
pub use comparators::comparator::{Comparator, compare};
pub use comparators::definition::{Definition, DefinitionError};
pub use comparators::features::{Features, FormDetail, TagDetail, TextDetail};
pub use comparators::registry::{Comparators, NameError};
pub use errors::{ErrorKind, ServerError, find_errors, find_logged_errors, new_errors, unexpected_errors};
pub use fidelity::departure::{KnownAnswer, departure};
pub use fidelity::text_change::{TextChange, steady_words, words_read};
pub use fidelity::varying::Varying;
pub use flist::{PageFlow, flow_differences, redirect_shape};
pub use headers::header_differences;
pub use judging::accepted::Accepted;
pub use judging::changes::{ChangeGroups, Which, group_changes};
pub use judging::hits::{Sighting, sightings};
pub use judging::ignored::{IgnoreRule, STATE_AND_LOG};
pub use judging::judge::{BodySource, JudgeError, Judged, JudgedSteps, compare_runs, judge_steps};
pub use judging::pattern::DifferencePattern;
pub use judging::suppress::{SortedChanges, Suppression, settle};
pub use noise::calibrate::{Calibration, calibrate, changed_since};
pub use noise::mask::Mask;
pub use noise::profile::{PageProfile, Profile};
pub use noise::run::{NoiseLearner, RunNoise};
pub use oracles::expression::Oracle;
pub use oracles::parser::ExpressionError;
pub use oracles::rules::{KeyPattern, OracleRules};
pub use page::document::Document;
