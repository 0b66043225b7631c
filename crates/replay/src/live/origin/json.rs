//! Values in JSON, by their path. `$.items[].id` is the id of each item; an item is known by the texts in it.
//!
//! A scanner of our own, since a request's body is changed in place: what is not replaced keeps its bytes, its
//! spelling and the order of its keys.

use std::ops::Range;

use restage_browser::without_numbers;

use super::html;
use super::value::{Looks, is_id_itself, noun};
use super::value_index::{HeldValue, ValueIndex};

/// Deeper than this nobody nests on purpose.
const DEEPEST: usize = 128;
/// How many texts beside a value tell it from others.
const LABELS: usize = 4;

/// A string or a number in a JSON text.
pub(crate) struct Scalar {
    /// Its path, array indexes left out: `$.items[].id`.
    pub(crate) path: String,
    /// The key it stands under; that of its array, for an item of one.
    pub(crate) key: String,
    /// The keys around that, outermost first.
    pub(crate) around: Vec<String>,
    /// Where it stands in the text, quotes and all.
    pub(crate) span: Range<usize>,
    /// Its value, unescaped.
    pub(crate) value: String,
    /// Whether it is written as a string.
    pub(crate) is_string: bool,
}

enum Event {
    Open,
    Close,
    Scalar(Scalar),
}

/// The strings and numbers of a JSON text; `None` where it is no JSON object or array.
pub(crate) fn scalars(text: &str) -> Option<Vec<Scalar>> {
    let mut found = Vec::new();
    let each = &mut |event| {
        if let Event::Scalar(scalar) = event {
            found.push(scalar);
        }
    };
    Scanner { text, at: 0, stack: Vec::new() }.run(each).then_some(found)
}

/// JSON without what keeps other sites from running it as a script: `)]}',`, `for(;;);`, `while(1);`.
pub(crate) fn unguarded(text: &str) -> &str {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    for guard in [")]}',", ")]}'", "for(;;);", "for (;;);", "while(1);", "while (1);"] {
        if let Some(rest) = text.strip_prefix(guard) {
            return rest.trim_start();
        }
    }
    text
}

/// Adds the values of a JSON text; `false` where it is none, and nothing was added.
pub(super) fn collect(text: &str, within: &str, index: &mut ValueIndex) -> bool {
    let mut objects: Vec<(usize, Vec<String>)> = Vec::new();
    // Looked over once before anything is added: a page may begin like JSON.
    if !(Scanner { text, at: 0, stack: Vec::new() }.run(&mut |_| {})) {
        return false;
    }
    let each = &mut |event| match event {
        Event::Open => objects.push((index.len(), Vec::new())),
        Event::Close => {
            if let Some((from, texts)) = objects.pop() {
                index.label_from(from, &texts.join(", "));
            }
        }
        Event::Scalar(scalar) => {
            let place = || format!("{within}JSON {}", scalar.path);
            match Looks::of(&scalar.value) {
                Some(_) => {
                    let around = scalar.around.iter().map(|k| noun(k)).filter(|n| !n.is_empty()).collect();
                    index.add(HeldValue { around, ..HeldValue::new(place(), &scalar.key, &scalar.value) });
                }
                None if scalar.value.contains('<') && scalar.value.contains('>') => {
                    let html = scalar.value.as_bytes();
                    let page = restage_html::Page::of(html);
                    html::collect_all(html, &page, &format!("{}: ", place()), index);
                }
                None => {
                    if let Some((_, texts)) = objects.last_mut()
                        && scalar.is_string
                        && texts.len() < LABELS
                        && (1..=80).contains(&scalar.value.len())
                    {
                        texts.push(without_numbers(&scalar.value));
                    }
                }
            }
        }
    };
    Scanner { text, at: 0, stack: Vec::new() }.run(each)
}

/// What is being read: an object at a key, or an array.
enum Inside {
    Object(String),
    Array,
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    stack: Vec<Inside>,
}

