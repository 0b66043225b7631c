//! A finished exchange as the traffic left it: nothing converted yet.
//!
//! Header fields and bodies are still the connections' own buffers, shared by counting references.
//! Turning them into what the store takes costs more than passing them on, so that it is done on
//! the writer's thread.

use std::net::IpAddr;

use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode, Uri};
use restage_model::{Captured, CapturedBody, Headers, Moment};

/// What a queued message holds on to besides its body: its connection's read buffer, of which its
/// header fields are slices.
const READ_BUFFER: usize = 8 << 10;

/// The part of a body that is kept, and the size of all of it.
#[derive(Debug, Default)]
pub(crate) struct RawBody {
    chunks: Vec<Bytes>,
    kept: usize,
    /// How long the body was.
    pub(crate) size: u64,
}

impl RawBody {
    /// Notes a frame's bytes; keeps them as far as `limit` allows.
    pub(crate) fn add(&mut self, data: &Bytes, limit: u64) {
        let room = limit.saturating_sub(self.size).min(data.len() as u64) as usize;
        if room > 0 {
            self.chunks.push(data.slice(..room));
            self.kept += room;
        }
        self.size += data.len() as u64;
    }

    /// Whether less than the whole was kept.
    pub(crate) fn cut(&self) -> bool {
        self.size > self.kept as u64
    }

    fn into_captured(self) -> CapturedBody {
        let mut bytes = Vec::with_capacity(self.kept);
        for chunk in &self.chunks {
            bytes.extend_from_slice(chunk);
        }
        CapturedBody { bytes, size: self.size }
    }
}

/// A finished exchange.
#[derive(Debug)]
pub(crate) struct RawExchange {
    pub(crate) at: Moment,
    pub(crate) took: u64,
    pub(crate) client: IpAddr,
    pub(crate) method: Method,
    pub(crate) uri: Uri,
    pub(crate) headers: HeaderMap,
    pub(crate) body: RawBody,
    pub(crate) response: Option<(StatusCode, HeaderMap, RawBody)>,
    pub(crate) error: Option<String>,
}

impl RawExchange {
    /// How much memory it holds on to, roughly.
    pub(crate) fn weight(&self) -> usize {
        let response = self.response.as_ref().map_or(0, |(_, _, body)| body.kept);
        self.body.kept + response + 2 * READ_BUFFER
    }

    /// Bodies of which only the beginning was kept.
    pub(crate) fn cut_bodies(&self) -> u64 {
        u64::from(self.body.cut()) + u64::from(self.response.as_ref().is_some_and(|(_, _, b)| b.cut()))
    }

    /// As the store takes it.
    pub(crate) fn into_captured(self) -> Captured {
        Captured {
            at: self.at,
            took: self.took,
            // An IPv4 client of an IPv6 socket is the client it is on an IPv4 one.
            client: self.client.to_canonical().to_string(),
            method: self.method.as_str().to_owned(),
            uri: self.uri.path_and_query().map_or("/", |p| p.as_str()).to_owned(),
            headers: owned(&self.headers),
            body: self.body.into_captured(),
            response: self
                .response
                .map(|(status, headers, body)| (status.as_u16(), owned(&headers), body.into_captured())),
            error: self.error,
        }
    }
}

fn owned(headers: &HeaderMap) -> Headers {
    let mut fields = Headers::new();
    for (name, value) in headers {
        fields.push_bytes(name.as_str(), value.as_bytes());
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_body_is_cut_and_its_size_goes_on() {
        let mut body = RawBody::default();
        for chunk in ["abc", "def", "ghi"] {
            body.add(&Bytes::from_static(chunk.as_bytes()), 5);
        }
        assert!(body.cut());
        let captured = body.into_captured();
        assert_eq!(captured.bytes, b"abcde");
        assert_eq!(captured.size, 9);
        assert!(captured.cut());
    }
}
