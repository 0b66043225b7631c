//! How the request of an edge is made.

use restage_html::{Field, FieldKind, Form};
use restage_model::{KeyRules, Params, ValueShape};

use crate::builder::naming::FormTarget;
use crate::site::{ParameterPlace, RequestTemplate, SiteField, SiteParameter, ValueSource};

/// Longer values are of no use as an example.
const LONGEST: usize = 80;

impl RequestTemplate {
    /// Of a link, a frame or a redirect: the page before it has the whole address.
    pub fn of_address(rules: &KeyRules, method: &str, uri: &str) -> Self {
        let (path, query) = uri.split_once('?').unwrap_or((uri, ""));
        let template = rules.path_name(path).into_owned();
        let mut parameters = path_parameters(&template, path);
        parameters.extend(Params::parse(query).pairs().into_iter().map(|(name, value)| SiteParameter {
            name,
            place: ParameterPlace::Query,
            from: ValueSource::Page,
            value: example(&value),
        }));
        Self { method: method.to_owned(), path: template, encoding: None, parameters }
    }

    /// Of a form. What the user types comes from the tables; which of them is known once it was filled in.
    pub(crate) fn of_form(rules: &KeyRules, target: &FormTarget<'_>) -> Self {
        let path = target.url.path();
        let template = rules.path_name(path).into_owned();
        let mut parameters = path_parameters(&template, path);
        let posts = target.method != "GET";
        if posts {
            let query = Params::parse(target.url.query().unwrap_or_default());
            parameters.extend(query.pairs().into_iter().map(|(name, value)| SiteParameter {
                name,
                place: ParameterPlace::Query,
                from: ValueSource::Page,
                value: example(&value),
            }));
        }
        let place = if posts { ParameterPlace::Body } else { ParameterPlace::Query };
        let fields = target.form.fields.iter().filter(|field| field.kind != FieldKind::Submit);
        let mut named: Vec<&str> = Vec::new();
        for field in fields {
            if !named.contains(&field.name.as_str()) {
                named.push(&field.name);
                parameters.push(SiteParameter {
                    name: field.name.clone(),
                    place,
                    from: source(field),
                    value: example(if is_offered(field) { &field.value } else { "" }),
                });
            }
        }
        if let Some(button) = target.button.filter(|button| !button.name.is_empty()) {
            parameters.push(SiteParameter {
                name: button.name.clone(),
                place,
                from: ValueSource::Page,
                value: example(&button.value),
            });
        }
        let encoding = match (posts, target.form.multipart) {
            (false, _) => None,
            (true, true) => Some("multipart/form-data".to_owned()),
            (true, false) => Some("application/x-www-form-urlencoded".to_owned()),
        };
        Self { method: target.method.to_owned(), path: template, encoding, parameters }
    }
}

/// The fields of a form, each name once.
pub(crate) fn site_fields(form: &Form) -> Vec<SiteField> {
    let mut fields: Vec<SiteField> = Vec::new();
    for field in form.fields.iter().filter(|field| field.kind != FieldKind::Submit) {
        let offered = match field.kind {
            FieldKind::Select => field.choices.iter().map(|choice| choice.value.clone()).collect(),
            FieldKind::Radio | FieldKind::Checkbox => vec![field.value.clone()],
            _ => Vec::new(),
        };
        match fields.iter_mut().find(|known| known.name == field.name) {
            Some(known) => known.choices.extend(offered),
            None => {
                let control = control(field).to_owned();
                fields.push(SiteField { name: field.name.clone(), control, choices: offered });
            }
        }
    }
    fields
}

/// What kind of control a field is, in a word.
pub(crate) fn control(field: &Field) -> &'static str {
    match field.kind {
        FieldKind::Hidden => "hidden",
        FieldKind::Text => field.input.name(),
        FieldKind::Checkbox => "checkbox",
        FieldKind::Radio => "radio",
        FieldKind::Select => "select",
        FieldKind::File => "file",
        FieldKind::Submit => "submit",
    }
}

fn source(field: &Field) -> ValueSource {
    match field.kind {
        FieldKind::Hidden | FieldKind::Submit => ValueSource::Page,
        FieldKind::Select | FieldKind::Radio | FieldKind::Checkbox => ValueSource::Choice,
        FieldKind::Text | FieldKind::File => ValueSource::Constant,
    }
}

/// Whether what a field holds was put there by the page.
fn is_offered(field: &Field) -> bool {
    !matches!(field.kind, FieldKind::Text | FieldKind::File)
}

/// The parts of a path that are values, named after what stands before them.
fn path_parameters(template: &str, path: &str) -> Vec<SiteParameter> {
    let mut parameters = Vec::new();
    let mut before = "";
    for (part, value) in template.split('/').zip(path.split('/')) {
        if part.starts_with('{') && part.ends_with('}') {
            parameters.push(SiteParameter {
                name: if before.is_empty() { part.trim_matches(['{', '}']) } else { before }.to_owned(),
                place: ParameterPlace::Path,
                from: ValueSource::Page,
                value: example(value),
            });
        } else {
            before = part;
        }
    }
    parameters
}

/// A value as an example: none where it is drawn anew each time, or too long.
fn example(value: &str) -> String {
    if value.len() > LONGEST || ValueShape::of(value).is_token() { String::new() } else { value.to_owned() }
}
