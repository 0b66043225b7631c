//! Requests that nobody recorded: edited and generated ones.
//!
//! They are exchanges like the recorded ones, with an origin. Each is stored once: the same request of the same origin is found again, so
//! that a repair that is made twice makes the same suite. A generated one must have got the same answer, too: a session's requests carry
//! tokens of its own pages, and not of those that another walk along the same way got. An edited one has the answer to what was edited; a generated
//! one that which the application gave when it was made, where it was sent then.

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension, params};

use restage_model::{ExchangeId, Headers, Moment, NewRequest, Origin};

use crate::bodies::{Packer, put};
use crate::exchanges::{origin, to_json, unknown};
use crate::{Store, StoreError};

impl Store {
    /// Where all that nobody recorded comes from.
    pub fn origins(&self) -> Result<BTreeMap<ExchangeId, Origin>, StoreError> {
        let mut statement =
            self.connection.prepare_cached("SELECT id, origin FROM exchange WHERE made IS NOT NULL")?;
        let rows = statement.query_and_then([], |row| {
            let id: i64 = row.get(0)?;
            Ok((ExchangeId(id), origin(id, row.get(1)?)?))
        })?;
        rows.collect()
    }

    /// Puts other words in place of those that an origin has.
    pub fn rewrite_origin(&mut self, id: ExchangeId, origin: &Origin) -> Result<(), StoreError> {
        self.delete_securely()?;
        self.connection.execute(
            "UPDATE exchange SET origin = ? WHERE id = ? AND made IS NOT NULL",
            params![to_json(origin), id.0],
        )?;
        Ok(())
    }
}

/// Stores a request that nobody recorded, or finds it stored.
pub(crate) fn put_made(
    connection: &Connection,
    packer: &Packer,
    request: &NewRequest,
) -> Result<ExchangeId, StoreError> {
    let made = Made {
        at: request.at,
        client: &request.client,
        method: &request.method,
        uri: &request.uri,
        headers: &request.headers,
        body: &request.body,
        answer: request.answer.as_ref().map(|answer| (answer.status, answer.body.as_slice())),
        origin: request.origin(),
    };
    let digest = made.digest();
    if let Some(id) = find_made(connection, &digest)? {
        return Ok(id);
    }
    let mut is_there = connection.prepare_cached("SELECT 1 FROM exchange WHERE id = ?")?;
    for source in made.origin.sources() {
        if !is_there.exists([source.0])? {
            return Err(unknown(*source));
        }
    }
    let body = put(connection, packer, made.body)?;
    let (headers, origin) = (to_json(made.headers), to_json(made.origin));
    connection
        .prepare_cached(
            "INSERT INTO exchange (at, took, client, method, uri, headers, body, body_size, body_cut, \
             response_size, response_cut, origin, made) VALUES (?, 0, ?, ?, ?, ?, ?, ?, 0, 0, 0, ?, ?)",
        )?
        .execute(params![
            made.at.0,
            made.client,
            made.method,
            made.uri,
            headers,
            body,
            made.body.len(),
            origin,
            digest.as_bytes()
        ])?;
    let id = connection.last_insert_rowid();
    if let Some(answer) = &request.answer {
        let body = put(connection, packer, &answer.body)?;
        connection
            .prepare_cached(
                "UPDATE exchange SET (status, response_headers, response_body, response_size) = (?, ?, ?, ?) WHERE id = ?",
            )?
            .execute(params![answer.status, to_json(&answer.headers), body, answer.body.len(), id])?;
    }
    if let Origin::Edited { of, .. } = made.origin {
        connection
            .prepare_cached(
                "UPDATE exchange SET (took, status, response_headers, response_body, response_size, response_cut, error, source) = \
                 (SELECT took, status, response_headers, response_body, response_size, response_cut, error, source \
                  FROM exchange WHERE id = ?) WHERE id = ?",
            )?
            .execute([of.0, id])?;
    }
    Ok(ExchangeId(id))
}

/// What a request that nobody recorded is known by.
pub(crate) struct Made<'a> {
    pub(crate) at: Moment,
    pub(crate) client: &'a str,
    pub(crate) method: &'a str,
    pub(crate) uri: &'a str,
    pub(crate) headers: &'a Headers,
    pub(crate) body: &'a [u8],
    /// Of a generated one, the answer that it got: its status and its body.
    pub(crate) answer: Option<(u16, &'a [u8])>,
    pub(crate) origin: &'a Origin,
}

impl Made<'_> {
    /// Tells it from all others.
    pub(crate) fn digest(&self) -> blake3::Hash {
        let text = to_json(&(self.at, self.client, self.method, self.uri, self.headers, self.origin));
        let mut hasher = blake3::Hasher::new();
        hasher.update(text.as_bytes()).update(b"\n").update(self.body);
        if let Some((status, body)) = self.answer {
            hasher.update(format!("\n{status}\n").as_bytes()).update(body);
        }
        hasher.finalize()
    }
}

/// The request of this digest, where it is stored.
pub(crate) fn find_made(
    connection: &Connection,
    digest: &blake3::Hash,
) -> Result<Option<ExchangeId>, StoreError> {
    let mut find = connection.prepare_cached("SELECT id FROM exchange WHERE made = ?")?;
    Ok(find.query_row([digest.as_bytes()], |row| row.get(0).map(ExchangeId)).optional()?)
}

#[cfg(test)]
mod tests {
    use restage_model::{NewAnswer, NewSession, NewStep, NewSuite};

