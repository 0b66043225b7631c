//! One keep-alive connection to the app, and to nothing else.

use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use restage_model::{Headers, decode_content};
use tokio::net::TcpStream;

/// No answer is longer than this: one without an end would fill the memory before its time is over.
const LARGEST: usize = 256 << 20;
/// No page unpacks to more than this.
const DECODED_LIMIT: u64 = 256 << 20;

/// A response: status, header fields, body with its content encoding undone.
pub(crate) type Response = (u16, Headers, Vec<u8>);

/// Why there is no response.
#[derive(Debug)]
pub(crate) struct NoAnswer {
    /// For people.
    pub(crate) why: String,
    /// Whether the time for it was over.
    pub(crate) timed_out: bool,
}

impl From<String> for NoAnswer {
    fn from(why: String) -> Self {
        Self { why, timed_out: false }
    }
}

/// A connection to one address, made anew when the server has closed it.
pub(crate) struct Client {
    address: SocketAddr,
    timeout: Duration,
    largest: usize,
    sender: Option<SendRequest<Full<Bytes>>>,
}

impl Client {
    pub(crate) fn new(address: SocketAddr, timeout: Duration) -> Self {
        Self { address, timeout, largest: LARGEST, sender: None }
    }

    /// Sends a request and reads its response to the end.
    pub(crate) async fn send(
        &mut self,
        method: &str,
        uri: &str,
        headers: &Headers,
        body: &[u8],
    ) -> Result<Response, NoAnswer> {
        match tokio::time::timeout(self.timeout, self.exchange(method, uri, headers, body)).await {
            Ok(result) => Ok(result?),
            Err(_) => {
                self.sender = None;
                let why = format!("no answer within {} s", self.timeout.as_secs_f64());
                Err(NoAnswer { why, timed_out: true })
            }
        }
    }

    /// Makes sure that there is a connection, so that requests go out in the order in which they are sent. Where there can
    /// be none, sending says so.
    pub(crate) async fn connect(&mut self) {
        let _ = tokio::time::timeout(self.timeout, self.open()).await;
    }

    async fn exchange(
        &mut self,
        method: &str,
        uri: &str,
        headers: &Headers,
        body: &[u8],
    ) -> Result<Response, String> {
        let request = request(method, uri, headers, body)?;
        let reused = self.sender.is_some();
        let response = match self.try_send(request).await {
            // The server may close an idle connection at any time; nothing was answered, so ask again.
            Err(_) if reused => {
                self.sender = None;
                self.try_send(self::request(method, uri, headers, body)?).await
            }
            other => other,
        };
        let response = response.inspect_err(|_| self.sender = None)?;
        let status = response.status().as_u16();
        let mut fields = Headers::new();
        for (name, value) in response.headers() {
            fields.push_bytes(name.as_str(), value.as_bytes());
        }
        let collected = Limited::new(response.into_body(), self.largest).collect().await;
        let bytes = collected.map_err(|e| {
            self.sender = None;
            if e.is::<LengthLimitError>() {
                format!("the answer is longer than {} MiB", self.largest >> 20)
            } else {
                format!("the answer broke off: {}", chain(&*e))
            }
        })?;
        let bytes = Vec::from(bytes.to_bytes());
        // What does not decode is kept as it came, as the recorder keeps it.
        let bytes = match fields.get("content-encoding") {
            Some(_) => decode_content(&fields, bytes.clone(), DECODED_LIMIT).unwrap_or(bytes),
            None => bytes,
        };
        Ok((status, fields, bytes))
    }

    async fn try_send(
        &mut self,
        request: http::Request<Full<Bytes>>,
    ) -> Result<http::Response<hyper::body::Incoming>, String> {
        self.open().await?;
        let Some(sender) = &mut self.sender else { return Err("no connection".to_owned()) };
        sender.ready().await.map_err(|e| chain(&e))?;
        sender.send_request(request).await.map_err(|e| chain(&e))
    }

    async fn open(&mut self) -> Result<(), String> {
        if self.sender.as_ref().is_none_or(SendRequest::is_closed) {
            let stream =
                TcpStream::connect(self.address).await.map_err(|e| format!("cannot connect: {e}"))?;
            stream.set_nodelay(true).map_err(|e| e.to_string())?;
            let (sender, connection) = handshake(TokioIo::new(stream)).await.map_err(|e| chain(&e))?;
            tokio::spawn(connection);
            self.sender = Some(sender);
        }
        Ok(())
    }
}

fn request(
    method: &str,
    uri: &str,
    headers: &Headers,
    body: &[u8],
) -> Result<http::Request<Full<Bytes>>, String> {
    let mut builder = http::Request::builder().method(method).uri(uri);
    for (name, value) in headers.iter() {
        builder = builder.header(name, Headers::value_bytes(value));
    }
    builder
        .body(Full::new(Bytes::copy_from_slice(body)))
        .map_err(|e| format!("cannot send `{method} {uri}`: {e}"))
}

fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::time::Instant;

    use super::*;

    /// A server that says this to every connection, and then goes on as told.
    fn server(first: &'static [u8], then: fn(&mut std::net::TcpStream)) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let _ = stream.read(&mut [0; 4096]);
                let _ = stream.write_all(first);
                then(&mut stream);
            }
        });
        address
    }

    fn ask(address: SocketAddr, largest: usize) -> (String, Duration) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let mut client = Client { largest, ..Client::new(address, Duration::from_secs(1)) };
        let headers: Headers = [("host".to_owned(), "app".to_owned())].into_iter().collect();
        let begun = Instant::now();
        let answer = runtime.block_on(client.send("GET", "/", &headers, b""));
        (answer.unwrap_err().why, begun.elapsed())
    }

    /// Catches: a replay that waits for ever for an app that takes a request and says nothing.
    #[test]
    fn an_app_that_never_answers_is_given_up() {
        let silent = server(b"", |_| std::thread::sleep(Duration::from_secs(60)));
        let (why, took) = ask(silent, LARGEST);
        assert_eq!(why, "no answer within 1 s");
        assert!(took < Duration::from_secs(30), "{took:?}");
    }

    /// Catches: an answer without an end holds the replay up, or fills the memory.
    #[test]
    fn an_answer_without_an_end_is_bounded_by_time_and_by_size() {
        const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n";
        let dribbling = server(HEAD, |stream| {
            while stream.write_all(b"x").is_ok() {
                std::thread::sleep(Duration::from_millis(10));
            }
        });
        let (why, took) = ask(dribbling, LARGEST);
        assert_eq!(why, "no answer within 1 s");
        assert!(took < Duration::from_secs(30), "{took:?}");
        let flood = server(HEAD, |stream| while stream.write_all(&[b'x'; 65536]).is_ok() {});
        let (why, _) = ask(flood, 3 << 20);
        assert_eq!(why, "the answer is longer than 3 MiB");
    }
}
