//! The probes in real interpreters, on small applications: what they see, and that nobody notices them.

mod application;
mod node;
mod php;
mod python;
mod ruby;
