//! A page as the tokenizer sees it, in one compact piece of memory.

use html5gum::Tokenizer;

use crate::token_sink::Collector;

/// The tokens of a page: tag and attribute names in lower case, entities decoded, the first of repeated
/// attributes kept, raw-text elements (`script`, `style`, `textarea`, `title`) as text.
#[derive(Clone, Debug, Default)]
pub struct Tokens {
    pub(crate) bytes: Vec<u8>,
    pub(crate) attrs: Vec<(Span, Span)>,
    pub(crate) tokens: Vec<Compact>,
}

/// One token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Token<'a> {
    /// `<name attrs>`.
    Open {
        /// The tag's name.
        name: &'a [u8],
        /// Its attributes.
        attrs: Attrs<'a>,
        /// Whether it ended with `/>`.
        self_closing: bool,
    },
    /// `</name>`.
    Close {
        /// The tag's name.
        name: &'a [u8],
    },
    /// Text between tags; never empty, never two in a row.
    Text(&'a [u8]),
    /// A comment's inside.
    Comment(&'a [u8]),
    /// The name of a document type.
    Doctype(&'a [u8]),
}

/// The attributes of a tag, in order.
#[derive(Clone, Copy, Debug)]
pub struct Attrs<'a> {
    page: &'a Tokens,
    from: u32,
    to: u32,
}

impl<'a> Attrs<'a> {
    /// Name and value pairs.
    pub fn iter(self) -> impl Iterator<Item = (&'a [u8], &'a [u8])> {
        let page = self.page;
        page.attrs[self.from as usize..self.to as usize].iter().map(|&(n, v)| (page.slice(n), page.slice(v)))
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.from == self.to
    }

    /// The value of an attribute (its name in lower case).
    pub fn get(self, name: &str) -> Option<&'a [u8]> {
        self.iter().find(|(n, _)| *n == name.as_bytes()).map(|(_, v)| v)
    }

    /// Its value as text.
    pub fn text(self, name: &str) -> Option<String> {
        self.get(name).map(|v| String::from_utf8_lossy(v).into_owned())
    }

    /// Whether the attribute is there, with or without a value.
    pub fn has(self, name: &str) -> bool {
        self.get(name).is_some()
    }
}

impl PartialEq for Attrs<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl PartialEq for Tokens {
    /// Whether they are the same tokens, wherever their bytes are kept.
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl Tokens {
    /// None yet, with room for about as much as these.
    pub fn with_room_for(others: &Self) -> Self {
        Self {
            bytes: Vec::with_capacity(others.bytes.len()),
            attrs: Vec::with_capacity(others.attrs.len()),
            tokens: Vec::with_capacity(others.tokens.len()),
        }
    }

    /// Tokenizes a page. Never fails: every sequence of bytes is HTML of some kind.
    pub fn of(html: &[u8]) -> Self {
        let mut page = Self::default();
        page.bytes.reserve(html.len());
        page.tokens.reserve(html.len() / 16);
        page.attrs.reserve(html.len() / 64);
        // Reading from memory cannot fail.
        let Ok(()) = Tokenizer::new_with_emitter(html, Collector::into(&mut page)).finish();
        page
    }

    /// Adds a token. Text that follows on text is one text.
    pub fn push(&mut self, token: Token<'_>) {
        let compact = match token {
            Token::Open { name, attrs, self_closing } => {
                return self.push_open(name, attrs.iter(), self_closing);
            }
            Token::Text(text) => return self.push_text(text),
            Token::Close { name } => Compact::Close(self.keep(name)),
            Token::Comment(text) => Compact::Comment(self.keep(text)),
            Token::Doctype(name) => Compact::Doctype(self.keep(name)),
        };
        self.tokens.push(compact);
    }

    /// Adds a start tag.
    pub fn push_open<'a>(
        &mut self,
        name: &[u8],
        attrs: impl Iterator<Item = (&'a [u8], &'a [u8])>,
        self_closing: bool,
    ) {
        let name = self.keep(name);
        let from = self.attrs.len() as u32;
        for (attribute, value) in attrs {
            let pair = (self.keep(attribute), self.keep(value));
            self.attrs.push(pair);
        }
        let to = self.attrs.len() as u32;
        self.tokens.push(Compact::Open { name, from, to, self_closing });
    }

    fn push_text(&mut self, text: &[u8]) {
        let text = self.keep(text);
        // Adjoining pieces are one text, wherever they were split.
        if let Some(Compact::Text(last)) = self.tokens.last_mut()
            && last.to == text.from
        {
            last.to = text.to;
        } else {
            self.tokens.push(Compact::Text(text));
        }
    }

    fn keep(&mut self, bytes: &[u8]) -> Span {
        let from = self.bytes.len() as u32;
        self.bytes.extend_from_slice(bytes);
        Span { from, to: self.bytes.len() as u32 }
    }

