//! What was recorded.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::Serialize;

use restage_model::{
    Captured, Exchange, ExchangeId, Headers, Moment, Origin, Request, Response, decode_content,
};

use crate::bodies::{Packer, body_ref, put};
use crate::header_sets::HeaderSets;
use crate::made::{Made, find_made};
use crate::sources::AsStored;
use crate::{Store, StoreError};

const COLUMNS: &str = "id, at, took, client, method, uri, headers, body, body_size, body_cut, status, \
     response_headers, response_body, response_size, response_cut, error, source, origin";

/// No page a person reads unpacks to more than this.
const DECODED_LIMIT: u64 = 256 << 20;

/// Names beyond this are not taken over: those that follow must have room.
const LARGEST_ID: i64 = 1 << 48;

/// How much was recorded.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct ExchangeCounts {
    /// Exchanges.
    pub exchanges: u64,
    /// Distinct bodies.
    pub bodies: u64,
    /// Their bytes.
    pub bytes: u64,
}

impl Store {
    /// Stores exchanges, all or none of them. Bodies are stored with their content encoding undone,
    /// so that equal pages are equal bytes; one that does not decode is stored as it came.
    pub fn append(&mut self, batch: &[Captured]) -> Result<Vec<ExchangeId>, StoreError> {
        let transaction =
            self.connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let mut ids = Vec::with_capacity(batch.len());
        for captured in batch {
            ids.extend(insert(&transaction, &self.packer, &self.header_sets, captured, None)?.id);
        }
        transaction.commit()?;
        Ok(ids)
    }

    /// Every recorded exchange, in the order they were stored, without its bodies' bytes.
    pub fn exchanges(&self) -> Result<Vec<Exchange>, StoreError> {
        let mut statement = self.connection.prepare_cached(&recorded())?;
        let rows = statement.query_and_then([], |row| exchange(self, row))?;
        rows.collect()
    }

    /// Looks at every recorded exchange, in the order they were stored, without its bodies' bytes: one at a time, so that
    /// memory does not grow with their number.
    pub fn each_exchange<E: From<StoreError>>(
        &self,
        mut each: impl FnMut(Exchange) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut statement = self.connection.prepare_cached(&recorded()).map_err(StoreError::from)?;
        let mut rows = statement.query([]).map_err(StoreError::from)?;
        while let Some(row) = rows.next().map_err(StoreError::from)? {
            each(exchange(self, row)?)?;
        }
        Ok(())
    }

    /// One exchange.
    pub fn exchange(&self, id: ExchangeId) -> Result<Exchange, StoreError> {
        let mut statement =
            self.connection.prepare_cached(&format!("SELECT {COLUMNS} FROM exchange WHERE id = ?"))?;
        let mut rows = statement.query_and_then([id.0], |row| exchange(self, row))?;
        rows.next().unwrap_or_else(|| Err(unknown(id)))
    }

    /// The request of one exchange, without reading what was answered.
    pub fn request(&self, id: ExchangeId) -> Result<Request, StoreError> {
        let mut statement =
            self.connection.prepare_cached(&format!("SELECT {COLUMNS} FROM exchange WHERE id = ?"))?;
        let mut rows = statement.query_and_then([id.0], |row| request(self, id.0, row))?;
        rows.next().unwrap_or_else(|| Err(unknown(id)))
    }

    /// What the store takes in its file, in bytes; what was removed and not filled again is left out.
    pub fn bytes(&self) -> Result<u64, StoreError> {
        let told = self.connection.query_row(
            "SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size",
            [],
            |row| row.get(0),
        )?;
        Ok(told)
    }

    /// How many exchanges came after one, and how many of them were answered by an error or not at all.
    pub fn error_counts(&self, after: ExchangeId) -> Result<(usize, usize), StoreError> {
        Ok(self.connection.query_row(
            "SELECT count(*), coalesce(sum(status IS NULL OR status >= 400), 0) FROM exchange WHERE id > ? AND origin IS NULL",
            [after.0],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?)
    }

    /// How much was recorded.
    pub fn counts(&self) -> Result<ExchangeCounts, StoreError> {
        let exchanges = self.connection.query_row(
            "SELECT (SELECT count(*) FROM exchange) - (SELECT count(*) FROM exchange WHERE made IS NOT NULL)",
            [],
            |r| r.get(0),
        )?;
        let (bodies, bytes) =
            self.connection.query_row("SELECT count(*), coalesce(sum(size), 0) FROM body", [], |r| {
                Ok((r.get(0)?, r.get(1)?))
            })?;
        Ok(ExchangeCounts { exchanges, bodies, bytes })
    }
}

/// What nobody recorded is no traffic: sessions are not made of it.
fn recorded() -> String {
    format!("SELECT {COLUMNS} FROM exchange WHERE origin IS NULL ORDER BY id")
}

/// Where an imported exchange came from, and what tells it from others.
pub(crate) struct ImportedFrom<'a> {
    pub(crate) source: i64,
    pub(crate) digest: i64,
    pub(crate) as_stored: Option<&'a AsStored>,
    /// Whether a user sent it, in this store's names.
    pub(crate) origin: &'a Origin,
}

