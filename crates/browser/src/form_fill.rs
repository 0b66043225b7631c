//! A live form, filled in as the user filled in the recorded one.

use std::collections::HashMap;

use restage_html::{Choice, Field, FieldKind, Form};
use restage_model::{Param, Params, Substitution};

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
    for param in &sent.0 {
        let nth = seen.entry(param.name()).or_default();
        params.0.extend(filling.param(recorded, live, *nth, param));
        *nth += 1;
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
        let Some(is) = is else {
            if was.kind != FieldKind::Submit {
                self.filled.missing.push(format!("`{name}`"));
            }
            return None;
        };
        let fresh = self.value(was, is, recorded, live, &value);
        // A hidden field that holds something else than the page put there was filled in by a script.
        self.filled.settled.push(was.kind != FieldKind::Hidden || same_lines(&was.value, &value));
        let mut param = param.clone();
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
                    self.filled.missing.push(format!("`{}` with the choice \"{}\"", was.name, choice.text));
                }
                sent.to_owned()
            }),
            FieldKind::Radio | FieldKind::Checkbox => {
                ticked(was, recorded, live, sent).unwrap_or_else(|| {
                    self.filled.missing.push(format!("`{}` with the value \"{sent}\"", was.name));
                    sent.to_owned()
                })
            }
            FieldKind::Submit => {
                if live.named(&was.name).any(|f| f.value == sent) {
                    sent.to_owned()
                } else {
                    is.value.clone()
                }
            }
            FieldKind::File => sent.to_owned(),
        }
    }

    /// Fields that the live form has and the recorded one had not: a browser sends them too.
    fn add_new_fields(&mut self, recorded: &Form, live: &Form, params: &mut Params) {
        for field in &live.fields {
            if recorded.named(&field.name).next().is_some() {
                continue;
            }
            if let Some(value) = field.untouched() {
                params.0.push(Param::new(&field.name, value));
                self.filled.settled.push(true);
                self.filled.substitutions.push(Substitution {
                    target: format!("form field {}", field.name),
                    recorded: String::new(),
                    live: value.to_owned(),
                    source: format!("{}: new field {} of form {}", self.page, field.name, self.place),
                    why: "the recorded form had no such field, and a browser sends it".to_owned(),
                });
            }
        }
    }
}

/// What the user did with a field, in words.
fn done_with(kind: FieldKind) -> &'static str {
    match kind {
        FieldKind::Hidden | FieldKind::Text => "left as the page had it",
        FieldKind::Select => "the choice of the same text or place",
        FieldKind::Checkbox | FieldKind::Radio => "the box in the same place",
        FieldKind::File | FieldKind::Submit => "the button in its place",
    }
}

/// The value of the live choice that is the recorded one: by its text and value, its text, its value, its text but
/// for the numbers in it, and last by its place among as many.
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
    let placed = || is.choices.get(place?).filter(|_| was.choices.len() == is.choices.len());
    let choice = (is.choices.iter().find(|c| c.value == sent && is_text(c)))
        .or_else(|| is.choices.iter().find(is_text))
        .or_else(|| is.choices.iter().find(|c| c.value == sent))
        .or_else(alike)
        .or_else(placed);
    choice.map(|c| c.value.clone())
}

/// The value of the live box that is the recorded one: by its value, or its place among as many.
fn ticked(was: &Field, recorded: &Form, live: &Form, sent: &str) -> Option<String> {
    let boxes = |form: &Form| -> Vec<String> {
        form.named(&was.name).filter(|f| f.kind == was.kind).map(|f| f.value.clone()).collect()
    };
    let (before, now) = (boxes(recorded), boxes(live));
    if now.iter().any(|value| value == sent) {
        return Some(sent.to_owned());
    }
    let place = before.iter().position(|value| value == sent)?;
    now.get(place).filter(|_| before.len() == now.len()).cloned()
}

/// A text with its lines ended as those of another are; as a browser ends them, where that has one line only.
fn with_lines_as(text: &str, like: &str) -> String {
    let plain = text.replace("\r\n", "\n");
    if like.contains('\n') && !like.contains("\r\n") { plain } else { plain.replace('\n', "\r\n") }
}
