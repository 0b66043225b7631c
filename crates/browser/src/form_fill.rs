//! A live form, filled in as the user filled in the recorded one.

use std::collections::HashMap;

use restage_html::{Choice, Field, FieldKind, Form};
use restage_model::{Param, Params, Substitution, ValueShape};

use crate::alike::{Alike, Parts, counterpart};
use crate::form_button::{clicked_button, live_button};
use crate::likeness::without_numbers;

/// What a browser would send from a live form.
#[derive(Clone, Debug, Default)]
pub struct FilledForm {
    /// The parameters.
    pub params: Params,
    /// Which of them the form accounts for; the others were a script's doing.
    pub settled: Vec<bool>,
    /// Which values were taken from the live page.
    pub substitutions: Vec<Substitution>,
    /// The fields that the live form lacks.
    pub missing: Vec<String>,
}

/// Fills in a live form. `page` and `place` say which it is, `why` why it is that.
pub fn fill_form(
    recorded: &Form,
    live: &Form,
    sent: &Params,
    page: &str,
    place: usize,
    why: &str,
) -> FilledForm {
    let mut filling = Filling { page, place, why, filled: FilledForm::default() };
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut params = Params(Vec::with_capacity(sent.0.len()));
    let clicked = clicked_button(recorded, &sent.pairs());
    for param in &sent.0 {
        let nth = seen.entry(param.name()).or_default();
        let is_button = clicked.is_some_and(|at| {
            let button = &recorded.buttons[at];
            param.name() == button.name && param.value() == button.value
        });
        match clicked.filter(|_| is_button) {
            Some(at) => params.0.extend(filling.button(recorded, live, at, param)),
            None => params.0.extend(filling.param(recorded, live, *nth, param)),
        }
        *nth += 1;
    }
    if clicked.is_none() {
        params.0.extend(filling.named_now(recorded, live));
    }
    filling.add_new_fields(recorded, live, &mut params);
    FilledForm { params, ..filling.filled }
}

/// Whether two texts are the same, however their lines end: a browser sends `\r\n` for the page's `\n`.
pub(crate) fn same_lines(a: &str, b: &str) -> bool {
    let many = |text: &str| text.contains('\n');
    a == b || (many(a) && many(b) && a.replace("\r\n", "\n") == b.replace("\r\n", "\n"))
}

struct Filling<'a> {
    page: &'a str,
    place: usize,
    why: &'a str,
    filled: FilledForm,
}

