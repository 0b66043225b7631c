//! `restage.toml`: its sections, and what commands write into it.

mod address;
mod config;
mod groups_config;
mod guess;
mod hosts;
mod ignore_config;
mod new_rule;
mod oracle_config;
mod redact_config;
mod settings_file;
mod template;

pub(crate) use hosts::allowed_address;

pub use config::{
    AppConfig, Config, FILE, FactsConfig, KeysConfig, MapConfig, RecordConfig, ReplayConfig, StateConfig,
};
pub use groups_config::GroupsConfig;
pub use guess::Guess;
pub use ignore_config::IgnoreConfig;
pub use new_rule::NewRule;
pub use oracle_config::OracleConfig;
pub use redact_config::RedactConfig;
pub use settings_file::SettingsFile;
pub use template::settings_template;
