//! What a form is known by, before any of its values: its name and id, where it goes, its fields' names, its buttons.

use std::collections::BTreeSet;

use restage_html::{Button, Field, FieldKind, Form};
use restage_model::{Key, ValueShape};
use url::Url;

use crate::address::request_uri;
use crate::likeness::{parts_of, without_ids, without_numbers};

/// What forms are known by. Forms with the same fields and the same address are of one shape: their names, their buttons
/// and their values tell them apart, as those in the rows of a list.
#[derive(Clone, Debug)]
pub(crate) struct FormShape {
    method: String,
    /// Where they go, without ids and without their parameters' values.
    address: Option<Key>,
    /// The same, with those that are words.
    targets: BTreeSet<String>,
    ids: BTreeSet<String>,
    names: BTreeSet<String>,
    /// The fields' names, without numbers, but for buttons.
    fields: BTreeSet<String>,
    /// Those of them that the user sees.
    visible: BTreeSet<String>,
    buttons: BTreeSet<String>,
}

impl FormShape {
    /// The shape of a form that leads to an address.
    pub(crate) fn of(form: &Form, target: Option<&Url>) -> Self {
        let uri = target.map(request_uri);
        let plain = |text: &Option<String>| -> BTreeSet<String> {
            text.iter().filter(|text| !text.is_empty()).map(|text| without_numbers(text)).collect()
        };
        let fields = || form.fields.iter().filter(|field| field.kind != FieldKind::Submit);
        let name = |field: &Field| without_numbers(&field.name);
        Self {
            method: form.method.clone(),
            address: uri.as_deref().map(|uri| Key::of("", uri, "")),
            targets: uri.as_deref().map(without_ids).into_iter().collect(),
            ids: plain(&form.id),
            names: plain(&form.name),
            fields: fields().map(name).collect(),
            visible: fields().filter(|field| field.kind != FieldKind::Hidden).map(name).collect(),
            buttons: form.buttons.iter().map(label).filter(|label| !label.is_empty()).collect(),
        }
    }

    /// Whether two forms have the same fields and the same address.
    pub(crate) fn is(&self, other: &Self) -> bool {
        (&self.method, &self.address, &self.fields, &self.visible)
            == (&other.method, &other.address, &other.fields, &other.visible)
    }

    /// Takes in another form of this shape.
    pub(crate) fn add(&mut self, other: Self) {
        self.targets.extend(other.targets);
        self.ids.extend(other.ids);
        self.names.extend(other.names);
        self.buttons.extend(other.buttons);
    }

    /// How much alike the shape of a live form is; none where it is surely another form. A form with the recorded fields
    /// and many more is another one: it does something else.
    pub(crate) fn likeness(&self, live: &Self) -> Option<usize> {
        if self.method != live.method {
            return None;
        }
        let conflict =
            |a: &BTreeSet<String>, b: &BTreeSet<String>| !a.is_empty() && !b.is_empty() && a.is_disjoint(b);
        let same_name = !self.ids.is_disjoint(&live.ids) || !self.names.is_disjoint(&live.names);
        let other_name = !same_name && (conflict(&self.ids, &live.ids) || conflict(&self.names, &live.names));
        let same_target = !self.targets.is_disjoint(&live.targets);
        let kept = self.fields.intersection(&live.fields).count();
        let (lost, added) = (self.fields.len() - kept, live.fields.difference(&self.fields).count());
        let added_visible = live.visible.difference(&self.fields).count();
        let kept_visible = self.visible.intersection(&live.fields).count();
        let shared_buttons = self.buttons.intersection(&live.buttons).count();
        let same_button = shared_buttons > 0;
        // A form that changed its address is known by its fields.
        let by_fields = !self.fields.is_empty() && lost == 0;
        if !same_target && !same_name && !by_fields {
            return None;
        }
        let count = self.fields.len();
        let may_add = match (same_name, same_button) {
            (true, true) => count.max(1),
            (true, false) | (false, true) => (count / 2).max(usize::from(count > 0)),
            (false, false) => count / 3,
        };
        if added_visible > may_add || added > count.max(2) {
            return None;
        }
        let keeps_enough = if self.visible.is_empty() {
            same_name || same_button || kept * 2 >= count
        } else {
            kept_visible * 2 >= self.visible.len() || (same_name || same_button) && kept_visible > 0
        };
        if !keeps_enough {
            return None;
        }
        let union = (count + added).max(1);
        let fields = if count + added == 0 { 20 } else { 20 * kept / union };
        let buttons = if self.buttons == live.buttons { 8 } else { 5 * usize::from(same_button) };
        let target = match (same_target, self.address == live.address) {
            (true, _) => 6,
            (false, true) => 2,
            (false, false) => 0,
        };
        let name = if same_name { 10 } else { 5 * usize::from(!other_name) };
        Some(fields + buttons + target + name)
    }
}