impl Scanner<'_> {
    /// Reads one value and nothing else; `false` where that is not what there is.
    fn run(mut self, each: &mut dyn FnMut(Event)) -> bool {
        if !matches!(self.peek(), Some(b'{' | b'[')) {
            return false;
        }
        loop {
            // At a value.
            let opened = match self.peek() {
                Some(open @ (b'{' | b'[')) if self.stack.len() < DEEPEST => {
                    self.at += 1;
                    let is_object = open == b'{';
                    if is_object {
                        each(Event::Open);
                    }
                    self.stack.push(if is_object { Inside::Object(String::new()) } else { Inside::Array });
                    let end = if is_object { b'}' } else { b']' };
                    self.peek() != Some(end)
                }
                Some(b'{' | b'[') | None => return false,
                Some(_) => {
                    if !self.scalar(each) {
                        return false;
                    }
                    false
                }
            };
            if !opened {
                // After a value: the end of what it is in, or a comma.
                loop {
                    match (self.peek(), self.stack.last()) {
                        (None, None) => return true,
                        (Some(b'}'), Some(Inside::Object(_))) => {
                            each(Event::Close);
                            self.stack.pop();
                        }
                        (Some(b']'), Some(Inside::Array)) => {
                            self.stack.pop();
                        }
                        (Some(b','), Some(_)) => {
                            self.at += 1;
                            break;
                        }
                        _ => return false,
                    }
                    self.at += 1;
                }
            }
            if let Some(Inside::Object(_)) = self.stack.last() {
                let Some(key) = self.string() else { return false };
                if self.peek() != Some(b':') {
                    return false;
                }
                self.at += 1;
                if let Some(Inside::Object(current)) = self.stack.last_mut() {
                    *current = key;
                }
            }
        }
    }

    /// The next byte that is no white space.
    fn peek(&mut self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().take_while(|b| b.is_ascii_whitespace()).count();
        self.text.as_bytes().get(self.at).copied()
    }

    fn string(&mut self) -> Option<String> {
        if self.peek() != Some(b'"') {
            return None;
        }
        let from = self.at;
        let bytes = self.text.as_bytes();
        let mut at = from + 1;
        let mut plain = true;
        loop {
            match bytes.get(at)? {
                b'"' => break,
                b'\\' => {
                    plain = false;
                    at += 2;
                }
                _ => at += 1,
            }
        }
        self.at = at + 1;
        let quoted = &self.text[from..self.at];
        if plain { Some(quoted[1..quoted.len() - 1].to_owned()) } else { serde_json::from_str(quoted).ok() }
    }

    fn scalar(&mut self, each: &mut dyn FnMut(Event)) -> bool {
        let from = self.at;
        if self.peek() == Some(b'"') {
            let Some(value) = self.string() else { return false };
            each(Event::Scalar(self.told(from..self.at, value, true)));
            return true;
        }
        let rest = &self.text.as_bytes()[from..];
        let length = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || b"+-.".contains(b)).count();
        let word = &self.text[from..from + length];
        self.at += length;
        if matches!(word, "true" | "false" | "null") {
            return true;
        }
        let number = word.starts_with(|c: char| c.is_ascii_digit() || c == '-');
        if number {
            each(Event::Scalar(self.told(from..self.at, word.to_owned(), false)));
        }
        number
    }

    fn told(&self, span: Range<usize>, value: String, is_string: bool) -> Scalar {
        let mut path = "$".to_owned();
        let mut around: Vec<String> = Vec::new();
        for inside in &self.stack {
            match inside {
                Inside::Object(key) if is_id_itself(key) => path.push_str(".{}"),
                Inside::Object(key) => {
                    path.push('.');
                    path.push_str(key);
                    around.push(key.clone());
                }
                Inside::Array => path.push_str("[]"),
            }
        }
        let key = around.pop().unwrap_or_default();
        Scalar { path, key, around, span, value, is_string }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_spans_of_what_json_holds() {
        let text = r#" {"id": 17, "a": [{"b": "x\/\u0026"}, 2], "17": {"n": null}, "o": {}, "e": []} "#;
        let found = scalars(text).unwrap();
        let seen: Vec<_> = found.iter().map(|s| (s.path.as_str(), s.value.as_str())).collect();
        assert_eq!(seen, [("$.id", "17"), ("$.a[].b", "x/&"), ("$.a[]", "2")]);
        assert_eq!(&text[found[1].span.clone()], r#""x\/\u0026""#);
    }

    /// Catches: a scanner that loops, or runs past the end, on what is no JSON.
    #[test]
    fn what_is_no_json_is_told() {
        for bad in
            ["", "{", "[1", "{\"a\"}", "{\"a\":}", "[1,]", "{} x", "\"text\"", "17", "[\"\\", "[tru]", "{,}"]
        {
            assert!(scalars(bad).is_none(), "{bad}");
        }
        assert!(scalars(&"[".repeat(100_000)).is_none());
        assert!(scalars("[[],{}]").is_some_and(|s| s.is_empty()));
        assert_eq!(unguarded(")]}',\n{\"a\":1}"), "{\"a\":1}");
    }

    #[test]
    fn an_item_is_known_by_the_texts_in_it() {
        let index = |text: &str| {
            let mut index = ValueIndex::default();
            assert!(collect(text, "", &mut index));
            index
        };
        let was = index(r#"{"items":[{"id":5,"title":"Hat"},{"id":6,"title":"Cap"}]}"#);
        let is = index(r#"{"items":[{"id":8,"title":"Cap"},{"id":9,"title":"Bow"},{"id":7,"title":"Hat"}]}"#);
        let held = was.of_value("6").next().unwrap();
        assert_eq!(was.counterpart(held, &is).unwrap().0, "8");
    }

    proptest::proptest! {
        /// Catches: a text is read otherwise than a JSON reader does.
        #[test]
        fn it_reads_what_a_json_reader_reads(text in r#"[\[\]{}:,"0-9a\\ .n-]{0,24}"#) {
            let read = serde_json::from_str::<serde_json::Value>(&text);
            if read.is_ok_and(|v| v.is_object() || v.is_array()) {
                proptest::prop_assert!(scalars(&text).is_some());
            }
        }
    }
}
