//! All databases of an application, each once, and what was seen and could not be read.

use super::application::Application;
use super::database::FoundDatabase;
use super::{django_databases, env_databases, php_databases, rails_databases};

/// All databases of an application, and notes on what could not be read.
pub(crate) fn databases(application: &Application<'_>) -> (Vec<FoundDatabase>, Vec<String>) {
    let has = |name: &str| application.folder.join(name).exists();
    let own = if has("manage.py") {
        django_databases::find(application)
    } else if has("bin/rails") || has("config/database.yml") {
        rails_databases::find(application)
    } else if has("artisan") {
        // Its files take everything from `.env`.
        Vec::new()
    } else {
        php_databases::find(application)
    };
    let known = own.iter().any(Result::is_ok);
    let others = if known { Vec::new() } else { env_databases::of_files(application) };
    let mut databases: Vec<FoundDatabase> = Vec::new();
    let mut notes = Vec::new();
    for result in own.into_iter().chain(others) {
        match result {
            Ok(found) if databases.iter().any(|known| known.shown() == found.shown()) => {}
            Ok(found) => databases.push(found),
            Err(note) => notes.push(note),
        }
    }
    notes.dedup();
    (databases, notes)
}
