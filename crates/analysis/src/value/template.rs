//! A string as far as it is known: pieces of text, and holes where something is computed while the program runs.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::given::Given;
use crate::program::FunctionId;

/// A parameter of a function.
pub(crate) type Origin = (FunctionId, u16);

/// What is not known of a value. Two are the same whatever they came from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hole {
    /// Whether it depends on who calls the function that is looked at: a caller may know more.
    pub(crate) open: bool,
    /// What of a parameter it is, where it is just that: a caller's argument takes its place.
    pub(crate) given: Option<Given>,
    /// What of parameters it is computed from, where that is more than one, or something else too.
    pub(crate) parts: Option<Arc<[Given]>>,
    /// Whether it comes from outside of the program: a request, a file, a row of a table.
    pub(crate) outside: bool,
    /// Words that it was computed from, where the computation itself was not followed.
    pub(crate) from: Option<Arc<[Arc<str>]>>,
    /// The parameters that it came from: where one is given what comes from outside of the program, so does this.
    pub(crate) origins: Option<Arc<[Origin]>>,
}

impl PartialEq for Hole {
    fn eq(&self, other: &Self) -> bool {
        self.open == other.open
            && self.outside == other.outside
            && self.given == other.given
            && self.parts == other.parts
            && self.from == other.from
    }
}

impl Eq for Hole {}

impl Hash for Hole {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.open, self.outside, &self.given, &self.parts, &self.from).hash(state);
    }
}

/// Of as many parameters it is remembered that a hole was computed from them.
const MOST_PARTS: usize = 6;

/// As many parameters are remembered that a hole came from.
const MOST_ORIGINS: usize = 8;

/// As many words are remembered of what a hole was computed from.
const MOST_WORDS: usize = 12;

impl Hole {
    pub(crate) fn open() -> Self {
        Self { open: true, ..Self::default() }
    }

    /// What a parameter is given.
    pub(crate) fn given(given: Given) -> Self {
        Self { open: true, given: Some(given), ..Self::default() }
    }

    /// What comes from outside of the program.
    pub(crate) fn outside() -> Self {
        Self { outside: true, ..Self::default() }
    }

    /// Whether it is what a parameter is given, or something in it.
    pub(crate) fn is_argument(&self) -> bool {
        self.given.as_ref().is_some_and(Given::is_argument)
    }

    /// The same after a change that is not followed.
    pub(crate) fn changed(&self) -> Self {
        let given = self.given.clone().map(|given| Given { inexact: true, ..given });
        Self { given, ..self.clone() }
    }

    /// What is computed of it, in a way that is not followed.
    pub(crate) fn computed(&self) -> Self {
        let given = self.given.as_ref().map(Given::computed);
        Self { given, from: None, ..self.clone() }
    }

    /// What is computed from both.
    pub(crate) fn and(&self, other: &Self) -> Self {
        let from = match (&self.from, &other.from) {
            (None, None) => None,
            (Some(words), None) | (None, Some(words)) => Some(words.clone()),
            (Some(a), Some(b)) => {
                let mut words: Vec<Arc<str>> = a.to_vec();
                words.extend(b.iter().filter(|word| !a.contains(word)).cloned());
                words.truncate(MOST_WORDS);
                Some(words.into())
            }
        };
        let given = match (&self.given, &other.given) {
            (Some(mine), Some(theirs)) if mine == theirs => Some(mine.clone()),
            (Some(mine), Some(theirs)) if mine.parameter == theirs.parameter => {
                Some(mine.computed_with(theirs))
            }
            (Some(given), None) if !other.open => Some(given.computed()),
            (None, Some(given)) if !self.open => Some(given.computed()),
            _ => None,
        };
        let parts = if given.is_some() { None } else { self.joined_parts(other) };
        let origins = joined_origins(self.origins.as_ref(), other.origins.as_ref());
        let (open, outside) = (self.open || other.open, self.outside || other.outside);
        Self { open, given, parts, outside, from, origins }
    }

    /// The same where it is one of several.
    pub(crate) fn one_of_several(&self) -> Self {
        Self { given: None, parts: self.joined_parts(&Self::default()), ..self.clone() }
    }

