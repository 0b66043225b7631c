//! Fields and parameters that changed.

use std::collections::BTreeSet;

use crate::correspondence::pair_fields;
use crate::diff::site_diff::{ParameterChange, ParameterDiff};
use crate::graph::NodeIndex;
use crate::site::{NodeKind, ParameterPlace, SiteField, SiteNode};
use crate::site_index::SiteIndex;

/// What changed of the fields and parameters of a node that is in both maps.
pub(crate) fn parameters(
    (old, a): (&SiteIndex<'_>, NodeIndex),
    (new, b): (&SiteIndex<'_>, NodeIndex),
) -> Vec<ParameterDiff> {
    let (was, is) = (&old.site.nodes[a], &new.site.nodes[b]);
    let mut found = compared(&was.fields, &is.fields, true);
    if let (Some(of_a), Some(of_b)) = (in_address(old, a), in_address(new, b)) {
        found.extend(compared(&of_a, &of_b, false));
    }
    found
}

fn compared(old: &[SiteField], new: &[SiteField], is_field: bool) -> Vec<ParameterDiff> {
    let pairs = pair_fields(old, new);
    let mut found = Vec::new();
    let (mut of_old, mut of_new) = (vec![false; old.len()], vec![false; new.len()]);
    for pair in &pairs {
        (of_old[pair.old], of_new[pair.new]) = (true, true);
        let (was, is) = (&old[pair.old], &new[pair.new]);
        let (choices_came, choices_went) = choices(was, is);
        let change = if was.name != is.name {
            ParameterChange::Renamed
        } else if was.control != is.control || !choices_came.is_empty() || !choices_went.is_empty() {
            ParameterChange::Changed
        } else {
            continue;
        };
        found.push(ParameterDiff {
            change,
            is_field,
            old: Some(was.name.clone()),
            new: Some(is.name.clone()),
            old_type: was.control.clone(),
            new_type: is.control.clone(),
            choices_came,
            choices_went,
            confidence: (change == ParameterChange::Renamed)
                .then_some((pair.confidence * 1000.0).round() / 1000.0),
        });
    }
    let alone = |field: &SiteField, change| ParameterDiff {
        change,
        is_field,
        old: (change == ParameterChange::Went).then(|| field.name.clone()),
        new: (change == ParameterChange::Came).then(|| field.name.clone()),
        old_type: if change == ParameterChange::Went { field.control.clone() } else { String::new() },
        new_type: if change == ParameterChange::Came { field.control.clone() } else { String::new() },
        choices_came: Vec::new(),
        choices_went: Vec::new(),
        confidence: None,
    };
    let left = |fields: &[SiteField], paired: &[bool], change| -> Vec<ParameterDiff> {
        fields
            .iter()
            .zip(paired)
            .filter(|(_, paired)| !**paired)
            .map(|(field, _)| alone(field, change))
            .collect()
    };
    let mut all = left(old, &of_old, ParameterChange::Went);
    all.append(&mut found);
    all.extend(left(new, &of_new, ParameterChange::Came));
    all
}

/// The values that a field offers now, and those that it no longer does. Where one of both enumerates nothing, it is another control.
fn choices(old: &SiteField, new: &SiteField) -> (Vec<String>, Vec<String>) {
    if old.choices.is_empty() || new.choices.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let but = |of: &[String], other: &[String]| -> Vec<String> {
        let other: BTreeSet<&String> = other.iter().collect();
        let of: BTreeSet<&String> = of.iter().collect();
        of.difference(&other).map(|choice| (*choice).clone()).collect()
    };
    (but(&new.choices, &old.choices), but(&old.choices, &new.choices))
}

/// What the requests for a node carry beside a form's fields; none where the map does not say.
fn in_address(index: &SiteIndex<'_>, node: NodeIndex) -> Option<Vec<SiteField>> {
    let shown = &index.site.nodes[node];
    let is_field: BTreeSet<&str> = shown.fields.iter().map(|field| field.name.as_str()).collect();
    let templates =
        || index.arriving(node).map(|(_, edge)| &edge.request).filter(|request| !request.method.is_empty());
    let mut parameters: BTreeSet<(String, &str)> = BTreeSet::new();
    if templates().next().is_some() {
        let of_all = templates().flat_map(|request| &request.parameters);
        for parameter in of_all.filter(|parameter| !is_field.contains(parameter.name.as_str())) {
            let place = match parameter.place {
                ParameterPlace::Path => "path",
                ParameterPlace::Query => "query",
                ParameterPlace::Body => "body",
            };
            parameters.insert((parameter.name.clone(), place));
        }
    } else if shown.kind == NodeKind::Page {
        parameters.extend(named_in_key(shown).map(|name| (name.to_owned(), "query")));
    } else {
        return None;
    }
    let field =
        |(name, place): (String, &str)| SiteField { name, control: place.to_owned(), choices: Vec::new() };
    Some(parameters.into_iter().map(field).collect())
}

/// The names of the parameters in a page's key.
fn named_in_key(node: &SiteNode) -> impl Iterator<Item = &str> {
    let key = if node.key.is_empty() { &node.id } else { &node.key };
    let query = key.split_once('?').map_or("", |(_, query)| query);
    query.split('&').map(|part| part.split('=').next().unwrap_or(part)).filter(|name| !name.is_empty())
}
