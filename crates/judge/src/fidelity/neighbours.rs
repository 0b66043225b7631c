//! What other sessions did while a session was recorded. Where they are replayed one after another, and not as a group, the one sees what
//! the other did at another moment.

use std::collections::HashSet;

use restage_model::{Exchange, Moment, Session, Suite};
use restage_oracle::{TextChange, steady_words};
use restage_store::{Store, StoreError};

/// So many sessions are looked at, the nearest in the suite first.
const LOOKED_AT: usize = 60;
/// Shorter words tell nothing.
const SHORTEST: usize = 3;

/// A session that another one met, and how that shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Meeting {
    /// A word that it had sent is missing in the other's page, or there already.
    Shown(String),
    /// It changed something at the same place.
    AtSamePlace(String),
}

/// The session that another one met, and was not replayed together with.
pub(crate) fn met(
    store: &Store,
    (suite, group): (&Suite, &[String]),
    session: &Session,
    asked: &Exchange,
    change: &TextChange,
) -> Result<Option<Meeting>, StoreError> {
    let Some(own) = suite.sessions.iter().position(|other| other.name == session.name) else {
        return Ok(None);
    };
    let mut others: Vec<usize> = (0..suite.sessions.len()).filter(|place| *place != own).collect();
    others.sort_by_key(|place| place.abs_diff(own));
    let mut at_same_place = None;
    for place in others.into_iter().take(LOOKED_AT) {
        let other = &suite.sessions[place];
        if group.contains(&other.name) {
            continue;
        }
        // Replayed later, it had done nothing yet; replayed before, it had done all.
        let later = place > own;
        let meanwhile = |at: Moment| if later { at < asked.at } else { at > asked.at };
        if !meanwhile(if later { other.from } else { other.to }) {
            continue;
        }
        let telling: HashSet<&str> = if later { &change.lost } else { &change.added }
            .iter()
            .filter(|word| word.chars().count() >= SHORTEST)
            .map(String::as_str)
            .collect();
        for id in &other.exchanges {
            let exchange = store.exchange(*id)?;
            if !meanwhile(exchange.at) || !changes_something(&exchange) {
                continue;
            }
            let sent = store.body(&exchange.request.body)?;
            let sent = sent_text(&exchange.request.uri, &sent);
            if steady_words(&sent).iter().any(|word| telling.contains(word.as_str())) {
                return Ok(Some(Meeting::Shown(other.name.clone())));
            }
            let place = first_segment(&exchange.request.uri);
            if place.is_some() && place == first_segment(&asked.request.uri) {
                at_same_place.get_or_insert_with(|| Meeting::AtSamePlace(other.name.clone()));
            }
        }
    }
    Ok(at_same_place)
}

/// Whether a request is more than a look.
pub(crate) fn changes_something(exchange: &Exchange) -> bool {
    !matches!(exchange.request.method.as_str(), "GET" | "HEAD" | "OPTIONS")
}

/// What was sent, as words.
fn sent_text(uri: &str, body: &[u8]) -> String {
    let body = String::from_utf8_lossy(body);
    let form = restage_model::Params::parse(&body).pairs().into_iter().map(|(_, value)| value);
    let query = uri.split_once('?').map_or("", |(_, query)| query);
    let query = restage_model::Params::parse(query).pairs().into_iter().map(|(_, value)| value);
    let values: Vec<String> = if body.trim_start().starts_with(['{', '[']) {
        query.chain([body.replace(['"', '{', '}', ':', ','], " ")]).collect()
    } else {
        query.chain(form).collect()
    };
    values.join(" ")
}

/// The first part of a path; none where it is a program, which all pages may be of: `index.php`.
fn first_segment(uri: &str) -> Option<&str> {
    uri.split('?').next()?.split('/').find(|part| !part.is_empty()).filter(|part| !part.contains('.'))
}
