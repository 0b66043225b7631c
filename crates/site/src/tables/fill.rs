//! A live form, filled in: hidden fields as the page has them, the rest as a session sent it, or from the tables (paper 3, step 2).

use std::collections::{HashMap, HashSet};

use restage_html::{Button, Field, FieldKind, Form};
use restage_model::ExchangeId;

use crate::builder::name_template;
use crate::site::ValueSource;
use crate::tables::constants::ConstantTable;
use crate::tables::lookup::{LookupTable, Submission};

/// What a form is sent with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilledFields {
    /// Names and values, in order.
    pub pairs: Vec<(String, String)>,
    /// The names of its file choosers.
    pub files: Vec<String>,
    /// Where each value comes from, by its parameter's name.
    pub sources: Vec<(String, ValueSource)>,
    /// The recorded requests that values were taken from.
    pub from: Vec<ExchangeId>,
}

/// Fills in a form as it would be sent by one of its buttons. `submission` is what a session sent for it, where one did.
pub fn fill_fields(
    form: &Form,
    button: Option<&Button>,
    submission: Option<&Submission>,
    lookup: &LookupTable,
    constants: &ConstantTable,
) -> FilledFields {
    let mut sent: HashMap<String, Vec<&str>> = HashMap::new();
    for (name, value) in submission.iter().flat_map(|submission| &submission.fields) {
        sent.entry(name_template(name)).or_default().push(value);
    }
    let mut filling = Filling {
        form,
        sent,
        refused: submission.is_some_and(|submission| !submission.accepted),
        lookup,
        constants,
        seen: HashMap::new(),
        filled: FilledFields::default(),
    };
    filling.filled.from.extend(submission.map(|submission| submission.exchange));
    let mut chosen: HashSet<&str> = HashSet::new();
    for field in form.fields.iter().filter(|field| !field.disabled) {
        match field.kind {
            FieldKind::Submit => {}
            // One of a group of radio buttons is chosen, once.
            FieldKind::Radio if !chosen.insert(&field.name) => {}
            FieldKind::Radio => filling.radio(field),
            FieldKind::File => filling.filled.files.push(field.name.clone()),
            _ => filling.field(field),
        }
    }
    if let Some(button) = button.filter(|button| !button.name.is_empty()) {
        if button.image {
            for coordinate in ["x", "y"] {
                filling.push(&format!("{}.{coordinate}", button.name), "1".to_owned(), ValueSource::Page);
            }
        } else {
            filling.push(&button.name, button.value.clone(), ValueSource::Page);
        }
    }
    filling.filled
}

struct Filling<'a> {
    form: &'a Form,
    sent: HashMap<String, Vec<&'a str>>,
    /// Whether the application refused what the session sent.
    refused: bool,
    lookup: &'a LookupTable,
    constants: &'a ConstantTable,
    /// How many fields of a name came before.
    seen: HashMap<String, usize>,
    filled: FilledFields,
}

impl<'a> Filling<'a> {
    fn push(&mut self, name: &str, value: String, from: ValueSource) {
        self.filled.pairs.push((name.to_owned(), value));
        if !self.filled.sources.iter().any(|(known, _)| known == name) {
            self.filled.sources.push((name.to_owned(), from));
        }
    }

