//! Values in scripts, by the variable, the call and the keys they belong to:
//! `var wpApiSettings = {"nonce":"ab12cd34ef"}` holds `wpApiSettings.nonce`, and `reply('accepted', '', 17)` the third argument
//! of a call to `reply`.
//!
//! Scripts are read, not run: literals, names and brackets are enough to name a literal's place.

use super::json;
use super::value::{Looks, is_id_itself, noun, nouns};
use super::value_index::{HeldValue, ValueIndex};

/// Words that name nothing.
const KEYWORDS: &[&str] = &[
    "var",
    "let",
    "const",
    "return",
    "new",
    "function",
    "typeof",
    "if",
    "else",
    "for",
    "while",
    "in",
    "of",
    "this",
    "true",
    "false",
    "null",
    "undefined",
    "void",
    "case",
    "async",
    "await",
];

/// Deeper than this nobody nests on purpose.
const DEEPEST: usize = 256;

/// Longer than this, an argument is a text.
const LONGEST_WORD: usize = 40;

/// Adds the values of a script.
pub(super) fn collect(script: &str, within: &str, index: &mut ValueIndex) {
    read(script, within, false, index);
}

/// Adds the values of what a click runs: the calls in it are those of the page's scripts, whatever is clicked on.
pub(super) fn collect_handler(script: &str, within: &str, index: &mut ValueIndex) {
    read(script, within, true, index);
}

fn read(script: &str, within: &str, within_handler: bool, index: &mut ValueIndex) {
    Lexer {
        text: script,
        at: 0,
        stack: Vec::new(),
        word: String::new(),
        name: String::new(),
        last: b';',
        within,
        within_handler,
        index,
    }
    .run();
}

/// A bracket that is open: what it belongs to, and for a call how many arguments were read.
struct Open {
    bracket: u8,
    name: String,
    argument: usize,
    /// The words among a call's arguments.
    words: Vec<String>,
    /// The values among them that were added to the index, by their places there.
    held: Vec<usize>,
}

impl Open {
    fn is_call(&self) -> bool {
        self.bracket == b'(' && !self.name.is_empty()
    }
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    stack: Vec<Open>,
    /// The last word or key read.
    word: String,
    /// What a value here would be called: the variable assigned to, or the key.
    name: String,
    /// The last byte that counts: it tells a division from a regular expression.
    last: u8,
    within: &'a str,
    within_handler: bool,
    index: &'a mut ValueIndex,
}

