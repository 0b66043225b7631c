//! Exchanges in memory.

use restage_model::{
    BodyId, BodyRef, Exchange, ExchangeId, Headers, Moment, Request, Response, Session, Suite, SuiteId,
};
use restage_suite::{ExchangeSource, SourceError};

/// Exchanges in memory.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    pub(crate) exchanges: Vec<Exchange>,
    bodies: Vec<Vec<u8>>,
}

impl ExchangeSource for Memory {
    fn exchange(&self, id: ExchangeId) -> Result<Exchange, SourceError> {
        Ok(self.exchanges[id.0 as usize - 1].clone())
    }

    fn body(&self, body: &BodyRef) -> Result<Vec<u8>, SourceError> {
        Ok(body.id.map_or_else(Vec::new, |id| self.bodies[id.0 as usize].clone()))
    }
}

impl Memory {
    fn keep(&mut self, bytes: &[u8]) -> BodyRef {
        if bytes.is_empty() {
            return BodyRef::default();
        }
        self.bodies.push(bytes.to_vec());
        BodyRef { id: Some(BodyId(self.bodies.len() as i64 - 1)), size: bytes.len() as u64, cut: false }
    }

    /// Adds an exchange: method, address, request's fields and body, status, answer's type and body.
    pub(crate) fn add(
        &mut self,
        (method, uri): (&str, &str),
        (fields, body): (&[(&str, &str)], &[u8]),
        (status, media_type, answer): (u16, &str, &[u8]),
    ) {
        let mut headers = Headers::new();
        headers.push("host", "shop.test");
        fields.iter().for_each(|(name, value)| headers.push_bytes(name, value.as_bytes()));
        let mut answered = Headers::new();
        answered.push("content-type", media_type);
        let request =
            Request { method: method.to_owned(), uri: uri.to_owned(), headers, body: self.keep(body) };
        let response = (status != 0).then(|| Response { status, headers: answered, body: self.keep(answer) });
        let number = self.exchanges.len() as i64 + 1;
        self.exchanges.push(Exchange {
            id: ExchangeId(number),
            at: Moment(1_794_799_314_231_168 + number),
            took: 563,
            client: "10.0.0.7".to_owned(),
            request,
            error: response.is_none().then(|| "it hung up".to_owned()),
            response,
            imported: false,
            origin: restage_model::Origin::Recorded,
        });
    }

    /// All of them as one session; the last is left out of its replay.
    pub(crate) fn suite(&self) -> Suite {
        let ids: Vec<ExchangeId> = self.exchanges.iter().map(|e| e.id).collect();
        let (last, steps) = ids.split_last().unwrap();
        let session = Session {
            name: "s1".to_owned(),
            by: "ip+agent".to_owned(),
            client: "10.0.0.7".to_owned(),
            from: self.exchanges[0].at,
            to: self.exchanges[0].at,
            exchanges: steps.to_vec(),
            left_out: vec![*last],
            joined: Vec::new(),
            fresh: false,
        };
        let sessions = vec![session];
        Suite {
            id: SuiteId(1),
            name: "my suite".to_owned(),
            created: Moment(0),
            origin: "recorded".to_owned(),
            sessions,
        }
    }
}

/// A token: what a script has to take from the live page.
pub(crate) const TOKEN: &str = "8d035729ead0c9cdc620680f38480222";

/// A user who logs in and does what is hard to write.
pub(crate) fn hard() -> Memory {
    let mut memory = Memory::default();
    let page = format!(
        "<form method=post action=/login><input type=hidden name=other value=x><input type=hidden name=csrf value={TOKEN}></form>"
    );
    let form = ("content-type", "application/x-www-form-urlencoded");
    memory.add(
        ("GET", "/login"),
        (&[("user-agent", "Zoë's \"browser\"")], b""),
        (200, "text/html", page.as_bytes()),
    );
    let body = format!("csrf={TOKEN}&name=O%27Hara+%22%7B%7Bx%7D%7D%22+%23+%5C&text=a%0D%0Ab&empty=");
    memory.add(("POST", "/login?next=%2F%23x"), (&[form], body.as_bytes()), (303, "text/html", b""));
    memory.add(
        ("POST", "/api"),
        (&[("content-type", "application/json"), ("x-token", "0123456789abcdef0123")], br#"{"a": "it's"}"#),
        (200, "application/json", br#"{"deep": {"key": "fedcba98765432100123"}}"#),
    );
    memory.add(
        ("GET", "/next?k=fedcba98765432100123&x=1"),
        (&[], b""),
        (200, "image/png", b"\x89PNG\xff\x00"),
    );
    memory.add(
        ("PUT", "/upload"),
        (&[("content-type", "application/octet-stream")], b"\xff\x00\n"),
        (0, "", b""),
    );
    memory.add(("GET", "/logo.png"), (&[], b""), (200, "image/png", b"\x89PNG"));
    memory
}
