//! Which sessions need which, told by a baseline: what its sessions sent, were shown and wrote.

use std::collections::HashMap;

use percent_encoding::percent_decode_str;
use restage_html::{Token, Tokens};
use restage_model::{Params, Run, RunSession, Step, cookie_pairs};
use restage_state::{Comparer, SnapshotStore};
use restage_store::{Store, StoreError};
use restage_suite::{Needs, Observed, ObservedStep};

use crate::error::ProjectError;
use crate::project::Project;

/// No more of a page is looked at.
const LARGEST: usize = 4 << 20;

/// Which sessions of a run need which.
pub fn find_needs(project: &Project, store: &Store, run: &Run) -> Result<Needs, ProjectError> {
    let mut snapshot_store: SnapshotStore = project.snapshot_store()?;
    let mut comparer = Comparer::new(&mut snapshot_store);
    let mut steps: HashMap<u32, Vec<Step>> = HashMap::new();
    for step in store.steps(run.id)? {
        steps.entry(step.at.session).or_default().push(step);
    }
    let mut sessions = Vec::new();
    for session in store.run_sessions(run.id)? {
        let own = steps.remove(&session.ordinal).unwrap_or_default();
        sessions.push(observed(store, &mut comparer, session, &own)?);
    }
    Ok(restage_suite::find_needs(&sessions))
}

fn observed(
    store: &Store,
    comparer: &mut Comparer<'_>,
    session: RunSession,
    steps: &[Step],
) -> Result<Observed, ProjectError> {
    let writes = match (&session.snapshot, &session.after) {
        // One may have been removed by hand.
        (Some(before), Some(after)) if comparer.has(before)? && comparer.has(after)? => {
            comparer.changes(before, after)?
        }
        _ => Vec::new(),
    };
    let steps = steps.iter().map(|step| observed_step(store, step)).collect::<Result<_, _>>()?;
    Ok(Observed { session: session.session, writes, steps })
}

fn observed_step(store: &Store, step: &Step) -> Result<ObservedStep, StoreError> {
    let sent = &step.sent;
    let (path, query) = sent.uri.split_once('?').unwrap_or((&sent.uri, ""));
    let mut params = Params::parse(query).pairs();
    match sent.headers.media_type().as_deref() {
        Some("application/x-www-form-urlencoded") => {
            params.extend(Params::parse(&String::from_utf8_lossy(&store.body(&sent.body)?)).pairs());
        }
        Some("application/json") => {
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

/// The fields of a JSON value, by their names.
fn fields(name: &str, value: &serde_json::Value, all: &mut Vec<(String, String)>) {
    use serde_json::Value;
    match value {
        Value::Object(object) => object.iter().for_each(|(name, value)| fields(name, value, all)),
        Value::Array(items) => items.iter().for_each(|item| fields(name, item, all)),
        Value::String(text) => all.push((name.to_owned(), text.clone())),
        Value::Number(number) => all.push((name.to_owned(), number.to_string())),
        Value::Bool(_) | Value::Null => {}
    }
}
