//! What an application's own files tell of its data: which databases it has, and where it keeps its sessions.
//!
//! - `application`: its folder and environment, and what a setting comes to there; `setting`: a value, and where it comes from;
//! - `dotenv`, `php`, `python`, `yaml`, `node`: one file a format, each read without running anything;
//! - `env_databases`, `django_databases`, `rails_databases`, `php_databases`: where each kind of application keeps its settings;
//!   `php_sessions`: the sessions of PHP;
//! - `database`: a database as `[state]` is told of it; `reference`: a value that stays in the application's own file.
//!
//! Invariants: whatever the files hold, nothing panics and nothing is run; no password is copied; what was seen and could not be
//! read is told.

mod application;
mod database;
mod databases;
mod django_databases;
mod dotenv;
mod env_databases;
mod node;
mod php;
mod php_databases;
mod php_sessions;
mod python;
mod rails_databases;
mod reference;
mod setting;
mod yaml;

pub use database::{FoundDatabase, FoundKind};

pub(crate) use application::Application;
pub(crate) use database::{encoded, normalised};
pub(crate) use databases::databases;
pub(crate) use node::{NodeStart, start as node_start};
pub(crate) use php_databases::wordpress_content;
pub(crate) use php_sessions::{PhpSessions, find as php_sessions};
pub(crate) use reference::value_in;
