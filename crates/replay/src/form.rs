//! Which live form a recorded submission was of, and what a browser would send from it now.

use std::cmp::Reverse;
use std::collections::HashMap;

use restage_html::{Choice, Field, FieldKind, Form};
use restage_model::{Key, Param, Params, Substitution};
use url::Url;

use crate::ahead::Recorded;
use crate::likeness::without_numbers;
use crate::origin::Looks;
use crate::trail::Trail;
use crate::visit::{Visit, request_uri};

/// A submission as the live page makes it.
pub(crate) struct Submission {
    /// Where it goes.
    pub(crate) url: Url,
    /// What it carries: the query of a GET, the body of a POST.
    pub(crate) params: Params,
    /// Which of them the form accounts for; the others were a script's doing.
    pub(crate) settled: Vec<bool>,
    /// Which values were taken from the live page.
    pub(crate) substitutions: Vec<Substitution>,
    /// What the live form lacks, where it lacks something.
    pub(crate) stale: Option<String>,
    /// Why that form.
    pub(crate) why: String,
}

/// What became of a recorded submission.
pub(crate) enum Submitted {
    /// The live page makes this of it.
    Offered(Box<Submission>),
    /// The live page no longer has the form.
    Gone(String),
}

/// How well a recorded form accounts for what was sent; the best is the greatest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Fit {
    /// Tokens of it that were sent: a page that gives a new one each time is known by it.
    tokens: usize,
    /// Whether the request says that it came from this page.
    is_referer: bool,
    /// Hidden values of it that were sent.
    hidden: usize,
}

/// The recorded forms that a request may be a submission of, a page and a place on it, the best first. Of two tabs with
/// the same form, the one whose values were sent.
pub(crate) fn best_forms<'a>(
    trail: &Trail<'a>,
    recorded: &Recorded,
    sent: &Params,
) -> Vec<(&'a Visit, usize)> {
    let (method, wanted, pairs) = (recorded.exchange.request.method.as_str(), &recorded.url, sent.pairs());
    let mut found: Vec<(Fit, &Visit, usize)> = Vec::new();
    for visit in trail.in_order() {
        if let Some((form, tokens, hidden)) = recorded_form(visit, method, wanted, &pairs) {
            found.push((Fit { tokens, is_referer: trail.is_referer(visit), hidden }, visit, form));
        }
    }
    // Stable: among equals, the latest page stays first.
    found.sort_by_key(|(fit, ..)| Reverse(*fit));
    found.into_iter().map(|(_, visit, form)| (visit, form)).collect()
}

/// Finds the live counterpart of a submission of `sent` by a form of the recorded page, and fills it in as the user did.
pub(crate) fn submit(visit: &Visit, at: usize, wanted: &Url, sent: &Params) -> Submitted {
    let form = &visit.recorded_page().forms[at];
    let Some((place, why)) = live_form(visit, at) else {
        return Submitted::Gone(format!(
            "the page of step {} no longer has the form to {}",
            visit.number,
            wanted.path()
        ));
    };
    let live = &visit.live_page().forms[place];
    let Some(url) = visit.live_form_targets()[place].clone() else {
        return Submitted::Gone(format!("the form of step {} leads to `{}`", visit.number, live.action));
    };
    let mut filled = Filling {
        visit,
        place: place + 1,
        why: why.clone(),
        settled: Vec::new(),
        substitutions: Vec::new(),
        missing: Vec::new(),
    };
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut params = Params(Vec::with_capacity(sent.0.len()));
    for param in &sent.0 {
        let nth = seen.entry(param.name()).or_default();
        params.0.extend(filled.param(form, live, *nth, param));
        *nth += 1;
    }
    filled.add_new_fields(form, live, &mut params);
    let stale = (!filled.missing.is_empty()).then(|| {
        format!("the form of step {} no longer has the field {}", visit.number, filled.missing.join(", "))
    });
    let Filling { settled, substitutions, .. } = filled;
    Submitted::Offered(Box::new(Submission { url, params, settled, substitutions, stale, why }))
}