impl Lexer<'_> {
    fn run(mut self) {
        while let Some(&byte) = self.text.as_bytes().get(self.at) {
            match byte {
                b'"' | b'\'' | b'`' => self.string(byte),
                b'/' if self.skip_comment() || self.skip_regular_expression() => {}
                b'0'..=b'9' => self.number(),
                b'_' | b'$' | b'a'..=b'z' | b'A'..=b'Z' | 0x80.. => self.word(),
                _ => {
                    self.punctuation(byte);
                    self.at += 1;
                }
            }
            if !byte.is_ascii_whitespace() {
                self.last = byte;
            }
        }
    }

    fn punctuation(&mut self, byte: u8) {
        match byte {
            b'{' | b'[' | b'(' => {
                let name = if byte == b'(' {
                    std::mem::take(&mut self.word)
                } else {
                    std::mem::take(&mut self.name)
                };
                if self.stack.len() < DEEPEST {
                    self.stack.push(Open {
                        bracket: byte,
                        name,
                        argument: 1,
                        words: Vec::new(),
                        held: Vec::new(),
                    });
                }
                self.word.clear();
                self.name.clear();
            }
            b'}' | b']' | b')' => {
                if let Some(call) = self.stack.pop() {
                    self.index.were_sent_with(&call.held, &call.words);
                }
                self.word.clear();
                self.name.clear();
            }
            b'=' => {
                let next = self.text.as_bytes().get(self.at + 1);
                if !matches!(next, Some(b'=' | b'>')) && !matches!(self.last, b'=' | b'!' | b'<' | b'>') {
                    self.name = std::mem::take(&mut self.word);
                }
            }
            b':' => self.name = std::mem::take(&mut self.word),
            b',' | b';' => {
                self.word.clear();
                self.name.clear();
                if let Some(open) = self.stack.last_mut() {
                    open.argument += 1;
                }
            }
            _ => {}
        }
    }

    fn word(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        let wordy = |b: &&u8| b.is_ascii_alphanumeric() || matches!(**b, b'_' | b'$' | b'.' | 0x80..);
        let length = rest.iter().take_while(wordy).count();
        let word = &self.text[self.at..self.at + length];
        if !KEYWORDS.contains(&word) {
            word.clone_into(&mut self.word);
        }
        self.at += length;
    }

    fn number(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        let length = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'.').count();
        let value = self.text[self.at..self.at + length].to_owned();
        self.at += length;
        self.value(&value);
    }

    fn string(&mut self, quote: u8) {
        let bytes = self.text.as_bytes();
        let from = self.at + 1;
        let mut at = from;
        loop {
            match bytes.get(at) {
                Some(b'\\') => at += 2,
                Some(b) if *b == quote => break,
                // Unclosed: no string after all, as in a regular expression that was not known as one.
                Some(b'\n') if quote != b'`' => {
                    self.at = from;
                    return;
                }
                Some(_) => at += 1,
                None => {
                    self.at = bytes.len();
                    return;
                }
            }
        }
        self.at = at + 1;
        let Some(raw) = self.text.get(from..at) else { return };
        let value = if raw.contains('\\') { unescaped(raw) } else { raw.to_owned() };
        let next = bytes[self.at..].iter().find(|b| !b.is_ascii_whitespace());
        let is_key = next == Some(&b':') && self.stack.last().is_some_and(|open| open.bracket == b'{');
        if is_key {
            self.word = value;
        } else {
            self.value(&value);
        }
    }

    fn value(&mut self, value: &str) {
        let looks = Looks::of(value);
        let is_argument = self.name.is_empty();
        if let Some(call) = self.stack.last_mut().filter(|open| is_argument && open.is_call())
            && looks.is_none()
            && value.len() <= LONGEST_WORD
            && value.chars().filter(|c| c.is_alphabetic()).count() >= 3
        {
            call.words.push(value.to_owned());
        }
        let nested = looks.is_none() && value.len() > 8 && value.starts_with(['{', '[']);
        if looks.is_none() && !nested {
            return;
        }
        let mut path = String::new();
        let mut around = Vec::new();
        for open in &self.stack {
            if !open.name.is_empty() && !is_id_itself(&open.name) {
                path = if path.is_empty() { open.name.clone() } else { format!("{path}.{}", open.name) };
                around.push(noun(open.name.rsplit('.').next().unwrap_or_default()));
            }
            match open.bracket {
                b'(' if !open.name.is_empty() => path.push_str(&format!("({})", open.argument)),
                b'[' => path.push_str("[]"),
                _ => {}
            }
        }
        if !self.name.is_empty() {
            path = if path.is_empty() { self.name.clone() } else { format!("{path}.{}", self.name) };
        }
        if nested {
            json::collect(value, &format!("{}script {path}: ", self.within), self.index);
            return;
        }
        if let Some(call) = self.stack.last().filter(|open| is_argument && open.is_call()) {
            let place = format!("script call {} argument {}", cut(&call.name), call.argument);
            let place = if self.within_handler { place } else { format!("{}{place}", self.within) };
            around.extend(words_of(&call.name));
            // `openInvoice` says what it opens, `reply` does not say what to.
            let words = words_of(call.name.rsplit('.').next().unwrap_or_default());
            let about = if words.len() > 1 { words.last() } else { None };
            let about = about.cloned().unwrap_or_default();
            let at = self.index.len();
            self.index.add(HeldValue { around, call: true, ..HeldValue::new(place, &about, value) });
            if self.index.len() > at
                && let Some(call) = self.stack.last_mut()
            {
                call.held.push(at);
            }
            return;
        }
        // An id that nothing names is a number like any other.
        if looks == Some(Looks::Id) && path.is_empty() {
            return;
        }
        let called = self.stack.last().map(|open| open.name.as_str()).unwrap_or_default();
        let name = if self.name.is_empty() { called } else { &self.name };
        let name = name.rsplit('.').next().unwrap_or_default();
        let place = format!("{}script {}", self.within, cut(&path));
        self.index.add(HeldValue { around, ..HeldValue::new(place, name, value) });
    }

    fn skip_comment(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let end = if rest.starts_with("//") {
            rest.find('\n')
        } else if rest.starts_with("/*") {
            rest.find("*/").map(|end| end + 2)
        } else {
            return false;
        };
        self.at += end.unwrap_or(rest.len());
        true
    }

    fn skip_regular_expression(&mut self) -> bool {
        let after_value =
            self.last.is_ascii_alphanumeric() || matches!(self.last, b')' | b']' | b'"' | b'\'' | b'_');
        if after_value {
            return false;
        }
        let bytes = self.text.as_bytes();
        let (mut at, mut in_class) = (self.at + 1, false);
        loop {
            match bytes.get(at) {
                None | Some(b'\n') => return false,
                Some(b'\\') => at += 1,
                Some(b'[') => in_class = true,
                Some(b']') => in_class = false,
                Some(b'/') if !in_class => break,
                Some(_) => {}
            }
            at += 1;
        }
        self.at = at + 1;
        true
    }
}