    /// What the session sent for this field: of several of one name, for the one in the same place.
    fn sent_for(&mut self, field: &Field) -> Option<&'a str> {
        let name = name_template(&field.name);
        let nth = self.seen.entry(name.clone()).or_default();
        let at = *nth;
        *nth += 1;
        let values = self.sent.get(&name)?;
        values.get(at).or(values.first()).copied()
    }

    fn field(&mut self, field: &Field) {
        let sent = self.sent_for(field);
        let has_session = !self.sent.is_empty();
        match field.kind {
            FieldKind::Hidden => self.push(&field.name, field.value.clone(), ValueSource::Page),
            FieldKind::Checkbox => {
                let was_sent = self
                    .sent
                    .get(&name_template(&field.name))
                    .is_some_and(|values| values.contains(&field.value.as_str()));
                if was_sent {
                    self.push(&field.name, field.value.clone(), ValueSource::Form);
                } else if self.stands_for_ticked(field) || (!has_session && (field.checked || field.required))
                {
                    self.push(&field.name, field.value.clone(), ValueSource::Choice);
                }
            }
            FieldKind::Select => self.select(field, sent),
            _ => self.text(field, sent),
        }
    }

    /// Whether a box is ticked in place of one that the session ticked and that is not there: the last row of its list, in place of a row
    /// that the live application does not have.
    fn stands_for_ticked(&self, field: &Field) -> bool {
        let Some(sent) = self.sent.get(&name_template(&field.name)) else { return false };
        let of_list = || self.form.named(&field.name).filter(|other| !other.disabled);
        let is_list = of_list().all(|other| other.kind == FieldKind::Checkbox);
        let has_ticked = of_list().any(|other| sent.contains(&other.value.as_str()));
        is_list && !has_ticked && of_list().last().is_some_and(|last| std::ptr::eq(last, field))
    }

    fn select(&mut self, field: &Field, sent: Option<&str>) {
        let offers = |value: &str| field.choices.iter().any(|choice| choice.value == value);
        if let Some(value) = sent.filter(|value| offers(value)) {
            self.push(&field.name, value.to_owned(), ValueSource::Form);
            return;
        }
        if let Some((value, from)) = self.lookup.of_name(&field.name).find(|(value, _)| offers(value)) {
            self.filled.from.push(*from);
            self.push(&field.name, value.clone(), ValueSource::Name);
            return;
        }
        // A select usually begins with "please choose", which sends nothing.
        let choices = &field.choices;
        let chosen =
            choices.iter().find(|choice| choice.selected && !choice.value.is_empty()).or_else(|| {
                choices
                    .iter()
                    .find(|choice| !choice.value.is_empty())
                    .filter(|_| !field.multiple || field.required)
            });
        let value = chosen.map(|choice| choice.value.clone());
        let value = value.or_else(|| field.untouched().map(str::to_owned));
        if let Some(value) = value {
            self.push(&field.name, value, ValueSource::Choice);
        }
    }

    fn radio(&mut self, first: &Field) {
        let group: Vec<&Field> = self
            .form
            .named(&first.name)
            .filter(|field| field.kind == FieldKind::Radio && !field.disabled)
            .collect();
        let sent = self.sent_for(first);
        let by_session = group.iter().find(|field| sent == Some(field.value.as_str()));
        let from = if by_session.is_some() { ValueSource::Form } else { ValueSource::Choice };
        let chosen = by_session.or_else(|| group.iter().find(|field| field.checked));
        // That nothing was chosen may be why it was refused.
        let chosen = chosen.or_else(|| group.first().filter(|_| !self.refused));
        if let Some(field) = chosen {
            self.push(&field.name.clone(), field.value.clone(), from);
        }
    }

    fn text(&mut self, field: &Field, sent: Option<&str>) {
        if let Some(value) = sent {
            self.push(&field.name, value.to_owned(), ValueSource::Form);
        } else if !field.value.is_empty() {
            self.push(&field.name, field.value.clone(), ValueSource::Page);
        } else if let Some((value, from)) = self.lookup.of_name(&field.name).next() {
            self.filled.from.push(*from);
            self.push(&field.name, value.clone(), ValueSource::Name);
        } else {
            self.push(&field.name, self.constants.value(field), ValueSource::Constant);
        }
    }
}

#[cfg(test)]
mod tests {
    use restage_html::Page;

    use super::*;

    fn filled(
        html: &str,
        submission: Option<&[(&str, &str)]>,
        elsewhere: &[(&str, &str)],
    ) -> Vec<(String, String)> {
        let page = Page::of(html.as_bytes());
        let owned = |fields: &[(&str, &str)]| -> Vec<(String, String)> {
            fields.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect()
        };
        let made = |fields: &[(&str, &str)]| Submission {
            exchange: ExchangeId(1),
            user: "s1".to_owned(),
            accepted: true,
            fields: owned(fields),
        };
        let mut lookup = LookupTable::default();
        lookup.add("other", made(elsewhere), |_| true);
        let submission = submission.map(made);
        let form = &page.forms[0];
        fill_fields(form, form.buttons.first(), submission.as_ref(), &lookup, &ConstantTable::default()).pairs
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect()
    }