/// The recorded form that was submitted: the one whose hidden values are those that were sent. Its place, and how
/// many of its tokens and hidden values were sent.
fn recorded_form(
    visit: &Visit,
    method: &str,
    wanted: &Url,
    pairs: &[(String, String)],
) -> Option<(usize, usize, usize)> {
    let sends = |name: &str, value: &str| pairs.iter().any(|(n, v)| n == name && same_lines(v, value));
    let mut best: Option<(usize, usize, (usize, usize, usize))> = None;
    for (at, form) in visit.recorded_page().forms.iter().enumerate() {
        let Some(url) = &visit.recorded.form_targets()[at] else { continue };
        let query_matches = method == "GET" || url.query() == wanted.query();
        if form.method != method
            || url.path() != wanted.path()
            || url.host_str() != wanted.host_str()
            || !query_matches
        {
            continue;
        }
        let known = pairs.iter().filter(|(name, _)| form.named(name).next().is_some()).count();
        if known == 0 && !pairs.is_empty() {
            continue;
        }
        if method == "GET" && !sends_all(form, pairs) {
            continue;
        }
        let own = form.fields.iter().filter(|f| f.kind == FieldKind::Hidden && sends(&f.name, &f.value));
        let (mut hidden, mut tokens) = (0, 0);
        for field in own {
            hidden += 1;
            tokens += usize::from(Looks::of(&field.value) == Some(Looks::Token));
        }
        let score = hidden * 100 + known + 1;
        if best.is_none_or(|(_, s, _)| score > s) {
            best = Some((at, score, (at, tokens, hidden)));
        }
    }
    best.map(|(_, _, found)| found)
}

/// Whether parameters are all that a form sends, and nothing else. With `GET`, a submission looks like a link: without
/// this, a link that has a parameter in common with a form would be taken for one.
fn sends_all(form: &Form, pairs: &[(String, String)]) -> bool {
    let can_send = |(name, value): &(String, String)| {
        form.named(name).any(|f| f.choices.is_empty() || f.choices.iter().any(|c| c.value == *value))
    };
    let is_sent = |field: &Field| {
        let always = matches!(field.kind, FieldKind::Hidden | FieldKind::Text | FieldKind::Select);
        !always || field.disabled || pairs.iter().any(|(name, _)| *name == field.name)
    };
    pairs.iter().all(can_send) && form.fields.iter().all(is_sent)
}

/// The live form that is the recorded one, and why: of the same shape, and among several of that shape the one with
/// the most values in common (a list of books has a form a book), then the one at the same place.
fn live_form(visit: &Visit, at: usize) -> Option<(usize, String)> {
    let (recorded, live) = (&visit.recorded_page().forms, &visit.live_page().forms);
    let wanted = &recorded[at];
    let shape = |target: &Option<Url>| target.as_ref().map(|u| Key::of("", &request_uri(u), ""));
    let wanted_shape = shape(&visit.recorded.form_targets()[at]);
    let alike = |forms: &[Form], targets: &[Option<Url>]| -> Vec<bool> {
        let pairs = forms.iter().zip(targets);
        pairs.map(|(f, t)| f.method == wanted.method && shape(t) == wanted_shape).collect()
    };
    let twin = alike(live, visit.live_form_targets());
    let place = alike(&recorded[..at], visit.recorded.form_targets()).iter().filter(|same| **same).count();
    let mut twins_before = 0;
    let mut best: Option<((usize, usize, Reverse<usize>), usize)> = None;
    for (index, form) in live.iter().enumerate() {
        let same_shape = twin[index];
        let distance = place.abs_diff(twins_before);
        twins_before += usize::from(same_shape);
        let same_id = wanted.id.is_some() && wanted.id == form.id;
        let named = wanted.fields.iter().filter(|f| form.named(&f.name).next().is_some()).count();
        // A form that changed its address is known by its fields.
        let same_fields =
            form.method == wanted.method && !wanted.fields.is_empty() && named == wanted.fields.len();
        if !same_shape && !same_id && !same_fields {
            continue;
        }
        let equal = wanted
            .fields
            .iter()
            .filter(|f| matches!(f.kind, FieldKind::Hidden | FieldKind::Submit))
            .filter(|f| form.named(&f.name).any(|g| g.value == f.value))
            .count();
        let same_address = usize::from(form.action == wanted.action);
        let likeness =
            usize::from(same_shape) * 1000 + usize::from(same_id) * 500 + same_address * 200 + named;
        let score = (likeness, equal, Reverse(distance));
        // The first of the best.
        if best.as_ref().is_none_or(|(s, _)| score > *s) {
            best = Some((score, index));
        }
    }
    let ((_, equal, _), index) = best?;
    let twins = twin.iter().filter(|same| **same).count();
    let why = match (twin[index], twins) {
        (true, 1) => "the only form to that address".to_owned(),
        (true, _) if equal > 0 => format!("of {twins} such forms the one with the same values"),
        (true, _) => format!("of {twins} such forms the one in the same place"),
        (false, _) => "the form with the same id or the same fields".to_owned(),
    };
    Some((index, why))
}

