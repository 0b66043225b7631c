//! Rules that commands write into `restage.toml`, with all that stands there left as it is.

use restage_model::Key;
use restage_oracle::{DifferencePattern, STATE_AND_LOG};
use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, Table, TableLike, Value, value};

use crate::error::SettingError;
use crate::toml_text;

/// A rule to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewRule {
    /// `[[ignore]]`: a kind of difference does not matter on some pages.
    Ignore {
        /// The pages.
        keys: Vec<String>,
        /// The differences.
        difference: DifferencePattern,
        /// Why, for readers.
        reason: Option<String>,
    },
    /// `[[oracle.rules]]`: some pages are judged by another oracle.
    Oracle {
        /// The pages.
        key: String,
        /// The oracle, as written.
        oracle: String,
    },
}

impl NewRule {
    /// A rule that ignores a kind of difference where it was seen.
    pub fn ignoring(
        keys: &[Key],
        in_aftermaths: bool,
        difference: DifferencePattern,
        reason: Option<&str>,
    ) -> Self {
        let mut keys: Vec<String> = keys.iter().map(ToString::to_string).collect();
        keys.sort();
        keys.extend(in_aftermaths.then(|| STATE_AND_LOG.to_owned()));
        Self::Ignore { keys, difference, reason: reason.map(str::to_owned) }
    }

    /// The rule alone, as it is going to stand in the file.
    pub fn text(&self) -> String {
        let mut document = DocumentMut::new();
        self.put(&mut document);
        document.to_string()
    }

    /// Puts the rule into the text of a `restage.toml`.
    pub fn put_into(&self, text: &str) -> Result<String, SettingError> {
        let mut document: DocumentMut =
            text.parse().map_err(|e: toml_edit::TomlError| SettingError::new(e))?;
        let name = match self {
            Self::Ignore { .. } => "ignore",
            Self::Oracle { .. } => "oracle.rules",
        };
        self.put(&mut document).ok_or_else(|| {
            SettingError::new(format!("cannot add a rule to `{name}`: it is not written as [[{name}]]"))
                .or_hint(format!("write its entries as [[{name}]]"))
        })?;
        Ok(document.to_string())
    }

    fn put(&self, document: &mut DocumentMut) -> Option<()> {
        match self {
            Self::Ignore { .. } => toml_text::push(document, "ignore", self.table()),
            Self::Oracle { key, oracle } => put_oracle(document, key, oracle, self.table()),
        }
    }

    fn table(&self) -> Table {
        let mut table = Table::new();
        match self {
            Self::Ignore { keys, difference, reason } => {
                let key = match keys.as_slice() {
                    [only] => value(only),
                    all => value(all.iter().collect::<Array>()),
                };
                table.insert("key", key);
                table.insert("difference", value(difference.to_string()));
                if let DifferencePattern::At { place, was, is } = difference {
                    table.insert("format", value(2));
                    if let Some(place) = toml_text::inline(place) {
                        table.insert("place", value(place));
                    }
                    for (name, side) in [("was", was), ("is", is)] {
                        if let Some(side) = side {
                            table.insert(name, value(side));
                        }
                    }
                }
                if let Some(reason) = reason {
                    table.insert("reason", value(reason));
                }
            }
            Self::Oracle { key, oracle } => {
                table.insert("key", value(key));
                table.insert("oracle", value(oracle));
            }
        }
        table
    }
}

/// A rule for the same pages gets the new oracle; another one goes before all others, since the first that matches decides.
fn put_oracle(document: &mut DocumentMut, key: &str, oracle: &str, mut table: Table) -> Option<()> {
    let section = document.entry("oracle").or_insert_with(|| {
        let mut section = Table::new();
        section.set_implicit(true);
        Item::Table(section)
    });
    let rules = section
        .as_table_like_mut()?
        .entry("rules")
        .or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    match rules {
        Item::ArrayOfTables(rules) => {
            if let Some(rule) = rules.iter_mut().find(|rule| is_for(*rule, key)) {
                rule.insert("oracle", value(oracle));
                return Some(());
            }
            // Among tables of one place in the file, the order here decides.
            table.set_position(rules.get(0).and_then(Table::position));
            rules.insert(0, table);
        }
        Item::Value(Value::Array(rules)) => {
            let known =
                rules.iter_mut().filter_map(Value::as_inline_table_mut).find(|rule| is_for(*rule, key));
            match known {
                Some(rule) => drop(rule.insert("oracle", oracle.into())),
                None => rules.insert(0, table.into_inline_table()),
            }
        }
        _ => return None,
    }
    Some(())
}

