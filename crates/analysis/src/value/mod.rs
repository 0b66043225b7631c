//! Approximated values: what an expression of the program may come to, without running it.
//!
//! A [`Value`] is a short list of alternatives. Where there are too many, strings are widened to how they begin.

mod array;
mod given;
mod template;

use std::sync::Arc;

pub(crate) use array::{Array, Key};
pub(crate) use given::Given;
pub(crate) use template::{Hole, Origin, Piece, Template};

use crate::program::{ClassId, FunctionId};

/// An object, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Object {
    /// Made while a function was looked at: its properties are known one by one.
    Made(u32),
    /// Some object of a class.
    Some(ClassId),
}

/// A place in the session's array: the keys that lead to it.
pub(crate) type SessionPath = Arc<[Template]>;

/// One thing that a value may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Alternative {
    Unknown(Hole),
    Null,
    Bool(bool),
    /// A string or a number.
    Text(Arc<Template>),
    Array(Arc<Array>),
    Object(Object),
    /// A closure, with what it uses of the function around it.
    Closure(FunctionId, Arc<Vec<(u16, Value)>>, Option<Object>),
    /// A reference to the session's array, or to a place in it.
    Session(SessionPath),
}

/// What an expression may come to. Without alternatives: it was never assigned.
#[derive(Clone, Debug, Default, Eq)]
pub(crate) struct Value(Arc<Vec<Alternative>>);

/// As many of these may be arrays.
const MOST_ARRAYS: usize = 3;
/// And no more together weigh this.
const MOST_WEIGHT: u32 = 150;
/// As many alternatives has a value at most.
const MOST: usize = 10;

impl Value {
    fn of(alternatives: Vec<Alternative>) -> Self {
        Self(Arc::new(alternatives))
    }

    pub(crate) fn unknown() -> Self {
        Self::of(vec![Alternative::Unknown(Hole::default())])
    }

    pub(crate) fn of_hole(hole: Hole) -> Self {
        Self::of(vec![Alternative::Unknown(hole)])
    }

    /// What comes from outside of the program.
    pub(crate) fn outside() -> Self {
        Self::of_hole(Hole::outside())
    }

    pub(crate) fn null() -> Self {
        Self::of(vec![Alternative::Null])
    }

    pub(crate) fn bool(value: bool) -> Self {
        Self::of(vec![Alternative::Bool(value)])
    }

    pub(crate) fn text(text: &str) -> Self {
        Self::template(Template::text(text))
    }

    pub(crate) fn template(template: Template) -> Self {
        Self::of(vec![Alternative::Text(Arc::new(template))])
    }

    pub(crate) fn templates(templates: Vec<Template>) -> Self {
        let mut all: Vec<Alternative> =
            templates.into_iter().map(|t| Alternative::Text(Arc::new(t))).collect();
        all.dedup();
        let mut value = Self::of(all);
        value.limit();
        value
    }

    pub(crate) fn array(array: Array) -> Self {
        Self::of(vec![Alternative::Array(Arc::new(array))])
    }

    pub(crate) fn object(object: Object) -> Self {
        Self::of(vec![Alternative::Object(object)])
    }

    pub(crate) fn one(alternative: Alternative) -> Self {
        Self::of(vec![alternative])
    }

    pub(crate) fn alternatives(&self) -> &[Alternative] {
        &self.0
    }

    /// Whether it was never assigned.
    pub(crate) fn is_undefined(&self) -> bool {
        self.0.is_empty()
    }

    /// The one string that it is.
    pub(crate) fn known(&self) -> Option<&str> {
        match &self.0[..] {
            [Alternative::Text(template)] => template.known(),
            _ => None,
        }
    }

