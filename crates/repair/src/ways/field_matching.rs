//! Which field of a live form takes what a user gave a field of the old one.

use std::collections::BTreeSet;

use restage_html::{Field, FieldKind, Form};
use restage_site::repair::{FieldCounterpart, renamed_fields};

/// So many ways to give what was typed to fields that are new.
const MOST: usize = 4;

/// Which field takes what another one was given: its old name, its new one, and how sure that is.
pub(super) type Renames = Vec<(String, String, f64)>;

/// The ways to give what was typed into an old form to a live one, the likeliest first. What has the same name needs none.
pub(super) fn ways_to_fill(
    old: &Form,
    sent: &[(String, String)],
    live: &Form,
    known: &[FieldCounterpart],
) -> Vec<Renames> {
    let mut first: Renames = Vec::new();
    let guessed = renamed_fields(old, live);
    for pair in known.iter().chain(&guessed) {
        let is_free = !first.iter().any(|(was, is, _)| *was == pair.was || *is == pair.is);
        if is_free && is_lost(&pair.was, live) && live.named(&pair.is).next().is_some() {
            first.push((pair.was.clone(), pair.is.clone(), pair.confidence));
        }
    }
    let fresh = new_fields(old, live);
    // What was typed must not be lost for want of a likeness.
    for name in typed(old, sent).filter(|name| is_lost(name, live)) {
        if first.iter().any(|(was, _, _)| *was == name) {
            continue;
        }
        let free = |field: &&&Field| !first.iter().any(|(_, is, _)| *is == field.name);
        let fitting = fresh.iter().filter(free).find(|field| fits(old, &name, field));
        if let Some(field) = fitting {
            first.push((name, field.name.clone(), 0.4));
        }
    }
    let mut all = vec![first.clone()];
    for (place, (was, is, _)) in first.iter().enumerate() {
        let others = fresh.iter().filter(|field| field.name != *is && fits(old, was, field));
        for field in others {
            if all.len() < MOST && !first.iter().any(|(_, taken, _)| *taken == field.name) {
                let mut other = first.clone();
                other[place] = (was.clone(), field.name.clone(), 0.3);
                all.push(other);
            }
        }
    }
    all
}

/// Whether a live form has no field of this name.
fn is_lost(name: &str, live: &Form) -> bool {
    live.named(name).next().is_none()
}

/// The fields that one fills in and that the old form had not, each name once.
pub(super) fn new_fields<'f>(old: &Form, live: &'f Form) -> Vec<&'f Field> {
    let mut seen = BTreeSet::new();
    let visible = live.fields.iter().filter(|f| !matches!(f.kind, FieldKind::Hidden | FieldKind::Submit));
    visible.filter(|f| old.named(&f.name).next().is_none() && seen.insert(f.name.as_str())).collect()
}

/// The names of what the user gave the form, in the order of its fields: not what the page held already.
pub(super) fn typed<'a>(old: &'a Form, sent: &'a [(String, String)]) -> impl Iterator<Item = String> + 'a {
    let is_typed = |(name, value): &&(String, String)| match old.named(name).next() {
        Some(field) if field.kind == FieldKind::Submit => false,
        Some(field) if field.kind == FieldKind::Hidden => false,
        Some(field) => !value.is_empty() && field.untouched() != Some(value),
        None => !value.is_empty(),
    };
    sent.iter().filter(is_typed).map(|(name, _)| name.clone())
}

/// Whether a field may take what another one took.
fn fits(old: &Form, was: &str, field: &Field) -> bool {
    let Some(before) = old.named(was).next() else { return field.kind == FieldKind::Text };
    let is_secret = |field: &Field| field.input == restage_html::InputType::Password;
    before.kind == field.kind && is_secret(before) == is_secret(field)
}

#[cfg(test)]
mod tests {
    use restage_html::Page;

    use super::*;

    fn form(fields: &str) -> Form {
        Page::of(format!("<form>{fields}</form>").as_bytes()).forms.remove(0)
    }

    fn ways(old: &str, sent: &[(&str, &str)], live: &str) -> Vec<Vec<String>> {
        let sent: Vec<(String, String)> =
            sent.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        let told = |renames: Renames| renames.iter().map(|(was, is, _)| format!("{was}>{is}")).collect();
        ways_to_fill(&form(old), &sent, &form(live), &[]).into_iter().map(told).collect()
    }

    /// Catches: `name=Poetry` goes out as `title=&author=`.
    #[test]
    fn what_was_typed_goes_into_one_of_the_new_fields_and_then_into_another() {
        let found = ways("<input name=name>", &[("name", "Poetry")], "<input name=title><input name=author>");
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0] != found[1] && found.iter().all(|way| way.len() == 1), "{found:?}");
        let found = ways(
            "<input name=user><input type=password name=pw>",
            &[("user", "ada"), ("pw", "x")],
            "<input name=email><input type=password name=secret>",
        );
        assert_eq!(found[0], ["user>email", "pw>secret"]);
    }

    /// Catches: what a page held already is put into a field that has nothing to do with it.
    #[test]
    fn what_nobody_typed_needs_no_new_field() {
        let found = ways(
            "<input name=a value=1><input name=b>",
            &[("a", "1"), ("b", "")],
            "<input type=checkbox name=c>",
        );
        assert_eq!(found, [Vec::<String>::new()]);
    }
}