/// What became of an exchange.
pub(crate) struct Put {
    /// Its name; of what was imported before, only where it came from a store.
    pub(crate) id: Option<ExchangeId>,
    /// Whether it was not stored before.
    pub(crate) is_new: bool,
}

/// Stores one exchange, unless the same was imported before.
pub(crate) fn insert(
    connection: &Connection,
    packer: &Packer,
    header_sets: &HeaderSets,
    captured: &Captured,
    from: Option<ImportedFrom<'_>>,
) -> Result<Put, StoreError> {
    let imported = from.is_some();
    let as_stored = from.as_ref().and_then(|from| from.as_stored);
    let made =
        from.as_ref().filter(|from| !from.origin.is_recorded()).map(|from| made(captured, from.origin));
    let id =
        match as_stored.map(|known| id_state(connection, known.id, captured, made.as_ref())).transpose()? {
            Some(IdState::Known(id)) => return Ok(Put { id: Some(id), is_new: false }),
            Some(IdState::Free(id)) => Some(id.0),
            Some(IdState::Taken) | None => None,
        };
    let fields = |headers: &Headers| {
        if imported { header_sets.pack(connection, headers) } else { Ok(to_json(headers)) }
    };
    let body = put(connection, packer, &captured.body.bytes)?;
    let (status, headers, answer, size, cut) = match &captured.response {
        Some((status, headers, body)) => {
            let encoded = headers.get("content-encoding").is_some() && !body.cut() && as_stored.is_none();
            let decoded =
                if encoded { decode_content(headers, body.bytes.clone(), DECODED_LIMIT).ok() } else { None };
            let id = put(connection, packer, decoded.as_deref().unwrap_or(&body.bytes))?;
            let cut = as_stored.map_or(body.cut(), |known| known.response_cut);
            (Some(*status), Some(fields(headers)?), id, body.size, cut)
        }
        None => (None, None, None, 0, false),
    };
    // Only what is imported has a digest, so that nothing recorded is ever passed over. What nobody recorded has one of its
    // own, so that no import is passed over for it.
    let digest = from.as_ref().filter(|_| made.is_none()).map(|from| from.digest);
    let rows = connection
        .prepare_cached(
            "INSERT OR IGNORE INTO exchange (id, at, took, client, method, uri, headers, body, body_size, body_cut, \
             status, response_headers, response_body, response_size, response_cut, error, source, digest, origin, made) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )?
        .execute(params![
            id,
            captured.at.0,
            captured.took,
            captured.client,
            captured.method,
            captured.uri,
            fields(&captured.headers)?,
            body,
            captured.body.size,
            as_stored.map_or(captured.body.cut(), |known| known.request_cut),
            status,
            headers,
            answer,
            size,
            cut,
            captured.error,
            // Nobody imported what was recorded elsewhere: it only came through a file.
            from.as_ref().filter(|_| as_stored.is_none_or(|known| known.imported)).map(|from| from.source),
            digest,
            from.as_ref().filter(|_| made.is_some()).map(|from| to_json(from.origin)),
            made.as_ref().map(|made| made.as_bytes()),
        ])?;
    let id = match (rows, as_stored, &made) {
        (0, None, _) => None,
        (0, Some(_), Some(made)) => find_made(connection, made)?,
        (0, Some(_), None) => connection
            .prepare_cached("SELECT id FROM exchange WHERE at = ? AND digest = ?")?
            .query_row(params![captured.at.0, digest], |row| row.get(0).map(ExchangeId))
            .optional()?,
        _ => Some(ExchangeId(connection.last_insert_rowid())),
    };
    Ok(Put { id, is_new: rows > 0 })
}

/// What tells an exchange that nobody recorded from others.
fn made(captured: &Captured, origin: &Origin) -> blake3::Hash {
    let Captured { at, client, method, uri, headers, body, response, .. } = captured;
    // An edited one has the answer of another.
    let answer = response.as_ref().filter(|_| matches!(origin, Origin::Generated { .. }));
    let answer = answer.map(|(status, _, body)| (*status, body.bytes.as_ref()));
    Made { at: *at, client, method, uri, headers, body: &body.bytes, answer, origin }.digest()
}

/// What a store has under the name of an exchange that comes back.
enum IdState {
    /// That exchange; its name here.
    Known(ExchangeId),
    /// Nothing.
    Free(ExchangeId),
    /// Another one, or it is no name that a store gives.
    Taken,
}

fn id_state(
    connection: &Connection,
    id: ExchangeId,
    captured: &Captured,
    made: Option<&blake3::Hash>,
) -> Result<IdState, StoreError> {
    if let Some(made) = made
        && let Some(known) = find_made(connection, made)?
    {
        return Ok(IdState::Known(known));
    }
    let there = connection
        .prepare_cached("SELECT at, took, client, method, uri, made FROM exchange WHERE id = ?")?
        .query_row([id.0], |row| {
            Ok(made.is_none()
                && row.get::<_, Option<Vec<u8>>>(5)?.is_none()
                && row.get::<_, i64>(0)? == captured.at.0
                && row.get::<_, u64>(1)? == captured.took
                && row.get::<_, String>(2)? == captured.client
                && row.get::<_, String>(3)? == captured.method
                && row.get::<_, String>(4)? == captured.uri)
        })
        .optional()?;
    Ok(match there {
        Some(true) => IdState::Known(id),
        None if (1..LARGEST_ID).contains(&id.0) => IdState::Free(id),
        _ => IdState::Taken,
    })
}

fn exchange(store: &Store, row: &Row<'_>) -> Result<Exchange, StoreError> {
    let id: i64 = row.get(0)?;
    let status: Option<u16> = row.get(10)?;
    let response = match status {
        Some(status) => Some(Response {
            status,
            headers: fields(store, id, row.get_ref(11)?)?,
            body: body_ref(row.get(12)?, row.get(13)?, row.get(14)?),
        }),
        None => None,
    };
    Ok(Exchange {
        id: ExchangeId(id),
        at: Moment(row.get(1)?),
        took: row.get(2)?,
        client: row.get(3)?,
        request: request(store, id, row)?,
        response,
        error: row.get(15)?,
        imported: row.get::<_, Option<i64>>(16)?.is_some(),
        origin: origin(id, row.get(17)?)?,
    })
}

pub(crate) fn origin(id: i64, text: Option<String>) -> Result<Origin, StoreError> {
    let Some(text) = text else { return Ok(Origin::Recorded) };
    serde_json::from_str(&text)
        .map_err(|e| StoreError::Unreadable(format!("exchange {id}: where it comes from: {e}")))
}

fn request(store: &Store, id: i64, row: &Row<'_>) -> Result<Request, StoreError> {
    Ok(Request {
        method: row.get(4)?,
        uri: row.get(5)?,
        headers: fields(store, id, row.get_ref(6)?)?,
        body: body_ref(row.get(7)?, row.get(8)?, row.get(9)?),
    })
}

pub(crate) fn unknown(id: ExchangeId) -> StoreError {
    StoreError::Unknown {
        kind: "exchange",
        name: id.0.to_string(),
        there: "`restage sessions show` lists a session's exchanges".to_owned(),
    }
}

/// Header fields never fail to serialize: they are pairs of strings.
pub(crate) fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "[]".to_owned())
}

