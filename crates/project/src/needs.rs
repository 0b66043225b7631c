//! Which sessions need which, told by a baseline: what its sessions sent, were shown and wrote.

use std::collections::HashMap;
use std::fmt;

use percent_encoding::percent_decode_str;
use restage_html::{Token, Tokens};
use restage_model::{Multipart, Params, Run, RunSession, Step, cookie_pairs};
use restage_state::{Comparer, SnapshotStore, StateChange};
use restage_store::{Store, StoreError};
use restage_suite::{Needs, Observed, ObservedStep};
use serde::Serialize;

use crate::error::ProjectError;
use crate::project::Project;

/// No more of a page is looked at.
const LARGEST: usize = 4 << 20;

/// Which sessions of a run need which, and what is not known of them.
#[derive(Clone, Debug, Default)]
pub struct FoundNeeds {
    /// Which need which, as far as it is known.
    pub needs: Needs,
    /// Why more may be needed.
    pub gaps: Vec<NeedsGap>,
}

/// Why it cannot be known which sessions need which.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "gap")]
pub enum NeedsGap {
    /// It is not told where the application keeps its data.
    NoState,
    /// What a program of the user's saves cannot be looked into.
    Hook,
    /// Snapshots of some sessions are gone, so that it is not known what they wrote.
    NoSnapshots {
        /// The sessions.
        sessions: Vec<String>,
    },
    /// What some requests sent was not recorded, as access logs have no bodies.
    NoBodies {
        /// The sessions.
        sessions: Vec<String>,
    },
}

impl fmt::Display for NeedsGap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |sessions: &[String]| match sessions {
            [first] => first.clone(),
            [first, ..] => format!("{first} and {} more", sessions.len() - 1),
            [] => String::new(),
        };
        match self {
            Self::NoState => f.write_str(
                "[state] in restage.toml is empty, so it is not known what sessions wrote, nor which need which\n  hint: name the application's data in [state], then make a new baseline",
            ),
            Self::Hook => f.write_str(
                "what the hook in [state] saves cannot be looked into, so what sessions wrote there is not known: more may be needed",
            ),
            Self::NoSnapshots { sessions } => write!(
                f,
                "the snapshots before or after {} are gone, so it is not known what was written there: more may be needed\n  hint: `restage baseline` saves them anew",
                of(sessions)
            ),
            Self::NoBodies { sessions } => write!(
                f,
                "the forms of {} were imported without what was typed into them, so it is not known whom they need: more may be needed",
                of(sessions)
            ),
        }
    }
}

/// Which sessions of a run need which.
pub fn find_needs(project: &Project, store: &Store, run: &Run) -> Result<FoundNeeds, ProjectError> {
    let (sessions, gaps) = observe(project, store, run)?;
    let groups = project.groups_of_run(store, run)?;
    Ok(FoundNeeds { needs: Needs { groups, ..restage_suite::find_needs(&sessions) }, gaps })
}

/// What the sessions of a run sent, were shown and wrote, and what of it is not known.
pub(crate) fn observe(
    project: &Project,
    store: &Store,
    run: &Run,
) -> Result<(Vec<Observed>, Vec<NeedsGap>), ProjectError> {
    let mut snapshot_store: SnapshotStore = match project.snapshot_store_to_read()? {
        Some(there) => there,
        None => project.snapshot_store()?,
    };
    let mut comparer = Comparer::new(&mut snapshot_store);
    let mut steps: HashMap<u32, Vec<Step>> = HashMap::new();
    for step in store.steps(run.id)? {
        steps.entry(step.at.session).or_default().push(step);
    }
    let (mut sessions, mut unsaved, mut bodiless) = (Vec::new(), Vec::new(), Vec::new());
    for session in store.run_sessions(run.id)? {
        let own = steps.remove(&session.ordinal).unwrap_or_default();
        let name = session.session.clone();
        let writes = writes(&mut comparer, &session)?;
        // What a group wrote is known of it as a whole, and stands with the first of its sessions.
        let is_first = session.group.first().is_none_or(|first| *first == name);
        if writes.is_none() && is_first {
            unsaved.push(name.clone());
        }
        for step in &own {
            if lacks_body(store, step)? {
                bodiless.push(name.clone());
                break;
            }
        }
        let steps = own.iter().map(|step| observed_step(store, step)).collect::<Result<_, _>>()?;
        sessions.push(Observed { session: name, writes: writes.unwrap_or_default(), steps });
    }
    let mut gaps = Vec::new();
    if project.config.state.is_empty() {
        gaps.push(NeedsGap::NoState);
    } else {
        if project.config.state.hook.is_some() {
            gaps.push(NeedsGap::Hook);
        }
        if !unsaved.is_empty() {
            gaps.push(NeedsGap::NoSnapshots { sessions: unsaved });
        }
    }
    if !bodiless.is_empty() {
        gaps.push(NeedsGap::NoBodies { sessions: bodiless });
    }
    Ok((sessions, gaps))
}

