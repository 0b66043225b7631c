//! The real binary, run as a user runs it, on real processes and real files.

// Clippy's own exception for tests does not reach their helper functions.
#![allow(clippy::unwrap_used)]

mod accept;
mod aftermath;
mod bad_input;
mod browser;
mod calibrate;
mod compare_files;
mod demo;
mod ignore;
mod large_pages;
mod manuals;
mod own_app;
mod record;
mod reduce;
mod support;
