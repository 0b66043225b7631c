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

/// A response, read to its end.
#[derive(Clone, Debug)]
pub struct Fetched {
    /// Its status.
    pub status: u16,
    /// Its header fields.
    pub headers: Headers,
    /// Its body, the content encoding undone.
    pub body: Vec<u8>,
}

/// Why there is no response.
#[derive(Debug)]
pub struct NoAnswer {
    /// For people.
    pub why: String,
    /// Whether the time for it was over.
    pub timed_out: bool,
}

impl From<String> for NoAnswer {
    fn from(why: String) -> Self {
        Self { why, timed_out: false }
    }
}

/// A connection to one address, made anew when the server has closed it.
#[derive(Debug)]
pub struct Client {
    address: SocketAddr,
    timeout: Duration,
    largest: usize,
    sender: Option<SendRequest<Full<Bytes>>>,
}

impl Client {
    /// A client of one address; no request may take longer than `timeout`.
    pub fn new(address: SocketAddr, timeout: Duration) -> Self {
        Self { address, timeout, largest: LARGEST, sender: None }
    }

    /// Sends a request and reads its response to the end.
    pub async fn send(
        &mut self,
        method: &str,
        uri: &str,
        headers: &Headers,
        body: &[u8],
    ) -> Result<Fetched, NoAnswer> {
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
    pub async fn connect(&mut self) {
        let _ = tokio::time::timeout(self.timeout, self.open()).await;
    }

    async fn exchange(
        &mut self,
        method: &str,
        uri: &str,
        headers: &Headers,
        body: &[u8],
    ) -> Result<Fetched, String> {
        let request = request(method, uri, headers, body)?;
        let reused = self.sender.is_some();
        if reused {
            // The system may know that the server has hung up, and nobody has asked it yet: a request that goes out now is
            // lost. The first time, it is asked; the second, the connection takes note of what it said.
            tokio::task::yield_now().await;
            tokio::task::yield_now().await;
        }
        let response = match self.try_send(request).await {
            // The server may close an idle connection at any time. What did not go out is sent on a new one; what did may
            // have been worked on, answered or not, and a second order is not what the user sent.
            Err(Unanswered { unsent: Some(request), .. }) if reused => {
                self.sender = None;
                self.try_send(request).await
            }
            other => other,
        };
        let response = response.map_err(|failed| {
            self.sender = None;
            failed.why
        })?;
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
        Ok(Fetched { status, headers: fields, body: bytes })
    }

    async fn try_send(
        &mut self,
        request: http::Request<Full<Bytes>>,
    ) -> Result<http::Response<hyper::body::Incoming>, Unanswered> {
        if let Err(why) = self.open().await {
            return Err(Unanswered { why, unsent: Some(request) });
        }
        let Some(sender) = &mut self.sender else {
            return Err(Unanswered { why: "no connection".to_owned(), unsent: Some(request) });
        };
        if let Err(error) = sender.ready().await {
            return Err(Unanswered { why: chain(&error), unsent: Some(request) });
        }
        sender.try_send_request(request).await.map_err(|mut error| {
            let unsent = error.take_message();
            Unanswered { why: chain(error.error()), unsent }
        })
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

/// A request without an answer, and the request itself where nothing of it was sent.
struct Unanswered {
    why: String,
    unsent: Option<http::Request<Full<Bytes>>>,
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
    use std::sync::mpsc::{Receiver, channel};

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

    fn ask(address: SocketAddr, largest: usize) -> String {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let mut client = Client { largest, ..Client::new(address, Duration::from_secs(1)) };
        let headers: Headers = [("host".to_owned(), "app".to_owned())].into_iter().collect();
        let answer = runtime.block_on(client.send("GET", "/", &headers, b""));
        answer.unwrap_err().why
    }

    /// A request's header fields and body, read from a connection; none where it was closed.
    fn read_request(stream: &mut std::net::TcpStream) -> Option<String> {
        let mut read = Vec::new();
        while !read.ends_with(b"order=1") && !read.ends_with(b"\r\n\r\n") {
            let mut buffer = [0; 1024];
            match stream.read(&mut buffer) {
                Ok(count) if count > 0 => read.extend_from_slice(&buffer[..count]),
                _ => return None,
            }
        }
        Some(String::from_utf8_lossy(&read).into_owned())
    }

    const WELL: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";

    /// Asks with `GET`, then with `POST` over the same connection, once the server has said that it may; what came of the second.
    fn get_then_post(address: SocketAddr, may_post: &Receiver<()>) -> Result<u16, String> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let mut client = Client::new(address, Duration::from_secs(30));
        let host = ("host".to_owned(), "app".to_owned());
        let get: Headers = [host.clone()].into_iter().collect();
        let post: Headers = [host, ("content-length".to_owned(), "7".to_owned())].into_iter().collect();
        runtime.block_on(client.send("GET", "/", &get, b"")).unwrap();
        may_post.recv().unwrap();
        let answer = runtime.block_on(client.send("POST", "/order", &post, b"order=1"));
        answer.map(|fetched| fetched.status).map_err(|no_answer| no_answer.why)
    }

    /// Catches: an order that is placed twice, since the app took it and closed the connection without an answer.
    #[test]
    fn what_may_have_been_worked_on_is_not_sent_again() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (may_post, until) = channel();
        let (sender, orders) = channel();
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                while let Some(request) = read_request(&mut stream) {
                    if request.starts_with("POST") {
                        sender.send(()).unwrap();
                        break;
                    }
                    stream.write_all(WELL).unwrap();
                    may_post.send(()).unwrap();
                }
            }
        });
        assert!(get_then_post(address, &until).is_err());
        assert_eq!(orders.try_iter().count(), 1);
    }

    /// Catches: a step that fails only because the app closed an idle connection.
    #[test]
    fn what_was_not_sent_is_sent_on_a_new_connection() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (may_post, until) = channel();
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                read_request(&mut stream);
                stream.write_all(WELL).unwrap();
                drop(stream);
                let _ = may_post.send(());
            }
        });
        assert_eq!(get_then_post(address, &until), Ok(200));
    }

    /// Catches: a replay that waits for ever for an app that takes a request and says nothing.
    #[test]
    fn an_app_that_never_answers_is_given_up() {
        let silent = server(b"", |_| {
            loop {
                std::thread::park();
            }
        });
        assert_eq!(ask(silent, LARGEST), "no answer within 1 s");
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
        assert_eq!(ask(dribbling, LARGEST), "no answer within 1 s");
        let flood = server(HEAD, |stream| while stream.write_all(&[b'x'; 65536]).is_ok() {});
        assert_eq!(ask(flood, 3 << 20), "the answer is longer than 3 MiB");
    }
}
