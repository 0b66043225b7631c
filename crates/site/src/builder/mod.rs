//! A map, made of what was seen: answers that sessions recorded, or that the spider got.
//!
//! - `seen`: one request and its answer; `naming`: which node a request leads to; `resources`: what a browser asks for by itself;
//! - `template`: how the request of an edge is made; `build`: nodes and edges, put together; `contents`: what is known of a node's answers.

mod build;
mod contents;
mod naming;
mod resources;
mod seen;
mod template;

pub use build::SiteBuilder;
pub use naming::{FormTarget, form_targets, link_node, name_template};
pub use resources::computed_resources;
pub use seen::Seen;

pub(crate) use template::site_fields;