impl Filling<'_> {
    /// One parameter, the `nth` of its name, as the live form sends it; `None` where the live form cannot send it.
    fn param(&mut self, recorded: &Form, live: &Form, nth: usize, param: &Param) -> Option<Param> {
        let (name, value) = (param.name(), param.value());
        // Of several fields of one name, the one in the same place.
        let was = recorded.named(&name).nth(nth).or_else(|| recorded.named(&name).next());
        let Some(was) = was else {
            self.filled.settled.push(false);
            return Some(param.clone());
        };
        let is = live.named(&name).nth(nth).or_else(|| live.named(&name).next());
        let is = is.or_else(|| live.named(row_name(recorded, live, &name)?).next());
        let Some(is) = is else {
            self.filled.missing.push(format!("the field `{name}`"));
            return None;
        };
        let fresh = self.value(was, is, recorded, live, &value);
        // A hidden field that holds something else than the page put there was filled in by a script.
        self.filled.settled.push(was.kind != FieldKind::Hidden || same_lines(&was.value, &value));
        let mut param = param.clone();
        if is.name != name {
            self.filled.substitutions.push(Substitution {
                target: format!("name of form field {name}"),
                recorded: name.clone(),
                live: is.name.clone(),
                source: format!("{}: field {} of form {}", self.page, is.name, self.place),
                why: format!("{}; the field in the same place among as many", self.why),
            });
            param = Param::new(&is.name, &value);
        }
        if fresh != value {
            let kind = if was.kind == FieldKind::Hidden { "hidden field" } else { "field" };
            self.filled.substitutions.push(Substitution {
                target: format!("form field {name}"),
                recorded: value,
                live: fresh.clone(),
                source: format!("{}: {kind} {name} of form {}", self.page, self.place),
                why: format!("{}; {}", self.why, done_with(was.kind)),
            });
            param.set_value(&fresh);
        }
        Some(param)
    }

    /// The button that was clicked on, as the live form sends it; `None` where that sends nothing.
    fn button(&mut self, recorded: &Form, live: &Form, at: usize, param: &Param) -> Option<Param> {
        let was = &recorded.buttons[at];
        match live_button(recorded, live, at) {
            Some(is) if (&is.name, &is.value) == (&was.name, &was.value) => {
                self.filled.settled.push(true);
                Some(param.clone())
            }
            Some(is) => {
                self.filled.substitutions.push(Substitution {
                    target: format!("form field {}", was.name),
                    recorded: was.value.clone(),
                    live: is.value.clone(),
                    source: format!("{}: button \"{}\" of form {}", self.page, is.text, self.place),
                    why: format!("{}; the button in its place", self.why),
                });
                if is.name.is_empty() {
                    return None;
                }
                self.filled.settled.push(true);
                Some(Param::new(&is.name, &is.value))
            }
            None => {
                let shown = if was.text.is_empty() { &was.value } else { &was.text };
                self.filled.missing.push(format!("the button \"{shown}\""));
                self.filled.settled.push(true);
                Some(param.clone())
            }
        }
    }

    /// The only button of the form, which had no name when it was recorded and has one now.
    fn named_now(&mut self, recorded: &Form, live: &Form) -> Option<Param> {
        let [was] = &recorded.buttons[..] else { return None };
        let is = live_button(recorded, live, 0)?;
        if !was.name.is_empty() || is.name.is_empty() || was.image || is.image {
            return None;
        }
        self.add(&is.name, &is.value, "button");
        Some(Param::new(&is.name, &is.value))
    }

    /// What the user did with a field, done to the live one.
    fn value(&mut self, was: &Field, is: &Field, recorded: &Form, live: &Form, sent: &str) -> String {
        match was.kind {
            FieldKind::Hidden | FieldKind::Text => {
                // Left as it was: the live page's own value. Typed, or set by a script: as recorded.
                if same_lines(&was.value, sent) { with_lines_as(&is.value, sent) } else { sent.to_owned() }
            }
            FieldKind::Select => chosen(was, is, sent).unwrap_or_else(|| {
                // What was no choice when it was recorded was a script's doing.
                if let Some(choice) = was.choices.iter().find(|c| c.value == sent) {
                    let gone = format!("the field `{}` with the choice \"{}\"", was.name, choice.text);
                    self.filled.missing.push(gone);
                }
                sent.to_owned()
            }),
            FieldKind::Radio | FieldKind::Checkbox => {
                ticked(was, recorded, live, sent).unwrap_or_else(|| {
                    let gone = format!("the field `{}` with the value \"{sent}\"", was.name);
                    self.filled.missing.push(gone);
                    sent.to_owned()
                })
            }
            FieldKind::File | FieldKind::Submit => sent.to_owned(),
        }
    }

    /// Fields that the live form has and the recorded one had not: a browser sends them too.
    fn add_new_fields(&mut self, recorded: &Form, live: &Form, params: &mut Params) {
        for field in &live.fields {
            let known = recorded.named(&field.name).next().is_some();
            if known || params.0.iter().any(|param| param.name() == field.name) {
                continue;
            }
            if let Some(value) = field.untouched() {
                params.0.push(Param::new(&field.name, value));
                self.add(&field.name, value, "field");
            }
        }
    }

    fn add(&mut self, name: &str, value: &str, what: &str) {
        self.filled.settled.push(true);
        self.filled.substitutions.push(Substitution {
            target: format!("form field {name}"),
            recorded: String::new(),
            live: value.to_owned(),
            source: format!("{}: new {what} {name} of form {}", self.page, self.place),
            why: format!("the recorded form had no such {what}, and a browser sends it"),
        });
    }
}

