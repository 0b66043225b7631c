//! The probes that come with restage: what each is made of, and what brings it into an application.
//!
//! Their code is in `crates/facts/probes/`, one folder a language.

mod environment;
mod node;
mod php;
mod probe;
mod python;
mod ruby;

pub use probe::{Probe, ProbeSetting};

/// All probes. Each reads the variables of its own language alone, so an application is given all of them.
pub fn probes() -> &'static [Probe] {
    &[php::PHP, python::PYTHON, node::NODE, ruby::RUBY]
}
