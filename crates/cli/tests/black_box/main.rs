//! The real binary, run as a user runs it, on real processes and real files.

// Clippy's own exception for tests does not reach their helper functions.
#![allow(clippy::unwrap_used)]

mod accept;
mod aftermath;
mod bad_input;
mod browser;
mod calibrate;
mod clock;
mod compare_files;
mod crash;
mod database_server;
mod demo;
mod disk_full;
mod documents;
mod hook;
mod hosts;
mod ignore;
mod import;
mod jobs;
mod large_pages;
mod live_values;
mod made_steps;
mod manuals;
mod needs;
mod old_project;
mod overlap;
mod own_app;
mod prints;
mod record;
mod redact;
mod reduce;
mod servers;
mod shards;
mod support;
mod walk;
