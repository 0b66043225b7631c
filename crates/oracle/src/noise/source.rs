//! Bodies of all formats as elements, and back: what is learnt of pages is learnt of JSON, XML and text alike.
//!
//! A JSON body is an element `$`; in it a member is an element `.name` and an entry of an array one called `[]`:
//! `$ > .items > [] > .price`. A plain text has an element `line` for each line.

use restage_html::{Token, Tokens};

use super::STAND_IN;
use super::tree::{Child, Tree};
use crate::body::format::Format;

/// An entry of an array.
pub(crate) const ITEM: &str = "[]";
/// Deeper values are no elements of their own.
const DEEP: usize = 100;

/// A body as elements; none where it has none.
pub(crate) fn tokens(format: Format, body: &[u8]) -> Option<Tokens> {
    match format {
        Format::Html | Format::Xml => Some(Tokens::of(body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body))),
        Format::Json => {
            serde_json::from_slice::<serde::de::IgnoredAny>(body).ok()?;
            let mut json = Json { text: body, at: 0, out: Tokens::default() };
            json.value("$", None, 0);
            Some(json.out)
        }
        Format::Text => {
            let mut out = Tokens::default();
            for line in body.split_inclusive(|b| *b == b'\n') {
                out.push_open(b"line", std::iter::empty(), false);
                out.push(Token::Text(line));
                out.push(Token::Close { name: b"line" });
            }
            Some(out)
        }
        Format::Binary => None,
    }
}

/// The body that elements stand for.
pub(crate) fn bytes(format: Format, tokens: &Tokens) -> Vec<u8> {
    match format {
        Format::Html | Format::Xml | Format::Binary => tokens.source(),
        Format::Text => tokens
            .iter()
            .filter_map(|token| match token {
                Token::Text(text) => Some(text),
                _ => None,
            })
            .flatten()
            .copied()
            .collect(),
        Format::Json => {
            let tree = Tree::of(tokens);
            let mut out = Vec::new();
            if let Some(root) = tree.elements(0).next() {
                write_json(&tree, root, &mut out);
            }
            out
        }
    }
}

/// Reads JSON that is known to be valid.
struct Json<'j> {
    text: &'j [u8],
    at: usize,
    out: Tokens,
}

impl<'j> Json<'j> {
    fn value(&mut self, name: &str, key: Option<&'j [u8]>, depth: usize) {
        self.blanks();
        let kind: &[u8] = match self.text.get(self.at) {
            Some(b'{') if depth < DEEP => b"object",
            Some(b'[') if depth < DEEP => b"array",
            _ => b"value",
        };
        let attrs = [(&b"kind"[..], kind)].into_iter().chain(key.map(|key| (&b"key"[..], key)));
        self.out.push_open(name.as_bytes(), attrs, false);
        match kind {
            b"value" => {
                let from = self.at;
                self.skip();
                self.out.push(Token::Text(&self.text[from..self.at]));
            }
            _ => self.members(kind == b"object", depth),
        }
        self.out.push(Token::Close { name: name.as_bytes() });
    }

    fn members(&mut self, object: bool, depth: usize) {
        self.at += 1;
        loop {
            self.blanks();
            match self.text.get(self.at) {
                Some(b',') => self.at += 1,
                Some(b'}' | b']') | None => break,
                Some(_) if object => {
                    let from = self.at;
                    self.skip();
                    let key = &self.text[from..self.at];
                    self.blanks();
                    self.at += 1;
                    self.value(&member(key), Some(key), depth + 1);
                }
                Some(_) => self.value(ITEM, None, depth + 1),
            }
        }
        self.at += 1;
    }

