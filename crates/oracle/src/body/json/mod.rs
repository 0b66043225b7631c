//! Path-wise comparison of two JSON bodies: `$.items[2].price was 12.5, is 13`.
//!
//! The order of an object's keys means nothing; that of an array's elements does, unless [`JsonRules`] say
//! otherwise. Arrays are lined up first, so that an element put in is one difference. Numbers are compared
//! as they are written: none is too big. A body that is not JSON, on both sides, is compared as lines of
//! text, and so are bodies that nest deeper than the parser follows.
//!
//! - `decimal`: numbers as written;
//! - `node`: a body as a tree, each value with its hash.

mod decimal;
mod node;

use restage_model::{Difference, Place, shortened};

use crate::body::plain::tell_lines;
use crate::diff::align::{Sameness, Uneven, in_any_order, in_order};
use crate::diff::collector::DifferenceCollector;
use node::{Node, Unread, Value};

const SEEN_BY: &str = "JSON";

/// What counts as the same in JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JsonRules {
    /// Whether arrays are compared without regard to order.
    pub unordered: bool,
    /// How far two numbers may be apart and still be the same, in parts of the bigger one; 0 for not at all.
    pub tolerance: f64,
}

/// What differs between two JSON bodies.
pub fn json_differences(expected: &[u8], actual: &[u8], rules: JsonRules) -> Vec<Difference> {
    if expected == actual {
        return Vec::new();
    }
    let mut found = DifferenceCollector::by(SEEN_BY);
    let validity = |now_valid, why| Place::Validity { format: "JSON".to_owned(), now_valid, why };
    let text = |body: &[u8]| String::from_utf8_lossy(body).into_owned();
    match (Node::read(expected, rules.unordered), Node::read(actual, rules.unordered)) {
        (Ok(expected), Ok(actual)) => {
            Comparison { rules, path: "$".to_owned(), found: &mut found }.values(&expected, &actual);
        }
        (Ok(_), Err(Unread::Invalid(why))) => {
            found.changed(|| (validity(false, why), text(expected), text(actual)));
        }
        (Err(Unread::Invalid(why)), Ok(_)) => {
            found.changed(|| (validity(true, why), text(expected), text(actual)));
        }
        _ => tell_lines(&mut found, expected, actual),
    }
    found.finish()
}

struct Comparison<'s> {
    rules: JsonRules,
    /// Where it is at.
    path: String,
    found: &'s mut DifferenceCollector,
}

impl Comparison<'_> {
    fn values(&mut self, expected: &Node<'_>, actual: &Node<'_>) {
        if expected.hash == actual.hash {
            return;
        }
        match (&expected.value, &actual.value) {
            (Value::Object(before), Value::Object(after)) => self.objects(before, after),
            (Value::Array(before), Value::Array(after)) => self.arrays(before, after),
            _ if !same(expected, actual, self.rules) => self.changed(expected, actual),
            _ => {}
        }
    }

    fn objects(&mut self, before: &[(String, Node<'_>)], after: &[(String, Node<'_>)]) {
        let (mut before, mut after) = (before.iter().peekable(), after.iter().peekable());
        // Which of those that share a key this is.
        let (mut last, mut nth) = (None, 0);
        while let Some(key) = before.peek().into_iter().chain(after.peek()).map(|(key, _)| key).min() {
            nth = if last == Some(key) { nth + 1 } else { 1 };
            last = Some(key);
            let was = before.next_if(|(k, _)| k == key).map(|(_, node)| node);
            let is = after.next_if(|(k, _)| k == key).map(|(_, node)| node);
            let segment = key_segment(key, nth);
            self.within(&segment, |this| match (was, is) {
                (Some(was), Some(is)) => this.values(was, is),
                (Some(was), None) => this.gone(was),
                (None, Some(is)) => this.appeared(is),
                (None, None) => {}
            });
        }
    }

    fn arrays(&mut self, before: &[Node<'_>], after: &[Node<'_>]) {
        let rules = self.rules;
        let near = |a: &Node<'_>, b: &Node<'_>| same(a, b, rules);
        let sameness = if rules.tolerance > 0.0 { Sameness::Near(&near) } else { Sameness::Hash };
        let align = if rules.unordered { in_any_order } else { in_order };
        for place in align(before, after, &sameness) {
            match place {
                Uneven::Changed(e, a) => {
                    self.within(&format!("[{e}]"), |this| this.values(&before[e], &after[a]));
                }
                Uneven::Gone(e) => self.within(&format!("[{e}]"), |this| this.gone(&before[e])),
                Uneven::Appeared(a) => self.within(&format!("[{a}]"), |this| this.appeared(&after[a])),
            }
        }
    }

    fn within(&mut self, segment: &str, compare: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        self.path.push_str(segment);
        compare(self);
        self.path.truncate(length);
    }

    fn changed(&mut self, expected: &Node<'_>, actual: &Node<'_>) {
        let path = &self.path;
        self.found.changed(|| (Place::Json { path: path.clone() }, expected.to_string(), actual.to_string()));
    }

    fn gone(&mut self, was: &Node<'_>) {
        let path = &self.path;
        self.found.add(|| (Place::Json { path: path.clone() }, Some(was.to_string()), None));
    }

    fn appeared(&mut self, is: &Node<'_>) {
        let path = &self.path;
        self.found.add(|| (Place::Json { path: path.clone() }, None, Some(is.to_string())));
    }
}

/// Whether two values are the same under the rules.
fn same(a: &Node<'_>, b: &Node<'_>, rules: JsonRules) -> bool {
    if a.hash == b.hash {
        return true;
    }
    if rules.tolerance.is_nan() || rules.tolerance <= 0.0 {
        return false;
    }
    match (&a.value, &b.value) {
        (Value::Number(x), Value::Number(y)) => decimal::near(x, y, rules.tolerance),
        (Value::Array(x), Value::Array(y)) if x.len() != y.len() => false,
        (Value::Array(x), Value::Array(y)) if rules.unordered => {
            in_any_order(x, y, &Sameness::Near(&|a, b| same(a, b, rules))).is_empty()
        }
        (Value::Array(x), Value::Array(y)) => x.iter().zip(y).all(|(a, b)| same(a, b, rules)),
        (Value::Object(x), Value::Object(y)) => {
            x.len() == y.len() && x.iter().zip(y).all(|((k, a), (l, b))| k == l && same(a, b, rules))
        }
        _ => false,
    }
}

/// A key in a path; which one, where several share it.
fn key_segment(key: &str, nth: usize) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '$' | '@');
    let mut segment = match key.chars().next() {
        Some(first) if !first.is_ascii_digit() && key.chars().all(plain) => format!(".{}", shortened(key)),
        _ => format!("[{}]", serde_json::to_string(&shortened(key)).unwrap_or_default()),
    };
    if nth > 1 {
        segment.push_str(&format!("({nth})"));
    }
    segment
}

#[cfg(test)]
mod tests;
