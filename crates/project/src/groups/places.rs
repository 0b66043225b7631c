//! Where a session was in the application, as it was recorded: what it names by numbers and ids.
//!
//! That two sessions ask for `/games/7`, and one of them moves there, is true whatever a replay makes of it. Needs are told by a
//! replay, and one in which sessions did not meet gives things other ids.

use std::collections::BTreeSet;

use restage_model::{BodyRef, Exchange, Params, ValueShape, body_fields};
use restage_store::StoreError;

/// Where a session was: `/games/7`, `game=7`.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    /// What is in the addresses that it asked for.
    pub(super) asked: BTreeSet<String>,
    /// What is in those of them that may have changed something, and in the forms that it sent.
    pub(super) changed: BTreeSet<String>,
}

impl Places {
    /// Of a session's exchanges; `body` reads what was sent.
    pub(super) fn of(
        exchanges: &[Exchange],
        body: impl Fn(&BodyRef) -> Result<Vec<u8>, StoreError>,
    ) -> Result<Self, StoreError> {
        let mut places = Self::default();
        for exchange in exchanges {
            let named = in_address(&exchange.request.uri);
            if exchange.may_change_something() {
                places.changed.extend(named.iter().cloned());
                let sent = body(&exchange.request.body)?;
                places.changed.extend(in_fields(body_fields(&exchange.request, &sent)));
            }
            places.asked.extend(named);
        }
        Ok(places)
    }

    /// Whether it was there at all.
    pub(super) fn has(&self, place: &str) -> bool {
        self.asked.contains(place) || self.changed.contains(place)
    }
}

fn in_address(uri: &str) -> Vec<String> {
    let (path, query) = uri.split_once('?').unwrap_or((uri, ""));
    let mut named = in_fields(Params::parse(query).pairs());
    // Up to its last id: a move at `/games/7/move` is one in that game.
    let mut end = 0;
    let mut known = 0;
    for segment in path.split('/') {
        end += segment.len() + 1;
        if is_id(segment) {
            known = end - 1;
        }
    }
    if known > 0 {
        named.push(path[..known].to_owned());
    }
    named
}

fn in_fields(fields: Vec<(String, String)>) -> Vec<String> {
    fields
        .into_iter()
        .filter(|(_, value)| is_id(value))
        .map(|(name, value)| format!("{name}={value}"))
        .collect()
}

fn is_id(text: &str) -> bool {
    let shape = ValueShape::of(text);
    shape == ValueShape::Number || shape.is_token()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_in_addresses_say_where_somebody_was() {
        for (uri, named) in [
            ("/games/7/move", &["/games/7"][..]),
            ("/shop/3/items/12?sort=name", &["/shop/3/items/12"]),
            ("/board.php?game=7&view=wide", &["game=7"]),
            ("/", &[]),
            ("/games", &[]),
        ] {
            assert_eq!(in_address(uri), named, "{uri}");
        }
    }
}
