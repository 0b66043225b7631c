//! The connections to the application.

use std::error::Error;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http::uri::{Authority, PathAndQuery, Scheme};
use http::{Request, Response, Uri};
use hyper::body::Incoming;
use hyper_rustls::{FixedServerNameResolver, HttpsConnector};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::{self, Client};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use tower_service::Service;
use url::Url;

use crate::record::body::RequestBody;
use crate::record::error::RecordError;
use crate::record::identity::certificates;
use crate::record::settings::UpstreamTls;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Shorter than any common server keeps an idle connection: one it closes just as a request is
/// sent on it would answer that request with an error.
const IDLE_TIMEOUT: Duration = Duration::from_millis(1500);

/// The application, as the recorder reaches it.
#[derive(Debug)]
pub(crate) struct Upstream {
    pub(crate) scheme: Scheme,
    pub(crate) authority: Authority,
    client: Client<HttpsConnector<Dial>, RequestBody>,
    /// For requests that want another protocol, which only HTTP/1.1 can.
    upgrading: Client<HttpsConnector<Dial>, RequestBody>,
}

impl Upstream {
    pub(crate) fn new(url: &Url, tls: &UpstreamTls) -> Result<Self, RecordError> {
        let refuse = |why| RecordError::Upstream { url: url.to_string(), why };
        let scheme = match url.scheme() {
            "http" => Scheme::HTTP,
            "https" => Scheme::HTTPS,
            _ => return Err(refuse("it is neither http nor https")),
        };
        let host = url.host_str().ok_or_else(|| refuse("it names no host"))?;
        if !matches!(url.path(), "" | "/") || url.query().is_some() || url.fragment().is_some() {
            return Err(refuse("it has a path, and an application is recorded as a whole"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(refuse("it has a user name, which clients send themselves"));
        }
        // `Url` leaves the scheme's own port out, and so must a Host.
        let authority = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
        let authority: Authority = authority.parse().map_err(|_| refuse("its host is not valid"))?;
        let dial = Dial::new(&scheme, &authority).ok_or_else(|| refuse("its host is not valid"))?;
        let config = if scheme == Scheme::HTTPS { client_config(tls)? } else { without_roots()? };
        let server_name = ServerName::try_from(host.trim_matches(['[', ']']).to_owned())
            .map_err(|_| refuse("its host is not valid"))?;
        let connector = |alpn: &[&[u8]]| {
            let mut config = config.clone();
            config.alpn_protocols = alpn.iter().map(|p| p.to_vec()).collect();
            let names = Arc::new(FixedServerNameResolver::new(server_name.clone()));
            HttpsConnector::new(dial.clone(), config, false, names)
        };
        Ok(Self {
            client: client(connector(&[b"h2", b"http/1.1"])),
            upgrading: client(connector(&[b"http/1.1"])),
            scheme,
            authority,
        })
    }

    /// Where a request goes. The authority is what HTTP/2 sends for a host; the connection is made
    /// to the application whatever it says.
    pub(crate) fn uri(&self, path: PathAndQuery, host: Option<&[u8]>) -> Option<Uri> {
        let mut authority = self.authority.clone();
        if self.scheme == Scheme::HTTPS
            && let Some(sent) = host.and_then(|host| Authority::try_from(host).ok())
        {
            authority = sent;
        }
        Uri::builder().scheme(self.scheme.clone()).authority(authority).path_and_query(path).build().ok()
    }

    /// Sends a request and waits for the beginning of its response.
    pub(crate) async fn send(
        &self,
        request: Request<RequestBody>,
        upgrading: bool,
    ) -> Result<Response<Incoming>, legacy::Error> {
        let client = if upgrading { &self.upgrading } else { &self.client };
        client.request(request).await
    }
}

/// Whether an error is that of a connection that had been idle and was closed by the application
/// just then: the request can be sent once more, if it changes nothing.
pub(crate) fn was_closed(error: &legacy::Error) -> bool {
    !error.is_connect()
        && causes(error).any(|cause| {
            cause.downcast_ref::<hyper::Error>().is_some_and(hyper::Error::is_incomplete_message)
                || cause.downcast_ref::<std::io::Error>().is_some_and(|e| {
                    use std::io::ErrorKind::{BrokenPipe, ConnectionReset};
                    matches!(e.kind(), ConnectionReset | BrokenPipe)
                })
        })
}

/// An error with all its causes, each once.
pub(crate) fn explain(error: &legacy::Error) -> String {
    let mut text = String::new();
    // The outermost says `client error`, which says nothing.
    for cause in causes(error).skip(1) {
        let cause = cause.to_string();
        if !text.ends_with(&cause) {
            text = if text.is_empty() { cause } else { format!("{text}: {cause}") };
        }
    }
    if text.is_empty() { error.to_string() } else { text }
}

fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error| error.source())
}

