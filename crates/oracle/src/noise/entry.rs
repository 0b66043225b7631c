//! A mask as it is written in a file.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::mask::{Group, Mask, Part, Ties};

/// A mask, field by field. One of `attribute`, `text`, `order`, `number` and `presence` says which part it is of.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Entry {
    at: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    attribute: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    like: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    order: Option<Order>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    number: Option<Any>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    presence: Option<Any>,
    /// Ties of which some are left out for others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    substitutes: Vec<BTreeSet<String>>,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    seen: BTreeSet<String>,
    /// The sessions in which it holds; all where there are none.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    sessions: BTreeSet<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Order {
    Any(Any),
    Ties(Vec<BTreeSet<String>>),
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Any {
    Any,
}

impl From<Mask> for Entry {
    fn from(mask: Mask) -> Self {
        let mut entry =
            Self { at: mask.at.to_string(), seen: mask.seen, sessions: mask.sessions, ..Self::default() };
        match mask.part {
            Part::Attribute { name, like } => {
                entry.attribute = Some(name);
                entry.like = Some(like.to_string());
            }
            Part::Text { like } => entry.text = Some(like.to_string()),
            Part::Order(Ties::All) => entry.order = Some(Order::Any(Any::Any)),
            Part::Order(Ties::Groups(groups)) => {
                let of = |substitutes: bool| {
                    let of = groups.iter().filter(|g| g.substitutes == substitutes);
                    of.map(|g| g.items.clone()).collect::<Vec<_>>()
                };
                entry.substitutes = of(true);
                entry.order = Some(Order::Ties(of(false)));
            }
            Part::Length => entry.number = Some(Any::Any),
            Part::Presence => entry.presence = Some(Any::Any),
        }
        entry
    }
}

impl TryFrom<Entry> for Mask {
    type Error = String;

    fn try_from(entry: Entry) -> Result<Self, String> {
        let whole = || "{text}".to_owned();
        let mut parts = Vec::new();
        if let Some(name) = entry.attribute {
            parts.push(Part::Attribute { name, like: entry.like.unwrap_or_else(whole).parse()? });
        }
        if let Some(like) = entry.text {
            parts.push(Part::Text { like: like.parse()? });
        }
        let substitutes = entry.substitutes.into_iter().map(|items| Group { items, substitutes: true });
        match entry.order {
            Some(Order::Any(Any::Any)) => parts.push(Part::Order(Ties::All)),
            Some(Order::Ties(ties)) => {
                let ties = ties.into_iter().map(|items| Group { items, substitutes: false });
                parts.push(Part::Order(Ties::Groups(ties.chain(substitutes).collect())));
            }
            None => {}
        }
        parts.extend(entry.number.map(|_| Part::Length));
        parts.extend(entry.presence.map(|_| Part::Presence));
        let at = entry.at.parse()?;
        match (parts.pop(), parts.is_empty()) {
            (Some(part), true) => Ok(Self { at, part, seen: entry.seen, sessions: entry.sessions }),
            (None, _) => Err(format!(
                "the mask at `{}` says not what it covers\n  hint: attribute, text, order, number or presence",
                entry.at
            )),
            _ => Err(format!(
                "the mask at `{}` covers more than one thing\n  hint: write one [[page.mask]] for each",
                entry.at
            )),
        }
    }
}

impl Serialize for Mask {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Entry::from(self.clone()).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Mask {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(Entry::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}
