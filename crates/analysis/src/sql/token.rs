//! Words of a statement, as far as a scan needs them.

/// A word, a sign or a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A keyword or a name without quotes.
    Word(&'a str),
    /// A name in quotes, without them.
    Quoted(&'a str),
    /// A string, without its quotes.
    Text(&'a str),
    /// A number.
    Number(&'a str),
    /// A place for a value: `?`, `:name`, `$1`, `%s`.
    Placeholder,
    /// Anything else.
    Sign(char),
}

impl<'a> Token<'a> {
    pub(super) fn is(self, word: &str) -> bool {
        matches!(self, Self::Word(this) if this.eq_ignore_ascii_case(word))
    }

    pub(super) fn is_any(self, words: &[&str]) -> bool {
        words.iter().any(|word| self.is(word))
    }

    /// The name that it may be.
    pub(super) fn name(self) -> Option<&'a str> {
        match self {
            Self::Word(name) | Self::Quoted(name) => Some(name),
            _ => None,
        }
    }
}

/// The tokens of a text with the bytes that they take. What `--`, `#` and `/* */` hide is left out, except what MySQL runs
/// (`/*! … */`).
#[derive(Debug)]
pub(super) struct Tokens<'a> {
    text: &'a str,
    at: usize,
    /// Whether `"…"` is a name and not a string.
    double_quoted_names: bool,
}

impl<'a> Tokens<'a> {
    pub(super) fn of(text: &'a str, double_quoted_names: bool) -> Self {
        Self { text, at: 0, double_quoted_names }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The end of something between quotes, which begins here; the text between.
    fn quoted(&mut self, quote: u8) -> &'a str {
        let bytes = self.text.as_bytes();
        let begin = self.at + 1;
        let mut at = begin;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'\\' if quote != b'`' => at += 2,
                byte if *byte == quote => {
                    if bytes.get(at + 1) == Some(&quote) {
                        at += 2;
                    } else {
                        break;
                    }
                }
                _ => at += 1,
            }
        }
        let end = at.min(bytes.len());
        self.at = (end + 1).min(bytes.len());
        self.text.get(begin..end).unwrap_or_default()
    }

    fn skip(&mut self, end: &str) {
        self.at = self.rest().find(end).map_or(self.text.len(), |found| self.at + found + end.len());
    }

    fn run(&mut self, is_part: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$' || c == '@'
}

impl<'a> Iterator for Tokens<'a> {
    /// Where the token begins and ends, and what it is.
    type Item = (usize, usize, Token<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let rest = self.rest();
            let begin = self.at;
            let first = rest.chars().next()?;
            let token = match first {
                c if c.is_whitespace() || c.is_control() => {
                    self.at += c.len_utf8();
                    continue;
                }
                '-' if rest.starts_with("--") => {
                    self.skip("\n");
                    continue;
                }
                '#' => {
                    self.skip("\n");
                    continue;
                }
                '/' if rest.starts_with("/*!") => {
                    self.at += 3;
                    self.run(|c| c.is_ascii_digit());
                    continue;
                }
                '/' if rest.starts_with("/*") => {
                    self.skip("*/");
                    continue;
                }
                '*' if rest.starts_with("*/") => {
                    self.at += 2;
                    continue;
                }
                '\'' => Token::Text(self.quoted(b'\'')),
                '"' if self.double_quoted_names => Token::Quoted(self.quoted(b'"')),
                '"' => Token::Text(self.quoted(b'"')),
                '`' => Token::Quoted(self.quoted(b'`')),
                '[' if self.double_quoted_names && rest[1..].starts_with(|c: char| c.is_alphabetic()) => {
                    self.at += 1;
                    let name = self.run(|c| c != ']');
                    self.at = (self.at + 1).min(self.text.len());
                    Token::Quoted(name)
                }
                '?' => {
                    self.at += 1;
                    Token::Placeholder
                }
                ':' if rest[1..].starts_with(|c: char| c.is_alphabetic() || c == '_') => {
                    self.at += 1;
                    self.run(is_word);
                    Token::Placeholder
                }
                '%' if rest[1..].starts_with(['s', 'd', 'f', 'i']) && !rest[2..].starts_with(is_word) => {
                    self.at += 2;
                    Token::Placeholder
                }
                '$' if rest[1..].starts_with(|c: char| c.is_ascii_digit()) => {
                    self.at += 1;
                    self.run(|c| c.is_ascii_digit());
                    Token::Placeholder
                }
                c if c.is_ascii_digit() => {
                    let number = self.run(|c| c.is_alphanumeric() || c == '.' || c == '_' || c == '$');
                    if number.starts_with(|c: char| c.is_ascii_digit())
                        && number.contains(|c: char| c.is_alphabetic() && c != 'e' && c != 'E' && c != 'x')
                    {
                        Token::Word(number)
                    } else {
                        Token::Number(number)
                    }
                }
                c if is_word(c) => Token::Word(self.run(is_word)),
                c => {
                    self.at += c.len_utf8();
                    Token::Sign(c)
                }
            };
            return Some((begin, self.at, token));
        }
    }
}
