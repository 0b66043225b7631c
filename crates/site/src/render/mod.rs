//! A map as a picture.
//!
//! - `dot`: for Graphviz; `svg`: a picture of its own, that a person can read;
//! - `layers`: how far each node is from home; `palette`: a colour for each set of users.
//!
//! What a page says about itself is hostile input: nothing of it reaches a file unescaped.

mod dot;
mod layers;
mod palette;
mod svg;

pub use dot::dot;
pub use svg::svg;
