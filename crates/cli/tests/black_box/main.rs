//! The real binary, run as a user runs it, on real processes and real files.

// Clippy's own exception for tests does not reach their helper functions.
#![allow(clippy::unwrap_used)]

mod accept;
mod aftermath;
mod analyze;
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
mod facts;
mod fidelity;
mod front_controller;
mod generate;
mod groups;
mod hook;
mod hosts;
mod ignore;
mod import;
mod init;
mod jobs;
mod killed;
mod large_pages;
mod live_values;
mod made_steps;
mod manuals;
mod map;
mod map_scripted;
mod needs;
mod old_project;
mod one_address;
mod one_at_a_time;
mod overlap;
mod own_app;
mod prints;
mod read_only;
mod record;
mod redact;
mod reduce;
mod regenerate;
mod regenerate_pairs;
mod repair;
mod restart;
mod servers;
mod shards;
mod stop;
mod subjects;
mod support;
mod tokens;
mod walk;
