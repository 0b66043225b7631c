//! The recorder as its users see it: bind, run, tally.

use std::fmt;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread;

use http::HeaderValue;
use http::uri::Scheme;
use rustls::ServerConfig;

use crate::record::counts::{Counts, Tally};
use crate::record::error::RecordError;
use crate::record::headers::{HostPlan, sent_host};
use crate::record::identity;
use crate::record::listen;
use crate::record::notice::Notice;
use crate::record::proxy::Proxy;
use crate::record::settings::RecorderSettings;
use crate::record::storing::Sink;
use crate::record::storing::intake::{Intake, Listener};
use crate::record::storing::writer::Writer;
use crate::record::upgrade::Upgrades;
use crate::record::upstream::Upstream;

/// A reverse proxy in front of an application that keeps what passes through it.
pub struct Recorder<S> {
    settings: RecorderSettings,
    sink: S,
    listener: TcpListener,
    local_addr: SocketAddr,
    tls: Option<Arc<ServerConfig>>,
    upstream: Upstream,
    plan: HostPlan,
    counts: Arc<Counts>,
    on_notice: Listener,
}

impl<S: Sink> Recorder<S> {
    /// Opens the listener: clients can connect from now on, and are answered once it
    /// [runs](Self::run).
    pub fn bind(settings: RecorderSettings, sink: S) -> Result<Self, RecordError> {
        let upstream = Upstream::new(&settings.upstream, &settings.upstream_tls)?;
        let sent = sent_host(&settings.host, &upstream.authority).map_err(RecordError::Host)?;
        let tls = settings.listen_tls.as_ref();
        let tls = tls.map(|tls| identity::server_config(tls, settings.listen.ip())).transpose()?;
        let failed = |source| RecordError::Listen { listen: settings.listen, source };
        let listener = listen::open(settings.listen).map_err(failed)?;
        let local_addr = listener.local_addr().map_err(failed)?;
        let plan = HostPlan {
            client_scheme: if tls.is_some() { "https" } else { "http" },
            listener: HeaderValue::try_from(local_addr.to_string())
                .map_err(|_| RecordError::Host(local_addr.to_string()))?,
            upstream_scheme: if upstream.scheme == Scheme::HTTPS { "https" } else { "http" },
            upstream: upstream.authority.clone(),
            sent,
            forwarded: settings.forwarded,
        };
        let counts = Arc::default();
        let on_notice: Listener = Box::new(|_| {});
        Ok(Self { settings, sink, listener, local_addr, tls, upstream, plan, counts, on_notice })
    }

    /// Calls `tell` with what the user should know while it runs. It is called from the traffic
    /// and from the writer, and must not block.
    pub fn on_notice(mut self, tell: impl Fn(Notice) + Send + Sync + 'static) -> Self {
        self.on_notice = Box::new(tell);
        self
    }

    /// Where clients connect.
    pub fn local_addr(&self) -> SocketAddr {
        self.local_addr
    }

    /// Live counts.
    pub fn counts(&self) -> Arc<Counts> {
        self.counts.clone()
    }

    /// Records until `shutdown`; then lets what goes on end (for 3 seconds at most), stores what
    /// waits, and says what became of everything. Runs on a tokio runtime with time and I/O.
    pub async fn run(self, shutdown: impl Future) -> Tally {
        let Self { settings, sink, listener, tls, upstream, plan, counts, on_notice, .. } = self;
        let intake =
            Arc::new(Intake::new(settings.queue_bytes, settings.body_limit, counts.clone(), on_notice));
        let (ended, writer_ended) = tokio::sync::oneshot::channel::<()>();
        let writer = Writer::new(sink, intake.clone());
        let thread = thread::Builder::new().name("restage-writer".to_owned()).spawn(move || {
            // Dropped when the writer has ended, even if it panicked.
            let _ended = ended;
            writer.run();
        });
        if let Err(error) = &thread {
            // Without the thread nothing is stored; the traffic goes on and is counted.
            intake.queue.set_failure(Some(format!("no thread for the store's writer: {error}")));
            intake.queue.close();
        }
        let proxy = Arc::new(Proxy { intake: intake.clone(), upstream, plan, upgrades: Upgrades::new() });
        match tokio::net::TcpListener::from_std(listener) {
            Ok(listener) => listen::serve(listener, tls, &proxy, shutdown).await,
            Err(error) => intake.tell(Notice::NotListening { why: error.to_string() }),
        }
        intake.queue.close();
        let _ = writer_ended.await;
        let tally = counts.tally();
        let unaccounted = tally.seen.saturating_sub(tally.stored + tally.not_stored);
        if unaccounted == 0 {
            return tally;
        }
        intake.lose("they had not ended when the recording did", unaccounted);
        counts.tally()
    }
}

impl<S> fmt::Debug for Recorder<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recorder")
            .field("settings", &self.settings)
            .field("local_addr", &self.local_addr)
            .finish_non_exhaustive()
    }
}
