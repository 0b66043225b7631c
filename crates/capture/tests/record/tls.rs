//! TLS on either side, and HTTP/2.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response, StatusCode, Version};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo};
use restage_capture::{RecorderSettings, TlsIdentity, UpstreamTls};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, RootCertStore, ServerConfig};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::{TlsAcceptor, TlsConnector};

use crate::stage::{AnyBody, Stage, full, get, send, settings, speak, upstream};

async fn hello(request: Request<Incoming>) -> Response<AnyBody> {
    let text = format!("{:?} {}", request.version(), request.headers()["host"].to_str().unwrap());
    Response::builder().header("set-cookie", "sid=1; Secure; SameSite=None").body(full(text)).unwrap()
}

/// Reads the request first: HTTP/2 lets a client stop sending what is answered already.
async fn read_and_hello(request: Request<Incoming>) -> Response<AnyBody> {
    let (parts, body) = request.into_parts();
    body.collect().await.unwrap();
    let host = parts.headers["host"].to_str().unwrap();
    Response::new(full(format!("{:?} {host}", parts.version)))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn http2_over_a_generated_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = settings(upstream(hello).await);
    settings.listen_tls = Some(TlsIdentity::Generated { folder: folder.path().to_owned() });
    let stage = Stage::with(settings);

    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(folder.path().join("localhost.cert.pem")).unwrap()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec()];
    let stream = TcpStream::connect(stage.addr).await.unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    let stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await.unwrap();
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"h2"[..]));
    let (mut sender, connection) =
        hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await.unwrap();
    tokio::spawn(connection);
    let request = Request::get(format!("https://localhost:{}/x?y", stage.addr.port()))
        .header("cookie", "a=1")
        .header("cookie", "b=2")
        .body(Full::<Bytes>::default())
        .unwrap();
    let response = sender.send_request(request).await.unwrap();
    assert_eq!(response.version(), Version::HTTP_2);
    // The client speaks TLS: the cookie is good as it is.
    assert_eq!(response.headers()["set-cookie"], "sid=1; Secure; SameSite=None");
    let host = format!("localhost:{}", stage.addr.port());
    assert_eq!(response.collect().await.unwrap().to_bytes(), format!("HTTP/1.1 {host}"));

    let exchange = stage.only().await;
    assert_eq!(exchange.uri, "/x?y");
    assert_eq!(exchange.headers.get("host"), Some(host.as_str()));
    assert_eq!(exchange.headers.all("cookie").collect::<Vec<_>>(), ["a=1; b=2"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn http2_by_prior_knowledge() {
    let stage = Stage::new(upstream(read_and_hello).await);
    let stream = TcpStream::connect(stage.addr).await.unwrap();
    let (mut sender, connection) =
        hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await.unwrap();
    tokio::spawn(connection);
    let request = Request::post("http://h.example/").body(Full::new(Bytes::from("body"))).unwrap();
    let response = sender.send_request(request).await.unwrap();
    assert_eq!(response.collect().await.unwrap().to_bytes(), "HTTP/1.1 h.example");
    let exchange = stage.only().await;
    assert_eq!(exchange.body.bytes, b"body");
    assert_eq!(exchange.error, None);
}

/// An upstream with a certificate for `localhost` by an authority of its own.
async fn tls_upstream(folder: &Path, alpn: &[&[u8]]) -> SocketAddr {
    let mut authority = rcgen::CertificateParams::new(Vec::new()).unwrap();
    authority.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    let authority_key = rcgen::KeyPair::generate().unwrap();
    std::fs::write(folder.join("ca.pem"), authority.self_signed(&authority_key).unwrap().pem()).unwrap();
    let issuer = rcgen::Issuer::new(authority, authority_key);
    let key = rcgen::KeyPair::generate().unwrap();
    let names = vec!["localhost".to_owned(), "127.0.0.1".to_owned()];
    let certificate = rcgen::CertificateParams::new(names).unwrap().signed_by(&key, &issuer).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let private = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], private)
        .unwrap();
    config.alpn_protocols = alpn.iter().map(|p| p.to_vec()).collect();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let addr = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                if let Ok(stream) = acceptor.accept(stream).await {
                    speak(stream, hello).await;
                }
            });
        }
    });
    addr
}

fn tls_settings(addr: SocketAddr, tls: UpstreamTls) -> RecorderSettings {
    let url = format!("https://127.0.0.1:{}", addr.port()).parse().unwrap();
    let mut settings = RecorderSettings::new(url, "127.0.0.1:0".parse().unwrap());
    settings.upstream_tls = tls;
    settings
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upstream_with_its_own_authority() {
    let folder = tempfile::tempdir().unwrap();
    for (alpn, version) in
        [(&[&b"h2"[..], b"http/1.1"][..], "HTTP/2.0"), (&[&b"http/1.1"[..]][..], "HTTP/1.1")]
    {
        let addr = tls_upstream(folder.path(), alpn).await;
        for tls in [UpstreamTls::ExtraCa(folder.path().join("ca.pem")), UpstreamTls::Insecure] {
            let stage = Stage::with(tls_settings(addr, tls));
            let (parts, body) = send(stage.addr, get("/")).await;
            assert_eq!(body, format!("{version} {}", stage.addr));
            // The client speaks no TLS, and its browser would refuse the cookie.
            assert_eq!(parts.headers["set-cookie"], "sid=1");
            let exchange = stage.only().await;
            let (_, headers, _) = exchange.response.unwrap();
            assert_eq!(headers.get("set-cookie"), Some("sid=1; Secure; SameSite=None"));
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unknown_authority_is_refused_and_said() {
    let folder = tempfile::tempdir().unwrap();
    let addr = tls_upstream(folder.path(), &[b"h2"]).await;
    // Some authority, but not that one's.
    let other = tempfile::tempdir().unwrap();
    tls_upstream(other.path(), &[b"h2"]).await;
    let stage = Stage::with(tls_settings(addr, UpstreamTls::ExtraCa(other.path().join("ca.pem"))));
    let (parts, body) = send(stage.addr, get("/")).await;
    assert_eq!(parts.status, StatusCode::BAD_GATEWAY);
    let body = String::from_utf8(body.to_vec()).unwrap();
    assert!(body.contains("certificate"), "{body}");
    stage.end().await;
}