/// What a session wrote; none where that is not known.
fn writes(
    comparer: &mut Comparer<'_>,
    session: &RunSession,
) -> Result<Option<Vec<StateChange>>, ProjectError> {
    match (&session.snapshot, &session.after) {
        // One may have been removed by hand.
        (Some(before), Some(after)) if comparer.has(before)? && comparer.has(after)? => {
            Ok(Some(comparer.changes(before, after)?))
        }
        _ => Ok(None),
    }
}

/// Whether a step is an action whose form was not recorded. An action with nothing to send is rare, and a log without bodies is not.
fn lacks_body(store: &Store, step: &Step) -> Result<bool, StoreError> {
    let acts = matches!(step.sent.method.as_str(), "POST" | "PUT" | "PATCH");
    if !acts || step.sent.body.size > 0 {
        return Ok(false);
    }
    let exchange = store.exchange(step.exchange)?;
    let said = exchange.request.headers.get("content-length").is_none_or(|length| length.trim() != "0");
    Ok(exchange.imported && said)
}

fn observed_step(store: &Store, step: &Step) -> Result<ObservedStep, StoreError> {
    let sent = &step.sent;
    let (path, query) = sent.uri.split_once('?').unwrap_or((&sent.uri, ""));
    let mut params = Params::parse(query).pairs();
    match sent.headers.media_type().as_deref() {
        Some("application/x-www-form-urlencoded") => {
            params.extend(Params::parse(&String::from_utf8_lossy(&store.body(&sent.body)?)).pairs());
        }
        Some("multipart/form-data") => {
            params.extend(Multipart::fields(&sent.headers, &store.body(&sent.body)?));
        }
        Some(json) if json == "application/json" || json.ends_with("+json") => {
            if let Ok(value) = serde_json::from_slice(&store.body(&sent.body)?) {
                fields("", &value, &mut params);
            }
        }
        _ => {}
    }
    let cookies = sent.headers.get("cookie").map(|header| {
        cookie_pairs(header).map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    });
    let text = match step.answer.received() {
        Some(received) => {
            let mut body = store.body(&received.body)?;
            body.truncate(LARGEST);
            match received.headers.media_type().as_deref() {
                None | Some("text/html" | "application/xhtml+xml") => page_text(&body),
                Some(other) if other.starts_with("text/") || other.ends_with("json") => {
                    String::from_utf8_lossy(&body).into_owned()
                }
                Some(_) => String::new(),
            }
        }
        None => String::new(),
    };
    Ok(ObservedStep {
        method: sent.method.clone(),
        path: percent_decode_str(path).decode_utf8_lossy().into_owned(),
        params,
        cookies: cookies.unwrap_or_default(),
        text,
    })
}

/// The text of a page, and the values of its fields.
fn page_text(html: &[u8]) -> String {
    let mut text = String::new();
    let mut hidden = false;
    for token in Tokens::of(html).iter() {
        match token {
            Token::Text(part) if !hidden => {
                text.push_str(&String::from_utf8_lossy(part));
                text.push('\n');
            }
            Token::Open { name, attrs, .. } => {
                hidden = matches!(name, b"script" | b"style");
                if let Some(value) = attrs.text("value") {
                    text.push_str(&value);
                    text.push('\n');
                }
            }
            Token::Close { .. } => hidden = false,
            _ => {}
        }
    }
    text
}

/// The fields of a JSON value, by their names: `order.id`.
fn fields(name: &str, value: &serde_json::Value, all: &mut Vec<(String, String)>) {
    use serde_json::Value;
    match value {
        Value::Object(object) => object.iter().for_each(|(own, value)| {
            let whole = if name.is_empty() { own.clone() } else { format!("{name}.{own}") };
            fields(&whole, value, all);
        }),
        Value::Array(items) => items.iter().for_each(|item| fields(name, item, all)),
        Value::String(text) => all.push((name.to_owned(), text.clone())),
        Value::Number(number) => all.push((name.to_owned(), number.to_string())),
        Value::Bool(_) | Value::Null => {}
    }
}
