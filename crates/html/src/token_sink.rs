//! Collects what the tokenizer says into [`Tokens`], without a copy in between.
//!
//! The tokenizer says a tag piece by piece: its name, then each attribute's name and value. Each piece is put behind
//! the one before, so that all but the last are complete; a tag that comes to nothing is taken back.

use std::collections::HashSet;
use std::convert::Infallible;

use html5gum::{Emitter, Error, State, naive_next_state};

use crate::tokens::{Compact, Span, Tokens};

/// A tag of more attributes is asked in another way whether it has one already, or many would take forever.
const MANY: usize = 24;

/// Takes the tokenizer's word for the tokens.
pub(crate) struct Collector<'p> {
    page: &'p mut Tokens,
    /// The tag being read.
    tag: Option<Tag>,
    /// The name of the last start tag, unless an end tag followed: what ends a raw-text element.
    last_start: Option<Span>,
    /// Where the comment or document type being read begins.
    other_from: u32,
    /// The attributes that the tag being read has, where it has many.
    many: HashSet<Box<[u8]>>,
}

struct Tag {
    closing: bool,
    self_closing: bool,
    name: Span,
    /// Its first attribute.
    attrs_from: u32,
    /// The attribute being read: its name, and its value.
    attr: Option<(Span, Span)>,
}

impl<'p> Collector<'p> {
    pub(crate) fn into(page: &'p mut Tokens) -> Self {
        Self { page, tag: None, last_start: None, other_from: 0, many: HashSet::new() }
    }

    fn at(&self) -> u32 {
        self.page.bytes.len() as u32
    }

    fn begin_tag(&mut self, closing: bool) {
        self.take_back_tag();
        let (at, attrs_from) = (self.at(), self.page.attrs.len() as u32);
        let name = Span { from: at, to: at };
        self.tag = Some(Tag { closing, self_closing: false, name, attrs_from, attr: None });
    }

    /// What looked like a tag is text, or the page ends in it.
    fn take_back_tag(&mut self) {
        if let Some(tag) = self.tag.take() {
            self.page.bytes.truncate(tag.name.from as usize);
            self.page.attrs.truncate(tag.attrs_from as usize);
        }
    }

    /// Puts the attribute being read to its tag, unless the tag has it already or is an end tag.
    fn end_attribute(&mut self) {
        let Some(tag) = &mut self.tag else { return };
        let Some((name, value)) = tag.attr.take() else { return };
        let seen = tag.attrs_from as usize..self.page.attrs.len();
        let keep = !tag.closing && name.from < name.to && {
            let text = self.page.slice(name);
            if seen.len() < MANY {
                self.page.attrs[seen].iter().all(|(n, _)| self.page.slice(*n) != text)
            } else {
                if seen.len() == MANY {
                    self.many.clear();
                    let all = self.page.attrs[seen].iter().map(|(n, _)| self.page.slice(*n).into());
                    self.many.extend(all);
                }
                self.many.insert(text.into())
            }
        };
        if keep {
            self.page.attrs.push((name, value));
        } else {
            self.page.bytes.truncate(name.from as usize);
        }
    }

    fn other(&self) -> Span {
        Span { from: self.other_from, to: self.at() }
    }
}

