//! What stands for something in `command` and `env`: `{port}`, `{copy}`, `{database}` and `{database:NAME}`.

use restage_state::StateCopy;

/// What begins the name of one of several databases.
const NAMED: &str = "{database:";

/// A text of the app's settings with its placeholders filled in, as a copy has them. `database` is the first one of the state.
pub(crate) fn filled(text: &str, port: u16, copy: &StateCopy, database: Option<&str>) -> String {
    let mut text = text.replace("{port}", &port.to_string()).replace("{copy}", &copy.number.to_string());
    if let Some(name) = database {
        text = text.replace("{database}", &copy.database(name));
    }
    for name in databases_named(&text.clone()) {
        text = text.replace(&format!("{NAMED}{name}}}"), &copy.database(name));
    }
    text
}

/// The databases that a text asks for by name.
pub fn databases_named(text: &str) -> Vec<&str> {
    text.split(NAMED).skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name)).collect()
}

/// Whether a text tells the app which database it has: the first one, or this one by its name.
pub(crate) fn tells_database(text: &str, name: &str, is_first: bool) -> bool {
    is_first && text.contains("{database}") || databases_named(text).contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: a second copy is told the first one's number, or works on its database.
    #[test]
    fn placeholders_are_the_copys_own() {
        let text = "serve --port {port} --db {database} --log {database:log} --name c{copy}";
        let first = StateCopy::default();
        assert_eq!(filled(text, 80, &first, Some("shop")), "serve --port 80 --db shop --log log --name c1");
        let second = StateCopy { number: 2, moved: Vec::new() };
        assert_eq!(
            filled(text, 81, &second, Some("shop")),
            "serve --port 81 --db shop_restage_2 --log log_restage_2 --name c2"
        );
        assert_eq!(filled("{database} {database:", 81, &second, None), "{database} {database:");
        assert!(tells_database(text, "shop", true) && tells_database(text, "log", false));
        assert!(!tells_database(text, "other", false));
    }
}
