//! A JSON value as it is compared: numbers as written, every key kept, each value with its hash.

use std::fmt::{self, Write};

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::decimal::Decimal;
use crate::diff::align::Alike;
use crate::page::digest::{both, hash};

/// What names a thing: where it is the same, the thing is the same one, changed.
const IDENTITIES: [&str; 8] = ["id", "_id", "@id", "uuid", "key", "slug", "code", "name"];
/// So many entries of two values are looked at to tell how alike they are.
const LOOKED_AT: usize = 64;

/// A JSON value.
#[derive(Debug)]
pub(super) struct Node<'a> {
    pub(super) hash: u64,
    /// Itself and the values in it.
    size: usize,
    pub(super) value: Value<'a>,
}

#[derive(Debug)]
pub(super) enum Value<'a> {
    Null,
    Bool(bool),
    Number(&'a str),
    Text(String),
    Array(Vec<Node<'a>>),
    /// In the order of their keys; those that share one, in the order they were written.
    Object(Vec<(String, Node<'a>)>),
}

/// Why there is no value.
#[derive(Debug)]
pub(super) enum Unread {
    /// It nests deeper than can be followed.
    Deep,
    /// It is not JSON: why, and where.
    Invalid(String),
}

impl<'a> Node<'a> {
    /// Reads a body. Where `unordered`, arrays that hold the same values in another order have the same hash.
    pub(super) fn read(body: &'a [u8], unordered: bool) -> Result<Self, Unread> {
        let body = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body);
        let mut state = State { numbers: Numbers { body, at: 0 }, unordered };
        let mut deserializer = serde_json::Deserializer::from_slice(body);
        let node = Seed(&mut state).deserialize(&mut deserializer);
        node.and_then(|node| deserializer.end().map(|()| node)).map_err(|error| {
            let why = error.to_string();
            if why.starts_with("recursion limit exceeded") { Unread::Deep } else { Unread::Invalid(why) }
        })
    }

    fn leaf(hash: u64, value: Value<'a>) -> Self {
        Self { hash, size: 1, value }
    }

    fn array(items: Vec<Self>, unordered: bool) -> Self {
        let hash = if unordered {
            both(5, items.iter().fold(items.len() as u64, |sum, item| sum.wrapping_add(both(6, item.hash))))
        } else {
            items.iter().fold(both(4, 0), |sum, item| both(sum.wrapping_add(1), item.hash))
        };
        Self { hash, size: items.iter().fold(1, |sum, item| sum + item.size), value: Value::Array(items) }
    }

    fn object(mut entries: Vec<(String, Self)>) -> Self {
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        let hash = entries.iter().fold(both(7, 0), |sum, (key, node)| {
            both(sum.wrapping_add(1), both(hash(key.as_bytes()), node.hash))
        });
        let size = entries.iter().fold(1, |sum, (_, node)| sum + node.size);
        Self { hash, size, value: Value::Object(entries) }
    }

    /// What kind of value it is, in a word.
    pub(super) fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::Text(_) => "text",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        }
    }

    fn entry(&self, key: &str) -> Option<&Self> {
        let Value::Object(entries) = &self.value else { return None };
        let at = entries.binary_search_by(|(k, _)| k.as_str().cmp(key)).ok()?;
        Some(&entries[at].1)
    }
}

impl fmt::Display for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Value::Null => f.write_str("null"),
            Value::Bool(b) => write!(f, "{b}"),
            Value::Number(text) => f.write_str(text),
            Value::Text(text) => write_text(f, text),
            Value::Array(items) => {
                f.write_char('[')?;
                for (at, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if at > 0 { "," } else { "" })?;
                }
                f.write_char(']')
            }
            Value::Object(entries) => {
                f.write_char('{')?;
                for (at, (key, node)) in entries.iter().enumerate() {
                    f.write_str(if at > 0 { "," } else { "" })?;
                    write_text(f, key)?;
                    write!(f, ":{node}")?;
                }
                f.write_char('}')
            }
        }
    }
}

fn write_text(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_str(&serde_json::to_string(text).map_err(|_| fmt::Error)?)
}

