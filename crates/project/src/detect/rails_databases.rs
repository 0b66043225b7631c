//! Databases of a Rails application: `config/database.yml`, for the environment that it runs in.

use super::application::Application;
use super::database::{Field, Fields, FoundDatabase, by_address, by_fields};
use super::env_databases;
use super::setting::Setting;
use super::yaml::{self, Node};

const FILE: &str = "config/database.yml";

/// Every database of the environment that the application runs in, `development` where `RAILS_ENV` does not say.
pub(crate) fn find(application: &Application<'_>) -> Vec<Result<FoundDatabase, String>> {
    // It takes precedence in Rails.
    if let Some(found) = env_databases::of_address(application) {
        return vec![found];
    }
    let Some(text) = application.read(FILE) else {
        let is_rails = application.folder.join("bin/rails").is_file();
        let note = || Err(format!("there is no {FILE}: set [state] in restage.toml"));
        return is_rails.then(note).into_iter().collect();
    };
    let setting =
        Setting::Environment { name: "RAILS_ENV".to_owned(), default: Some("development".to_owned()) };
    let environment = application.resolve(FILE, "RAILS_ENV", &setting).value.unwrap_or_default();
    let all = yaml::parse(&text);
    let Some(section) = all.get(&environment) else {
        return vec![Err(format!(
            "{FILE} has no `{environment}` that could be read: set [state] in restage.toml"
        ))];
    };
    let several =
        section.members().iter().filter(|(_, node)| node.get("database").or(node.get("url")).is_some());
    let several: Vec<(String, &Node)> =
        several.map(|(name, node)| (format!("{environment}.{name}"), node)).collect();
    if several.is_empty() {
        return vec![database(application, &environment, section)];
    }
    several.iter().map(|(path, node)| database(application, path, node)).collect()
}

fn database(application: &Application<'_>, path: &str, node: &Node) -> Result<FoundDatabase, String> {
    let field = |name: &str| {
        let setting = node.get(name)?.setting()?;
        Some(Field { name: format!("{path}.{name}"), setting })
    };
    if let Some(url) = field("url") {
        return by_address(application, FILE, &url.name, &url.setting);
    }
    let fields = Fields {
        kind: field("adapter"),
        host: field("host"),
        port: field("port"),
        name: field("database"),
        user: field("username"),
        password: field("password"),
        socket: field("socket"),
    };
    by_fields(application, FILE, &fields, None)
}