    use super::*;
    use crate::exchanges::tests::captured;

    fn suite(steps: Vec<NewStep>) -> NewSuite {
        let session = NewSession {
            name: "s1".to_owned(),
            by: "ip".to_owned(),
            client: String::new(),
            from: Moment(1),
            to: Moment(1),
            steps,
            left_out: Vec::new(),
            joined: Vec::new(),
            fresh: false,
        };
        NewSuite { name: "mended".to_owned(), origin: "repair".to_owned(), sessions: vec![session] }
    }

    fn open() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open_or_create(&folder.path().join("s.db")).unwrap();
        (folder, store)
    }

    fn edit(store: &Store, of: ExchangeId, uri: &str) -> NewRequest {
        let mut request =
            NewRequest::edited(&store.exchange(of).unwrap(), Vec::new(), "repair", "the link moved");
        request.uri = uri.to_owned();
        request
    }

    /// Catches: a made request that is taken for traffic, loses its origin or answer, or is stored twice.
    #[test]
    fn what_nobody_recorded_is_stored_once_and_is_no_traffic() {
        let (_folder, mut store) = open();
        let ids = store.append(&[captured("/a", b"page"), captured("/b", b"other")]).unwrap();
        let mut made = NewRequest::generated(Moment(2), "POST", "/c", "generate", "never asked for", &ids);
        made.body = b"x=1".to_vec();
        let edited = edit(&store, ids[0], "/new");
        let steps = || {
            let new = |request: &NewRequest| NewStep::New(Box::new(request.clone()));
            vec![new(&edited), NewStep::Stored(ids[1]), new(&made)]
        };
        let saved = store.save_suite(suite(steps())).unwrap();
        assert_eq!(store.save_suite(suite(steps())).unwrap(), saved, "the same content is the same suite");
        let [first, second, third] = saved.sessions[0].exchanges[..] else { panic!("three steps") };
        assert_eq!(second, ids[1]);

        let exchange = store.exchange(first).unwrap();
        assert_eq!(&exchange.origin, edited.origin());
        assert_eq!(exchange.request.uri, "/new");
        assert_eq!(store.body(&exchange.response.unwrap().body).unwrap(), b"page");
        let exchange = store.exchange(third).unwrap();
        assert_eq!(&exchange.origin, made.origin());
        assert_eq!(store.body(&exchange.request.body).unwrap(), b"x=1");
        assert_eq!(exchange.response, None);

        let recorded: Vec<ExchangeId> = store.exchanges().unwrap().iter().map(|e| e.id).collect();
        assert_eq!(recorded, ids);
        assert_eq!(store.counts().unwrap().exchanges, 2);
        assert_eq!(store.exchanges_after(ExchangeId(0)).unwrap().len(), 4, "secrets are looked for in all");
        let origins: Vec<ExchangeId> = store.origins().unwrap().into_keys().collect();
        assert_eq!(origins, [first, third]);
    }

    /// Catches: a session that was generated twice and has the pages of one walk with the tokens of the other, so that no live token is found.
    #[test]
    fn another_answer_is_another_step() {
        let (_folder, mut store) = open();
        let mut step = |token: &str| {
            let mut made = NewRequest::generated(Moment(2), "GET", "/form", "generate", "", &[]);
            let body = token.as_bytes().to_vec();
            made.answer = Some(NewAnswer { status: 200, headers: Headers::new(), body });
            let saved = store.save_suite(suite(vec![NewStep::New(Box::new(made))])).unwrap();
            let id = saved.sessions[0].exchanges[0];
            let answer = store.exchange(id).unwrap().response.unwrap();
            assert_eq!(store.body(&answer.body).unwrap(), token.as_bytes());
            id
        };
        let first = step("token=1");
        assert_ne!(step("token=2"), first);
        assert_eq!(step("token=1"), first);
    }

    /// Catches a recording that keeps little and takes away what an edited request was made of.
    #[test]
    fn what_made_requests_name_is_in_use() {
        let (_folder, mut store) = open();
        let ids = store.append(&[captured("/a", b"1"), captured("/b", b"2"), captured("/c", b"3")]).unwrap();
        let edited = edit(&store, ids[0], "/new");
        let made = NewRequest::generated(Moment(2), "GET", "/d", "generate", "", &[ids[1]]);
        let steps = [edited, made].map(|request| NewStep::New(Box::new(request)));
        let saved = store.save_suite(suite(steps.into())).unwrap();
        let in_use = store.exchanges_in_use("recorded").unwrap();
        let mut wanted: Vec<ExchangeId> = saved.sessions[0].exchanges.clone();
        wanted.extend([ids[0], ids[1]]);
        assert_eq!(in_use, wanted.into_iter().collect());
    }

    /// Catches half a suite that stays behind.
    #[test]
    fn an_edit_of_what_is_not_there_stores_nothing() {
        let (_folder, mut store) = open();
        let ids = store.append(&[captured("/a", b"page")]).unwrap();
        let fine = edit(&store, ids[0], "/new");
        let lost = NewRequest::generated(Moment(2), "GET", "/d", "generate", "", &[ExchangeId(99)]);
        let steps = [fine, lost].map(|request| NewStep::New(Box::new(request)));
        assert!(matches!(store.save_suite(suite(steps.into())), Err(StoreError::Unknown { .. })));
        assert!(store.origins().unwrap().is_empty());
        assert!(store.suites().unwrap().is_empty());
    }
}