impl Alike for Node<'_> {
    fn hash(&self) -> u64 {
        self.hash
    }

    fn size(&self) -> usize {
        self.size
    }

    fn likeness(&self, other: &Self) -> u32 {
        match (&self.value, &other.value) {
            (Value::Object(entries), Value::Object(_)) => {
                let ids = IDENTITIES.iter().find_map(|key| self.entry(key).zip(other.entry(key)));
                let named = match ids {
                    Some((a, b)) if a.hash == b.hash => 1000,
                    Some(_) => return 3,
                    None => 4,
                };
                let shared = entries.iter().take(LOOKED_AT).map(|(key, node)| match other.entry(key) {
                    Some(theirs) if theirs.hash == node.hash => 4,
                    Some(_) => 1,
                    None => 0,
                });
                named + shared.sum::<u32>()
            }
            (Value::Array(ours), Value::Array(theirs)) => {
                let same = ours.iter().zip(theirs).take(LOOKED_AT).filter(|(a, b)| a.hash == b.hash).count();
                4 + 4 * same as u32
            }
            _ if self.kind() == other.kind() => 2,
            _ => 1,
        }
    }

    fn rank(&self) -> f64 {
        match self.value {
            Value::Number(text) => text.parse().unwrap_or_default(),
            _ => 0.0,
        }
    }
}

/// The numbers of a body as they are written, in order. The parser only says what they round to.
struct Numbers<'a> {
    body: &'a [u8],
    at: usize,
}

impl<'a> Numbers<'a> {
    /// The next one. The parser has been here and found no fault.
    fn next(&mut self) -> &'a str {
        let byte = |at: usize| self.body.get(at).copied();
        let mut at = self.at;
        while let Some(b) = byte(at) {
            match b {
                b'-' | b'0'..=b'9' => break,
                b'"' => {
                    at += 1;
                    while let Some(b) = byte(at).filter(|b| *b != b'"') {
                        at += if b == b'\\' { 2 } else { 1 };
                    }
                }
                _ => {}
            }
            at += 1;
        }
        let start = at.min(self.body.len());
        let rest = &self.body[start..];
        let length =
            rest.iter().take_while(|b| matches!(b, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')).count();
        self.at = start + length;
        std::str::from_utf8(&rest[..length]).unwrap_or_default()
    }
}

struct State<'a> {
    numbers: Numbers<'a>,
    unordered: bool,
}

impl<'a> State<'a> {
    fn number<E>(&mut self) -> Result<Node<'a>, E> {
        let text = self.numbers.next();
        Ok(Node::leaf(both(3, Decimal::of(text).hash()), Value::Number(text)))
    }
}

struct Seed<'s, 'a>(&'s mut State<'a>);

impl<'de, 'a> DeserializeSeed<'de> for Seed<'_, 'a> {
    type Value = Node<'a>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, 'a> Visitor<'de> for Seed<'_, 'a> {
    type Value = Node<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Node::leaf(both(0, 0), Value::Null))
    }

    fn visit_bool<E>(self, b: bool) -> Result<Self::Value, E> {
        Ok(Node::leaf(both(1, u64::from(b)), Value::Bool(b)))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        self.0.number()
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        self.0.number()
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        self.0.number()
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Node::leaf(both(2, hash(text.as_bytes())), Value::Text(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element_seed(Seed(&mut *self.0))? {
            items.push(item);
        }
        Ok(Node::array(items, self.0.unordered))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(key) = access.next_key::<String>()? {
            entries.push((key, access.next_value_seed(Seed(&mut *self.0))?));
        }
        Ok(Node::object(entries))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_read_is_what_was_written() {
        let text = r#"{"a":[1.50,-2E+3,"3\"4",{"b\\":12345678901234567890123}],"a":null,"c":true}"#;
        assert_eq!(Node::read(text.as_bytes(), false).unwrap().to_string(), text);
    }

    proptest! {
        /// Numbers are found beside the parser: whatever it reads, they must keep in step.
        #[test]
        fn numbers_are_the_parsers(numbers in prop::collection::vec(any::<i64>(), 1..5), text in "\\PC{0,6}") {
            let body = serde_json::to_string(&(&text, &numbers, &text, &numbers)).unwrap();
            prop_assert_eq!(Node::read(body.as_bytes(), false).unwrap().to_string(), body);
        }
    }
}