    fn blanks(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    /// Past a string, a number or a word; past a whole object or array, where those are not looked into.
    fn skip(&mut self) {
        let mut nested = 0usize;
        while let Some(byte) = self.text.get(self.at) {
            match byte {
                b'"' => self.skip_string(),
                b'{' | b'[' => {
                    nested += 1;
                    self.at += 1;
                }
                b'}' | b']' if nested > 0 => {
                    nested -= 1;
                    self.at += 1;
                }
                b',' | b':' if nested > 0 => self.at += 1,
                b',' | b':' | b'}' | b']' => return,
                b' ' | b'\t' | b'\r' | b'\n' if nested == 0 => return,
                _ => self.at += 1,
            }
            if nested == 0 && matches!(self.text.get(self.at.wrapping_sub(1)), Some(b'"' | b'}' | b']')) {
                return;
            }
        }
    }

    fn skip_string(&mut self) {
        self.at += 1;
        while let Some(byte) = self.text.get(self.at) {
            self.at += if *byte == b'\\' { 2 } else { 1 };
            if *byte == b'"' {
                return;
            }
        }
        self.at = self.text.len();
    }
}

/// An element's name for a key: as it is where that can be a name.
fn member(key: &[u8]) -> String {
    let key = String::from_utf8_lossy(key);
    let key = key.trim_matches('"');
    let fits = !key.is_empty()
        && key.len() <= 60
        && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
    let named = if fits && !key.starts_with(|c: char| c.is_ascii_digit()) { key } else { "*" };
    format!(".{named}")
}

fn write_json(tree: &Tree<'_>, node: usize, out: &mut Vec<u8>) {
    let Some(Token::Open { attrs, .. }) = tree.nodes[node].open.and_then(|at| tree.tokens.get(at)) else {
        return;
    };
    let (open, close) = match attrs.get("kind") {
        Some(b"object") => (b'{', b'}'),
        Some(b"array") => (b'[', b']'),
        _ => return write_scalar(tree, node, out),
    };
    out.push(open);
    let mut first = true;
    for child in &tree.nodes[node].children {
        if !std::mem::take(&mut first) {
            out.push(b',');
        }
        match child {
            Child::Element(child) => {
                if let Some(Token::Open { attrs, .. }) =
                    tree.nodes[*child].open.and_then(|at| tree.tokens.get(at))
                    && open == b'{'
                {
                    out.extend_from_slice(attrs.get("key").unwrap_or(b"\"\""));
                    out.push(b':');
                }
                write_json(tree, *child, out);
            }
            // A stand-in for what ties.
            Child::Text(_) | Child::Other(_) => {
                if open == b'{' {
                    out.extend_from_slice(b"\"\":");
                }
                out.extend_from_slice(format!("\"{STAND_IN}\"").as_bytes());
            }
        }
    }
    out.push(close);
}

fn write_scalar(tree: &Tree<'_>, node: usize, out: &mut Vec<u8>) {
    let mut text = Vec::new();
    for child in &tree.nodes[node].children {
        if let Child::Text(at) = child
            && let Some(Token::Text(piece)) = tree.tokens.get(*at)
        {
            text.extend_from_slice(piece);
        }
    }
    // A number that is covered is no number any more.
    if serde_json::from_slice::<serde::de::IgnoredAny>(&text).is_ok() {
        out.extend_from_slice(&text);
    } else {
        let text = String::from_utf8_lossy(&text).replace(['"', '\\'], "");
        out.extend_from_slice(serde_json::Value::String(text).to_string().as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::super::learn::Learner;
    use super::super::mask::{Mask, Masks};
    use super::*;
    use crate::noise::apply::apply;

    fn there_and_back(format: Format, body: &str) -> String {
        String::from_utf8(bytes(format, &tokens(format, body.as_bytes()).unwrap())).unwrap()
    }

    #[test]
    fn a_body_comes_back_as_it_was() {
        for body in [r#"{"a":[1,-2.50e3,"x\"y",{}],"link":{"b c":null},"d":[]}"#, "[]", "12", r#""a""#] {
            assert_eq!(there_and_back(Format::Json, body), body);
        }
        for body in ["", "a", "a\nb\n", "a\r\n\n<b>"] {
            assert_eq!(there_and_back(Format::Text, body), body);
        }
        let deep = format!("{}1{}", "[".repeat(120), "]".repeat(120));
        assert_eq!(there_and_back(Format::Json, &deep), deep);
        assert!(tokens(Format::Json, b"{").is_none());
    }

    #[test]
    fn what_varies_in_json_is_masked_and_the_value_beside_it_is_not() {
        let body = |id: u32, price: &str| {
            format!(r#"{{"items":[{{"id":{id},"price":{price}}},{{"id":{},"price":2}}]}}"#, id + 1)
        };
        let learnt = |bodies: &[String]| -> Vec<Mask> {
            let answers = bodies.iter().map(|b| tokens(Format::Json, b.as_bytes()).unwrap()).collect();
            Learner::default().masks(&[answers])
        };
        let masks = learnt(&[body(7, "1.5"), body(31, "1.5")]);
        let said: Vec<String> = masks.iter().map(Mask::to_string).collect();
        assert_eq!(said, ["text of $ > .items > [] > .id, where it is like `{number}`"]);
        let masked = |body: &str| {
            let (tokens, _) = apply(&tokens(Format::Json, body.as_bytes()).unwrap(), &Masks::of(&masks));
            String::from_utf8(bytes(Format::Json, &tokens)).unwrap()
        };
        assert_eq!(
            masked(&body(5, "1.5")),
            r#"{"items":[{"id":"⟨masked⟩","price":1.5},{"id":"⟨masked⟩","price":2}]}"#
        );
    }
}
