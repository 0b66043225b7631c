//! How well the oracles do: precision, recall and F-measure on the bookstore's faults, in the shape of paper 2,
//! sections 4 and 5.
//!
//! - `truth`: where each fault shows, with chance and the clock fixed;
//! - `counts`: right and wrong reports, and the measures made of them;
//! - `judging`: the ways to judge a run, from a comparator alone to what `restage test` does;
//! - `trial`: every faulty run and its clean twin under one way, and the score of an oracle on them;
//! - `unions`: the best of all pairs and triples of comparators;
//! - `clean_pairs`: what the comparators report between runs of the clean release;
//! - `wrongly`: which steps are judged wrongly, and what is masked there;
//! - `spread`, `boxes`: quartiles, and box plots of them as SVG;
//! - `report`, `score_tables`: the study as Markdown.

mod boxes;
mod clean_pairs;
mod counts;
mod judging;
mod report;
mod score_tables;
mod spread;
mod trial;
mod truth;
mod unions;
mod wrongly;

pub use boxes::{BoxPlot, Group};
pub use clean_pairs::CleanPairs;
pub use counts::Counts;
pub use judging::Judging;
pub use report::OracleStudy;
pub use spread::Spread;
pub(crate) use spread::{mean, median};
pub use trial::{Case, Score, Trial};
pub use truth::{Shown, Truth};
pub use unions::{Ranked, best_unions};
pub use wrongly::wrongly;
