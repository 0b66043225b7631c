//! What a recorder is told.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;

use url::Url;

/// What a recorder is told.
#[derive(Clone, Debug)]
pub struct RecorderSettings {
    /// The application: `http://` or `https://`, host and port; no path.
    pub upstream: Url,
    /// Where users connect; port 0 takes any free one.
    pub listen: SocketAddr,
    /// The certificate to listen with; plain HTTP where there is none.
    pub listen_tls: Option<TlsIdentity>,
    /// How the application's certificate is checked.
    pub upstream_tls: UpstreamTls,
    /// Which `Host` the application is sent.
    pub host: HostRule,
    /// Whether `Forwarded` and `X-Forwarded-*` tell the application of the client.
    pub forwarded: bool,
    /// How many bytes of one body are kept; the rest passes and is counted.
    pub body_limit: u64,
    /// How many bytes may wait for the store.
    pub queue_bytes: usize,
}

impl RecorderSettings {
    /// The defaults: plain HTTP, 16 MiB a body, 256 MiB waiting.
    pub fn new(upstream: Url, listen: SocketAddr) -> Self {
        Self {
            upstream,
            listen,
            listen_tls: None,
            upstream_tls: UpstreamTls::NativeRoots,
            host: HostRule::Auto,
            forwarded: false,
            body_limit: 16 << 20,
            queue_bytes: 256 << 20,
        }
    }
}

/// The certificate a listener shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TlsIdentity {
    /// The user's own, from PEM files.
    Files {
        /// The certificate chain.
        certificate: PathBuf,
        /// Its private key.
        key: PathBuf,
    },
    /// A self-signed one for this machine, made once and kept in a folder: a browser's exception
    /// for it stays good across starts.
    Generated {
        /// Where it is kept.
        folder: PathBuf,
    },
}

/// How the application's certificate is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UpstreamTls {
    /// Against the system's authorities.
    NativeRoots,
    /// Against the system's, and those of a PEM file.
    ExtraCa(PathBuf),
    /// Not at all.
    Insecure,
}

/// Which `Host` the application is sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum HostRule {
    /// The client's when the application is named by an IP address or `localhost`, else the
    /// application's own.
    #[default]
    Auto,
    /// The client's.
    Preserve,
    /// The application's own.
    Upstream,
    /// This one.
    Named(String),
}

impl FromStr for HostRule {
    type Err = Infallible;

    /// `auto`, `preserve`, `upstream`; anything else is a host's name.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text {
            "auto" => Self::Auto,
            "preserve" => Self::Preserve,
            "upstream" => Self::Upstream,
            name => Self::Named(name.to_owned()),
        })
    }
}
