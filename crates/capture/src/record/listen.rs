//! The listener: accepting connections, speaking HTTP/1.1 and HTTP/2 on them, and letting go.

use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use http::Request;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use rustls::ServerConfig;
use socket2::{Domain, Protocol, Socket, Type};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

use crate::record::proxy::Proxy;

const BACKLOG: i32 = 1024;
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
/// How long exchanges that go on may take to end when the recorder stops.
const GRACE: Duration = Duration::from_secs(3);
/// How long it may take to break off those that did not.
const BREAK_OFF: Duration = Duration::from_secs(1);

/// Opens a socket that takes connections from now on, though nothing answers them yet.
pub(crate) fn open(listen: SocketAddr) -> io::Result<TcpListener> {
    let socket = Socket::new(Domain::for_address(listen), Type::STREAM, Some(Protocol::TCP))?;
    socket.set_reuse_address(true)?;
    socket.bind(&listen.into())?;
    socket.listen(BACKLOG)?;
    socket.set_nonblocking(true)?;
    Ok(socket.into())
}

/// Serves connections until `shutdown`, then lets what goes on end for a while and breaks off the
/// rest. When this returns, every exchange has been handed in.
pub(crate) async fn serve(
    listener: tokio::net::TcpListener,
    tls: Option<Arc<ServerConfig>>,
    proxy: &Arc<Proxy>,
    shutdown: impl Future,
) {
    let graceful = GracefulShutdown::new();
    let mut connections = JoinSet::new();
    let tls = tls.map(TlsAcceptor::from);
    let http = Arc::new(http());
    tokio::pin!(shutdown);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = &mut shutdown => break,
        };
        while connections.try_join_next().is_some() {}
        match accepted {
            Ok((stream, peer)) => {
                let connection = Connection {
                    http: http.clone(),
                    proxy: proxy.clone(),
                    client: peer.ip(),
                    watcher: graceful.watcher(),
                };
                connections.spawn(connection.serve(stream, tls.clone()));
            }
            // Out of file descriptors, most likely: connections that end give some back.
            Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    }
    drop(listener);
    proxy.upgrades.close();
    let _ = tokio::time::timeout(GRACE, graceful.shutdown()).await;
    proxy.intake.stop();
    connections.shutdown().await;
    // HTTP/2's streams are tasks of their own, which end when they find their connection gone.
    let _ = tokio::time::timeout(BREAK_OFF, proxy.intake.all_ended()).await;
}

fn http() -> auto::Builder<TokioExecutor> {
    let mut http = auto::Builder::new(TokioExecutor::new());
    // Whether a response is dated is up to the application.
    http.http1().auto_date_header(false).pipeline_flush(true);
    http.http2().auto_date_header(false).adaptive_window(true);
    http
}

struct Connection {
    http: Arc<auto::Builder<TokioExecutor>>,
    proxy: Arc<Proxy>,
    client: IpAddr,
    watcher: Watcher,
}

impl Connection {
    async fn serve(self, stream: TcpStream, tls: Option<TlsAcceptor>) {
        // Where it cannot be set, answers are slower and right.
        let _ = stream.set_nodelay(true);
        match tls {
            None => self.speak(stream).await,
            Some(tls) => {
                // A client that does not trust the certificate goes away; it sent no request.
                if let Ok(Ok(stream)) = tokio::time::timeout(HANDSHAKE_TIMEOUT, tls.accept(stream)).await {
                    self.speak(stream).await;
                }
            }
        }
    }

    async fn speak<I>(self, stream: I)
    where
        I: tokio::io::AsyncRead + tokio::io::AsyncWrite + Send + Unpin + 'static,
    {
        let Self { http, proxy, client, watcher } = self;
        let service = service_fn(move |request: Request<Incoming>| {
            let answer = proxy.clone().answer(client, request);
            async { Ok::<_, Infallible>(answer.await) }
        });
        let connection = http.serve_connection_with_upgrades(TokioIo::new(stream), service);
        // What went wrong is in the exchanges that were going on.
        let _ = watcher.watch(connection).await;
    }
}
