//! A planned sequence as a session.
//!
//! The session that defines stays as it was recorded, up to its definition. The requests behind it are generated: each is the recorded
//! request of the session that it was taken from, but it is sent by the browser that defined. So it carries that browser's cookies and
//! says that it is that browser; and what the pages before it hold, tokens and hidden fields, is theirs, too.

use restage_browser::Payload;
use restage_model::{
    ExchangeId, Headers, Moment, NewRequest, NewSession, NewStep, Origin, Params, SessionPart,
};
use restage_store::{Store, StoreError};

use super::SourceSession;
use crate::dynamics::RequestPart;
use crate::pairs::Pair;
use crate::planning::{Aim, PlannedSequence, StepPlace};

/// Who makes the requests.
const BY: &str = "regenerate";
/// A second, in microseconds.
const TICK: i64 = 1_000_000;
/// Fields that belong to the user and the connection that the request was taken from.
const NOT_TAKEN: &[&str] = &["cookie", "authorization", "proxy-authorization", "content-length"];
/// Fields that say which browser it is, and who: those of the browser that defined.
const OF_THE_BROWSER: &[&str] = &[
    "accept-language",
    "authorization",
    "host",
    "user-agent",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
];

/// A session that was made of a planned sequence.
#[derive(Clone, Debug)]
pub struct MadeSession {
    /// The session.
    pub session: NewSession,
    /// For each step, the earlier ones that it needs.
    pub pages: Vec<Vec<usize>>,
    /// How many steps lead to the definition, with it.
    pub prefix: usize,
    /// What it was made for.
    pub sequence: PlannedSequence,
}

/// Makes a session of a planned sequence.
pub fn make_session(
    store: &Store,
    sources: &[SourceSession],
    sequence: &PlannedSequence,
    name: &str,
) -> Result<MadeSession, StoreError> {
    let first = &sources[sequence.cut.session];
    let prefix = sequence.cut.step + 1;
    let ids = &first.session.exchanges[..prefix];
    let mut steps: Vec<NewStep> = ids.iter().map(|id| NewStep::Stored(*id)).collect();
    let mut pages: Vec<Vec<usize>> = first.pages[..prefix].to_vec();
    let mut joined = parts(first, prefix);
    let cut = store.exchange(ids[prefix - 1])?;
    let browser: Headers = cut
        .request
        .headers
        .iter()
        .filter(|(field, _)| OF_THE_BROWSER.contains(field))
        .map(|(field, value)| (field.to_owned(), value.to_owned()))
        .collect();
    let mut at = cut.at;
    for usage in &sequence.uses {
        let session = &sources[usage.place.session].session;
        let mut before = Vec::new();
        let page_steps =
            usage.pages.iter().map(|step| StepPlace { session: usage.place.session, step: *step });
        for place in page_steps.chain([usage.place]) {
            at = Moment(at.0 + TICK);
            let why = if place == usage.place && usage.leads {
                "so that the server knows of the user the row that was defined".to_owned()
            } else if place == usage.place {
                purpose(&sequence.pairs)
            } else if usage.context.contains(&place.step) {
                format!(
                    "so that the server knows of the user what step {} of {} needs",
                    usage.place.step + 1,
                    session.name
                )
            } else {
                format!("the page that holds what step {} of {} sends", usage.place.step + 1, session.name)
            };
            let mut request = taken(store, session.exchanges[place.step], at, &why, &browser)?;
            let aim =
                if place == usage.place { usage.aim.as_ref() } else { usage.page_aims.get(&place.step) };
            if let Some(aim) = aim {
                aimed(&mut request, aim);
            }
            request.client.clone_from(&first.session.client);
            pages.push(before.clone());
            before.push(steps.len());
            steps.push(NewStep::New(Box::new(request)));
        }
        joined.push(SessionPart { session: session.name.clone(), steps: usage.requests() });
    }
    let session = NewSession {
        name: name.to_owned(),
        by: first.session.by.clone(),
        client: first.session.client.clone(),
        from: first.session.from,
        to: at,
        steps,
        left_out: Vec::new(),
        joined,
        fresh: true,
    };
    Ok(MadeSession { session, pages, prefix, sequence: sequence.clone() })
}

/// Which sessions the first steps of one are of.
fn parts(source: &SourceSession, steps: usize) -> Vec<SessionPart> {
    let session = &source.session;
    if session.joined.is_empty() {
        return vec![SessionPart { session: session.name.clone(), steps }];
    }
    let mut left = steps;
    let mut parts = Vec::new();
    for part in &session.joined {
        let own = part.steps.min(left);
        if own > 0 {
            parts.push(SessionPart { session: part.session.clone(), steps: own });
        }
        left -= own;
    }
    parts
}

/// A request as the browser that defined sends it.
fn taken(
    store: &Store,
    id: ExchangeId,
    at: Moment,
    why: &str,
    browser: &Headers,
) -> Result<NewRequest, StoreError> {
    let exchange = store.exchange(id)?;
    let from: Vec<ExchangeId> = match &exchange.origin {
        Origin::Generated { from, .. } => from.clone(),
        Origin::Recorded | Origin::Edited { .. } => vec![id],
    };
    let request = &exchange.request;
    let mut new = NewRequest::generated(at, &request.method, &request.uri, BY, why, &from);
    for (field, value) in request.headers.iter() {
        if !NOT_TAKEN.contains(&field) && !OF_THE_BROWSER.contains(&field) {
            new.headers.push(field, value);
        }
    }
    for (field, value) in browser.iter() {
        new.headers.push(field, value);
    }
    new.body = store.body(&request.body)?;
    Ok(new)
}

/// Puts the row that was defined in place of the recorded one, where the request names it.
fn aimed(request: &mut NewRequest, aim: &Aim) {
    let parameter = match &aim.part {
        Some(RequestPart::Parameter(name)) => name,
        Some(RequestPart::Segment(at)) => {
            request.uri = with_segment(&request.uri, *at, aim);
            return;
        }
        None => return,
    };
    let change = |params: &mut Params| {
        let mut changed = false;
        for param in params.0.iter_mut().filter(|p| p.name() == *parameter && p.value() == aim.from) {
            param.set_value(&aim.to);
            changed = true;
        }
        changed
    };
    if let Some((path, query)) = request.uri.split_once('?') {
        let mut params = Params::parse(query);
        if change(&mut params) {
            request.uri = format!("{path}?{}", params.encode());
        }
    }
    let payload = Payload::of(&request.headers, &request.body);
    if let Some(mut params) = payload.params()
        && change(&mut params)
    {
        request.body = payload.fill(&params);
    }
}

/// An address whose path has the row that was defined in this segment.
fn with_segment(uri: &str, at: usize, aim: &Aim) -> String {
    let (path, query) = uri.split_once('?').map_or((uri, None), |(path, query)| (path, Some(query)));
    let mut segments: Vec<&str> = path.split('/').collect();
    match segments.get_mut(at + 1) {
        Some(segment) if *segment == aim.from && is_plain(&aim.to) => *segment = &aim.to,
        _ => return uri.to_owned(),
    }
    let path = segments.join("/");
    query.map_or(path.clone(), |query| format!("{path}?{query}"))
}

/// Whether a segment of a path may be it as it is.
fn is_plain(value: &str) -> bool {
    !value.is_empty() && value.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_~@:".contains(&b))
}

/// What a sequence is there for, in words.
fn purpose(pairs: &[Pair]) -> String {
    match pairs {
        [] => "drawn at random".to_owned(),
        [pair] => pair.to_string(),
        [pair, others @ ..] => format!("{pair}; and {} more", others.len()),
    }
}
