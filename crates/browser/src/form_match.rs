//! Which form of a page a request is a submission of, and which form of another version of the page that is.
//!
//! A form is known by what it is before what it holds: its name and id, its fields' names, its buttons, its place. Hidden
//! values tell forms of one shape apart, as those in the rows of a list.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use restage_html::{Button, Field, FieldKind, Form};
use url::Url;

use crate::address::target;
use crate::alike::{Alike, Parts, Reason, counterpart};
use crate::form_fill::same_lines;
use crate::form_shape::{FormShape, is_constant, is_other_action, naming_parts, telling_parts};
use crate::loaded_page::LoadedPage;

/// A form that a request may be a submission of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubmittedForm<'a> {
    /// Its place among the page's forms.
    pub at: usize,
    /// The button that sent it elsewhere than the form itself says, by its place among the form's buttons.
    pub button: Option<usize>,
    /// What of the request it does not account for; 0 where it sends exactly that.
    pub unexplained: usize,
    /// The values of its hidden fields that were sent.
    pub hidden: Vec<&'a str>,
}

/// A form of another version of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchedForm {
    /// Its place among that page's forms.
    pub at: usize,
    /// Why that form.
    pub why: String,
}

/// The form that was submitted to `wanted` with these parameters: the one whose fields and button are those that were
/// sent, and of several such the one whose hidden values are.
pub fn submitted_form<'a>(
    page: &'a LoadedPage,
    method: &str,
    wanted: &Url,
    pairs: &[(String, String)],
) -> Option<SubmittedForm<'a>> {
    let mut best: Option<SubmittedForm<'a>> = None;
    for (at, form) in page.forms().iter().enumerate() {
        let Some(button) = leads_to(page, at, method, wanted) else { continue };
        let account = Account::of(form, pairs);
        if !account.is_plausible() || method == "GET" && !sends_all(form, pairs) {
            continue;
        }
        let is_sent = |f: &&Field| pairs.iter().any(|(n, v)| *n == f.name && same_lines(v, &f.value));
        let own = form.fields.iter().filter(|f| f.kind == FieldKind::Hidden).filter(is_sent);
        let found = SubmittedForm {
            at,
            button,
            unexplained: account.unexplained(),
            hidden: own.map(|f| f.value.as_str()).collect(),
        };
        let fit = |f: &SubmittedForm<'_>| (Reverse(f.unexplained), f.hidden.len());
        // The first of the best.
        if best.as_ref().is_none_or(|b| fit(&found) > fit(b)) {
            best = Some(found);
        }
    }
    best
}

/// Whether a form is sent to an address by a method: as it says itself, or by a button that says otherwise.
fn leads_to(page: &LoadedPage, at: usize, method: &str, wanted: &Url) -> Option<Option<usize>> {
    let form = &page.forms()[at];
    let own = page.form_targets()[at].as_ref();
    let is_there = |url: &Url| {
        let query_matches = method == "GET" || url.query() == wanted.query();
        url.path() == wanted.path() && url.host_str() == wanted.host_str() && query_matches
    };
    if form.method == method && own.is_some_and(is_there) {
        return Some(None);
    }
    let by_button = form.buttons.iter().position(|button| {
        let is_method = button.method.as_deref().unwrap_or(&form.method) == method;
        let overrides = button.action.is_some() || button.method.is_some();
        overrides && is_method && button_target(page, at, button).as_ref().is_some_and(is_there)
    });
    by_button.map(Some)
}

/// Where a form goes when it is sent by a button.
pub fn button_target(page: &LoadedPage, form: usize, button: &Button) -> Option<Url> {
    match &button.action {
        Some(action) => target(page.url(), page.page().base.as_deref(), action),
        None => page.form_targets().get(form)?.clone(),
    }
}

/// Whether a form has a field that sends a parameter of this name. An image sends where it was clicked.
fn can_send(form: &Form, name: &str) -> bool {
    let clicked = |button: &Button| {
        let coordinate = name.strip_suffix(".x").or_else(|| name.strip_suffix(".y"));
        button.image
            && (coordinate == Some(&button.name) || button.name.is_empty() && matches!(name, "x" | "y"))
    };
    form.named(name).next().is_some() || form.buttons.iter().any(clicked)
}