impl Emitter for Collector<'_> {
    type Token = Infallible;

    // Nobody asks for errors, and looking for them takes a third of the time.
    #[inline]
    fn should_emit_errors(&mut self) -> bool {
        false
    }

    #[inline]
    fn emit_error(&mut self, _: Error) {}

    fn set_last_start_tag(&mut self, name: Option<&[u8]>) {
        // Asked for by tests of the tokenizer alone; no page begins inside an element.
        debug_assert!(name.is_none());
    }

    fn emit_eof(&mut self) {
        self.take_back_tag();
    }

    fn pop_token(&mut self) -> Option<Infallible> {
        None
    }

    #[inline]
    fn emit_string(&mut self, text: &[u8]) {
        if text.is_empty() {
            return;
        }
        self.take_back_tag();
        let from = self.at();
        self.page.bytes.extend_from_slice(text);
        let to = self.at();
        // Adjoining pieces are one text, wherever the tokenizer split them.
        match self.page.tokens.last_mut() {
            Some(Compact::Text(last)) if last.to == from => last.to = to,
            _ => self.page.tokens.push(Compact::Text(Span { from, to })),
        }
    }

    fn init_start_tag(&mut self) {
        self.begin_tag(false);
    }

    fn init_end_tag(&mut self) {
        self.begin_tag(true);
    }

    fn push_tag_name(&mut self, name: &[u8]) {
        self.page.bytes.extend_from_slice(name);
        let to = self.at();
        if let Some(tag) = &mut self.tag {
            tag.name.to = to;
        }
    }

    fn init_attribute(&mut self) {
        self.end_attribute();
        let here = Span { from: self.at(), to: self.at() };
        if let Some(tag) = &mut self.tag {
            tag.attr = Some((here, here));
        }
    }

    fn push_attribute_name(&mut self, name: &[u8]) {
        self.page.bytes.extend_from_slice(name);
        let to = self.at();
        if let Some((name, value)) = self.tag.as_mut().and_then(|tag| tag.attr.as_mut()) {
            name.to = to;
            *value = Span { from: to, to };
        }
    }

    fn push_attribute_value(&mut self, value: &[u8]) {
        self.page.bytes.extend_from_slice(value);
        let to = self.at();
        if let Some((_, value)) = self.tag.as_mut().and_then(|tag| tag.attr.as_mut()) {
            value.to = to;
        }
    }

    fn set_self_closing(&mut self) {
        if let Some(tag) = &mut self.tag {
            tag.self_closing = true;
        }
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        self.end_attribute();
        let tag = self.tag.take()?;
        if tag.closing {
            self.page.tokens.push(Compact::Close(tag.name));
            self.last_start = None;
            return None;
        }
        let (from, to) = (tag.attrs_from, self.page.attrs.len() as u32);
        self.page.tokens.push(Compact::Open { name: tag.name, from, to, self_closing: tag.self_closing });
        self.last_start = Some(tag.name);
        naive_next_state(self.page.slice(tag.name))
    }

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        match (&self.tag, self.last_start) {
            (Some(tag), Some(last)) => tag.closing && self.page.slice(tag.name) == self.page.slice(last),
            _ => false,
        }
    }

    fn init_comment(&mut self) {
        self.take_back_tag();
        self.other_from = self.at();
    }

    fn push_comment(&mut self, text: &[u8]) {
        self.page.bytes.extend_from_slice(text);
    }

    fn emit_current_comment(&mut self) {
        let text = self.other();
        self.page.tokens.push(Compact::Comment(text));
    }

    fn init_doctype(&mut self) {
        self.take_back_tag();
        self.other_from = self.at();
    }

    fn push_doctype_name(&mut self, name: &[u8]) {
        self.page.bytes.extend_from_slice(name);
    }

    fn emit_current_doctype(&mut self) {
        let name = self.other();
        self.page.tokens.push(Compact::Doctype(name));
    }

    fn set_force_quirks(&mut self) {}

    fn set_doctype_public_identifier(&mut self, _: &[u8]) {}

    fn set_doctype_system_identifier(&mut self, _: &[u8]) {}

    fn push_doctype_public_identifier(&mut self, _: &[u8]) {}

    fn push_doctype_system_identifier(&mut self, _: &[u8]) {}
}

#[cfg(test)]
mod tests {
    use html5gum::Tokenizer;
    use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
    use proptest::prelude::*;

    use super::*;
    use crate::tokens::Token;

    /// Bytes that differ look different: broken UTF-8 made lossy would not.
    fn shown_bytes(bytes: &[u8]) -> String {
        bytes.escape_ascii().to_string()
    }