    /// The strings that it may be and that are known.
    pub(crate) fn known_texts(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|alternative| match alternative {
            Alternative::Text(template) => template.known(),
            _ => None,
        })
    }

    pub(crate) fn objects(&self) -> impl Iterator<Item = &Object> {
        self.0.iter().filter_map(|alternative| match alternative {
            Alternative::Object(object) => Some(object),
            _ => None,
        })
    }

    pub(crate) fn arrays(&self) -> impl Iterator<Item = &Arc<Array>> {
        self.0.iter().filter_map(|alternative| match alternative {
            Alternative::Array(array) => Some(array),
            _ => None,
        })
    }

    pub(crate) fn sessions(&self) -> impl Iterator<Item = &SessionPath> {
        self.0.iter().filter_map(|alternative| match alternative {
            Alternative::Session(path) => Some(path),
            _ => None,
        })
    }

    /// Whether nothing in it is unknown, and no statement that names tables.
    pub(crate) fn is_plain(&self) -> bool {
        self.0.iter().all(|alternative| match alternative {
            Alternative::Null | Alternative::Bool(_) | Alternative::Object(_) | Alternative::Closure(..) => {
                true
            }
            Alternative::Text(template) => template.known().is_some() && !template.says_table(),
            Alternative::Array(array) => {
                array.rest().is_none() && array.items().iter().all(|(_, item)| item.is_plain())
            }
            Alternative::Unknown(_) | Alternative::Session(_) => false,
        })
    }

    /// Whether it is nothing but unknown.
    pub(crate) fn is_unknown(&self) -> bool {
        self.0.iter().all(|alternative| matches!(alternative, Alternative::Unknown(_)))
    }

    /// What is left where something unknown is done with it.
    pub(crate) fn as_hole(&self) -> Hole {
        self.as_hole_to(2)
    }

    fn as_hole_to(&self, depth: usize) -> Hole {
        match &self.0[..] {
            [Alternative::Unknown(hole)] => return hole.clone(),
            [Alternative::Text(template)] => return template.as_hole(),
            _ => {}
        }
        let hole = self.0.iter().fold(Hole::default(), |hole, alternative| match alternative {
            Alternative::Unknown(other) => hole.and(other),
            Alternative::Text(template) => hole.and(&template.as_hole()),
            Alternative::Array(array) if depth > 0 => {
                let hole = array
                    .items()
                    .iter()
                    .take(8)
                    .fold(hole, |hole, (_, value)| hole.and(&value.as_hole_to(depth - 1)));
                array.rest().map_or(hole.clone(), |rest| hole.and(&rest.as_hole_to(depth - 1)))
            }
            _ => hole,
        });
        hole.one_of_several()
    }

    /// Either of two.
    pub(crate) fn join(&mut self, other: &Self) {
        if Arc::ptr_eq(&self.0, &other.0) {
            return;
        }
        if self.0.is_empty() {
            self.0 = other.0.clone();
            return;
        }
        for alternative in other.0.iter() {
            let unknown = matches!(alternative, Alternative::Unknown(hole) if hole.origins.is_some());
            if !unknown && self.0.contains(alternative) {
                continue;
            }
            let mine = Arc::make_mut(&mut self.0);
            match alternative {
                Alternative::Unknown(hole) => {
                    let known = mine.iter_mut().find_map(|known| match known {
                        Alternative::Unknown(known) if known.given == hole.given => Some(known),
                        _ => None,
                    });
                    match known {
                        Some(known) => *known = known.and(hole),
                        None => mine.push(alternative.clone()),
                    }
                }
                _ => mine.push(alternative.clone()),
            }
        }
        self.limit();
    }

    pub(crate) fn joined(mut self, other: &Self) -> Self {
        self.join(other);
        self
    }

    /// How much there is in it, counted all the way down.
    pub(crate) fn weight(&self) -> u32 {
        self.0.iter().map(|a| if let Alternative::Array(array) = a { array.weight() + 1 } else { 1 }).sum()
    }

    fn limit(&mut self) {
        let count = self.arrays().count();
        if count > MOST_ARRAYS || count > 1 && self.weight() > MOST_WEIGHT {
            let arrays: Vec<&Arc<Array>> = self.arrays().collect();
            let merged = Array::merged(&arrays);
            let mut all = Vec::clone(&self.0);
            all.retain(|a| !matches!(a, Alternative::Array(_)));
            all.push(Alternative::Array(Arc::new(merged)));
            self.0 = Arc::new(all);
        }
        if self.0.len() <= MOST {
            return;
        }
        let arrays: Vec<&Arc<Array>> = self.arrays().collect();
        let merged = (arrays.len() > 1).then(|| Array::merged(&arrays));
        let mut all = Vec::clone(&self.0);
        let texts: Vec<Arc<Template>> = all
            .iter()
            .filter_map(|a| if let Alternative::Text(t) = a { Some(t.clone()) } else { None })
            .collect();
        if texts.len() > 1 {
            // What another says with more known of it is not needed. Of the others, the first are kept, and the rest becomes one.
            let others = all.len() - texts.len();
            let mut kept: Vec<Arc<Template>> = Vec::with_capacity(texts.len());
            for text in &texts {
                if !texts.iter().any(|other| text.is_less_than(other)) {
                    kept.push(text.clone());
                }
            }
            let room = MOST.saturating_sub(others.min(MOST / 2));
            if kept.len() > room {
                let rest: Vec<&Template> = kept[room - 1..].iter().map(|t| &**t).collect();
                let widened = Template::widened(&rest);
                let useful = matches!(widened.pieces().first(), Some(Piece::Text(text)) if text.len() > 5);
                if useful {
                    kept.truncate(room - 1);
                    kept.push(Arc::new(widened));
                }
            }
            all.retain(|a| !matches!(a, Alternative::Text(_)));
            all.extend(kept.into_iter().map(Alternative::Text));
        }
        if let Some(merged) = merged {
            all.retain(|a| !matches!(a, Alternative::Array(_)));
            all.push(Alternative::Array(Arc::new(merged)));
        }
        if all.len() > MOST {
            let cut = Self::of(all.split_off(MOST - 1)).as_hole_to(0);
            let cut = Hole { open: cut.open, ..cut.source() };
            let hole =
                all.iter_mut().find_map(|a| if let Alternative::Unknown(h) = a { Some(h) } else { None });
            match hole {
                Some(hole) => {
                    *hole = Hole { given: hole.given.clone(), from: hole.from.clone(), ..hole.and(&cut) }
                }
                None => all.push(Alternative::Unknown(cut)),
            }
        }
        self.0 = Arc::new(all);
    }

    /// As strings. An object is what its `__toString` gives, which is not followed.
    pub(crate) fn to_templates(&self) -> Vec<Template> {
        if self.0.is_empty() {
            return vec![Template::hole(Hole::default())];
        }
        let mut templates: Vec<Template> = Vec::with_capacity(self.0.len());
        for alternative in self.0.iter() {
            let template = match alternative {
                Alternative::Unknown(hole) => Template::hole(hole.clone()),
                Alternative::Null | Alternative::Bool(false) => Template::default(),
                Alternative::Bool(true) => Template::text("1"),
                Alternative::Text(template) => (**template).clone(),
                Alternative::Array(_) => Template::hole(Self::of(vec![alternative.clone()]).as_hole()),
                Alternative::Object(_) | Alternative::Closure(..) | Alternative::Session(_) => {
                    Template::hole(Hole::default())
                }
            };
            if !templates.contains(&template) {
                templates.push(template);
            }
        }
        templates
    }

    /// Strings one after the other: every alternative with every other, as many as a value may have.
    pub(crate) fn concat(&self, other: &Self) -> Self {
        let (left, right) = (self.to_templates(), other.to_templates());
        let widened = |all: &[Template]| vec![Template::widened(&all.iter().collect::<Vec<_>>())];
        let says_table = |all: &[Template]| all.iter().any(Template::says_table);
        let (left, right) = if left.len() * right.len() <= MOST {
            (left, right)
        } else if left.len() > 1 && !says_table(&left) && says_table(&right) {
            // What comes before the tables matters less than they do.
            (widened(&left), right)
        } else if right.len() > 1 {
            let right = widened(&right);
            (left, right)
        } else {
            (left, right)
        };
        let mut all = Vec::with_capacity(left.len() * right.len());
        for a in &left {
            for b in &right {
                let mut both = a.clone();
                both.push(b);
                all.push(both);
            }
        }
        Self::templates(all)
    }

    /// The same with its strings changed.
    pub(crate) fn map_text(&self, change: impl Fn(&str) -> String) -> Self {
        let mut value = Self::default();
        for template in self.to_templates() {
            value.join(&Self::template(template.map_text(&change)));
        }
        value
    }

    /// Whether a condition holds, where that is known.
    pub(crate) fn truth(&self) -> Option<bool> {
        let mut truth = None;
        for alternative in self.0.iter() {
            let this = match alternative {
                Alternative::Unknown(_) | Alternative::Session(_) => return None,
                Alternative::Null => false,
                Alternative::Bool(value) => *value,
                Alternative::Text(template) => match template.known() {
                    Some(text) => !text.is_empty() && text != "0",
                    None => template.pieces().iter().any(|p| matches!(p, Piece::Text(_))).then_some(true)?,
                },
                Alternative::Array(array) => array.is_empty().map(|empty| !empty)?,
                Alternative::Object(_) | Alternative::Closure(..) => true,
            };
            if truth.is_some_and(|other| other != this) {
                return None;
            }
            truth = Some(this);
        }
        truth
    }

    /// The same as it is kept for all functions: objects by their class alone.
    pub(crate) fn generalized(&self, class_of: &dyn Fn(u32) -> ClassId) -> Self {
        let mut value = Self::default();
        for alternative in self.0.iter() {
            let alternative = match alternative {
                Alternative::Object(Object::Made(id)) => Alternative::Object(Object::Some(class_of(*id))),
                Alternative::Closure(..) => Alternative::Unknown(Hole::default()),
                Alternative::Array(array) => {
                    Alternative::Array(Arc::new(array.map(|v| v.generalized(class_of))))
                }
                other => other.clone(),
            };
            value.join(&Self::of(vec![alternative]));
        }
        value
    }
}

