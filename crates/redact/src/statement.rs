//! Statements to a database, with the values that were bound to them: secrets told by the names of their columns.
//!
//! No statement is parsed as its dialect says: a value belongs to the column that it is compared with or assigned to, or that stands at
//! its place in the list of an `INSERT`. What cannot be told so is still looked at for its shape, and for known secrets.

use serde_json::Value;

use crate::redactor::Redactor;

/// A value in a statement, and its column where that can be told.
#[derive(Debug, PartialEq, Eq)]
struct Slot {
    column: Option<String>,
    place: Place,
}

#[derive(Debug, PartialEq, Eq)]
enum Place {
    /// Between these bytes.
    Written(usize, usize),
    /// The bound value of this number.
    Bound(usize),
}

impl Redactor {
    /// Puts stand-ins in place of the secrets of a statement and of its bound values; whether there were any.
    pub fn redact_statement(&mut self, text: &mut String, bound: &mut [Value]) -> bool {
        let mut any = false;
        let slots = slots(text);
        let mut replaced = Vec::new();
        let mut names: Vec<Option<String>> = vec![None; bound.len()];
        for slot in slots {
            match (slot.place, slot.column) {
                (Place::Written(start, end), Some(column)) => {
                    if let Some(covered) = self.redact_value(&column, &text[start..end]) {
                        replaced.push((start, end, covered));
                    }
                }
                (Place::Bound(number), column) => {
                    if let Some(name) = names.get_mut(number) {
                        *name = column;
                    }
                }
                (Place::Written(..), None) => {}
            }
        }
        for (start, end, covered) in replaced.into_iter().rev() {
            text.replace_range(start..end, &covered);
            any = true;
        }
        if let Some(covered) = self.redact_text(text) {
            *text = covered;
            any = true;
        }
        for (value, name) in bound.iter_mut().zip(names) {
            any |= self.redact_bound(name.as_deref().unwrap_or_default(), value);
        }
        any
    }

