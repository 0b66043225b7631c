//! A project: the folder that holds `restage.toml`, and all that restage keeps for it.
//!
//! - [`Project`] finds the folder and opens what is in it: store, snapshots, state, apps, suites, runs.
//! - `settings/` is `restage.toml`: what it may say ([`Config`]), and rules that commands add to it ([`SettingsFile`]).
//! - [`AcceptedFile`] is `restage.accepted.toml`, [`ProfileFile`] is `restage.noise.toml`.
//! - `secrets/` connects the redaction rules with the store: what replaces secrets, what looks for them, and what a
//!   replay is given in their place.
//! - `interrupted`: one process at a time on the state, and putting back what a killed one left ([`PutBack`]).
//! - [`make_baseline_with_groups`] finds the sessions that met, and replays them together.
//! - [`Selection`] is which sessions to replay, [`find_needs`] which of them need which others.
//!
//! Nothing here prints or reads arguments: the command line and a server use it alike. Every error says where the
//! problem is, what was expected, and what to do ([`ProjectError`]).

mod accepted_file;
mod apps;
mod detect;
mod error;
mod groups;
mod interrupted;
mod judging;
mod keys;
mod maps;
mod needs;
mod noise_file;
mod of_runs;
mod project;
mod recorded_errors;
mod reduction;
mod runs;
mod secrets;
mod selection;
mod sessions;
mod settings;
mod shards;
mod state;
mod toml_text;

pub use accepted_file::{AcceptedFile, Entry, FILE as ACCEPTED_FILE};
pub use detect::{FoundDatabase, FoundKind};
pub use error::{ProjectError, SettingError};
pub use groups::{BaselineAsked, make_baseline_with_groups};
pub use interrupted::{LockAttempt, PutBack};
pub use needs::{FoundNeeds, NeedsGap, find_needs};
pub use noise_file::{FILE as NOISE_FILE, ProfileFile};
pub use of_runs::{FactsSummary, SeenError};
pub use project::Project;
pub use recorded_errors::RecordedErrors;
pub use reduction::{ReducedSuite, reduce};
pub use runs::{RunPair, RunPairNames};
pub use secrets::{Sanitized, Secrets, SweepProgress, redacted_counts, sanitize, sweep};
pub use selection::{Augmented, Selection};
pub use sessions::RECORDED;
pub use settings::{
    AppConfig, Config, FILE as SETTINGS_FILE, FactsConfig, GroupsConfig, Guess, IgnoreConfig, KeysConfig,
    MapConfig, NewRule, OracleConfig, RecordConfig, RedactConfig, ReplayConfig, SettingsFile, StateConfig,
    settings_template,
};
pub use shards::{check_shard, shard_steps};