    /// What of parameters either is computed from.
    fn joined_parts(&self, other: &Self) -> Option<Arc<[Given]>> {
        if self.given.is_none() && other.given.is_none() {
            match (&self.parts, &other.parts) {
                (None, None) => return None,
                (Some(parts), None) | (None, Some(parts)) => return Some(parts.clone()),
                (Some(mine), Some(theirs)) if Arc::ptr_eq(mine, theirs) => return Some(mine.clone()),
                _ => {}
            }
        }
        let mut all: Vec<Given> = Vec::new();
        for hole in [self, other] {
            for given in hole.given.iter().chain(hole.parts.iter().flat_map(|parts| parts.iter())) {
                let given = given.computed();
                if !all.contains(&given) {
                    all.push(given);
                }
            }
        }
        all.sort_by_key(|given| given.parameter);
        all.truncate(MOST_PARTS);
        (!all.is_empty()).then(|| all.into())
    }

    /// What is left of it where nobody knows who called: where it comes from.
    pub(crate) fn source(&self) -> Self {
        Self { outside: self.outside, origins: self.origins.clone(), ..Self::default() }
    }

    /// Where it comes from beside the parameters of a function.
    pub(crate) fn source_beside(&self, function: FunctionId) -> Self {
        let others =
            self.origins.iter().flat_map(|all| all.iter()).filter(|(id, _)| *id != function).copied();
        let others: Vec<Origin> = others.collect();
        let origins = (!others.is_empty()).then(|| others.into());
        Self { outside: self.outside, origins, ..Self::default() }
    }

    /// A hole that was computed from a word too.
    pub(crate) fn with_word(&self, word: &str) -> Self {
        if !is_name(word) {
            return self.clone();
        }
        let word = Self { from: Some(Arc::from([Arc::from(word)])), ..Self::default() };
        self.and(&word)
    }
}

fn joined_origins(a: Option<&Arc<[Origin]>>, b: Option<&Arc<[Origin]>>) -> Option<Arc<[Origin]>> {
    let (Some(mine), Some(theirs)) = (a, b) else { return a.or(b).cloned() };
    if Arc::ptr_eq(mine, theirs) || theirs.iter().all(|origin| mine.contains(origin)) {
        return Some(mine.clone());
    }
    let mut all = mine.to_vec();
    all.extend(theirs.iter().filter(|origin| !mine.contains(origin)));
    all.truncate(MOST_ORIGINS);
    Some(all.into())
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether a text could be the name of a table: letters, digits, `_`, and dots between names.
pub(crate) fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 128
        && !text.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && text.chars().all(|c| c.is_alphanumeric() || "_.$".contains(c))
}

/// A piece of a template.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Piece {
    Text(Arc<str>),
    Hole(Hole),
}

/// A string as far as it is known. Texts do not stand beside each other, and no text is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Template(Vec<Piece>);

/// Longer strings are cut: what comes after is a hole.
const LONGEST: usize = 6_000;
/// What begins like HTML is no statement, and its end says nothing.
const LONGEST_HTML: usize = 200;
/// As many pieces has a template at most.
const MOST_PIECES: usize = 400;

impl Template {
    pub(crate) fn text(text: &str) -> Self {
        let mut template = Self::default();
        template.push_text(text);
        template
    }

    pub(crate) fn hole(hole: Hole) -> Self {
        Self(vec![Piece::Hole(hole)])
    }

    pub(crate) fn pieces(&self) -> &[Piece] {
        &self.0
    }

    /// The text, where all of it is known.
    pub(crate) fn known(&self) -> Option<&str> {
        match &self.0[..] {
            [] => Some(""),
            [Piece::Text(text)] => Some(text),
            _ => None,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|piece| if let Piece::Text(text) = piece { text.len() } else { 1 }).sum()
    }

