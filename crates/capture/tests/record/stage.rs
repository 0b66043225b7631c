//! An upstream, a recorder before it, and a sink that remembers and fails on demand.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{Request, Response, response};
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Frame, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use restage_capture::{Counts, Notice, Recorder, RecorderSettings, Sink, SinkError, SinkFailure, Tally};
use restage_model::Captured;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

/// Any body of an upstream.
pub(crate) type AnyBody = http_body_util::combinators::BoxBody<Bytes, Infallible>;

/// A body that ends with these bytes.
pub(crate) fn full(bytes: impl Into<Bytes>) -> AnyBody {
    Full::new(bytes.into()).boxed()
}

/// A body that is sent as the test goes on.
pub(crate) struct Sent(mpsc::Receiver<Frame<Bytes>>);

pub(crate) fn sent_by_hand() -> (mpsc::Sender<Frame<Bytes>>, AnyBody) {
    let (sender, receiver) = mpsc::channel(1);
    (sender, Sent(receiver).boxed())
}

impl Body for Sent {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.poll_recv(cx).map(|frame| frame.map(Ok))
    }
}

/// Serves a function on a free port, for as long as the runtime lives.
pub(crate) async fn upstream<F, R>(answer: F) -> SocketAddr
where
    F: Fn(Request<Incoming>) -> R + Send + Sync + Clone + 'static,
    R: Future<Output = Response<AnyBody>> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let addr = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            tokio::spawn(speak(stream, answer.clone()));
        }
    });
    addr
}

/// Speaks HTTP with one client.
pub(crate) async fn speak<I, F, R>(stream: I, answer: F)
where
    I: tokio::io::AsyncRead + tokio::io::AsyncWrite + Send + Unpin + 'static,
    F: Fn(Request<Incoming>) -> R + Send + Sync + Clone + 'static,
    R: Future<Output = Response<AnyBody>> + Send + 'static,
{
    let service = service_fn(move |request| {
        let answer = answer.clone();
        async move { Ok::<_, Infallible>(answer(request).await) }
    });
    let builder = auto::Builder::new(TokioExecutor::new());
    let _ = builder.serve_connection_with_upgrades(TokioIo::new(stream), service).await;
}

/// Says whether an append fails.
type Script = Box<dyn FnMut(&[Captured]) -> Result<(), SinkError> + Send>;

/// Remembers what it is given, and fails as its script says.
pub(crate) struct Memory {
    kept: Arc<Mutex<Vec<Captured>>>,
    script: Script,
}

impl Sink for Memory {
    fn append(&mut self, batch: &[Captured]) -> Result<(), SinkError> {
        (self.script)(batch)?;
        self.kept.lock().unwrap().extend_from_slice(batch);
        Ok(())
    }
}

pub(crate) fn failure(failure: SinkFailure, message: &str) -> SinkError {
    SinkError { failure, message: message.to_owned() }
}

/// A running recorder.
pub(crate) struct Stage {
    pub(crate) addr: SocketAddr,
    pub(crate) counts: Arc<Counts>,
    pub(crate) notices: Arc<Mutex<Vec<Notice>>>,
    pub(crate) kept: Arc<Mutex<Vec<Captured>>>,
    stop: oneshot::Sender<()>,
    run: JoinHandle<Tally>,
}

impl Stage {
    /// Records a plain upstream, with the defaults.
    pub(crate) fn new(upstream: SocketAddr) -> Self {
        Self::with(settings(upstream))
    }

    pub(crate) fn with(settings: RecorderSettings) -> Self {
        Self::failing(settings, |_| Ok(()))
    }

    /// Records into a sink that fails as the script says.
    pub(crate) fn failing(
        settings: RecorderSettings,
        script: impl FnMut(&[Captured]) -> Result<(), SinkError> + Send + 'static,
    ) -> Self {
        let kept = Arc::new(Mutex::new(Vec::new()));
        let sink = Memory { kept: kept.clone(), script: Box::new(script) };
        let notices = Arc::new(Mutex::new(Vec::new()));
        let told = notices.clone();
        let recorder = Recorder::bind(settings, sink)
            .unwrap()
            .on_notice(move |notice| told.lock().unwrap().push(notice));
        let (addr, counts) = (recorder.local_addr(), recorder.counts());
        let (stop, stopped) = oneshot::channel::<()>();
        let run = tokio::spawn(recorder.run(stopped));
        Self { addr, counts, notices, kept, stop, run }
    }

    /// Stops, and gives the tally and what was kept.
    pub(crate) async fn end(self) -> (Tally, Vec<Captured>) {
        self.stop.send(()).unwrap();
        let tally = self.run.await.unwrap();
        let kept = std::mem::take(&mut *self.kept.lock().unwrap());
        assert_eq!(tally.seen, tally.stored + tally.not_stored, "{tally:?}");
        assert_eq!(tally.stored, kept.len() as u64);
        assert_eq!(tally.not_stored, tally.reasons.iter().map(|(_, n)| n).sum::<u64>());
        (tally, kept)
    }

    /// Stops, and gives the only exchange there was.
    pub(crate) async fn only(self) -> Captured {
        let (tally, mut kept) = self.end().await;
        assert_eq!((tally.seen, kept.len()), (1, 1), "{tally:?}");
        kept.remove(0)
    }
}

pub(crate) fn settings(upstream: SocketAddr) -> RecorderSettings {
    let url = format!("http://{upstream}").parse().unwrap();
    RecorderSettings::new(url, "127.0.0.1:0".parse().unwrap())
}

/// Sends a request on a connection of its own; the response's head and body.
pub(crate) async fn send<B>(addr: SocketAddr, request: Request<B>) -> (response::Parts, Bytes)
where
    B: Body<Data = Bytes> + Send + Unpin + 'static,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let (parts, body) = begin(addr, request).await.into_parts();
    (parts, body.collect().await.unwrap().to_bytes())
}

/// Sends a request; its response is still coming.
pub(crate) async fn begin<B>(addr: SocketAddr, mut request: Request<B>) -> Response<Incoming>
where
    B: Body<Data = Bytes> + Send + Unpin + 'static,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let stream = TcpStream::connect(addr).await.unwrap();
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.unwrap();
    tokio::spawn(connection.with_upgrades());
    let host = addr.to_string().parse().unwrap();
    request.headers_mut().entry("host").or_insert(host);
    sender.send_request(request).await.unwrap()
}

pub(crate) fn get(path: &str) -> Request<Full<Bytes>> {
    Request::get(path).body(Full::default()).unwrap()
}
