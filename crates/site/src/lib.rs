//! The site: an application's map, and what is made of it (papers 3 and 5).
//!
//! - `map_file`: the map as other programs read and write it; what they add to it is kept;
//! - `site`: the map as restage builds it: pages, forms, and how requests are made; `site_file`: the same as a file;
//! - `builder`: a map, made of what was seen;
//! - `tables`: what forms are filled in with: what sessions sent, and constants;
//! - `correspondence`: which node of a newer map is which of an older one;
//! - `graph`: its nodes and edges by number, for algorithms; `bits`: sets of nodes, and relations among them;
//! - `site_index`: a site's nodes and edges by number; `plain`: foreign text made fit to show;
//! - `independent_paths`: every edge in exactly one path (paper 3, step 3); `labelled_paths`: the same as people read them;
//! - `generate`: sequences that cover every edge, or every ordered pair of dynamic nodes (paper 5);
//! - `user_graph`: what of a map each kind of user can go along; `combinations`: of enumerated values;
//! - `coverage`: what sequences cover, by code that knows nothing of how they were made;
//! - `repair`: sessions of an old version made paths of the new version's map (paper 3, step 4).
//! - `render`: a map as a picture, and for Graphviz;
//! - `correspondence`: which node of a release is which of the one before; `diff`: what the release changed.
//!
//! No I/O.

mod bits;
mod builder;
mod combinations;
mod correspondence;
mod coverage;
mod diff;
mod generate;
mod graph;
mod independent_paths;
mod labelled_paths;
mod map_file;
mod plain;
mod render;
pub mod repair;
mod site;
mod site_file;
mod site_index;
mod tables;
mod user_graph;

pub use builder::{
    FormTarget, Seen, SiteBuilder, computed_resources, form_targets, link_node, name_template,
};
pub use combinations::{Factor, each_value, pairwise};
pub use correspondence::{
    Correspondence, Evidence, FieldMatch, FieldReason, NodeMatch, Reason, correspondence,
};
pub use coverage::{Coverage, CoverageError};
pub use diff::{
    LinkChange, LinkDiff, Move, NodeChange, NodeDiff, ParameterChange, ParameterDiff, PropertyDiff, Reached,
    SharedLinkDiff, SiteDiff, diff,
};
pub use generate::{Criterion, Limits, Sequences, generate, paper_heuristic};
pub use graph::{Graph, NodeIndex};
pub use independent_paths::independent_paths;
pub use labelled_paths::{LabelledPath, PathStep, labelled_paths, paths_text};
pub use map_file::{MapEdge, MapError, MapNode, NodeId, SiteMap};
pub use render::{dot, svg};
pub use site::{
    ANONYMOUS, EdgeKind, NodeKind, ParameterPlace, RequestTemplate, SeenBy, Site, SiteEdge, SiteField,
    SiteNode, SiteParameter, SiteUser, ValueSource,
};
pub use tables::{ConstantTable, FilledFields, LookupTable, Submission, fill_fields};
pub use user_graph::{UserGraph, user_graphs};
