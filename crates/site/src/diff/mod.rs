//! What a release changed in an application's map: pages, forms, parameters and links that came, went, moved or were renamed.
//!
//! - `site_diff`: what is found, as data; `text`: the same for people;
//! - `compare`: all of it; `nodes`: pages and forms; `parameters`: their fields and parameters; `links`: what leaves them;
//! - `known_users`: what cannot be compared, since only one of the maps has who saw it.

mod compare;
mod known_users;
mod links;
mod nodes;
mod parameters;
mod site_diff;
mod text;

pub use compare::diff;
pub use site_diff::{
    LinkChange, LinkDiff, Move, NodeChange, NodeDiff, ParameterChange, ParameterDiff, PropertyDiff, Reached,
    SharedLinkDiff, SiteDiff,
};
