//! `[[ignore]]` of `restage.toml`: what does not matter on some pages.

use restage_model::Place;
use restage_oracle::{DifferencePattern, IgnoreRule, KeyPattern};
use serde::Deserialize;

use super::oracle_config::check_key;
use crate::error::SettingError;

/// One `[[ignore]]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct IgnoreConfig {
    key: Keys,
    /// What is told of it: a pattern, or for readers where the place is given.
    difference: Option<String>,
    seen_by: Option<String>,
    /// 2 where the place is given.
    #[serde(rename = "format")]
    _format: Option<u32>,
    place: Option<Place>,
    was: Option<String>,
    is: Option<String>,
    /// For readers.
    #[serde(rename = "reason")]
    _reason: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a key such as \"GET /cart\", or a list of keys")]
enum Keys {
    One(String),
    Many(Vec<String>),
}

/// The rules of all `[[ignore]]`.
pub(crate) fn ignore_rules(configs: &[IgnoreConfig]) -> Result<Vec<IgnoreRule>, SettingError> {
    configs
        .iter()
        .enumerate()
        .map(|(at, c)| c.rule().map_err(|e| e.in_section(format_args!("[[ignore]] {}", at + 1))))
        .collect()
}

impl IgnoreConfig {
    fn rule(&self) -> Result<IgnoreRule, SettingError> {
        let keys = match &self.key {
            Keys::One(key) => std::slice::from_ref(key),
            Keys::Many(keys) => keys,
        };
        if keys.is_empty() {
            return Err(SettingError::new("`key` names no page").or_hint("\"*\" is all pages"));
        }
        keys.iter().try_for_each(|key| check_key(key))?;
        let difference = match &self.place {
            Some(place) => {
                DifferencePattern::At { place: place.clone(), was: self.was.clone(), is: self.is.clone() }
            }
            None => DifferencePattern::Told(self.difference.clone().unwrap_or_else(|| "*".to_owned())),
        };
        if difference.is_anything() && self.seen_by.is_none() {
            return Err(SettingError::new("it would ignore every difference, even a missing page").or_hint(
                "say which `difference`, as reports name it, with * for anything; to judge a page by its status and flow \
                 alone, use [[oracle.rules]] with oracle = \"Flist\"",
            ));
        }
        Ok(IgnoreRule {
            keys: keys.iter().map(KeyPattern::new).collect(),
            seen_by: self.seen_by.clone(),
            difference,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct File {
        ignore: Vec<IgnoreConfig>,
    }

    fn rules(text: &str) -> Result<Vec<IgnoreRule>, String> {
        let file: File = toml::from_str(text).map_err(|e| e.to_string())?;
        ignore_rules(&file.ignore).map_err(|e| e.to_string())
    }

    #[test]
    fn one_key_or_many() {
        let rules = rules(
            "[[ignore]]\nkey = \"GET /a\"\ndifference = \"x *\"\nreason = \"a clock\"\n\
             [[ignore]]\nkey = [\"GET /b\", \"state and log\"]\nseen-by = \"Errors\"\n",
        )
        .unwrap();
        assert_eq!(rules[0].to_string(), "GET /a: x *");
        assert_eq!(rules[1].to_string(), "GET /b, state and log: * (seen by Errors)");
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        for (text, said) in [
            ("[[ignore]]\nkey = \"GET /a\"", "in [[ignore]] 1: it would ignore every difference"),
            ("[[ignore]]\nkey = \"GET /a\"\ndifference = \"**\"", "it would ignore every difference"),
            ("[[ignore]]\nkey = \"/a\"\ndifference = \"x\"", "in [[ignore]] 1: `/a` is no key"),
            ("[[ignore]]\nkey = []\ndifference = \"x\"", "`key` names no page"),
            ("[[ignore]]\nkey = 3\ndifference = \"x\"", "or a list of keys"),
            ("[[ignore]]\ndifference = \"x\"", "missing field `key`"),
            ("[[ignore]]\nkey = \"*\"\ndiference = \"x\"", "unknown field `diference`"),
        ] {
            let error = rules(text).unwrap_err();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