/// The live name of a field that has an id in its name, as `qty[17]` in a list, or is called by a token: the one in the same
/// place among as many.
fn row_name<'a>(recorded: &Form, live: &'a Form, name: &str) -> Option<&'a str> {
    let has_id = |name: &str| {
        let apart = |c: char| !c.is_ascii_alphanumeric();
        let is_id =
            |piece: &str| ValueShape::of(piece) == ValueShape::Number || ValueShape::of(piece).is_token();
        name.split(apart).any(is_id)
    };
    if !has_id(name) {
        return None;
    }
    let like = without_numbers(name);
    fn names<'f>(form: &'f Form, like: &str) -> Vec<&'f str> {
        let mut names: Vec<&str> = Vec::new();
        for field in form.fields.iter().filter(|field| without_numbers(&field.name) == like) {
            if !names.contains(&field.name.as_str()) {
                names.push(&field.name);
            }
        }
        names
    }
    let (before, now) = (names(recorded, &like), names(live, &like));
    let at = before.iter().position(|known| *known == name)?;
    let alike = |list: &[&str]| Alike::bare(list.iter().map(|name| one_part(name)).collect());
    counterpart(&alike(&before), at, &alike(&now)).map(|(n, _)| now[n])
}

/// What the user did with a field, in words.
fn done_with(kind: FieldKind) -> &'static str {
    match kind {
        FieldKind::Hidden | FieldKind::Text => "left as the page had it",
        FieldKind::Select => "the choice of the same text or place",
        FieldKind::Checkbox | FieldKind::Radio => "the box in the same place",
        FieldKind::File | FieldKind::Submit => "as it was",
    }
}

/// The value of the live choice that is the recorded one: by its text and value, its text, its value, its text but
/// for the numbers in it, and last by its place, where it may have been drawn anew.
fn chosen(was: &Field, is: &Field, sent: &str) -> Option<String> {
    let place = was.choices.iter().position(|c| c.value == sent);
    let text = place.map(|p| was.choices[p].text.as_str());
    let is_text = |c: &&Choice| Some(c.text.as_str()) == text;
    let alike = || {
        let like = without_numbers(text?);
        let of = |field: &'_ Field| field.choices.iter().filter(|c| without_numbers(&c.text) == like).count();
        let one = of(was) == 1 && of(is) == 1;
        is.choices.iter().find(|c| one && without_numbers(&c.text) == like)
    };
    let placed = || {
        let of = |field: &Field| {
            let texts: Vec<String> = field.choices.iter().map(|c| c.text.clone()).collect();
            Alike::new(field.choices.iter().map(|c| one_part(&c.value)).collect(), move || texts.clone())
        };
        counterpart(&of(was), place?, &of(is)).map(|(n, _)| &is.choices[n])
    };
    let choice = (is.choices.iter().find(|c| c.value == sent && is_text(c)))
        .or_else(|| is.choices.iter().find(is_text))
        .or_else(|| is.choices.iter().find(|c| c.value == sent))
        .or_else(alike)
        .or_else(placed);
    choice.map(|c| c.value.clone())
}

/// The value of the live box that is the recorded one: by its value, or its place where that may have been drawn anew.
fn ticked(was: &Field, recorded: &Form, live: &Form, sent: &str) -> Option<String> {
    let boxes = |form: &Form| -> Vec<String> {
        form.named(&was.name).filter(|f| f.kind == was.kind).map(|f| f.value.clone()).collect()
    };
    let (before, now) = (boxes(recorded), boxes(live));
    if now.iter().any(|value| value == sent) {
        return Some(sent.to_owned());
    }
    let place = before.iter().position(|value| value == sent)?;
    let of = |values: &[String]| Alike::bare(values.iter().map(|value| one_part(value)).collect());
    counterpart(&of(&before), place, &of(&now)).map(|(n, _)| now[n].clone())
}

fn one_part(value: &str) -> Parts {
    vec![("value".to_owned(), value.to_owned())]
}

/// A text with its lines ended as those of another are; as a browser ends them, where that has one line only.
fn with_lines_as(text: &str, like: &str) -> String {
    let plain = text.replace("\r\n", "\n");
    if like.contains('\n') && !like.contains("\r\n") { plain } else { plain.replace('\n', "\r\n") }
}