fn fields(store: &Store, id: i64, text: ValueRef<'_>) -> Result<Headers, StoreError> {
    let text =
        text.as_str().map_err(|e| StoreError::Unreadable(format!("exchange {id}: header fields: {e}")))?;
    store.header_sets.unpack(&store.connection, text)
}

#[cfg(test)]
pub(crate) mod tests {
    use restage_model::CapturedBody;

    use super::*;

    pub(crate) fn captured(uri: &str, page: &[u8]) -> Captured {
        let mut headers = Headers::new();
        headers.push("content-type", "text/html");
        Captured {
            at: Moment(1),
            took: 2,
            client: "127.0.0.1".to_owned(),
            method: "GET".to_owned(),
            uri: uri.to_owned(),
            headers: Headers::new(),
            body: CapturedBody::default(),
            response: Some((200, headers, CapturedBody { bytes: page.to_vec(), size: page.len() as u64 })),
            error: None,
        }
    }

    #[test]
    fn what_is_appended_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open_or_create(&folder.path().join("s.db")).unwrap();
        let mut cut = captured("/long", b"begin");
        cut.response.as_mut().unwrap().2.size = 1000;
        let ids = store.append(&[captured("/a?b", b"page"), cut]).unwrap();
        let exchange = store.exchange(ids[0]).unwrap();
        assert_eq!(exchange.request.path(), "/a");
        let response = exchange.response.unwrap();
        assert_eq!(store.body(&response.body).unwrap(), b"page");
        let long = store.exchange(ids[1]).unwrap().response.unwrap().body;
        assert!(long.cut);
        assert_eq!(long.size, 1000);
        assert_eq!(store.exchanges().unwrap().len(), 2);
    }
}
