//! `[oracle]` and `[comparators]` of `restage.toml`: by what answers are judged.

use std::collections::BTreeMap;

use restage_model::DifferenceKind;
use restage_oracle::{Comparators, Definition, JsonRules, KeyPattern, Oracle, OracleRules};
use serde::Deserialize;

use crate::error::SettingError;

/// `[oracle]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OracleConfig {
    default: String,
    rules: Vec<RuleConfig>,
    /// Whether the state after each session is compared.
    pub state: bool,
    /// From which kind on a difference fails a test.
    #[serde(rename = "fail-on")]
    pub fail_on: Option<DifferenceKind>,
    headers: bool,
    json: JsonConfig,
}

/// `[oracle.json]`.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct JsonConfig {
    unordered: bool,
    tolerance: f64,
}

impl Default for OracleConfig {
    fn default() -> Self {
        Self {
            default: "C-WD | N+I".to_owned(),
            rules: Vec::new(),
            state: true,
            fail_on: None,
            headers: true,
            json: JsonConfig::default(),
        }
    }
}

/// `[[oracle.rules]]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleConfig {
    key: String,
    oracle: String,
}

/// `[comparators]`: a project's own, by name.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(transparent)]
pub(crate) struct ComparatorsConfig(BTreeMap<String, Definition>);

impl ComparatorsConfig {
    /// The comparators that expressions may name.
    pub(crate) fn comparators(&self) -> Result<Comparators, SettingError> {
        let mut comparators = Comparators::default();
        for (name, definition) in &self.0 {
            let place = |e: &dyn std::fmt::Display| {
                SettingError::new(e).in_section(format_args!("[comparators.{name}]"))
            };
            let features = definition.features().map_err(|e| place(&e))?;
            comparators.define(name, features).map_err(|e| place(&e))?;
        }
        Ok(comparators)
    }
}

impl OracleConfig {
    /// Which oracle judges which pages.
    pub fn rules(&self, comparators: &Comparators) -> Result<OracleRules, SettingError> {
        let mut rules = Vec::new();
        for (number, rule) in self.rules.iter().enumerate() {
            let section = format!("[[oracle.rules]] {}", number + 1);
            check_key(&rule.key).map_err(|e| e.in_section(&section))?;
            let oracle = Oracle::parse(&rule.oracle, comparators)
                .map_err(|e| SettingError::new(e).in_section(&section))?;
            rules.push((KeyPattern::new(&rule.key), oracle));
        }
        let default = Oracle::parse(&self.default, comparators)
            .map_err(|e| SettingError::new(e).in_section("[oracle] default"))?;
        let JsonConfig { unordered, tolerance } = self.json;
        if !(0.0..1.0).contains(&tolerance) {
            return Err(SettingError::new(format!("a tolerance of {tolerance} makes no sense"))
                .or_hint("it is the relative difference that numbers may have: 0.001")
                .in_section("[oracle.json]"));
        }
        Ok(OracleRules { rules, default, json: JsonRules { unordered, tolerance }, headers: self.headers })
    }
}

/// A key begins with its method: a rule that lacks it matches nothing, and nobody would notice.
pub(crate) fn check_key(key: &str) -> Result<(), SettingError> {
    if key.contains('*') || key.contains(' ') {
        return Ok(());
    }
    Err(SettingError::new(format!("`{key}` is no key"))
        .or_hint("a key is a method and a path, as in \"GET /book/{n}?page\"; * stands for anything"))
}

#[cfg(test)]
mod tests {
    use restage_model::Key;

    use super::*;

    #[derive(Deserialize)]
    struct File {
        #[serde(default)]
        oracle: OracleConfig,
        #[serde(default)]
        comparators: ComparatorsConfig,
    }

    fn rules(text: &str) -> Result<OracleRules, String> {
        let file: File = toml::from_str(text).map_err(|e| e.to_string())?;
        let rules = |file: File| file.oracle.rules(&file.comparators.comparators()?);
        rules(file).map_err(|e| e.to_string())
    }

    #[test]
    fn own_comparators_and_rules() {
        let rules = rules(
            "[comparators.mine]\ntext = \"words-without-dates\"\ntags = \"names\"\nlayout = false\nin-place = true\n\
             [oracle]\ndefault = \"mine | D\"\n\
             [[oracle.rules]]\nkey = \"GET /book/*\"\noracle = \"N+F & mine\"\n",
        )
        .unwrap();
        assert_eq!(rules.default.to_string(), "mine | D");
        assert_eq!(rules.of(&Key::of("GET", "/book/7", "")).to_string(), "N+F & mine");
        assert_eq!(self::rules("").unwrap().default.to_string(), "C-WD | N+I");
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        for (text, said) in [
            (
                "[comparators.c-w]\ntext = \"words\"",
                "in [comparators.c-w]: a comparator is called `c-w` already",
            ),
            ("[comparators.mine]", "in [comparators.mine]: it looks at nothing"),
            ("[comparators.mine]\ntext = \"some\"", "unknown variant `some`"),
            ("[comparators.mine]\nwords = true", "unknown field `words`"),
            ("[comparators.\"a b\"]\ntext = \"words\"", "`a b` cannot name a comparator"),
            ("[oracle]\ndefault = \"mine\"", "in [oracle] default: in the oracle `mine`, at character 1"),
            ("[[oracle.rules]]\nkey = \"/book\"\noracle = \"D\"", "in [[oracle.rules]] 1: `/book` is no key"),
            (
                "[[oracle.rules]]\nkey = \"GET /*\"\noracle = \"D |\"",
                "in [[oracle.rules]] 1: in the oracle `D |`",
            ),
            ("[[oracle.rules]]\nkey = \"GET /*\"", "missing field `oracle`"),
            ("[oracle.json]\ntolerance = 5.0", "in [oracle.json]: a tolerance of 5 makes no sense"),
        ] {
            let error = rules(text).unwrap_err();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