    /// The page as it could have been written: equal tokens give equal bytes, and no two pages of other tokens do.
    pub fn source(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.bytes.len() * 2);
        let mut raw = false;
        for token in self.iter() {
            match token {
                Token::Open { name, attrs, self_closing } => {
                    raw = matches!(name, b"script" | b"style");
                    out.push(b'<');
                    out.extend_from_slice(name);
                    for (attribute, value) in attrs.iter() {
                        out.push(b' ');
                        out.extend_from_slice(attribute);
                        out.extend_from_slice(b"=\"");
                        escape(value, &mut out);
                        out.push(b'"');
                    }
                    out.extend_from_slice(if self_closing { b"/>" } else { b">" });
                }
                Token::Close { name } => {
                    raw = false;
                    out.extend_from_slice(b"</");
                    out.extend_from_slice(name);
                    out.push(b'>');
                }
                Token::Text(text) if raw => out.extend_from_slice(text),
                Token::Text(text) => escape(text, &mut out),
                Token::Comment(text) => {
                    out.extend_from_slice(b"<!--");
                    out.extend_from_slice(text);
                    out.extend_from_slice(b"-->");
                }
                Token::Doctype(name) => {
                    out.extend_from_slice(b"<!DOCTYPE ");
                    out.extend_from_slice(name);
                    out.push(b'>');
                }
            }
        }
        out
    }

    /// The tokens in order.
    pub fn iter(&self) -> impl Iterator<Item = Token<'_>> {
        self.tokens.iter().map(|t| self.token(*t))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// The token at a place.
    pub fn get(&self, index: usize) -> Option<Token<'_>> {
        self.tokens.get(index).map(|t| self.token(*t))
    }

    fn token(&self, token: Compact) -> Token<'_> {
        match token {
            Compact::Open { name, from, to, self_closing } => {
                Token::Open { name: self.slice(name), attrs: Attrs { page: self, from, to }, self_closing }
            }
            Compact::Close(name) => Token::Close { name: self.slice(name) },
            Compact::Text(text) => Token::Text(self.slice(text)),
            Compact::Comment(text) => Token::Comment(self.slice(text)),
            Compact::Doctype(name) => Token::Doctype(self.slice(name)),
        }
    }

    pub(crate) fn slice(&self, span: Span) -> &[u8] {
        &self.bytes[span.from as usize..span.to as usize]
    }
}

fn escape(text: &[u8], out: &mut Vec<u8>) {
    let mut rest = text;
    while let Some(at) = rest.iter().position(|byte| matches!(byte, b'<' | b'&' | b'"')) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(match rest[at] {
            b'<' => b"&lt;",
            b'&' => b"&amp;",
            _ => b"&quot;",
        });
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Span {
    pub(crate) from: u32,
    pub(crate) to: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Compact {
    Open { name: Span, from: u32, to: u32, self_closing: bool },
    Close(Span),
    Text(Span),
    Comment(Span),
    Doctype(Span),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(html: &str) -> String {
        let page = Tokens::of(html.as_bytes());
        let lossy = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
        let mut out = Vec::new();
        for token in page.iter() {
            out.push(match token {
                Token::Open { name, attrs, .. } => {
                    let attrs: Vec<String> =
                        attrs.iter().map(|(n, v)| format!(" {}={}", lossy(n), lossy(v))).collect();
                    format!("<{}{}>", lossy(name), attrs.concat())
                }
                Token::Close { name } => format!("</{}>", lossy(name)),
                Token::Text(text) => format!("'{}'", lossy(text)),
                Token::Comment(text) => format!("<!--{}-->", lossy(text)),
                Token::Doctype(name) => format!("<!{}>", lossy(name)),
            });
        }
        out.join(" ")
    }

    #[test]
    fn tags_attributes_text_and_entities() {
        assert_eq!(
            shown("<!DOCTYPE html><P Class=a CLASS=b id='x &amp; y'>R&eacute;sum&#233; &lt;<br/></P junk=1>"),
            "<!html> <p class=a id=x & y> 'Résumé <' <br> </p>"
        );
    }

    #[test]
    fn raw_text_elements_hold_text() {
        assert_eq!(
            shown("<script>if (a<b) x('<p>')</script><title>A &amp; B</title><textarea><b></textarea>"),
            "<script> 'if (a<b) x('<p>')' </script> <title> 'A & B' </title> <textarea> '<b>' </textarea>"
        );
    }

    #[test]
    fn an_empty_attribute_after_one_with_a_value() {
        assert_eq!(shown("<input value=1 checked name=''>"), "<input value=1 checked= name=>");
    }

    #[test]
    fn the_source_is_read_back_as_the_same_tokens() {
        let html =
            "<!DOCTYPE html><p id='a\"b'>x &lt;b&gt; &amp; y<!-- c --><script>a<b && c</script><br/></p>";
        let tokens = Tokens::of(html.as_bytes());
        let again = Tokens::of(&tokens.source());
        assert_eq!(again.source(), tokens.source());
        assert_eq!(again.len(), tokens.len());
        let mut copy = Tokens::default();
        tokens.iter().for_each(|token| copy.push(token));
        assert_eq!(copy.source(), tokens.source());
        assert_eq!(copy, tokens);
    }

    /// Catches: pages taken for the same though an attribute, a tag's end or a text is another.
    #[test]
    fn tokens_are_the_same_where_all_of_each_is() {
        let pages =
            ["", "<p>", "<p/>", "</p>", "<p a>", "<p b>", "<p a=1>", "<p a=1 b>", "p", "<!--p-->", "<p>p"]
                .map(|html| Tokens::of(html.as_bytes()));
        for (i, a) in pages.iter().enumerate() {
            for (j, b) in pages.iter().enumerate() {
                assert_eq!(a == b, i == j, "{i} {j}");
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_html_of_some_kind(html: Vec<u8>) {
            let tokens = Tokens::of(&html);
            proptest::prop_assert_eq!(tokens.iter().count(), tokens.len());
        }
    }
}
