//! The real binary, run as a user runs it, on real processes and real files.

// Clippy's own exception for tests does not reach their helper functions.
#![allow(clippy::unwrap_used)]

mod bad_input;
mod browser;
mod compare_files;
mod demo;
mod large_pages;
mod manuals;
mod own_app;
mod record;
mod support;
