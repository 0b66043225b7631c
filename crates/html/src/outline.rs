//! What stands beside something on a page: the text of the row, the item or the section that it is in.
//!
//! HTML on the web is unclosed and misnested, so elements are followed only as far as this needs: which encloses which,
//! and what text is in it. What counts as a row is not told by tags, which are as often `div` as `tr`. It is the largest
//! element that holds one of several things alike, and none of the others.

use std::collections::HashMap;

/// Elements that hold nothing.
const VOID: &[&[u8]] = &[
    b"area", b"base", b"br", b"col", b"embed", b"hr", b"img", b"input", b"link", b"meta", b"param",
    b"source", b"track", b"wbr",
];

/// Whether elements of this name hold nothing, so that they have no end.
pub fn is_void(name: &[u8]) -> bool {
    VOID.contains(&name)
}

/// Deeper than this, elements are taken for one.
const DEEPEST: usize = 512;

/// A place on a page: the element that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot(u32);

#[derive(Clone, Copy, Debug)]
struct Element {
    parent: u32,
    /// Its text, from here to there.
    from: usize,
    to: usize,
    /// Whether its tag says that it is a row or an item.
    is_row: bool,
}

/// The elements of a page, and their text.
#[derive(Debug)]
pub struct Outline {
    elements: Vec<Element>,
    text: String,
}

/// Whose things an element holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    One(usize),
    Several,
}

impl Outline {
    /// The text that stands beside each of several things alike, in their order on the page, and beside none of the others.
    /// Each is a place and what it is: two places of one thing, as two buttons for one row, do not part it. Empty where
    /// nothing stands there.
    pub fn beside(&self, alike: &[(Spot, usize)]) -> Vec<String> {
        let mut holds: HashMap<usize, Holds> = HashMap::new();
        for (spot, thing) in alike {
            let mut up = spot.0 as usize;
            loop {
                let now = match holds.get(&up) {
                    None => Holds::One(*thing),
                    Some(Holds::One(other)) if other == thing => break,
                    Some(Holds::One(_)) => Holds::Several,
                    Some(Holds::Several) => break,
                };
                holds.insert(up, now);
                if up == 0 {
                    break;
                }
                up = self.elements[up].parent as usize;
            }
        }
        let mut texts = Vec::with_capacity(alike.len());
        // Where what is before ends, and whose it is.
        let mut before = (0, usize::MAX);
        let mut between = 0;
        for (spot, thing) in alike {
            let own = self.elements[spot.0 as usize];
            let mut row = spot.0 as usize;
            // Of one thing alone, all of the page would be the row, unless a tag says what is.
            let is_own = |element: usize| holds.get(&element) == Some(&Holds::One(*thing));
            let is_end = |row: usize| holds.get(&0) != Some(&Holds::Several) && self.elements[row].is_row;
            while row != 0 && !is_end(row) && is_own(self.elements[row].parent as usize) {
                row = self.elements[row].parent as usize;
            }
            if row == 0 {
                texts.push(String::new());
                continue;
            }
            let row = self.elements[row];
            if before.1 != *thing {
                between = before.0;
            }
            let text = self.between(row.from, row.to);
            // Where nothing is in there with it, what stands between it and the one before.
            texts.push(if text == self.between(own.from, own.to) {
                let from = between.max(self.elements[row.parent as usize].from).min(own.from);
                format!("{} {text}", self.between(from, own.from)).trim().to_owned()
            } else {
                text
            });
            before = (own.to, *thing);
        }
        texts
    }

    fn between(&self, from: usize, to: usize) -> String {
        self.text.get(from..to).unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// Reads the elements of a page, tag by tag.
#[derive(Debug)]
pub struct OutlineBuilder {
    outline: Outline,
    open: Vec<(Vec<u8>, u32)>,
    /// Within a script or a style: no text.
    hidden: bool,
}

impl Default for OutlineBuilder {
    fn default() -> Self {
        let root = Element { parent: 0, from: 0, to: 0, is_row: false };
        Self {
            outline: Outline { elements: vec![root], text: String::new() },
            open: Vec::new(),
            hidden: false,
        }
    }
}

impl OutlineBuilder {
    /// An element begins; its place.
    pub fn open(&mut self, name: &[u8]) -> Spot {
        self.end_implied(name);
        self.hidden = matches!(name, b"script" | b"style" | b"template");
        let parent = self.open.last().map_or(0, |(_, element)| *element);
        let (at, from) = (self.outline.elements.len() as u32, self.outline.text.len());
        let is_row = matches!(name, b"tr" | b"li" | b"article");
        self.outline.elements.push(Element { parent, from, to: from, is_row });
        if !is_void(name) && self.open.len() < DEEPEST {
            self.open.push((name.to_vec(), at));
        }
        // Two elements side by side are two words.
        self.outline.text.push(' ');
        Spot(at)
    }

    /// An element ends; with it those that were left open in it.
    pub fn close(&mut self, name: &[u8]) {
        self.hidden = false;
        if let Some(depth) = self.open.iter().rposition(|(open, _)| open == name) {
            self.end_from(depth);
        }
        self.outline.text.push(' ');
    }

    /// Text.
    pub fn text(&mut self, text: &str) {
        if !self.hidden {
            self.outline.text.push_str(text);
        }
    }

    /// The whole.
    pub fn finish(mut self) -> Outline {
        self.end_from(0);
        self.outline.elements[0].to = self.outline.text.len();
        self.outline
    }

    /// What ends because another begins: rows, cells and items are seldom closed by hand.
    fn end_implied(&mut self, name: &[u8]) {
        let (ends, within): (&[&[u8]], &[&[u8]]) = match name {
            b"li" => (&[b"li"], &[b"ul", b"ol", b"menu"]),
            b"tr" => (&[b"tr", b"td", b"th"], &[b"table"]),
            b"td" | b"th" => (&[b"td", b"th"], &[b"table", b"tr"]),
            b"tbody" | b"tfoot" | b"thead" => (&[b"tbody", b"thead", b"tfoot"], &[b"table"]),
            b"dt" | b"dd" => (&[b"dt", b"dd"], &[b"dl"]),
            b"option" => (&[b"option"], &[b"select"]),
            b"a" => (&[b"a"], &[]),
            b"p" | b"div" | b"ul" | b"ol" | b"table" | b"form" | b"h1" | b"h2" | b"h3" | b"h4"
            | b"section" => (&[b"p"], &[b"div", b"td", b"li", b"section"]),
            _ => return,
        };
        let mut outermost = None;
        for (depth, (open, _)) in self.open.iter().enumerate().rev() {
            if within.contains(&open.as_slice()) {
                break;
            }
            if ends.contains(&open.as_slice()) {
                outermost = Some(depth);
            }
        }
        if let Some(depth) = outermost {
            self.end_from(depth);
        }
    }

    fn end_from(&mut self, depth: usize) {
        let to = self.outline.text.len();
        for (_, element) in self.open.drain(depth..) {
            self.outline.elements[element as usize].to = to;
        }
    }
}