    fn redact_bound(&mut self, name: &str, value: &mut Value) -> bool {
        let covered = match value {
            Value::String(text) => self.redact_value(name, text),
            Value::Number(number) => self.redact_value(name, &number.to_string()),
            Value::Array(values) => {
                return values.iter_mut().fold(false, |any, value| self.redact_bound(name, value) | any);
            }
            Value::Object(members) => {
                return members
                    .iter_mut()
                    .fold(false, |any, (name, value)| self.redact_bound(name, value) | any);
            }
            Value::Null | Value::Bool(_) => None,
        };
        covered.map(|covered| *value = Value::String(covered)).is_some()
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Token<'a> {
    Word(&'a str),
    /// In quotation marks: which, and what is between them.
    Quoted(u8, usize, usize),
    Number(usize, usize),
    /// A value that is bound: its number where the statement says so.
    Placeholder(Option<usize>),
    Sign(u8),
}

/// The values of a statement.
fn slots(text: &str) -> Vec<Slot> {
    let mut slots = Vec::new();
    let mut reader = Reader::default();
    let mut bound = 0;
    for token in tokens(text) {
        match token {
            Token::Word(word) => reader.word(word),
            Token::Quoted(b'`', start, end) => reader.name(&text[start..end]),
            // An identifier in one dialect, a string in another.
            Token::Quoted(b'"', start, end) if reader.column().is_none() => reader.name(&text[start..end]),
            Token::Quoted(_, start, end) | Token::Number(start, end) => {
                slots.push(Slot { column: reader.column(), place: Place::Written(start, end) });
            }
            Token::Placeholder(number) => {
                let number = number.unwrap_or(bound);
                bound += 1;
                slots.push(Slot { column: reader.column(), place: Place::Bound(number) });
            }
            Token::Sign(sign) => reader.sign(sign),
        }
    }
    slots
}

/// What is known at a place of a statement.
#[derive(Default)]
struct Reader {
    depth: usize,
    last: Option<String>,
    /// The column that is compared or assigned, and how deep it stands.
    compared: Option<(String, usize)>,
    /// The columns of an `INSERT`, and where its lists stand.
    columns: Vec<String>,
    insert: Insert,
}

#[derive(Default, PartialEq, Eq)]
enum Insert {
    #[default]
    None,
    /// After `INTO`.
    Into,
    /// In the list of columns, so deep.
    Columns(usize),
    /// After it.
    Listed,
    /// After `VALUES`: how deep, and the how-manieth value it is.
    Values(usize, usize),
}

impl Reader {
    fn column(&self) -> Option<String> {
        match (&self.compared, &self.insert) {
            (Some((name, _)), _) => Some(name.clone()),
            (None, Insert::Values(depth, place)) if self.depth > *depth => self.columns.get(*place).cloned(),
            _ => None,
        }
    }

    fn name(&mut self, name: &str) {
        if let Insert::Columns(depth) = self.insert
            && self.depth == depth
        {
            self.columns.push(name.to_owned());
        }
        self.last = Some(name.to_owned());
    }

    fn word(&mut self, word: &str) {
        match word.to_ascii_uppercase().as_str() {
            "INTO" => self.insert = Insert::Into,
            "VALUES" | "VALUE" => self.insert = Insert::Values(self.depth, 0),
            "LIKE" | "ILIKE" | "IN" | "IS" | "BETWEEN" | "REGEXP" => self.compare(),
            "NOT" | "ANY" | "ALL" | "NULL" | "TRUE" | "FALSE" | "BINARY" | "CAST" => {}
            "AND" | "OR" | "WHERE" | "SET" | "ON" | "HAVING" | "ORDER" | "GROUP" | "LIMIT" | "RETURNING"
            | "FROM" | "SELECT" | "WHEN" | "THEN" | "ELSE" | "END" => {
                self.compared = None;
                if matches!(self.insert, Insert::Values(depth, _) if self.depth == depth) {
                    self.insert = Insert::None;
                }
            }
            _ => self.name(word),
        }
    }

    fn compare(&mut self) {
        if let Some(last) = &self.last {
            self.compared = Some((last.clone(), self.depth));
        }
    }

    fn sign(&mut self, sign: u8) {
        match sign {
            b'(' => {
                self.depth += 1;
                match self.insert {
                    Insert::Into => {
                        self.columns.clear();
                        self.insert = Insert::Columns(self.depth);
                    }
                    Insert::Values(depth, _) if self.depth == depth + 1 => {
                        self.insert = Insert::Values(depth, 0);
                    }
                    _ => {}
                }
            }
            b')' => {
                if self.insert == Insert::Columns(self.depth) {
                    self.insert = Insert::Listed;
                }
                self.depth = self.depth.saturating_sub(1);
                self.over(self.depth + 1);
            }
            b',' => {
                if let Insert::Values(depth, place) = self.insert
                    && self.depth == depth + 1
                {
                    self.insert = Insert::Values(depth, place + 1);
                }
                self.over(self.depth);
            }
            b';' => *self = Self::default(),
            b'=' | b'<' | b'>' | b'!' | b'~' => self.compare(),
            _ => {}
        }
    }

    /// What is compared at this depth or deeper is over.
    fn over(&mut self, depth: usize) {
        if self.compared.as_ref().is_some_and(|(_, at)| *at >= depth) {
            self.compared = None;
        }
    }
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    let run = |from: usize, is: &dyn Fn(u8) -> bool| {
        bytes[from..].iter().position(|&byte| !is(byte)).map_or(bytes.len(), |length| from + length)
    };
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let (byte, next) = (bytes[at], bytes.get(at + 1).copied().unwrap_or(b' '));
        let end = match byte {
            b'\'' | b'"' | b'`' => {
                let end = closing(bytes, at);
                tokens.push(Token::Quoted(byte, at + 1, end));
                end + 1
            }
            b'-' if next == b'-' => run(at, &|byte| byte != b'\n'),
            b'/' if next == b'*' => {
                memchr::memmem::find(&bytes[at..], b"*/").map_or(bytes.len(), |length| at + length + 2)
            }
            b'?' => {
                tokens.push(Token::Placeholder(None));
                at + 1
            }
            b'$' if next.is_ascii_digit() => {
                let end = run(at + 1, &|byte| byte.is_ascii_digit());
                let number = text[at + 1..end].parse::<usize>().ok().and_then(|number| number.checked_sub(1));
                tokens.push(Token::Placeholder(number));
                end
            }
            b'%' if next == b's' => {
                tokens.push(Token::Placeholder(None));
                at + 2
            }
            b':' if next == b':' => {
                // A cast: its type is no column.
                run(at + 2, &is_word)
            }
            b':' if is_word(next) => {
                tokens.push(Token::Placeholder(None));
                run(at + 1, &is_word)
            }
            _ if byte.is_ascii_digit() => {
                let end = run(at, &|byte| is_word(byte) || byte == b'.');
                tokens.push(Token::Number(at, end));
                end
            }
            _ if is_word(byte) => {
                let end = run(at, &is_word);
                tokens.push(Token::Word(&text[at..end]));
                end
            }
            _ => {
                if !byte.is_ascii_whitespace() {
                    tokens.push(Token::Sign(byte));
                }
                at + 1
            }
        };
        at = end.max(at + 1);
    }
    tokens
}

/// Where the quotation mark that ends what begins here is; the end of the text where none does.
fn closing(bytes: &[u8], start: usize) -> usize {
    let mark = bytes[start];
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if mark != b'`' => at += 1,
            byte if byte == mark && bytes.get(at + 1) == Some(&mark) => at += 1,
            byte if byte == mark => return at,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Rules, StandIns};