    /// The tokens in words.
    fn shown(html: &[u8]) -> Vec<String> {
        let tokens = Tokens::of(html);
        let token = |token: Token<'_>| match token {
            Token::Open { name, attrs, self_closing } => {
                let attrs: Vec<(String, String)> =
                    attrs.iter().map(|(n, v)| (shown_bytes(n), shown_bytes(v))).collect();
                format!("open {} {attrs:?} {self_closing}", shown_bytes(name))
            }
            Token::Close { name } => format!("close {}", shown_bytes(name)),
            Token::Text(text) => format!("text {}", shown_bytes(text)),
            Token::Comment(text) => format!("comment {}", shown_bytes(text)),
            Token::Doctype(name) => format!("doctype {}", shown_bytes(name)),
        };
        tokens.iter().map(token).collect()
    }

    /// The same from the tokenizer's own way to collect them, which is slower.
    fn shown_by_events(html: &[u8]) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        let mut tag: Option<(String, Vec<(String, String)>)> = None;
        let mut keep = false;
        let mut emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, _: html5gum::Span<()>| {
            match event {
                CallbackEvent::OpenStartTag { name } => tag = Some((shown_bytes(name), Vec::new())),
                CallbackEvent::AttributeName { name } => {
                    keep = false;
                    if let Some((_, attrs)) = &mut tag {
                        keep = attrs.iter().all(|(n, _)| *n != shown_bytes(name));
                        if keep {
                            attrs.push((shown_bytes(name), String::new()));
                        }
                    }
                }
                CallbackEvent::AttributeValue { value } => {
                    if let Some((_, attrs)) = tag.as_mut().filter(|_| keep) {
                        attrs.last_mut().unwrap().1 = shown_bytes(value);
                    }
                }
                CallbackEvent::CloseStartTag { self_closing } => {
                    let (name, attrs) = tag.take().unwrap();
                    out.push(format!("open {name} {attrs:?} {self_closing}"));
                }
                CallbackEvent::EndTag { name } => out.push(format!("close {}", shown_bytes(name))),
                CallbackEvent::String { value } => out.push(format!("text {}", shown_bytes(value))),
                CallbackEvent::Comment { value } => out.push(format!("comment {}", shown_bytes(value))),
                CallbackEvent::Doctype { name, .. } => out.push(format!("doctype {}", shown_bytes(name))),
                CallbackEvent::Error(_) => {}
            }
            None::<Infallible>
        });
        emitter.naively_switch_states(true);
        let Ok(()) = Tokenizer::new_with_emitter(html, emitter).finish();
        out
    }

    fn piece() -> impl Strategy<Value = &'static str> {
        prop::sample::select(vec![
            "a",
            " ",
            "<",
            ">",
            "/",
            "=",
            "\"",
            "'",
            "&",
            ";",
            "!",
            "-",
            "\0",
            "\r\n",
            "é",
            "<p",
            "<p>",
            "</p>",
            " class=a",
            " CLASS='b'",
            " id",
            "<br/>",
            "<title>",
            "</title",
            "</title>",
            "</titl",
            "<textarea>",
            "</TEXTAREA >",
            "<script>",
            "</script x=1>",
            "<!--",
            "-->",
            "<style>",
            "</style>",
            "<!doctype html>",
            "<![CDATA[x]]>",
            "<?x?>",
            "&amp;",
            "&copy",
            "&#65;",
            "<plaintext>",
            "</ x>",
            "</>",
            "<noscript>",
        ])
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn the_tokens_are_those_of_the_events(pieces in prop::collection::vec(piece(), 0..16)) {
            let html = pieces.concat();
            prop_assert_eq!(shown(html.as_bytes()), shown_by_events(html.as_bytes()), "{}", html);
        }

        #[test]
        fn also_of_any_bytes(html: Vec<u8>) {
            prop_assert_eq!(shown(&html), shown_by_events(&html));
        }
    }

    #[test]
    fn the_first_of_many_attributes_is_kept_too() {
        let attrs: String = (0..200).map(|n| format!(" a{}={n}", n % 150)).collect();
        let html = format!("<p{attrs}><b{attrs}>");
        let tokens = Tokens::of(html.as_bytes());
        for token in tokens.iter() {
            let Token::Open { attrs, .. } = token else { panic!("{token:?}") };
            assert_eq!(attrs.iter().count(), 150);
            assert_eq!((attrs.get("a0"), attrs.get("a149")), (Some(&b"0"[..]), Some(&b"149"[..])));
        }
    }
}
