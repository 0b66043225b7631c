//! The address of a page that has another name now.

use std::collections::BTreeSet;

use restage_model::{KeyRules, Params};
use restage_site::SiteNode;

/// The address of a page of the new version that stands for an old address: with the old one's ids and values, where the new one
/// takes as many. None where it does not.
pub(crate) fn translated(rules: &KeyRules, old: &str, new: &SiteNode) -> Option<String> {
    let key = if new.key.is_empty() { &new.id } else { &new.key };
    let (method, address) = key.split_once(' ')?;
    if method != "GET" {
        return None;
    }
    let (template, names) = address.split_once('?').unwrap_or((address, ""));
    let (path, query) = old.split_once('?').unwrap_or((old, ""));
    let was = rules.path_name(path).into_owned();
    let is_value = |part: &str| part.starts_with('{') && part.ends_with('}');
    let values =
        was.split('/').zip(path.split('/')).filter(|(part, _)| is_value(part)).map(|(_, value)| value);
    let values: Vec<&str> = values.collect();
    if template.split('/').filter(|part| is_value(part)).count() != values.len() {
        // A page that needs an id that the old one had not has at least an address that was seen.
        return values.is_empty().then(|| new.address.clone()).filter(|address| !address.is_empty());
    }
    let mut values = values.into_iter();
    let parts: Vec<&str> = template
        .split('/')
        .map(|part| if is_value(part) { values.next().unwrap_or(part) } else { part })
        .collect();
    let mut uri = parts.join("/");
    let sent = Params::parse(query);
    let wanted: Vec<&str> =
        names.split('&').filter(|n| !n.is_empty()).map(|n| n.split_once('=').map_or(n, |(n, _)| n)).collect();
    let kept = Params(sent.0.into_iter().filter(|param| wanted.contains(&param.name().as_str())).collect());
    if !kept.0.is_empty() {
        uri.push('?');
        uri.push_str(&kept.encode());
    }
    Some(uri)
}

/// The ids and values of an address, in order.
pub(super) fn values(rules: &KeyRules, uri: &str) -> Vec<String> {
    let (path, query) = uri.split_once('?').unwrap_or((uri, ""));
    let template = rules.path_name(path).into_owned();
    let in_path = template.split('/').zip(path.split('/')).filter(|(part, _)| part.starts_with('{'));
    let mut values: Vec<String> = in_path.map(|(_, value)| value.to_owned()).collect();
    values.extend(Params::parse(query).pairs().into_iter().map(|(_, value)| value));
    values
}

/// The words and numbers of an address, wherever in it they are: `/kb/1/vote/?vote=up` and `/kb/1/vote/up/` have nearly the same.
pub(super) fn address_words(uri: &str) -> BTreeSet<String> {
    let (path, query) = uri.split_once('?').unwrap_or((uri, ""));
    let values = Params::parse(query).pairs().into_iter().map(|(_, value)| value);
    let parts = path.split('/').map(str::to_owned).chain(values);
    parts.map(|part| part.to_lowercase()).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uri(old: &str, key: &str) -> Option<String> {
        let node = SiteNode { id: key.to_owned(), key: key.to_owned(), ..SiteNode::default() };
        translated(&KeyRules::default(), old, &node)
    }

    /// Catches: a page that moved is asked for without the id that the user chose.
    #[test]
    fn ids_and_values_go_along() {
        assert_eq!(
            uri("/book/17?tab=reviews&x=1", "GET /books/{n}?tab").as_deref(),
            Some("/books/17?tab=reviews")
        );
        assert_eq!(uri("/a/3/b/4", "GET /c/{n}/{n}/d").as_deref(), Some("/c/3/4/d"));
        assert_eq!(uri("/book/17", "GET /books"), None);
        assert_eq!(uri("/browse", "GET /books").as_deref(), Some("/books"));
        assert_eq!(uri("/browse", "POST /books"), None);
    }

    /// Catches: an action that moved from the query into the path is not recognised.
    #[test]
    fn it_does_not_matter_where_in_an_address_a_value_is() {
        assert_eq!(address_words("/kb/1/vote/?vote=up"), address_words("/kb/1/vote/up"));
        assert_ne!(address_words("/kb/1/vote/?vote=up"), address_words("/kb/2/vote/up"));
    }
}
