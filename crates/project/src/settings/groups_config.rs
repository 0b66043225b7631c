//! `groups` in `[replay]` of `restage.toml`: which sessions are replayed together.

use serde::Deserialize;
use serde::de::Error;

/// Which sessions are replayed together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum GroupsConfig {
    /// Those that a baseline finds.
    #[default]
    Auto,
    /// None: each is replayed by itself.
    Off,
    /// These, and no others.
    Listed(Vec<Vec<String>>),
}

impl<'de> Deserialize<'de> for GroupsConfig {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Word(String),
            Groups(Vec<Vec<String>>),
        }
        let expected = r#"it is "auto", "off", or lists of sessions: [["s3", "s4"]]"#;
        match Written::deserialize(deserializer).map_err(|_| D::Error::custom(expected))? {
            Written::Word(word) if word == "auto" => Ok(Self::Auto),
            Written::Word(word) if word == "off" => Ok(Self::Off),
            Written::Word(word) => Err(D::Error::custom(format!("`{word}`: {expected}"))),
            Written::Groups(groups) => match groups.iter().find(|group| group.len() < 2) {
                Some(short) => Err(D::Error::custom(format!(
                    "{short:?} is no group: two sessions or more are replayed together"
                ))),
                None => Ok(Self::Listed(groups)),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<GroupsConfig, String> {
        #[derive(Deserialize)]
        struct Section {
            groups: GroupsConfig,
        }
        toml::from_str::<Section>(text).map(|section| section.groups).map_err(|error| error.to_string())
    }

    #[test]
    fn groups_are_found_or_listed_or_there_are_none() {
        assert_eq!(read("groups = \"auto\""), Ok(GroupsConfig::Auto));
        assert_eq!(read("groups = \"off\""), Ok(GroupsConfig::Off));
        let listed = GroupsConfig::Listed(vec![vec!["s3".to_owned(), "s4".to_owned()]]);
        assert_eq!(read("groups = [[\"s3\", \"s4\"]]"), Ok(listed));
        for (text, told) in
            [("\"on\"", "`on`"), ("[[\"s3\"]]", "no group"), ("[\"s3\"]", "\"auto\""), ("true", "lists")]
        {
            let refused = read(&format!("groups = {text}")).unwrap_err();
            assert!(refused.contains(told), "{refused}");
        }
    }
}