/// What of a request a form accounts for, and what it does not.
struct Account {
    /// Parameters that it has a field for.
    known: usize,
    /// Parameters that it has none for.
    unknown: usize,
    /// Fields that it would have sent, and were not.
    unsent: usize,
    /// Parameters with a value that a user cannot have given them.
    others: usize,
    /// Whether a button would have been sent, and was not.
    unclicked: bool,
}

impl Account {
    fn of(form: &Form, pairs: &[(String, String)]) -> Self {
        let sent = |name: &str| pairs.iter().any(|(n, _)| n == name);
        let known = pairs.iter().filter(|(name, _)| can_send(form, name)).count();
        let unsent: BTreeSet<&str> = form
            .fields
            .iter()
            .filter(|f| always_sends(f) && !sent(&f.name))
            .map(|f| f.name.as_str())
            .collect();
        let other = |(name, value): &&(String, String)| {
            let mut fields = form.named(name).peekable();
            let holds = |f: &Field| match f.kind {
                FieldKind::Hidden => f.value.is_empty() || same_lines(&f.value, value),
                FieldKind::Submit | FieldKind::Radio | FieldKind::Checkbox => f.value == *value,
                FieldKind::Select => f.choices.is_empty() || f.choices.iter().any(|c| c.value == *value),
                FieldKind::Text | FieldKind::File => true,
            };
            fields.peek().is_some() && !fields.any(holds)
        };
        let named = |b: &Button| !b.name.is_empty() && !b.image;
        let clicked = form.buttons.iter().any(|b| named(b) && sent(&b.name));
        Self {
            known,
            unknown: pairs.len() - known,
            unsent: unsent.len(),
            others: pairs.iter().filter(other).count(),
            unclicked: !form.buttons.is_empty() && form.buttons.iter().all(named) && !clicked,
        }
    }

    /// Whether the request may be a submission at all. A script's request has a name in common with many a form; a request
    /// that sends nothing is no submission of a form that has fields.
    fn is_plausible(&self) -> bool {
        let apart = self.unknown + self.unsent;
        match self.known {
            0 => apart == 0,
            known => known * 2 >= apart && (self.unsent == 0 || self.others == 0),
        }
    }

    /// How much it leaves open. Names count more than values: a script may put a value into a field.
    fn unexplained(&self) -> usize {
        (self.unknown + self.unsent) * 3 + self.others * 2 + usize::from(self.unclicked)
    }
}

/// Whether a field is sent whatever the user does.
fn always_sends(field: &Field) -> bool {
    let always = match field.kind {
        FieldKind::Hidden | FieldKind::Text => true,
        FieldKind::Select => !field.multiple && !field.choices.is_empty(),
        _ => false,
    };
    always && !field.disabled
}

/// Whether parameters are all that a form sends, and nothing else. With `GET`, a submission looks like a link: without
/// this, a link that has a parameter in common with a form would be taken for one.
fn sends_all(form: &Form, pairs: &[(String, String)]) -> bool {
    let may_send = |(name, value): &(String, String)| {
        let mut named = form.named(name).peekable();
        let chosen = |f: &Field| f.choices.is_empty() || f.choices.iter().any(|c| c.value == *value);
        if named.peek().is_some() { named.any(chosen) } else { can_send(form, name) }
    };
    let is_sent = |field: &Field| !always_sends(field) || pairs.iter().any(|(name, _)| *name == field.name);
    pairs.iter().all(may_send) && form.fields.iter().all(is_sent)
}

/// Forms of one shape, by their places on the page.
struct FormClass {
    shape: FormShape,
    at: Vec<usize>,
}

fn classes(page: &LoadedPage) -> Vec<FormClass> {
    let mut classes: Vec<FormClass> = Vec::new();
    for (at, form) in page.forms().iter().enumerate() {
        let shape = FormShape::of(form, page.form_targets()[at].as_ref());
        match classes.iter_mut().find(|class| class.shape.is(&shape)) {
            Some(class) => {
                class.shape.add(shape);
                class.at.push(at);
            }
            None => classes.push(FormClass { shape, at: vec![at] }),
        }
    }
    classes
}