/// What a function's name speaks of: `openInvoice` of an invoice.
fn words_of(function: &str) -> Vec<String> {
    let mut apart = String::with_capacity(function.len() + 4);
    let mut last = ' ';
    for c in function.chars() {
        if c.is_uppercase() && last.is_lowercase() {
            apart.push(' ');
        }
        apart.extend(c.to_lowercase());
        last = c;
    }
    nouns(&apart)
}

/// Places are shown: a long path is cut.
fn cut(path: &str) -> String {
    path.chars().take(200).collect()
}

/// A string literal's value: `\/`, `\u0026`, `\x26`, `\'`.
fn unescaped(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut chars = raw.chars();
    let hex = |chars: &mut std::str::Chars<'_>, length: usize| {
        let digits: String = chars.by_ref().take(length).collect();
        u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32)
    };
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some('u') => out.extend(hex(&mut chars, 4)),
            Some('x') => out.extend(hex(&mut chars, 2)),
            Some('\n') | None => {}
            Some(other) => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(script: &str, value: &str) -> Option<String> {
        let mut index = ValueIndex::default();
        collect(script, "", &mut index);
        index.of_value(value).next().map(|h| h.place.clone())
    }

    #[test]
    fn literals_are_known_by_what_they_belong_to() {
        let wordpress =
            r#"/* <![CDATA[ */ var wpApiSettings = {"root":"http:\/\/app\/wp-json\/","nonce":"ab12cd34ef"};"#;
        assert_eq!(place(wordpress, "ab12cd34ef").as_deref(), Some("script wpApiSettings.nonce"));
        assert_eq!(place(wordpress, "http://app/wp-json/").as_deref(), Some("script wpApiSettings.root"));
        let mediawiki = r#"mw.loader.implement("user.tokens@12s5i",function($,jQuery){mw.user.tokens.set({"patrolToken":"+\\","csrfToken":"0123456789abcdef+\\"});});"#;
        assert_eq!(
            place(mediawiki, "0123456789abcdef+\\").as_deref(),
            Some("script mw.loader.implement(2).mw.user.tokens.set(1).csrfToken")
        );
        assert_eq!(place("window.app={post:{id:17}}", "17").as_deref(), Some("script window.app.post.id"));
        assert_eq!(place("App.load('x', 42)", "42").as_deref(), Some("script call App.load argument 2"));
        assert_eq!(place("let u = '\\/a\\u0026b=\\x31';", "/a&b=1").as_deref(), Some("script u"));
        assert_eq!(
            place("x = JSON.parse('{\"k\":\"ab12cd34ef\"}')", "ab12cd34ef").as_deref(),
            Some("script JSON.parse(1): JSON $.k")
        );
    }

    /// Catches: the id of a row is not found in what a click on the row runs.
    #[test]
    fn an_argument_is_known_by_its_call_and_what_else_is_handed_over() {
        let mut index = ValueIndex::default();
        collect_handler("return app.reply('accepted', '', 17, f(1));", "onclick of a: ", &mut index);
        let held = index.of_value("17").next().unwrap();
        assert_eq!(held.place, "script call app.reply argument 3");
        assert_eq!((held.call, held.sent_with.as_slice()), (true, &["accepted".to_owned()][..]));
        assert_eq!(words_of("app.openInvoice"), ["app", "open", "invoice"]);
        assert_eq!(place("g('a', {id: 17})", "17").as_deref(), Some("script g(2).id"));
    }

    /// Catches: a quote in a comment or a regular expression, and all strings after it are read inside out.
    #[test]
    fn comments_and_regular_expressions_hold_no_strings() {
        let script =
            "// don't\nvar a = b.replace(/['\"]/g, ''); /* it's */ var t = 'ab12cd34ef'; var q = 4 / 2;";
        assert_eq!(place(script, "ab12cd34ef").as_deref(), Some("script t"));
    }

    proptest::proptest! {
        /// Catches: a script that no browser would run makes the reader fail.
        #[test]
        fn any_text_is_read(script in "[a-z0-9'\"`/\\\\{}()\\[\\]:;,= \n\u{e9}*.]{0,60}") {
            collect(&script, "", &mut ValueIndex::default());
        }
    }
}
