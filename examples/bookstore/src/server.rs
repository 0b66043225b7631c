//! Serving a shop over HTTP until it is told to stop.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::shop::{Settings, Shop, ShopError};
use crate::web::routes;

/// How long requests that are being answered may take once the shop is told to stop.
const GRACE: Duration = Duration::from_millis(500);

/// Why a shop could not be served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The shop could not be opened.
    #[error(transparent)]
    Shop(#[from] ShopError),
    /// The port could not be had.
    #[error("cannot listen on 127.0.0.1:{port}: {source}; try --port 0 for a free one")]
    Listen {
        /// The port asked for.
        port: u16,
        /// What the system says.
        source: std::io::Error,
    },
    /// Serving failed.
    #[error("the server failed: {0}")]
    Serve(#[from] std::io::Error),
}

/// A shop that is being served by a thread of this process; dropping it stops it.
#[derive(Debug)]
pub struct RunningShop {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// Serves a shop on a thread of its own; returns once it listens.
pub fn start(settings: Settings) -> Result<RunningShop, ServeError> {
    let (stop, stopped) = oneshot::channel::<()>();
    let (ready, outcome) = mpsc::channel();
    let failed = ready.clone();
    let thread = std::thread::spawn(move || {
        let served =
            serve(
                &settings,
                move |address| drop(ready.send(Ok(address))),
                async move { drop(stopped.await) },
            );
        if let Err(error) = served {
            drop(failed.send(Err(error)));
        }
    });
    let gone = || ServeError::Serve(std::io::Error::other("its thread ended"));
    let address = outcome.recv().map_err(|_| gone())??;
    Ok(RunningShop { address, stop: Some(stop), thread: Some(thread) })
}

/// Serves a shop until `stop` completes; `ready` gets the address once it listens.
pub(crate) fn serve(
    settings: &Settings,
    ready: impl FnOnce(SocketAddr),
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    let shop = Arc::new(Shop::open(settings)?);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        let port = settings.port;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
            .await
            .map_err(|source| ServeError::Listen { port, source })?;
        ready(listener.local_addr()?);
        let (stopping, stopped) = oneshot::channel();
        let mut pages = routes(shop);
        if !settings.delay.is_zero() {
            pages = pages.layer(from_fn_with_state(settings.delay, delayed));
        }
        let server = axum::serve(listener, pages).with_graceful_shutdown(async move {
            stop.await;
            stopping.send(()).unwrap_or_default();
        });
        tokio::select! {
            served = server.into_future() => served.map_err(ServeError::from),
            // Browsers hold idle connections open; they must not keep the shop from closing.
            () = async { drop(stopped.await); tokio::time::sleep(GRACE).await } => Ok(()),
        }
    });
    runtime.shutdown_timeout(GRACE);
    served
}

/// As if the shop had much to do for every page.
async fn delayed(State(delay): State<Duration>, request: Request, next: Next) -> Response {
    tokio::time::sleep(delay).await;
    next.run(request).await
}

impl RunningShop {
    /// The address to reach it at, such as `http://127.0.0.1:8080`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Stops it and waits until it has.
    pub fn stop(mut self) {
        self.close();
    }

    fn close(&mut self) {
        if let Some(stop) = self.stop.take() {
            stop.send(()).unwrap_or_default();
        }
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

impl Drop for RunningShop {
    fn drop(&mut self) {
        self.close();
    }
}
