//! Comparators, oracle expressions, verdicts and changes (paper 1, section 5; paper 2).
//!
//! A [`Comparator`] is a named point in a small space of [`Features`]. A response is read once into a
//! [`Document`]: its words, and one atom a tag that already holds the hash each kind of comparator
//! needs. A comparator is then a selection of atoms and words, and no comparator parses again.
//!
//! - `elements`, `lookup`: which tags and attributes belong to style, layout, scripts; which are important;
//! - `features`, `comparator`: the space, and the named points in it;
//! - `comparators`, `definition`: a project's own points;
//! - `document`, `tag`, `text`, `dates`, `relative`, `calendar`, `listed`: a response prepared for comparison;
//! - `view`: what a comparator sees of it;
//! - `stretches`: where two sequences differ; `hunks`, `difference`, `tag_difference`: what a person would say changed;
//! - `expression`, `parser`: `C-WD | N+I`; `rules`: which one for which key;
//! - `json`, `xml`, `plain`, `binary`, `headers`: what is not a page, each compared in its own way; `align` lines up
//!   lists, `said` puts what differs into words;
//! - `errors`: the errors a server printed into a page or a log (paper 4, section 5.2);
//! - `format`, `insides`: which of these for which body;
//! - `noise`: what varies on one and the same version, and masks for just that;
//! - `inspection`: a step of one run beside that of another; `judge`: run + run → verdicts; `sightings`: who sees what;
//! - `changes`: the same difference on many steps, or after many sessions, is one change;
//! - `settle`: changes that fail nothing, since they were `accepted` or a rule has them `ignored`, by a `pattern` of what is
//!   said of them.

mod accepted;
mod align;
mod binary;
mod calendar;
mod changes;
mod comparator;
mod comparators;
mod dates;
mod definition;
mod difference;
mod digest;
mod document;
mod elements;
mod errors;
mod expression;
mod features;
mod flist;
mod format;
mod headers;
mod hunks;
mod ignored;
mod insides;
mod inspection;
mod json;
mod judge;
mod listed;
mod lookup;
mod noise;
mod parser;
mod pattern;
mod plain;
mod relative;
mod rules;
mod said;
mod settle;
mod sightings;
mod stretches;
mod tag;
mod tag_difference;
mod text;
mod view;
mod xml;

pub use accepted::{Accepted, can_be_accepted, differs_in_numbers, names_no_place};
pub use binary::binary_differences;
pub use changes::{change_id, group_changes};
pub use comparator::{Comparator, compare};
pub use comparators::{Comparators, NameError};
pub use definition::{Definition, DefinitionError};
pub use document::Document;
pub use errors::{ErrorKind, ServerError, find_errors, find_logged_errors, new_errors, unexpected_errors};
pub use expression::Oracle;
pub use features::{Features, FormDetail, TagDetail, TextDetail};
pub use flist::{PageFlow, flow_differences, redirect_shape};
pub use headers::header_differences;
pub use ignored::{IgnoreRule, STATE_AND_LOG};
pub use insides::{differ_inside, insides};
pub use json::{JsonRules, json_differences};
pub use judge::{BodySource, JudgeError, Judged, compare_runs, compare_runs_knowing};
pub use noise::calibrate::{Calibration, calibrate, changed_since};
pub use noise::mask::Mask;
pub use noise::profile::{PageProfile, Profile};
pub use noise::run::{NoiseLearner, RunNoise};
pub use parser::ExpressionError;
pub use pattern::DifferencePattern;
pub use plain::plain_differences;
pub use rules::{KeyPattern, OracleRules};
pub use settle::settle;
pub use sightings::{Sighting, sightings};
pub use xml::xml_differences;