struct Filling<'a> {
    visit: &'a Visit,
    place: usize,
    why: String,
    settled: Vec<bool>,
    substitutions: Vec<Substitution>,
    missing: Vec<String>,
}

impl Filling<'_> {
    /// One parameter, the `nth` of its name, as the live form sends it; `None` where the live form cannot send it.
    fn param(&mut self, recorded: &Form, live: &Form, nth: usize, param: &Param) -> Option<Param> {
        let (name, value) = (param.name(), param.value());
        // Of several fields of one name, the one in the same place.
        let was = recorded.named(&name).nth(nth).or_else(|| recorded.named(&name).next());
        let Some(was) = was else {
            self.settled.push(false);
            return Some(param.clone());
        };
        let is = live.named(&name).nth(nth).or_else(|| live.named(&name).next());
        let Some(is) = is else {
            if was.kind != FieldKind::Submit {
                self.missing.push(format!("`{name}`"));
            }
            return None;
        };
        let fresh = self.value(was, is, recorded, live, &value);
        // A hidden field that holds something else than the page put there was filled in by a script.
        self.settled.push(was.kind != FieldKind::Hidden || same_lines(&was.value, &value));
        let mut param = param.clone();
        if fresh != value {
            let kind = if was.kind == FieldKind::Hidden { "hidden field" } else { "field" };
            self.substitutions.push(Substitution {
                target: format!("form field {name}"),
                recorded: value,
                live: fresh.clone(),
                source: format!("step {}: {kind} {name} of form {}", self.visit.number, self.place),
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
                    self.missing.push(format!("`{}` with the choice \"{}\"", was.name, choice.text));
                }
                sent.to_owned()
            }),
            FieldKind::Radio | FieldKind::Checkbox => {
                ticked(was, recorded, live, sent).unwrap_or_else(|| {
                    self.missing.push(format!("`{}` with the value \"{sent}\"", was.name));
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
                self.settled.push(true);
                self.substitutions.push(Substitution {
                    target: format!("form field {}", field.name),
                    recorded: String::new(),
                    live: value.to_owned(),
                    source: format!(
                        "step {}: new field {} of form {}",
                        self.visit.number, field.name, self.place
                    ),
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

/// Whether two texts are the same, however their lines end: a browser sends `\r\n` for the page's `\n`.
fn same_lines(a: &str, b: &str) -> bool {
    let many = |text: &str| text.contains('\n');
    a == b || (many(a) && many(b) && a.replace("\r\n", "\n") == b.replace("\r\n", "\n"))
}

/// A text with its lines ended as those of another are; as a browser ends them, where that has one line only.
fn with_lines_as(text: &str, like: &str) -> String {
    let plain = text.replace("\r\n", "\n");
    if like.contains('\n') && !like.contains("\r\n") { plain } else { plain.replace('\n', "\r\n") }
}
