//! One exchange while it goes on.
//!
//! Whatever happens to it, it is handed in: a recording that is dropped half way, because the
//! client went away or the recorder stopped, hands itself in with a note of how far it came.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode, Uri};
use restage_model::Moment;

use crate::record::storing::intake::Intake;
use crate::record::storing::raw::{RawBody, RawExchange};
use crate::record::upload::Upload;

/// One exchange while it goes on.
#[derive(Debug)]
pub(crate) struct Recording {
    intake: Arc<Intake>,
    began: Instant,
    /// Taken when it is handed in.
    exchange: Option<RawExchange>,
    upload: Option<Upload>,
}

impl Recording {
    /// A request has arrived.
    pub(crate) fn begin(intake: Arc<Intake>, client: IpAddr, method: Method, uri: Uri) -> Self {
        intake.begin();
        let exchange = RawExchange {
            at: Moment::now(),
            took: 0,
            client,
            method,
            uri,
            headers: HeaderMap::new(),
            body: RawBody::default(),
            response: None,
            error: None,
        };
        Self { intake, began: Instant::now(), exchange: Some(exchange), upload: None }
    }

    /// The header fields the application is sent.
    pub(crate) fn request(&mut self, headers: HeaderMap) {
        if let Some(exchange) = &mut self.exchange {
            exchange.headers = headers;
        }
    }

    /// The request has a body, which is recorded as it passes.
    pub(crate) fn upload(&mut self) -> Upload {
        self.upload.insert(Upload::new(self.intake.body_limit)).clone()
    }

    /// The application begins to answer.
    pub(crate) fn response(&mut self, status: StatusCode, headers: HeaderMap) {
        if let Some(exchange) = &mut self.exchange {
            exchange.response = Some((status, headers, RawBody::default()));
        }
    }

    /// Bytes of the answer pass.
    pub(crate) fn data(&mut self, data: &Bytes) {
        if let Some((_, _, body)) = self.exchange.as_mut().and_then(|e| e.response.as_mut()) {
            body.add(data, self.intake.body_limit);
        }
    }

    /// The header fields the application was sent, to send them once more.
    pub(crate) fn sent_headers(&self) -> HeaderMap {
        self.exchange.as_ref().map(|e| e.headers.clone()).unwrap_or_default()
    }

    /// Why the client could not send all of its request, where it could not.
    pub(crate) fn upload_failure(&self) -> Option<String> {
        self.upload.as_ref().and_then(Upload::failure)
    }

    /// How many bytes of the answer have passed.
    pub(crate) fn passed(&self) -> u64 {
        self.exchange.as_ref().and_then(|e| e.response.as_ref()).map_or(0, |(_, _, body)| body.size)
    }

    /// The response has come to its end, and so has the exchange, unless the application answered
    /// before it had all of the request: then it ends with that.
    pub(crate) fn finish(mut self) {
        self.stop_clock();
        match self.upload.take() {
            Some(upload) => upload.finish(self),
            None => self.hand_in(None),
        }
    }

    /// Both the response and the request's body have come to their ends.
    pub(crate) fn finish_with(mut self, body: RawBody, error: Option<String>) {
        if let Some(exchange) = &mut self.exchange {
            exchange.body = body;
        }
        self.hand_in(error);
    }

    /// The exchange has ended before its end.
    pub(crate) fn fail(mut self, why: String) {
        self.hand_in(Some(why));
    }

    /// The application did not answer, or not to the end.
    pub(crate) fn fail_upstream(self, why: String) {
        self.intake.counts.upstream_errors.fetch_add(1, Ordering::Relaxed);
        self.fail(why);
    }

    fn stop_clock(&mut self) {
        if let Some(exchange) = &mut self.exchange
            && exchange.took == 0
        {
            exchange.took = self.began.elapsed().as_micros() as u64;
        }
    }

    fn hand_in(&mut self, error: Option<String>) {
        self.stop_clock();
        let Some(mut exchange) = self.exchange.take() else { return };
        if let Some(upload) = self.upload.take() {
            exchange.body = upload.take();
        }
        exchange.error = error;
        self.intake.end(exchange);
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        if self.exchange.is_some() {
            let who = if self.intake.stopping() { "the recording ended" } else { "the client went away" };
            let answered = self.exchange.as_ref().is_some_and(|e| e.response.is_some());
            let why = if answered {
                format!("{who} after {} bytes of the response", self.passed())
            } else {
                format!("{who} before the response")
            };
            self.hand_in(Some(why));
        }
    }
}