/// What depends on who calls.
impl Value {
    /// The same without what depends on who calls.
    pub(crate) fn without_open(&self) -> Self {
        let kept = self.0.iter().map(|alternative| match alternative {
            Alternative::Unknown(hole) if hole.open => Alternative::Unknown(hole.source()),
            Alternative::Text(template) if template.is_open() => {
                // A part of a statement that anyone may have given says nothing to others.
                Alternative::Text(Arc::new(template.closed()))
            }
            Alternative::Array(array) => Alternative::Array(Arc::new(array.map(Self::without_open))),
            other => other.clone(),
        });
        let mut value = Self::default();
        for alternative in kept {
            value.join(&Self::of(vec![alternative]));
        }
        value
    }

    /// The same where a caller may know what is unknown.
    pub(crate) fn opened(&self) -> Self {
        let opened = self.0.iter().map(|alternative| match alternative {
            Alternative::Unknown(hole) => Alternative::Unknown(Hole { open: true, ..hole.clone() }),
            Alternative::Text(template) if template.known().is_none() => {
                Alternative::Text(Arc::new(template.opened()))
            }
            Alternative::Array(array) => Alternative::Array(Arc::new(array.map(Self::opened))),
            other => other.clone(),
        });
        Self::of(opened.collect())
    }

    /// The same without null.
    pub(crate) fn without_null(&self) -> Self {
        Self::of(self.0.iter().filter(|a| !matches!(a, Alternative::Null)).cloned().collect())
    }

