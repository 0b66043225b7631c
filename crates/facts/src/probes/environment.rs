//! Variables that every probe is told, and those that the application has already.

use crate::{ProbeSetting, Want};

/// What all probes are told: `RESTAGE_FACTS`, `RESTAGE_FACTS_WANT`, `RESTAGE_FACTS_ROOT`.
pub(super) fn shared(setting: &ProbeSetting) -> Vec<(String, String)> {
    let want: Vec<&str> = setting.want.iter().map(|want| Want::name(*want)).collect();
    vec![
        ("RESTAGE_FACTS".into(), setting.facts.clone()),
        ("RESTAGE_FACTS_WANT".into(), want.join(",")),
        ("RESTAGE_FACTS_ROOT".into(), setting.roots.join(":")),
    ]
}

/// The value of a variable with something put before what the application has in it.
pub(super) fn extended(setting: &ProbeSetting, name: &str, first: &str, separator: &str) -> String {
    match setting.inherited.get(name).filter(|value| !value.is_empty()) {
        Some(value) => format!("{first}{separator}{value}"),
        None => first.to_owned(),
    }
}

/// The folder that all of the application's folders are in.
pub(super) fn common_root(roots: &[String]) -> String {
    let mut common: Option<Vec<&str>> = None;
    for root in roots {
        let parts: Vec<&str> = root.trim_end_matches('/').split('/').collect();
        common = Some(match common {
            None => parts,
            Some(before) => {
                before.iter().zip(&parts).take_while(|(a, b)| a == b).map(|(part, _)| *part).collect()
            }
        });
    }
    match common.unwrap_or_default().join("/") {
        empty if empty.is_empty() => "/".to_owned(),
        folder => folder,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_common_root_ends_at_a_folder() {
        let root =
            |roots: &[&str]| common_root(&roots.iter().map(|root| (*root).to_owned()).collect::<Vec<_>>());
        assert_eq!(root(&["/srv/shop/"]), "/srv/shop");
        assert_eq!(root(&["/srv/shop", "/srv/shopping"]), "/srv");
        assert_eq!(root(&["/a", "/b"]), "/");
        assert_eq!(root(&[]), "/");
    }
}