    fn columns(text: &str) -> Vec<String> {
        let shown = |slot: Slot| {
            let value = match slot.place {
                Place::Written(start, end) => text[start..end].to_owned(),
                Place::Bound(number) => format!("#{number}"),
            };
            format!("{}={value}", slot.column.unwrap_or_default())
        };
        slots(text).into_iter().map(shown).collect()
    }

    #[test]
    fn values_belong_to_the_columns_that_they_are_compared_with_or_put_into() {
        for (text, expected) in [
            ("SELECT * FROM u WHERE name = ? AND pass=MD5(?)", vec!["name=#0", "pass=#1"]),
            (
                "UPDATE u SET `name`='a''b', pass = 'x' WHERE id IN (1, 2)",
                vec!["name=a''b", "pass=x", "id=1", "id=2"],
            ),
            (
                "INSERT INTO u (name, \"pass\") VALUES ('a', 'b'), (?, ?)",
                vec!["name=a", "pass=b", "name=#0", "pass=#1"],
            ),
            (
                "INSERT INTO u (a, b) VALUES (f(1, 2), $1) ON CONFLICT DO UPDATE SET b = $2",
                vec!["a=1", "a=2", "b=#0", "b=#1"],
            ),
            ("SELECT 1 WHERE t.pass LIKE \"%x\" LIMIT 5", vec!["=1", "pass=%x", "=5"]),
            ("INSERT INTO u SET a=:a, b=%s -- c='d'", vec!["a=#0", "b=#1"]),
            ("SELECT 'unclosed", vec!["=unclosed"]),
        ] {
            assert_eq!(columns(text), expected, "{text}");
        }
    }

    /// Catches: a password that is found in a form, and again in the statement that it led to.
    #[test]
    fn secrets_in_statements_and_bound_values_are_covered() {
        let mut redactor = Redactor::covering(Rules::default(), StandIns::of_text("key"));
        let mut text = "UPDATE users SET password = 'hunter2x9', city = 'Rome' WHERE email = ?".to_owned();
        let mut bound = vec![Value::from("ada@example.com")];
        assert!(redactor.redact_statement(&mut text, &mut bound));
        assert!(!text.contains("hunter2x9") && text.contains("city = 'Rome'"), "{text}");
        assert_ne!(bound[0], "ada@example.com");
        let mut text = "INSERT INTO users (name, password) VALUES (?, ?)".to_owned();
        let mut bound = vec![Value::from("ada"), Value::from("hunter2x9")];
        assert!(redactor.redact_statement(&mut text, &mut bound));
        assert!(bound[0] == "ada" && bound[1] != "hunter2x9", "{bound:?}");
        let mut text = "SELECT city FROM users WHERE id = 7".to_owned();
        assert!(!redactor.redact_statement(&mut text, &mut []));
    }

    proptest! {
        /// Catches: a slice at no boundary of a character, and an endless loop.
        #[test]
        fn any_text_is_read_to_its_end(text in ".{0,80}", sql in "[a-z('\"`?$%:,=) é;\\\\0-9-]{0,60}") {
            for text in [text, sql] {
                for slot in slots(&text) {
                    if let Place::Written(start, end) = slot.place {
                        prop_assert!(text.get(start..end).is_some());
                    }
                }
            }
        }
    }
}
