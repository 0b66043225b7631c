//! The real binary, run as a user runs it, on real processes and real files.

mod bad_input;
mod browser;
mod demo;
mod manuals;
mod own_app;
mod record;
mod support;
