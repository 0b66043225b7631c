//! An XML body as a tree: elements with their attributes in the order of their names, and the text between
//! them, its white space collapsed. Comments, processing instructions and the document type are left out.

use std::borrow::Cow;
use std::fmt::{self, Write};

use quick_xml::Reader;
use quick_xml::escape::{escape, partial_escape, resolve_predefined_entity};
use quick_xml::events::{BytesRef, BytesStart, Event};

use crate::diff::align::Alike;
use crate::page::digest::{both, hash};

/// Deeper nesting is not followed: trees are walked by recursion.
const DEEPEST: usize = 256;
/// So many children of two elements are looked at to tell how alike they are.
const LOOKED_AT: usize = 32;

/// An element, or the text between two tags.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) hash: u64,
    /// Itself and what is in it.
    size: usize,
    pub(super) content: Content,
}

#[derive(Debug)]
pub(super) enum Content {
    Text(String),
    Element(Element),
}

#[derive(Debug)]
pub(super) struct Element {
    /// With its prefix, as written.
    pub(super) name: String,
    pub(super) attributes: Vec<(String, String)>,
    pub(super) children: Vec<Node>,
}

/// Why there is no tree.
#[derive(Debug)]
pub(super) enum Unread {
    /// It nests deeper than is followed.
    Deep,
    /// It is not XML: why, and where.
    Malformed(String),
}

impl Node {
    /// Reads a body into its root element.
    pub(super) fn read(body: &[u8]) -> Result<Self, Unread> {
        let text = decoded(body);
        let mut reader = Reader::from_str(&text);
        let mut builder = Builder::default();
        loop {
            let at = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
            match reader.read_event() {
                Ok(Event::Eof) => return builder.finish().map_err(|why| malformed(&text, text.len(), &why)),
                Ok(event) => match builder.take(&event) {
                    Ok(()) if builder.open.len() > DEEPEST => return Err(Unread::Deep),
                    Ok(()) => {}
                    Err(why) => return Err(malformed(&text, at, &why)),
                },
                Err(error) => {
                    let at = usize::try_from(reader.error_position()).unwrap_or(usize::MAX);
                    return Err(malformed(&text, at, &error.to_string()));
                }
            }
        }
    }

    fn text(text: String) -> Self {
        Self { hash: both(1, hash(text.as_bytes())), size: 1, content: Content::Text(text) }
    }

    fn element(element: Element) -> Self {
        let mut sum = both(2, hash(element.name.as_bytes()));
        for (name, value) in &element.attributes {
            sum = both(sum.wrapping_add(1), both(hash(name.as_bytes()), hash(value.as_bytes())));
        }
        // Apart from the attributes: a child's hash must not pass for one.
        sum = both(3, sum);
        for child in &element.children {
            sum = both(sum.wrapping_add(1), child.hash);
        }
        let size = element.children.iter().fold(1, |sum, child| sum + child.size);
        Self { hash: sum, size, content: Content::Element(element) }
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.content {
            Content::Text(text) => f.write_str(&partial_escape(text.as_str())),
            Content::Element(element) => {
                write!(f, "<{}", element.name)?;
                for (name, value) in &element.attributes {
                    write!(f, " {name}=\"{}\"", escape(value.as_str()))?;
                }
                if element.children.is_empty() {
                    return f.write_str("/>");
                }
                f.write_char('>')?;
                for child in &element.children {
                    write!(f, "{child}")?;
                }
                write!(f, "</{}>", element.name)
            }
        }
    }
}

impl Alike for Node {
    fn hash(&self) -> u64 {
        self.hash
    }

    fn size(&self) -> usize {
        self.size
    }

    fn likeness(&self, other: &Self) -> u32 {
        match (&self.content, &other.content) {
            (Content::Text(_), Content::Text(_)) => 2,
            (Content::Element(a), Content::Element(b)) if a.name == b.name => {
                let attributes = a.attributes.iter().filter(|pair| b.attributes.contains(pair)).count();
                let theirs = &b.children[..b.children.len().min(LOOKED_AT)];
                let shared = a.children.iter().take(LOOKED_AT);
                let children = shared.filter(|child| theirs.iter().any(|c| c.hash == child.hash)).count();
                2 + 4 * (attributes + children) as u32
            }
            // An element of another name is another element.
            _ => 0,
        }
    }
}

