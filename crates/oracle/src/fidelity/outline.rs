//! What a page has, as its user sees it: title, headings, forms, lists, words.

use std::collections::{BTreeMap, BTreeSet};

use restage_html::{FieldKind, Form, Page, Token, Tokens};
use restage_model::{Departure, Key};

use super::words::Words;
use crate::noise::tree::Tree;

/// Text in these is nothing that a user reads.
const UNSEEN: &[&[u8]] = &[b"script", b"style", b"template", b"noscript", b"title"];
/// Elements that are entries of a list by themselves.
const ENTRIES: &[&[u8]] = &[b"li", b"tr", b"article", b"dd"];
/// Elements that are, where several of a class stand together.
const CLASSED: &[&[u8]] = &[b"div", b"section", b"a", b"figure", b"p"];

/// What a page has.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    title: String,
    headings: Vec<Heading>,
    forms: Vec<FormShape>,
    asks_password: bool,
    /// How many entries each list has, by what it and they are.
    lists: BTreeMap<String, usize>,
    pub(crate) words: Words,
}

#[derive(Debug)]
struct Heading {
    main: bool,
    text: String,
    words: Words,
}

/// A form as its user sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct FormShape {
    method: String,
    /// Where it goes, as a key.
    action: String,
    /// The names of the fields that one fills in.
    fields: BTreeSet<String>,
}

impl Outline {
    /// Of a page whose masks are on.
    pub(crate) fn of(tokens: &Tokens) -> Self {
        let page = Page::from_tokens(tokens);
        let mut outline = Self {
            title: page.title,
            forms: page.forms.iter().map(FormShape::of).collect(),
            ..Self::default()
        };
        outline.read(tokens);
        outline.count(&Tree::of(tokens));
        outline
    }

    /// Of a document that is no page: what its elements are called, and what they say.
    pub(crate) fn of_xml(tokens: &Tokens) -> Self {
        let mut outline = Self::default();
        for token in tokens.iter() {
            match token {
                Token::Text(text) => outline.words.add(&String::from_utf8_lossy(text)),
                Token::Open { name, .. } => {
                    let name = format!("<{}>", String::from_utf8_lossy(name));
                    *outline.lists.entry(name).or_default() += 1;
                }
                _ => {}
            }
        }
        outline
    }

    fn read(&mut self, tokens: &Tokens) {
        let mut unseen: Option<&[u8]> = None;
        let mut heading: Option<(bool, String)> = None;
        for token in tokens.iter() {
            match token {
                Token::Open { name, attrs, self_closing } => {
                    if unseen.is_none() && !self_closing && UNSEEN.contains(&name) {
                        unseen = UNSEEN.iter().copied().find(|unseen| *unseen == name);
                    }
                    if is_heading(name) {
                        self.end_heading(heading.take());
                        heading = Some((name == b"h1", String::new()));
                    }
                    if name == b"input" {
                        let kind = attrs.text("type").unwrap_or_default().to_ascii_lowercase();
                        self.asks_password |= kind == "password";
                        if matches!(kind.as_str(), "" | "text" | "search" | "submit" | "button") {
                            self.words.add(&attrs.text("value").unwrap_or_default());
                        }
                    }
                }
                Token::Close { name } => {
                    if unseen == Some(name) {
                        unseen = None;
                    }
                    if is_heading(name) {
                        self.end_heading(heading.take());
                    }
                }
                Token::Text(text) if unseen.is_none() => {
                    let text = String::from_utf8_lossy(text);
                    if let Some((_, heading)) = &mut heading {
                        heading.push_str(&text);
                        heading.push(' ');
                    }
                    self.words.add(&text);
                }
                Token::Text(_) | Token::Comment(_) | Token::Doctype(_) => {}
            }
        }
        self.end_heading(heading);
    }

    fn end_heading(&mut self, heading: Option<(bool, String)>) {
        let Some((main, text)) = heading else { return };
        let words = Words::of(&text);
        if !words.is_empty() {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            self.headings.push(Heading { main, text, words });
        }
    }

    /// Counts the entries of lists.
    fn count(&mut self, tree: &Tree<'_>) {
        for node in 0..tree.nodes.len() {
            let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
            for child in tree.elements(node) {
                let (name, element) = (tree.name(child), &*tree.nodes[child].element);
                if ENTRIES.contains(&name) {
                    *counts.entry(std::str::from_utf8(name).unwrap_or_default()).or_default() += 1;
                } else if CLASSED.contains(&name) && element.contains('.') {
                    *counts.entry(element).or_default() += 1;
                }
            }
            for (entry, count) in counts {
                if count > 1 || !entry.contains('.') {
                    let list = &tree.nodes[node].element;
                    *self.lists.entry(format!("{list} > {entry}")).or_default() += count;
                }
            }
        }
    }

