//! Which of its enumerated values a form is sent with, each time that it is sent.

use std::collections::HashMap;

use restage_html::{FieldKind, Form};
use restage_site::{Factor, FilledFields, ValueSource, each_value, pairwise};

/// More values of one field are not combined with others.
const MOST_VALUES: usize = 12;
/// A form is sent with so many combinations at the most.
const MOST_ROWS: usize = 60;

/// How the values that a form enumerates are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// As sessions sent them, or as the form has them.
    One,
    /// Every value at least once.
    Each,
    /// Every two values of two fields together.
    Pairwise,
}

/// The combinations of each form, and which come next.
#[derive(Debug)]
pub(crate) struct FormValues {
    values: Values,
    forms: HashMap<String, Rows>,
}

#[derive(Debug)]
struct Rows {
    factors: Vec<Factor>,
    rows: Vec<Vec<usize>>,
    /// The next; the first time, a form is sent as a session sent it.
    next: Option<usize>,
}

impl FormValues {
    pub(crate) fn new(values: Values) -> Self {
        Self { values, forms: HashMap::new() }
    }

    /// Puts the next combination of a form's values into what it is sent with.
    pub(crate) fn apply(&mut self, node: &str, form: &Form, filled: &mut FilledFields) {
        if self.values == Values::One {
            return;
        }
        let values = self.values;
        let rows = self.forms.entry(node.to_owned()).or_insert_with(|| Rows::of(values, form));
        let Some(at) = rows.next else {
            rows.next = Some(0);
            return;
        };
        let Some(row) = rows.rows.get(at) else { return };
        rows.next = Some(at + 1);
        for (factor, value) in rows.factors.iter().zip(row) {
            set(form, filled, &factor.name, &factor.values[*value]);
        }
    }

    /// How often each form is still to be sent.
    pub(crate) fn left(&self) -> Vec<(String, usize)> {
        let left = |rows: &Rows| rows.rows.len().saturating_sub(rows.next.unwrap_or(0));
        let mut forms: Vec<(String, usize)> = self
            .forms
            .iter()
            .map(|(node, rows)| (node.clone(), left(rows)))
            .filter(|(_, left)| *left > 0)
            .collect();
        forms.sort();
        forms
    }
}

impl Rows {
    fn of(values: Values, form: &Form) -> Self {
        let factors = factors(form);
        let mut rows = if values == Values::Each { each_value(&factors) } else { pairwise(&factors) };
        rows.truncate(MOST_ROWS);
        Self { factors, rows, next: None }
    }
}

/// What a form enumerates: the choices of its selects and radio buttons, and whether its boxes are ticked.
fn factors(form: &Form) -> Vec<Factor> {
    let mut factors: Vec<Factor> = Vec::new();
    for field in form.fields.iter().filter(|field| !field.disabled) {
        let known = factors.iter().position(|factor| factor.name == field.name);
        match (field.kind, known) {
            (FieldKind::Select, None) => {
                let values =
                    field.choices.iter().map(|choice| choice.value.clone()).filter(|value| !value.is_empty());
                factors.push(Factor { name: field.name.clone(), values: values.take(MOST_VALUES).collect() });
            }
            (FieldKind::Radio, Some(known)) => factors[known].values.push(field.value.clone()),
            (FieldKind::Radio, None) => {
                factors.push(Factor { name: field.name.clone(), values: vec![field.value.clone()] });
            }
            (FieldKind::Checkbox, None) => {
                factors.push(Factor {
                    name: field.name.clone(),
                    values: vec![field.value.clone(), String::new()],
                });
            }
            _ => {}
        }
    }
    factors.retain(|factor| factor.values.len() > 1);
    factors
}

fn set(form: &Form, filled: &mut FilledFields, name: &str, value: &str) {
    let is_box = form.named(name).any(|field| field.kind == FieldKind::Checkbox);
    let at = filled.pairs.iter().position(|(known, _)| known == name);
    match at {
        Some(at) if is_box && value.is_empty() => drop(filled.pairs.remove(at)),
        Some(at) => value.clone_into(&mut filled.pairs[at].1),
        None if is_box && value.is_empty() => {}
        None => filled.pairs.push((name.to_owned(), value.to_owned())),
    }
    if let Some((_, from)) = filled.sources.iter_mut().find(|(known, _)| known == name) {
        *from = ValueSource::Choice;
    }
}

#[cfg(test)]
mod tests {
    use restage_html::Page;

    use super::*;

    /// Catches: a form that is never sent as users send it, a combination that is left out, a box that stays ticked.
    #[test]
    fn a_form_is_sent_as_users_do_and_then_with_every_combination() {
        let page = Page::of(
            b"<form><select name=size><option value=''>?<option value=s><option value=m></select>\
              <input type=checkbox name=gift value=yes><input name=q></form>",
        );
        let mut values = FormValues::new(Values::Pairwise);
        let filled = || FilledFields {
            pairs: vec![("size".to_owned(), "m".to_owned()), ("q".to_owned(), "x".to_owned())],
            ..FilledFields::default()
        };
        let mut sent = Vec::new();
        for _ in 0..6 {
            let mut filled = filled();
            values.apply("F", &page.forms[0], &mut filled);
            sent.push(filled.pairs.iter().map(|(n, v)| format!("{n}={v}")).collect::<Vec<_>>().join("&"));
        }
        assert_eq!(sent[0], "size=m&q=x");
        let mut combined = sent[1..5].to_vec();
        combined.sort();
        assert_eq!(combined, ["size=m&q=x", "size=m&q=x&gift=yes", "size=s&q=x", "size=s&q=x&gift=yes"]);
        assert_eq!(sent[5], "size=m&q=x");
        assert!(values.left().is_empty());
    }
}
