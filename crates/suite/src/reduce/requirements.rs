//! The requirements that recorded requests meet.

use restage_model::{ExchangeId, Key, KeyRules, Request};

use crate::reduce::Requirement;
use crate::reduce::values::{parameters, without_token};
use crate::source::{ExchangeSource, SourceError};

/// What stands before a session's first key in a pair.
const BEGIN: &str = "(begin)";

/// What the requests of a session meet, in order, with keys by these rules; nothing for kinds that are not in requests.
pub fn session_requirements(
    source: &dyn ExchangeSource,
    exchanges: &[ExchangeId],
    kind: Requirement,
    keys: &KeyRules,
) -> Result<Vec<String>, SourceError> {
    let mut requests = Vec::with_capacity(exchanges.len());
    for id in exchanges {
        requests.push(source.request(*id)?);
    }
    requirements_of(source, &requests, kind, keys)
}

/// What requests that follow one another meet.
pub fn requirements_of(
    source: &dyn ExchangeSource,
    requests: &[Request],
    kind: Requirement,
    keys: &KeyRules,
) -> Result<Vec<String>, SourceError> {
    let mut met = Vec::with_capacity(requests.len());
    let mut before = BEGIN.to_owned();
    for request in requests {
        let key = Key::of_request(keys, request, || source.body(&request.body))?.as_str().to_owned();
        match kind {
            Requirement::Key => met.push(key),
            Requirement::KeyPairs => {
                met.push(format!("{before} → {key}"));
                before = key;
            }
            Requirement::Params => {
                for (name, value) in parameters(source, request)? {
                    let left = if value.is_empty() { " (empty)" } else { "" };
                    met.push(format!("{key} with {name}{left}"));
                }
                met.push(key);
            }
            Requirement::Values => {
                for (name, value) in parameters(source, request)? {
                    met.push(format!("{key} with {name}={}", without_token(&value)));
                }
                met.push(format!("{key} at {}", request.path()));
            }
            Requirement::Lines | Requirement::Functions | Requirement::Branches => {}
        }
    }
    Ok(met)
}