    /// What of this recorded page the live one lacks, the most telling first.
    pub(crate) fn departure(&self, live: &Self) -> Option<Departure> {
        if live.asks_password && !self.asks_password {
            return Some(Departure::LoginForm);
        }
        self.other_title(live)
            .or_else(|| self.missing_heading(live))
            .or_else(|| self.missing_form(live))
            .or_else(|| self.missing_entries(live))
    }

    /// Whether it has a heading or a form that tells it from others.
    pub(crate) fn is_known_by_more_than_words(&self) -> bool {
        !self.headings.is_empty() || !self.forms.is_empty()
    }

    /// Whether one of its lists lost entries: fewer words are then missing by themselves.
    pub(crate) fn has_longer_lists_than(&self, live: &Self) -> bool {
        self.lists.iter().any(|(of, was)| live.lists.get(of).is_none_or(|is| is < was))
    }

    fn other_title(&self, live: &Self) -> Option<Departure> {
        let (was, is) = (Words::of(&self.title), Words::of(&live.title));
        let differs = !was.is_empty() && !was.alike(&is);
        differs.then(|| Departure::Title { was: self.title.clone(), is: live.title.clone() })
    }

    /// Headings of lists come and go with their entries; the page's own does not, and no page loses most of them.
    fn missing_heading(&self, live: &Self) -> Option<Departure> {
        let missing = |heading: &&Heading| !live.headings.iter().any(|is| heading.words.alike(&is.words));
        let lost: Vec<&Heading> = self.headings.iter().filter(missing).collect();
        let first = lost.first()?;
        let all_main_lost = self.headings.iter().any(|heading| heading.main)
            && self.headings.iter().filter(|heading| heading.main).all(|heading| missing(&heading));
        (all_main_lost || lost.len() * 3 > self.headings.len())
            .then(|| Departure::Heading { was: first.text.clone() })
    }

    fn missing_form(&self, live: &Self) -> Option<Departure> {
        let missing = self.forms.iter().find(|form| !live.forms.iter().any(|is| form.is_in(is)))?;
        Some(Departure::Form { was: missing.to_string() })
    }

    /// An empty list, or one that lost more than half of many.
    fn missing_entries(&self, live: &Self) -> Option<Departure> {
        self.lists.iter().find_map(|(of, &was)| {
            let is = live.lists.get(of).copied().unwrap_or(0);
            let lost = is == 0 || (was >= 4 && is * 2 < was);
            lost.then(|| Departure::Entries { of: of.clone(), was, is })
        })
    }
}

/// What a user reads of a page.
pub(crate) fn visible(tokens: &Tokens) -> String {
    let mut unseen: Option<&[u8]> = None;
    let mut out = String::new();
    for token in tokens.iter() {
        match token {
            Token::Open { name, self_closing: false, .. } if unseen.is_none() => {
                unseen = UNSEEN.iter().copied().find(|unseen| *unseen == name);
            }
            Token::Close { name } if unseen == Some(name) => unseen = None,
            Token::Text(text) if unseen.is_none() => {
                out.push_str(&String::from_utf8_lossy(text));
                out.push(' ');
            }
            _ => {}
        }
    }
    out
}

impl FormShape {
    fn of(form: &Form) -> Self {
        let filled = |kind: FieldKind| !matches!(kind, FieldKind::Hidden | FieldKind::Submit);
        let names = form.fields.iter().filter(|field| filled(field.kind)).map(|field| steady(&field.name));
        Self {
            method: form.method.clone(),
            action: Key::of("", form.action.split(['?', '#']).next().unwrap_or_default(), "")
                .as_str()
                .trim()
                .to_owned(),
            fields: names.collect(),
        }
    }

    /// Whether the other form is this one: it asks for the same things, or goes to the same place where nothing is asked for.
    fn is_in(&self, live: &Self) -> bool {
        let shared = self.fields.intersection(&live.fields).count();
        let same_fields = shared * 2 > self.fields.len() || (self.fields == live.fields);
        self.method == live.method
            && same_fields
            && (!self.fields.is_empty() || self.action == live.action || self.action.is_empty())
    }
}

impl std::fmt::Display for FormShape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.method, if self.action.is_empty() { "(this page)" } else { &self.action })?;
        if self.fields.is_empty() {
            return Ok(());
        }
        write!(f, " with {}", self.fields.iter().take(4).map(String::as_str).collect::<Vec<_>>().join(", "))
    }
}

/// A field's name without the numbers in it: `qty[17]`.
fn steady(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        match c.is_ascii_digit() {
            true if out.ends_with('#') => {}
            true => out.push('#'),
            false => out.push(c),
        }
    }
    out
}

fn is_heading(name: &[u8]) -> bool {
    matches!(name, [b'h', b'1'..=b'6'])
}