#[derive(Default)]
struct Builder {
    open: Vec<Element>,
    /// The text since the last tag; comments do not end it.
    text: String,
    root: Option<Node>,
}

impl Builder {
    fn take(&mut self, event: &Event<'_>) -> Result<(), String> {
        match event {
            Event::Start(tag) => {
                self.end_text()?;
                self.open.push(element(tag)?);
            }
            Event::Empty(tag) => {
                self.end_text()?;
                self.close(element(tag)?)?;
            }
            Event::End(_) => {
                self.end_text()?;
                // The reader has checked that it is the one that is open.
                let element = self.open.pop().ok_or("a closing tag without its opening one")?;
                self.close(element)?;
            }
            Event::Text(text) => self.text.push_str(&String::from_utf8_lossy(text)),
            Event::CData(text) => self.text.push_str(&String::from_utf8_lossy(text)),
            Event::GeneralRef(reference) => self.refer(reference)?,
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) | Event::Eof => {}
        }
        Ok(())
    }

    /// Entities of the document's own are left as they are written, so that none can grow.
    fn refer(&mut self, reference: &BytesRef<'_>) -> Result<(), String> {
        if let Some(c) = reference.resolve_char_ref().map_err(|e| e.to_string())? {
            self.text.push(c);
            return Ok(());
        }
        let name = String::from_utf8_lossy(reference);
        match resolve_predefined_entity(&name) {
            Some(text) => self.text.push_str(text),
            None => self.text.push_str(&format!("&{name};")),
        }
        Ok(())
    }

    fn end_text(&mut self) -> Result<(), String> {
        let words: Vec<&str> = self.text.split_whitespace().collect();
        if !words.is_empty() {
            let node = Node::text(words.join(" "));
            let parent = self.open.last_mut().ok_or("text outside of the root element")?;
            parent.children.push(node);
        }
        self.text.clear();
        Ok(())
    }

    fn close(&mut self, element: Element) -> Result<(), String> {
        let node = Node::element(element);
        match self.open.last_mut() {
            Some(parent) => parent.children.push(node),
            None if self.root.is_some() => return Err("a second root element".to_owned()),
            None => self.root = Some(node),
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Node, String> {
        self.end_text()?;
        match self.open.last() {
            Some(element) => Err(format!("<{}> is not closed", element.name)),
            None => self.root.ok_or_else(|| "there is no element".to_owned()),
        }
    }
}

fn element(tag: &BytesStart<'_>) -> Result<Element, String> {
    let mut attributes = Vec::new();
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|e| e.to_string())?;
        let name = String::from_utf8_lossy(attribute.key.as_ref()).into_owned();
        let raw = String::from_utf8_lossy(&attribute.value);
        let value = quick_xml::escape::unescape(&raw).map_or_else(|_| raw.to_string(), Cow::into_owned);
        attributes.push((name, value));
    }
    attributes.sort();
    let name = String::from_utf8_lossy(tag.name().as_ref()).into_owned();
    Ok(Element { name, attributes, children: Vec::new() })
}

/// What is not UTF-8 is read as Latin-1: whatever it is, no two characters become one.
fn decoded(body: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(body) {
        Ok(text) => Cow::Borrowed(text.trim_start_matches('\u{feff}')),
        Err(_) => Cow::Owned(body.iter().map(|&b| char::from(b)).collect()),
    }
}

fn malformed(text: &str, at: usize, why: &str) -> Unread {
    let before = &text.as_bytes()[..at.min(text.len())];
    let line = before.iter().filter(|b| **b == b'\n').count() + 1;
    let column = before.iter().rev().take_while(|b| **b != b'\n').count() + 1;
    Unread::Malformed(format!("{why} at line {line} column {column}"))
}
