//! What becomes of a request's parameters, from one version of a form or a page to another.

use serde::Serialize;

use super::counterparts::FieldCounterpart;
use crate::site::{RequestTemplate, SiteNode, ValueSource};

/// A parameter with another name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RenamedParameter {
    /// What it was called.
    pub was: String,
    /// What it is called.
    pub is: String,
    /// How sure that is.
    pub confidence: f64,
}

/// A parameter that was not there before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AddedParameter {
    /// Its name.
    pub name: String,
    /// A value for it.
    pub value: String,
    /// Where that comes from.
    pub from: ValueSource,
}

/// What becomes of the parameters of a request.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ParameterChange {
    /// Those with another name: what the user gave them stays.
    pub renamed: Vec<RenamedParameter>,
    /// Those that are asked for no more.
    pub removed: Vec<String>,
    /// Those that are new.
    pub added: Vec<AddedParameter>,
}

impl ParameterChange {
    /// Between two nodes. `template` says how the new one's request is made.
    pub fn between(
        old: &SiteNode,
        new: &SiteNode,
        fields: &[FieldCounterpart],
        template: Option<&RequestTemplate>,
    ) -> Self {
        let (was, is) = (names(old), names(new));
        let mut change = Self::default();
        let lost: Vec<&String> = was.iter().filter(|name| !is.contains(name)).collect();
        let fresh: Vec<&String> = is.iter().filter(|name| !was.contains(name)).collect();
        for field in fields {
            let is_free = !change.renamed.iter().any(|r| r.was == field.was || r.is == field.is);
            if is_free && lost.contains(&&field.was) && fresh.contains(&&field.is) {
                change.renamed.push(RenamedParameter {
                    was: field.was.clone(),
                    is: field.is.clone(),
                    confidence: field.confidence,
                });
            }
        }
        // One that went and one that came, and no other: what else should it be?
        if let ([was], [is], true) = (&lost[..], &fresh[..], change.renamed.is_empty())
            && control(old, was) == control(new, is)
        {
            let (was, is) = ((*was).clone(), (*is).clone());
            change.renamed.push(RenamedParameter { was, is, confidence: 0.7 });
        }
        let renamed = &change.renamed;
        let removed = lost.into_iter().filter(|name| !renamed.iter().any(|r| r.was == **name));
        change.removed = removed.cloned().collect();
        let added = fresh.into_iter().filter(|name| !renamed.iter().any(|r| r.is == **name));
        change.added = added.map(|name| added_parameter(name, new, template)).collect();
        change
    }

    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.renamed.is_empty() && self.removed.is_empty() && self.added.is_empty()
    }

    /// What is sent in place of what was sent: in the same order, what is new at the end.
    pub fn apply(&self, sent: &[(String, String)]) -> Vec<(String, String)> {
        let mut out = Vec::with_capacity(sent.len() + self.added.len());
        for (name, value) in sent {
            if self.removed.contains(name) {
                continue;
            }
            let name = self.renamed.iter().find(|r| r.was == *name).map_or(name, |r| &r.is);
            out.push((name.clone(), value.clone()));
        }
        for added in &self.added {
            if !out.iter().any(|(name, _)| *name == added.name) {
                out.push((added.name.clone(), added.value.clone()));
            }
        }
        out
    }
}

/// The names of a node's parameters: those of its fields, or those in its key.
fn names(node: &SiteNode) -> Vec<String> {
    let mut names: Vec<String> = node.fields.iter().map(|field| field.name.clone()).collect();
    let key = if node.key.is_empty() { &node.id } else { &node.key };
    if let Some((_, in_key)) = key.split_once('?') {
        for name in in_key.split('&') {
            let name = name.split_once('=').map_or(name, |(name, _)| name);
            if !name.is_empty() && !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
    }
    names
}

fn control<'a>(node: &'a SiteNode, name: &str) -> &'a str {
    node.fields.iter().find(|field| field.name == name).map_or("", |field| field.control.as_str())
}

fn added_parameter(name: &str, node: &SiteNode, template: Option<&RequestTemplate>) -> AddedParameter {
    let known = template.and_then(|t| t.parameters.iter().find(|parameter| parameter.name == name));
    if let Some(known) = known.filter(|known| !known.value.is_empty() || known.from == ValueSource::Page) {
        return AddedParameter { name: name.to_owned(), value: known.value.clone(), from: known.from };
    }
    let field = node.fields.iter().find(|field| field.name == name);
    let (value, from) = match field {
        Some(field) if field.control == "hidden" => (String::new(), ValueSource::Page),
        Some(field) => match field.choices.iter().find(|choice| !choice.is_empty()) {
            Some(choice) => (choice.clone(), ValueSource::Choice),
            None => (String::new(), ValueSource::Constant),
        },
        None => (String::new(), ValueSource::Page),
    };
    AddedParameter { name: name.to_owned(), value, from }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::{NodeKind, SiteField};

    fn form(id: &str, fields: &[(&str, &str, &[&str])]) -> SiteNode {
        SiteNode {
            id: id.to_owned(),
            key: id.to_owned(),
            kind: NodeKind::Form,
            fields: fields
                .iter()
                .map(|(name, control, choices)| SiteField {
                    name: (*name).to_owned(),
                    control: (*control).to_owned(),
                    choices: choices.iter().map(|c| (*c).to_owned()).collect(),
                })
                .collect(),
            ..SiteNode::default()
        }
    }

    fn sent(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect()
    }

    /// Catches: what the user typed is lost with the old name of its field.
    #[test]
    fn a_renamed_field_keeps_its_value_and_a_new_one_gets_one() {
        let old = form("POST /find?name", &[("name", "text", &[])]);
        let new = form(
            "POST /find?author&kind&title",
            &[("title", "text", &[]), ("author", "text", &[]), ("kind", "select", &["", "new", "used"])],
        );
        let guess = FieldCounterpart { was: "name".to_owned(), is: "title".to_owned(), confidence: 0.8 };
        let change = ParameterChange::between(&old, &new, &[guess], None);
        assert!(change.removed.is_empty());
        let expected = sent(&[("title", "Poetry"), ("author", ""), ("kind", "new")]);
        assert_eq!(change.apply(&sent(&[("name", "Poetry")])), expected);
    }

    /// Catches: a field that went, and another kind of field that came, taken for one.
    #[test]
    fn one_that_went_and_one_that_came_are_one_where_they_are_of_a_kind() {
        let old = form("POST /a?pw&who", &[("who", "text", &[]), ("pw", "password", &[])]);
        let new = form("POST /a?pass&who", &[("who", "text", &[]), ("pass", "password", &[])]);
        let change = ParameterChange::between(&old, &new, &[], None);
        assert_eq!(change.renamed[0].is, "pass");
        let new = form("POST /a?agree&who", &[("who", "text", &[]), ("agree", "checkbox", &["yes"])]);
        let change = ParameterChange::between(&old, &new, &[], None);
        assert_eq!(
            (change.removed.as_slice(), change.added[0].value.as_str()),
            (&["pw".to_owned()][..], "yes")
        );
    }
}