fn is_for(rule: &dyn TableLike, key: &str) -> bool {
    rule.get("key").and_then(Item::as_str) == Some(key)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::settings::Config;

    fn ignoring() -> NewRule {
        NewRule::Ignore {
            keys: vec!["GET /a".to_owned()],
            difference: DifferencePattern::Told("text \"*\" appeared (after \"b\")".to_owned()),
            reason: None,
        }
    }

    fn judging(key: &str, oracle: &str) -> NewRule {
        NewRule::Oracle { key: key.to_owned(), oracle: oracle.to_owned() }
    }

    fn oracles(text: &str) -> Vec<String> {
        let rules = Config::parse(Path::new("restage.toml"), text).unwrap().oracle_rules().unwrap();
        rules.rules.iter().map(|(key, oracle)| format!("{key} {oracle}")).collect()
    }

    const FILE: &str = "# mine\n[app]\ncommand   = 'run'\n\n[state]\nsqlite = [ 'a.db' ] # the data\n\n[app.v2]\ndir = \"v2\"\n\n# [record]\n# upstream = \"x\"\n";

    #[test]
    fn it_is_added_at_the_end_and_all_else_stays() {
        let text = ignoring().put_into(FILE).unwrap();
        assert_eq!(
            text,
            format!(
                "{FILE}\n[[ignore]]\nkey = \"GET /a\"\ndifference = 'text \"*\" appeared (after \"b\")'\n"
            )
        );
        let twice = ignoring().put_into(&text).unwrap();
        assert_eq!(twice, format!("{text}\n{}", ignoring().text()));
        assert_eq!(Config::parse(Path::new("f"), &twice).unwrap().ignore_rules().unwrap().len(), 2);
        assert_eq!(ignoring().put_into("").unwrap(), ignoring().text());
    }

    #[test]
    fn an_oracle_goes_before_the_others_or_replaces_its_own() {
        let text = judging("GET /a", "Flist").put_into(FILE).unwrap();
        assert_eq!(
            text.replace("[[oracle.rules]]\nkey = \"GET /a\"\noracle = \"Flist\"\n", "")
                .replace("\n\n\n", "\n\n")
                .trim(),
            FILE.trim()
        );
        let text = judging("GET *", "N").put_into(&text).unwrap();
        assert_eq!(oracles(&text), ["GET * N", "GET /a Flist"]);
        let text = judging("GET /a", "C-W").put_into(&text).unwrap();
        assert_eq!(oracles(&text), ["GET * N", "GET /a C-W"]);
        let commented = "[oracle]\ndefault = \"D\"\n# pages\n[[oracle.rules]] # one\nkey = 'GET /x'\noracle = 'T'\n\n[state]\n";
        let text = judging("GET /a", "N").put_into(commented).unwrap();
        assert_eq!(oracles(&text), ["GET /a N", "GET /x T"]);
        assert!(text.contains("# pages\n[[oracle.rules]] # one\nkey = 'GET /x'\n"), "{text}");
    }

    #[test]
    fn other_ways_to_write_it() {
        let inline = "oracle = { default = \"D\", rules = [{ key = \"GET /x\", oracle = \"T\" }] }\n";
        let text = judging("GET /a", "N").put_into(inline).unwrap();
        assert_eq!(oracles(&text), ["GET /a N", "GET /x T"]);
        assert_eq!(oracles(&judging("GET /x", "N").put_into(inline).unwrap()), ["GET /x N"]);
        let said = ignoring()
            .put_into("ignore = [{ key = \"GET /x\", difference = \"y\" }]\n")
            .unwrap_err()
            .to_string();
        assert!(said.contains("not written as [[ignore]]"), "{said}");
    }
}