/// The live form that is the recorded one; none where it is gone. Every recorded form has one counterpart at most, and
/// every live form is that of one: what is left of a page when a form is gone is not taken for it. `known` are the forms
/// of other recorded pages.
pub fn matching_form(
    recorded_page: &LoadedPage,
    at: usize,
    live_page: &LoadedPage,
    known: &[&Form],
) -> Option<MatchedForm> {
    let wanted = recorded_page.forms().get(at)?;
    let (recorded, live) = (classes(recorded_page), classes(live_page));
    let own = recorded.iter().position(|class| class.at.contains(&at))?;
    let claims = claims(recorded_page, &recorded, live_page, &live);
    let claimed = claims.get(&own).copied();
    let class = &recorded[own];
    let place = class.at.iter().position(|n| *n == at)?;
    let found = claimed.and_then(|n| one_of(recorded_page, &class.at, place, live_page, &live[n].at));
    let (found, why) = match found {
        Some((found, _)) if class.at.len() == 1 && live[claimed?].at.len() == 1 => {
            (found, "the form with its fields and its button".to_owned())
        }
        Some((found, why)) => {
            (found, format!("of {} such forms the one {}", live[claimed?].at.len(), why.told()))
        }
        // A row's form may have another button now: it is known by its id then.
        None => {
            let taken: BTreeSet<usize> = claims.values().copied().collect();
            let is_free = |n: &usize| {
                Some(*n) == claimed || !taken.contains(n) && class.shape.likeness(&live[*n].shape).is_some()
            };
            let mut all: Vec<usize> =
                (0..live.len()).filter(is_free).flat_map(|n| live[n].at.iter().copied()).collect();
            all.sort_unstable();
            let (found, why) = one_of(recorded_page, &class.at, place, live_page, &all)
                .filter(|(_, why)| *why != Reason::Place && class.at.len() > 1)?;
            (found, format!("of {} forms like it the one {}", all.len(), why.told()))
        }
    };
    let live_form = &live_page.forms()[found];
    let targets = (recorded_page.form_targets()[at].as_ref(), live_page.form_targets()[found].as_ref());
    if is_other_action((wanted, targets.0), (live_form, targets.1)) {
        return None;
    }
    let others = recorded_page.forms().iter().chain(known.iter().copied());
    (!is_another(wanted, live_form, others)).then_some(MatchedForm { at: found, why })
}

/// Kinds of forms that have changed, beyond this many of which nobody finds out what became of them.
const MOST_CHANGED: usize = 200;

/// Which class of live forms is the counterpart of which class of recorded ones: those of the same shape, then the best
/// pairs first.
fn claims(
    recorded_page: &LoadedPage,
    recorded: &[FormClass],
    live_page: &LoadedPage,
    live: &[FormClass],
) -> HashMap<usize, usize> {
    let (mut claims, mut taken) = (HashMap::new(), BTreeSet::new());
    for (r, was) in recorded.iter().enumerate() {
        if let Some(l) = live.iter().position(|is| is.shape.is(&was.shape)) {
            claims.insert(r, l);
            taken.insert(l);
        }
    }
    let changed = |r: &usize| !claims.contains_key(r);
    let new: Vec<usize> = (0..live.len()).filter(|l| !taken.contains(l)).collect();
    let mut pairs = Vec::new();
    for r in (0..recorded.len()).filter(changed).take(MOST_CHANGED) {
        for l in new.iter().take(MOST_CHANGED) {
            let (was, is) = (&recorded[r], &live[*l]);
            let Some(likeness) = was.shape.likeness(&is.shape) else { continue };
            let constants = same_constants((recorded_page, &was.at), (live_page, &is.at));
            let distance = was.at[0].abs_diff(is.at[0]);
            pairs.push((Reverse(likeness + constants), distance, r, *l));
        }
    }
    pairs.sort_unstable();
    for (_, _, r, l) in pairs {
        if !claims.contains_key(&r) && taken.insert(l) {
            claims.insert(r, l);
        }
    }
    claims
}