    /// The same without alternatives that are unknown, even where nothing is left.
    pub(crate) fn without_unknown_part(&self) -> Self {
        Self::of(self.0.iter().filter(|a| !matches!(a, Alternative::Unknown(_))).cloned().collect())
    }
}

impl Value {
    /// Unknown where it may be true.
    pub(crate) fn without_true(self) -> Self {
        if self.truth() == Some(false) { self } else { Self::unknown() }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        // Most values that are compared are one and the same.
        Arc::ptr_eq(&self.0, &other.0) || *self.0 == *other.0
    }
}

/// Arrays that are kept for all functions are as deep as this, and their lists as long.
const DEEPEST_SHARED: usize = 3;
const LONGEST_SHARED: usize = 100;

impl Value {
    /// The same as it is kept for all functions: not as deep.
    pub(crate) fn shallow(&self) -> Self {
        self.shallow_to(DEEPEST_SHARED)
    }

    fn shallow_to(&self, depth: usize) -> Self {
        if !self.0.iter().any(|alternative| matches!(alternative, Alternative::Array(_))) {
            return self.clone();
        }
        let shallow = self.0.iter().map(|alternative| match alternative {
            Alternative::Array(array) if depth == 0 || array.items().len() > LONGEST_SHARED => {
                let hole = Self::of(vec![alternative.clone()]).as_hole();
                Alternative::Array(Arc::new(Array::of_unknown(hole.source())))
            }
            Alternative::Array(array) => {
                Alternative::Array(Arc::new(array.map(|value| value.shallow_to(depth - 1))))
            }
            other => other.clone(),
        });
        Self::of(shallow.collect())
    }
}
