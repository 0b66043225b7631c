//! Requests with the same key that ask for different things: a parameter has one of a few words, as buttons and lists have them.
//!
//! `POST /loans` with `do=return` and with `do=extend` are two uses of what they read first.

use std::collections::{BTreeMap, BTreeSet};

use restage_browser::Payload;
use restage_model::{Exchange, Key, KeyRules, Params, Session};
use restage_redact::is_password_name;
use restage_store::{Store, StoreError};

use crate::dynamics::RequestPart;

/// A parameter with so many values is chosen, not typed.
const FEW: usize = 6;
/// And one with more, where each comes so often on the mean: an application behind one address asks for all it does by one parameter.
const OFTEN: usize = 4;
/// But never one with more than this.
const MOST: usize = 60;
/// A word is no longer.
const LONGEST: usize = 20;

/// Which parameters of which requests say what is asked for.
#[derive(Clone, Debug, Default)]
pub struct RequestVariants {
    values: BTreeMap<(String, String), Values>,
}

/// The values that a parameter of a request had.
#[derive(Clone, Debug, Default)]
struct Values {
    /// None where one was no word, or there are too many.
    words: Option<BTreeSet<String>>,
    /// How often it was sent.
    times: usize,
}

impl Values {
    /// Whether they say what is asked for.
    fn say_what(&self) -> bool {
        let count = self.words.as_ref().map_or(0, BTreeSet::len);
        count > 1 && (count <= FEW || count * OFTEN <= self.times)
    }
}

/// A request, as it is told apart from others.
pub(super) struct NamedRequest {
    /// Its key, with the words that say what it asks for.
    pub(super) name: String,
    /// Its parts that have values.
    pub(super) parts: Vec<(RequestPart, String)>,
    /// Whether it sends a password.
    pub(super) logs_in: bool,
}

impl RequestVariants {
    /// Learns from the requests of a suite.
    pub fn of(store: &Store, rules: &KeyRules, sessions: &[Session]) -> Result<Self, StoreError> {
        let mut variants = Self::default();
        for id in sessions.iter().flat_map(|session| &session.exchanges) {
            let exchange = store.exchange(*id)?;
            let (key, params) = key_and_params(store, rules, &exchange)?;
            variants.note(&key, &params);
        }
        Ok(variants)
    }

    fn note(&mut self, key: &str, params: &[(String, String)]) {
        for (name, value) in params {
            let values = self.values.entry((key.to_owned(), name.clone()));
            let known = values.or_insert_with(|| Values { words: Some(BTreeSet::new()), times: 0 });
            known.times += 1;
            if let Some(words) = &mut known.words {
                words.insert(value.clone());
                if words.len() > MOST || !is_word(value) {
                    known.words = None;
                }
            }
        }
    }

    /// What a request is.
    pub(super) fn read(
        &self,
        store: &Store,
        rules: &KeyRules,
        exchange: &Exchange,
    ) -> Result<NamedRequest, StoreError> {
        let (key, params) = key_and_params(store, rules, exchange)?;
        let logs_in = params.iter().any(|(name, _)| is_password_name(name));
        let name = self.named(key, &params);
        let path = exchange.request.uri.split_once('?').map_or(&*exchange.request.uri, |(path, _)| path);
        let named = rules.path_name(path);
        let segments = RequestPart::segments(path, &named).map(|(part, value)| (part, value.to_owned()));
        let params = params.into_iter().map(|(param, value)| (RequestPart::Parameter(param), value));
        Ok(NamedRequest { name, parts: params.chain(segments).collect(), logs_in })
    }

    fn named(&self, key: String, params: &[(String, String)]) -> String {
        let mut name = key.clone();
        let mut place = (key, String::new());
        for (param, value) in params {
            place.1.clone_from(param);
            if self.values.get(&place).is_some_and(Values::say_what) {
                name.push_str(&format!(" {param}={value}"));
            }
        }
        name
    }
}

fn is_word(value: &str) -> bool {
    value.len() <= LONGEST && value.bytes().all(|b| b.is_ascii_alphabetic() || b == b'-' || b == b'_')
}

/// The key of a request, and its parameters of the query and of a form, in the order of their names.
fn key_and_params(
    store: &Store,
    rules: &KeyRules,
    exchange: &Exchange,
) -> Result<(String, Vec<(String, String)>), StoreError> {
    let request = &exchange.request;
    let body = store.body(&request.body)?;
    let key = Key::of_request(rules, request, || Ok::<_, StoreError>(body.clone()))?;
    let mut params: Vec<(String, String)> = Vec::new();
    for param in &Params::parse(request.query()).0 {
        params.push((param.name(), param.value()));
    }
    let payload = Payload::of(&request.headers, &body);
    if let Some(form) = payload.params() {
        params.extend(form.pairs());
    }
    params.sort();
    Ok((key.as_str().to_owned(), params))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(of: &[(&str, &str)]) -> Vec<(String, String)> {
        of.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    /// Catches what is typed, counted or always the same taken for what is asked for.
    #[test]
    fn a_few_words_say_what_is_asked_for() {
        let mut variants = RequestVariants::default();
        for (what, loan, note) in [("return", "7", "it is heavy"), ("extend", "8", "fine")] {
            variants.note(
                "POST /loans",
                &pairs(&[("do", what), ("loan", loan), ("note", note), ("step", "two")]),
            );
        }
        let sent = pairs(&[("do", "return"), ("loan", "7"), ("note", "fine"), ("step", "two")]);
        assert_eq!(variants.named("POST /loans".to_owned(), &sent), "POST /loans do=return");
        assert_eq!(variants.named("POST /notes".to_owned(), &sent), "POST /notes");
    }

    /// Catches all requests of an application behind one address taken for one, and names that were typed taken for choices.
    #[test]
    fn many_words_say_what_is_asked_for_where_they_come_often() {
        let mut variants = RequestVariants::default();
        for n in 0..40_u8 {
            let (what, name) = (char::from(b'a' + n % 8), char::from(b'a' + n / 2));
            variants.note("POST /", &pairs(&[("op", &what.to_string()), ("name", &name.to_string())]));
        }
        let sent = pairs(&[("op", "b"), ("name", "c")]);
        assert_eq!(variants.named("POST /".to_owned(), &sent), "POST / op=b");
    }
}
