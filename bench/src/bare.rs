//! A bare HTTP client: one keep-alive connection, bodies read, nothing looked at, nothing stored.

use std::net::SocketAddr;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use restage_model::Headers;
use tokio::net::TcpStream;
use tokio::runtime::Runtime;

use crate::Trouble;
use crate::request::Request;

/// What came back.
pub type Answered = (u16, Bytes);

/// A connection, on a runtime of one thread as the replay's.
#[derive(Debug)]
pub struct BareClient {
    runtime: Runtime,
    sender: SendRequest<Full<Bytes>>,
}

impl BareClient {
    /// Connects.
    pub fn connect(address: SocketAddr) -> Result<Self, Trouble> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let sender = runtime.block_on(async {
            let stream = TcpStream::connect(address).await?;
            stream.set_nodelay(true)?;
            let (sender, connection) = handshake(TokioIo::new(stream)).await?;
            tokio::spawn(connection);
            Ok::<_, Trouble>(sender)
        })?;
        Ok(Self { runtime, sender })
    }

    /// Sends requests one after another.
    pub fn send(&mut self, requests: &[Request]) -> Result<Vec<Answered>, Trouble> {
        let Self { runtime, sender } = self;
        runtime.block_on(async {
            let mut answers = Vec::with_capacity(requests.len());
            for request in requests {
                let mut builder = http::Request::builder().method(request.method.as_str()).uri(&request.uri);
                for (name, value) in request.headers.iter() {
                    builder = builder.header(name, Headers::value_bytes(value));
                }
                sender.ready().await?;
                let response = sender.send_request(builder.body(Full::new(request.body.clone()))?).await?;
                let status = response.status().as_u16();
                answers.push((status, response.into_body().collect().await?.to_bytes()));
            }
            Ok(answers)
        })
    }
}