fn client(connector: HttpsConnector<Dial>) -> Client<HttpsConnector<Dial>, RequestBody> {
    Client::builder(TokioExecutor::new())
        .pool_timer(TokioTimer::new())
        .pool_idle_timeout(IDLE_TIMEOUT)
        .http2_adaptive_window(true)
        .build(connector)
}

/// Connects to the application, whatever host a request names.
#[derive(Clone, Debug)]
struct Dial {
    http: HttpConnector,
    upstream: Uri,
}

impl Dial {
    fn new(scheme: &Scheme, authority: &Authority) -> Option<Self> {
        let mut http = HttpConnector::new();
        http.enforce_http(false);
        http.set_nodelay(true);
        http.set_connect_timeout(Some(CONNECT_TIMEOUT));
        let upstream = Uri::builder()
            .scheme(scheme.clone())
            .authority(authority.clone())
            .path_and_query("/")
            .build()
            .ok()?;
        Some(Self { http, upstream })
    }
}

impl Service<Uri> for Dial {
    type Response = <HttpConnector as Service<Uri>>::Response;
    type Error = <HttpConnector as Service<Uri>>::Error;
    type Future = <HttpConnector as Service<Uri>>::Future;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.http.poll_ready(cx)
    }

    fn call(&mut self, _: Uri) -> Self::Future {
        self.http.call(self.upstream.clone())
    }
}

fn client_config(tls: &UpstreamTls) -> Result<ClientConfig, RecordError> {
    if *tls == UpstreamTls::Insecure {
        let provider = rustls::crypto::ring::default_provider();
        let mut config = without_roots()?;
        config.dangerous().set_certificate_verifier(Arc::new(AnyCertificate(provider)));
        return Ok(config);
    }
    let mut roots = RootCertStore::empty();
    let native = rustls_native_certs::load_native_certs();
    roots.add_parsable_certificates(native.certs);
    if let UpstreamTls::ExtraCa(path) = tls {
        for certificate in certificates(path)? {
            roots.add(certificate).map_err(|error| RecordError::Pem {
                path: path.clone(),
                what: "a certificate authority",
                why: error.to_string(),
                marker: "CERTIFICATE",
            })?;
        }
    }
    if roots.is_empty() {
        let why = native.errors.first().map_or_else(
            || "this system has no certificate authorities".to_owned(),
            |error| format!("this system's certificate authorities cannot be read: {error}"),
        );
        return Err(RecordError::UpstreamTls { why });
    }
    config_with(roots)
}

fn without_roots() -> Result<ClientConfig, RecordError> {
    config_with(RootCertStore::empty())
}

fn config_with(roots: RootCertStore) -> Result<ClientConfig, RecordError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| RecordError::UpstreamTls { why: error.to_string() })?;
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}

/// Takes any certificate; its owner must still have its key.
#[derive(Debug)]
struct AnyCertificate(CryptoProvider);

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signature, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signature, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