    pub(crate) fn push_text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let is_html =
            matches!(self.0.first(), Some(Piece::Text(first)) if first.trim_start().starts_with('<'));
        if self.len() + text.len() > if is_html { LONGEST_HTML } else { LONGEST } {
            return self.push_hole(Hole::default());
        }
        if let Some(Piece::Text(last)) = self.0.last_mut() {
            *last = format!("{last}{text}").into();
        } else {
            self.0.push(Piece::Text(text.into()));
        }
    }

    pub(crate) fn push_hole(&mut self, hole: Hole) {
        match self.0.last_mut() {
            // What two parameters are given stays apart: each may be known to a caller.
            Some(Piece::Hole(last)) if !last.is_argument() && !hole.is_argument() => *last = last.and(&hole),
            _ => self.0.push(Piece::Hole(hole)),
        }
    }

    pub(crate) fn push(&mut self, other: &Self) {
        for piece in &other.0 {
            if self.0.len() >= MOST_PIECES {
                return self.push_hole(other.as_hole());
            }
            match piece {
                Piece::Text(text) => self.push_text(text),
                Piece::Hole(hole) => self.push_hole(hole.clone()),
            }
        }
    }

    /// What is left where something unknown is done with it.
    pub(crate) fn as_hole(&self) -> Hole {
        if let [Piece::Hole(hole)] = &self.0[..] {
            return hole.clone();
        }
        self.0.iter().fold(Hole::default(), |hole, piece| match piece {
            Piece::Text(text) => hole.with_word(text.trim()),
            Piece::Hole(other) => hole.and(other),
        })
    }

    /// The same with every text changed.
    pub(crate) fn map_text(&self, change: impl Fn(&str) -> String) -> Self {
        let mut template = Self::default();
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => template.push_text(&change(text)),
                Piece::Hole(hole) => template.push_hole(hole.changed()),
            }
        }
        template
    }

    /// One template for several: how all of them begin, a hole for what differs, how all of them end.
    pub(crate) fn widened(all: &[&Self]) -> Self {
        let Some(first) = all.first() else { return Self::default() };
        let hole = all.iter().fold(Hole::default(), |hole, template| {
            template.0.iter().fold(hole, |hole, piece| match piece {
                Piece::Text(_) => hole,
                Piece::Hole(other) => hole.and(other),
            })
        });
        let begin = all[1..].iter().fold(first.len(), |begin, other| begin.min(first.common_start(other)));
        let mut template = first.start(begin);
        let goes_on = |other: &&Self| other.after(begin).is_some_and(is_of_word);
        if all.iter().any(goes_on) {
            template.cut_word();
        }
        template.push_hole(hole);
        template
    }

    /// The character that comes after so much of it.
    fn after(&self, mut length: usize) -> Option<char> {
        for piece in &self.0 {
            match piece {
                Piece::Text(text) if length < text.len() => return text.get(length..)?.chars().next(),
                Piece::Text(text) => length -= text.len(),
                Piece::Hole(_) => length = length.checked_sub(1)?,
            }
        }
        None
    }

    /// Without the word that it ends with, of which only the beginning is there.
    fn cut_word(&mut self) {
        if let Some(Piece::Text(last)) = self.0.last_mut() {
            let kept = last.trim_end_matches(is_of_word);
            if kept.is_empty() {
                self.0.pop();
            } else if kept.len() < last.len() {
                *last = kept.into();
            }
        }
    }

    /// Whether another says the same with more known of it: it has the same texts, and texts in the places of holes. What a
    /// caller may know is not left out for it.
    pub(crate) fn is_less_than(&self, other: &Self) -> bool {
        if self.is_open()
            || other.known().is_none()
            || self.0.iter().all(|piece| matches!(piece, Piece::Hole(_)))
        {
            return false;
        }
        let Some(mut rest) = other.known() else { return false };
        let mut after_hole = false;
        for piece in &self.0 {
            match piece {
                Piece::Hole(_) => after_hole = true,
                Piece::Text(text) => {
                    match rest.find(&**text) {
                        Some(0) => rest = &rest[text.len()..],
                        Some(at) if after_hole => rest = &rest[at + text.len()..],
                        _ => return false,
                    }
                    after_hole = false;
                }
            }
        }
        self.known().is_none() && (rest.is_empty() || after_hole)
    }

    /// Whether there is a word in it after which tables are named.
    pub(crate) fn says_table(&self) -> bool {
        const WORDS: &[&str] = &["from", "join", "into", "update"];
        self.0.iter().any(|piece| match piece {
            Piece::Text(text) => text
                .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
                .any(|word| WORDS.iter().any(|known| word.eq_ignore_ascii_case(known))),
            Piece::Hole(_) => false,
        })
    }

    /// How many characters (a hole is one) two templates have in common at their start.
    fn common_start(&self, other: &Self) -> usize {
        let mut common = 0;
        for (a, b) in self.0.iter().zip(&other.0) {
            match (a, b) {
                (Piece::Text(a), Piece::Text(b)) => {
                    let same: usize =
                        a.chars().zip(b.chars()).take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf8()).sum();
                    common += same;
                    if same < a.len() || same < b.len() {
                        return common;
                    }
                }
                (Piece::Hole(_), Piece::Hole(_)) => common += 1,
                _ => return common,
            }
        }
        common
    }

    fn start(&self, mut length: usize) -> Self {
        let mut template = Self::default();
        for piece in &self.0 {
            if length == 0 {
                break;
            }
            match piece {
                Piece::Text(text) => {
                    let end = length.min(text.len());
                    template.push_text(text.get(..end).unwrap_or(text));
                    length -= end;
                }
                Piece::Hole(hole) => {
                    template.push_hole(hole.clone());
                    length -= 1;
                }
            }
        }
        template
    }

    /// As a text, with `mark` for each hole.
    pub(crate) fn marked(&self, mark: char) -> String {
        let mut text = String::with_capacity(self.len());
        for piece in &self.0 {
            match piece {
                Piece::Text(piece) => text.extend(piece.chars().filter(|c| *c != mark)),
                Piece::Hole(_) if text.ends_with(mark) => {}
                Piece::Hole(_) => text.push(mark),
            }
        }
        text
    }

    /// The same with a name for some holes.
    pub(crate) fn named(&self, name: &str, is: impl Fn(&Hole) -> bool) -> Self {
        let mut named = Self::default();
        for piece in &self.0 {
            match piece {
                Piece::Hole(hole) if is(hole) => named.push_text(name),
                Piece::Hole(hole) => named.push_hole(hole.clone()),
                Piece::Text(text) => named.push_text(text),
            }
        }
        named
    }

    /// The same with its holes changed.
    pub(crate) fn map_holes(&self, change: impl Fn(&Hole) -> Hole) -> Self {
        let pieces = self.0.iter().map(|piece| match piece {
            Piece::Hole(hole) => Piece::Hole(change(hole)),
            text => text.clone(),
        });
        Self(pieces.collect())
    }

    /// The same where no caller knows more.
    pub(crate) fn closed(&self) -> Self {
        self.with_open(false)
    }

    /// The same where a caller may know what the holes are.
    pub(crate) fn opened(&self) -> Self {
        self.with_open(true)
    }

    fn with_open(&self, open: bool) -> Self {
        let pieces = self.0.iter().map(|piece| match piece {
            Piece::Hole(hole) => {
                let (given, parts) =
                    if open { (hole.given.clone(), hole.parts.clone()) } else { (None, None) };
                Piece::Hole(Hole { open, given, parts, ..hole.clone() })
            }
            text => text.clone(),
        });
        Self(pieces.collect())
    }

    /// Whether any of it depends on who calls.
    pub(crate) fn is_open(&self) -> bool {
        self.0.iter().any(|piece| matches!(piece, Piece::Hole(hole) if hole.open))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(text: &str) -> Template {
        let mut template = Template::default();
        for (n, part) in text.split('*').enumerate() {
            if n > 0 {
                template.push_hole(Hole::default());
            }
            template.push_text(part);
        }
        template
    }

    #[test]
    fn widened_templates_keep_how_they_begin() {
        for (all, widened) in [
            (&["SELECT a FROM t", "SELECT a FROM t WHERE b"][..], "SELECT a FROM t*"),
            (&["DELETE FROM *x", "DELETE FROM *y"], "DELETE FROM **"),
            (&["ä 1", "ä 2", "ä "], "ä *"),
            (&["INSERT INTO t", "INSERT IGNORE INTO t"], "INSERT *"),
            (&["a", "b"], "*"),
        ] {
            let all: Vec<Template> = all.iter().map(|text| template(text)).collect();
            let all: Vec<&Template> = all.iter().collect();
            assert_eq!(Template::widened(&all), template(widened), "{all:?}");
        }
    }

    #[test]
    fn a_hole_remembers_names_that_it_was_computed_from() {
        let hole = template("users").as_hole().and(&template("a text").as_hole());
        assert_eq!(hole.from.as_deref(), Some(&[Arc::from("users")][..]));
    }
}