/// What of the words in hidden fields is the same, from 0 to 6.
fn same_constants(was: (&LoadedPage, &[usize]), is: (&LoadedPage, &[usize])) -> usize {
    let words = |(page, at): (&'_ LoadedPage, &[usize])| -> BTreeSet<(String, String)> {
        let fields = at.iter().flat_map(|n| &page.forms()[*n].fields);
        let constant = |f: &&Field| f.kind == FieldKind::Hidden && is_constant(&f.value);
        fields.filter(constant).map(|f| (f.name.clone(), f.value.clone())).collect()
    };
    let (was, is) = (words(was), words(is));
    if was.is_empty() { 0 } else { 6 * was.intersection(&is).count() / was.len() }
}

/// Which of the live forms is the one at a place among the recorded ones.
fn one_of(
    recorded_page: &LoadedPage,
    recorded: &[usize],
    place: usize,
    live_page: &LoadedPage,
    live: &[usize],
) -> Option<(usize, Reason)> {
    let (was, is) = (distinct(recorded_page, recorded), distinct(live_page, live));
    if let ([_], [(only, _)]) = (&was[..], &is[..]) {
        return Some((*only, Reason::Place));
    }
    if let Some(named) = one_named(recorded_page, recorded, place, live_page, live) {
        return Some((named, Reason::Name));
    }
    let own = telling(recorded_page, recorded[place]);
    let place = was.iter().position(|(_, parts)| *parts == own)?;
    let places = |list: &[(usize, Parts)]| -> Vec<usize> { list.iter().map(|(n, _)| *n).collect() };
    let (before, now) = (places(&was), places(&is));
    let parts = |list: Vec<(usize, Parts)>| list.into_iter().map(|(_, parts)| parts).collect();
    let was = Alike::new(parts(was), || recorded_page.beside_forms(&before));
    let is = Alike::new(parts(is), || live_page.beside_forms(&now));
    counterpart(&was, place, &is).map(|(n, why)| (now[n], why))
}

/// The only live form with the name, the id and the buttons that only this recorded form has.
fn one_named(
    recorded_page: &LoadedPage,
    recorded: &[usize],
    place: usize,
    live_page: &LoadedPage,
    live: &[usize],
) -> Option<usize> {
    let own = naming_parts(&recorded_page.forms()[recorded[place]]);
    let so_named = |page: &LoadedPage, at: &[usize]| -> Vec<usize> {
        at.iter().copied().filter(|n| naming_parts(&page.forms()[*n]) == own).collect()
    };
    match (&so_named(recorded_page, recorded)[..], &so_named(live_page, live)[..]) {
        ([_], [only]) => Some(*only),
        _ => None,
    }
}

fn telling(page: &LoadedPage, at: usize) -> Parts {
    telling_parts(&page.forms()[at], page.form_targets()[at].as_ref())
}

/// Forms that are the same in all, as one above and one below a list, are one.
fn distinct(page: &LoadedPage, at: &[usize]) -> Vec<(usize, Parts)> {
    let mut known = BTreeSet::new();
    let parts = at.iter().map(|n| (*n, telling(page, *n)));
    parts.filter(|(_, parts)| known.insert(parts.clone())).collect()
}

/// Whether a live form is another one, by a word in a hidden field that is another: `reject` where the user's form had
/// `approve`. Either the recording knows the word from another form with the same fields and buttons, or the buttons are
/// others as well. Where the buttons are the same, the word is the next release's.
fn is_another<'a>(wanted: &Form, live: &Form, others: impl Iterator<Item = &'a Form> + Clone) -> bool {
    fn names(form: &Form) -> BTreeSet<&str> {
        form.fields.iter().map(|f| f.name.as_str()).collect()
    }
    let (own, named) = (names(wanted), naming_parts(wanted));
    let other_buttons = || {
        let (was, is) = (&named.2, naming_parts(live).2);
        !was.is_empty() && !is.is_empty() && !was.iter().any(|label| is.contains(label))
    };
    wanted.fields.iter().filter(|f| f.kind == FieldKind::Hidden && is_constant(&f.value)).any(|was| {
        let Some(is) = live.named(&was.name).next() else { return false };
        let holds =
            |other: &Form| other.named(&was.name).any(|f| f.kind == FieldKind::Hidden && f.value == is.value);
        let is_known = || others.clone().any(|o| holds(o) && naming_parts(o) == named && names(o) == own);
        is.value != was.value && is_constant(&is.value) && (other_buttons() || is_known())
    })
}
