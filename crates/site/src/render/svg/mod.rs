//! An SVG of a map: layers by distance from home, from left to right, after Sugiyama.
//!
//! - `lines`: edges between the same two nodes as one; `menus`: links that many pages share, listed once instead of drawn from each;
//! - `blocks`: nodes that the same pages lead to, placed as one; `scene`: which lines are drawn, and which layers they pass;
//! - `ordering`: the order in each layer; `placement`: how high everything stands; `arrange`: the scene, placed; `curves`: its lines;
//! - `caption`: what is written on a node, and how long it may be;
//! - `picture`: all of it as a file; `header`: its title, legend and menus; `boxes`, `strokes`: its nodes and lines.
//!
//! The file needs nothing but itself: no script, no font, no style sheet. All that pages say is escaped by maud, and made plain before.

mod arrange;
mod blocks;
mod boxes;
mod caption;
mod curves;
mod header;
mod lines;
mod menus;
mod ordering;
mod picture;
mod placement;
mod scene;
mod strokes;

pub use picture::svg;