    const FORM: &str = "<form><input type=hidden name=token value=live><input name=user><input type=password name=pass>\
        <input name=city><select name=size><option value=''>choose<option value=s>S<option value=m>M</select>\
        <input type=radio name=pay value=card><input type=radio name=pay value=cash checked>\
        <input type=checkbox name=news value=yes checked><button name=go value=1>Go</button></form>";

    /// Catches: a recorded token that is sent in place of the live one, a user's name with another's password, a box that is ticked
    /// though nobody did.
    #[test]
    fn what_a_session_sent_goes_out_with_live_hidden_values() {
        let sent = [("token", "old"), ("user", "ada"), ("pass", "pw"), ("size", "m"), ("pay", "card")];
        assert_eq!(
            filled(FORM, Some(&sent), &[("city", "Bath")]),
            pairs(&[
                ("token", "live"),
                ("user", "ada"),
                ("pass", "pw"),
                ("city", "Bath"),
                ("size", "m"),
                ("pay", "card"),
                ("go", "1")
            ])
        );
    }

    /// Catches: a form that is sent as a session sent it, and is taken, though it was refused because nothing had been chosen.
    #[test]
    fn what_was_refused_is_sent_as_it_was() {
        let page = Page::of(b"<form><input type=radio name=stars value=1><input type=radio name=stars value=2><input name=why></form>");
        let sent = |accepted| {
            let fields = vec![("why".to_owned(), String::new())];
            let submission = Submission { exchange: ExchangeId(1), user: "s1".to_owned(), accepted, fields };
            let (lookup, constants) = (LookupTable::default(), ConstantTable::default());
            fill_fields(&page.forms[0], None, Some(&submission), &lookup, &constants).pairs
        };
        assert_eq!(sent(false), pairs(&[("why", "")]));
        assert_eq!(sent(true), pairs(&[("stars", "1"), ("why", "")]));
    }

    /// Catches: a form that nobody ever sent stays empty, or an enumerated value is made up.
    #[test]
    fn without_a_session_choices_and_constants_do() {
        assert_eq!(
            filled(FORM, None, &[("user", "bob")]),
            pairs(&[
                ("token", "live"),
                ("user", "bob"),
                ("pass", "Restage-2026"),
                ("city", "Springfield"),
                ("size", "s"),
                ("pay", "cash"),
                ("news", "yes"),
                ("go", "1")
            ])
        );
    }

    /// Catches: an action on ticked rows that is sent without any, since the recorded rows are not there.
    #[test]
    fn a_row_is_ticked_in_place_of_one_that_is_gone() {
        let html = "<form><input type=checkbox name='ids[]' value=1><input type=checkbox name='ids[]' value=2>\
                    <input type=checkbox name=all value=yes><select name=do><option>drop</select></form>";
        let sent = [("ids[]", "17"), ("do", "drop")];
        assert_eq!(filled(html, Some(&sent), &[]), pairs(&[("ids[]", "2"), ("do", "drop")]));
        let sent = [("ids[]", "1"), ("do", "drop")];
        assert_eq!(filled(html, Some(&sent), &[]), pairs(&[("ids[]", "1"), ("do", "drop")]));
        assert_eq!(filled(html, Some(&[("do", "drop")]), &[]), pairs(&[("do", "drop")]));
    }

    /// Catches: the quantity of another row.
    #[test]
    fn rows_are_matched_by_their_place() {
        let html = "<form><input name='qty[8]' value=1><input name='qty[9]' value=1></form>";
        let sent = [("qty[1]", "5"), ("qty[2]", "6")];
        assert_eq!(filled(html, Some(&sent), &[]), pairs(&[("qty[8]", "5"), ("qty[9]", "6")]));
    }
}