/// What names a form: its name and id, and what is written on its buttons. It comes before all that the form holds.
pub(crate) fn naming_parts(form: &Form) -> (Option<&str>, Option<&str>, Vec<String>) {
    (form.id.as_deref(), form.name.as_deref(), form.buttons.iter().map(label).collect())
}

/// What tells a form from others of its shape: the ids in its address and its names, and its hidden values.
pub(crate) fn telling_parts(form: &Form, target: Option<&Url>) -> Vec<(String, String)> {
    let mut parts = target.map(|url| parts_of(&request_uri(url))).unwrap_or_default();
    parts.extend(form.id.iter().map(|id| ("id".to_owned(), id.clone())));
    parts.extend(form.name.iter().map(|name| ("name".to_owned(), name.clone())));
    for field in &form.fields {
        let plain = without_numbers(&field.name);
        if field.kind == FieldKind::Hidden {
            parts.push((format!("field {plain}"), field.value.clone()));
        }
        if plain != field.name {
            parts.push((format!("name {plain}"), field.name.clone()));
        }
    }
    for button in &form.buttons {
        if !button.name.is_empty() {
            parts.push((format!("button {}", without_numbers(&button.name)), button.value.clone()));
        }
    }
    let labels: Vec<String> = form.buttons.iter().map(label).collect();
    parts.push(("buttons".to_owned(), labels.join(", ")));
    parts
}

/// Whether a form of nothing but buttons has none of those that it had: what it is there for is another thing now, as
/// `do=reopen` in place of `do=close`. Where a button says nothing to the application and the address is the same, it may
/// be called anything.
pub(crate) fn is_other_action(wanted: (&Form, Option<&Url>), live: (&Form, Option<&Url>)) -> bool {
    let is_bare = |form: &Form| {
        let nothing_to_fill_in = |f: &Field| matches!(f.kind, FieldKind::Hidden | FieldKind::Submit);
        !form.buttons.is_empty() && form.fields.iter().all(nothing_to_fill_in)
    };
    let is_same = |was: &Button, is: &Button| {
        let sends_same = !was.name.is_empty() && was.name == is.name && was.value == is.value;
        sends_same || label(was) == label(is)
    };
    let kept = || wanted.0.buttons.iter().any(|was| live.0.buttons.iter().any(|is| is_same(was, is)));
    let named = |form: &Form| form.buttons.iter().all(|button| !button.name.is_empty());
    let target = |url: Option<&Url>| url.map(|url| without_ids(&request_uri(url)));
    let says_so = || named(wanted.0) && named(live.0) || target(wanted.1) != target(live.1);
    is_bare(wanted.0) && is_bare(live.0) && says_so() && !kept()
}

/// Whether a hidden value says what a form does, as `save` or `shipping-address`: it is no id, no token and no moment.
pub(crate) fn is_constant(value: &str) -> bool {
    matches!(ValueShape::of(value), ValueShape::Word | ValueShape::Slug | ValueShape::Mixed)
        && !value.bytes().any(|b| b.is_ascii_digit())
}

/// What the user reads on a button, or what it sends.
fn label(button: &Button) -> String {
    let shown = [&button.text, &button.value, &button.name].into_iter().find(|text| !text.is_empty());
    shown.map(|text| without_numbers(text)).unwrap_or_default()
}
