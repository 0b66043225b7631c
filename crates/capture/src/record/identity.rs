//! The certificate the recorder shows to its clients.

use std::fs;
use std::io::Write;
use std::net::IpAddr;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use rustls::ServerConfig;
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::record::error::RecordError;
use crate::record::settings::TlsIdentity;

/// A generated certificate ends with this year after the one it was made in.
const YEARS: i32 = 2;

/// How to speak TLS with clients, HTTP/2 preferred.
pub(crate) fn server_config(
    identity: &TlsIdentity,
    listen: IpAddr,
) -> Result<Arc<ServerConfig>, RecordError> {
    let (certificate, key) = match identity {
        TlsIdentity::Files { certificate, key } => (certificate.clone(), key.clone()),
        TlsIdentity::Generated { folder } => generated(folder, listen)?,
    };
    let chain = certificates(&certificate)?;
    let private = PrivateKeyDer::from_pem_file(&key).map_err(|error| RecordError::Pem {
        path: key.clone(),
        what: "a private key",
        why: explain(&error),
        marker: "PRIVATE KEY",
    })?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, private))
        .map_err(|source| RecordError::Identity { certificate, key, source })?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

/// All certificates of a PEM file.
pub(crate) fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, RecordError> {
    let failed = |why: String| RecordError::Pem {
        path: path.to_owned(),
        what: "a certificate",
        why,
        marker: "CERTIFICATE",
    };
    let found: Vec<_> = CertificateDer::pem_file_iter(path)
        .and_then(Iterator::collect)
        .map_err(|error| failed(explain(&error)))?;
    if found.is_empty() {
        return Err(failed(explain(&pem::Error::NoItemsFound)));
    }
    Ok(found)
}

fn explain(error: &pem::Error) -> String {
    match error {
        pem::Error::Io(error) => error.to_string(),
        pem::Error::NoItemsFound => "there is none in it".to_owned(),
        _ => "it is not well formed".to_owned(),
    }
}

/// The files of the certificate made for this address; made now, where there is none that is good.
fn generated(folder: &Path, listen: IpAddr) -> Result<(PathBuf, PathBuf), RecordError> {
    let local = listen.is_loopback() || listen.is_unspecified();
    let name = if local { "localhost".to_owned() } else { listen.to_string().replace(':', "-") };
    let certificate = folder.join(format!("{name}.cert.pem"));
    let key = folder.join(format!("{name}.key.pem"));
    if key.exists() && is_current(&certificate) {
        return Ok((certificate, key));
    }
    let failed = |why: String| RecordError::Generate { folder: folder.to_owned(), why };
    let mut names = vec!["localhost".to_owned(), "127.0.0.1".to_owned(), "::1".to_owned()];
    if !local {
        names.push(listen.to_string());
    }
    let (certificate_pem, key_pem) = make(names).map_err(|error| failed(error.to_string()))?;
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
        .and_then(|()| write_private(&key, &key_pem))
        .and_then(|()| write_private(&certificate, &certificate_pem))
        .map_err(|error| failed(error.to_string()))?;
    Ok((certificate, key))
}

fn make(names: Vec<String>) -> Result<(String, String), rcgen::Error> {
    let mut params = rcgen::CertificateParams::new(names)?;
    params.distinguished_name.push(rcgen::DnType::CommonName, "restage recorder");
    params.not_before = rcgen::date_time_ymd(year(SystemTime::now()) - 1, 1, 1);
    params.not_after = rcgen::date_time_ymd(year(SystemTime::now()) + YEARS, 1, 1);
    params.insert_extended_key_usage(rcgen::ExtendedKeyUsagePurpose::ServerAuth);
    let key = rcgen::KeyPair::generate()?;
    Ok((params.self_signed(&key)?.pem(), key.serialize_pem()))
}

fn is_current(certificate: &Path) -> bool {
    let made = fs::metadata(certificate).and_then(|m| m.modified());
    made.is_ok_and(|made| year(made) + YEARS > year(SystemTime::now()))
}

fn year(at: SystemTime) -> i32 {
    let seconds = at.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |d| d.as_secs());
    1970 + i32::try_from(seconds / 31_556_952).unwrap_or(0)
}

/// Replaces a file as a whole, so that a crash leaves no half of a key.
fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    let part = path.with_extension("part");
    let _ = fs::remove_file(&part);
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&part)?;
    file.write_all(text.as_bytes())?;
    fs::rename(&part, path)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_generated_certificate_is_kept_and_private() {
        let folder = tempfile::tempdir().unwrap();
        let identity = TlsIdentity::Generated { folder: folder.path().join("tls") };
        let key = folder.path().join("tls/localhost.key.pem");
        server_config(&identity, "127.0.0.1".parse().unwrap()).unwrap();
        let first = fs::read(&key).unwrap();
        assert_eq!(fs::metadata(&key).unwrap().permissions().mode() & 0o777, 0o600);
        server_config(&identity, "127.0.0.1".parse().unwrap()).unwrap();
        assert_eq!(fs::read(&key).unwrap(), first);
        // Another address is another name, and so another certificate.
        server_config(&identity, "192.0.2.7".parse().unwrap()).unwrap();
        assert!(folder.path().join("tls/192.0.2.7.cert.pem").exists());
    }

    #[test]
    fn a_bad_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let make = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            path
        };
        let (good, key) = super::make(vec!["localhost".to_owned()]).unwrap();
        let (_, other) = super::make(vec!["localhost".to_owned()]).unwrap();
        let (good, key, other) = (make("good.pem", &good), make("key.pem", &key), make("other.pem", &other));
        let empty = make("empty.pem", "hello\n");
        let missing = folder.path().join("missing.pem");
        for (certificate, key, named) in [
            (&empty, &key, &empty),
            (&missing, &key, &missing),
            (&good, &empty, &empty),
            (&good, &missing, &missing),
            (&good, &other, &other),
        ] {
            let identity = TlsIdentity::Files { certificate: certificate.clone(), key: key.clone() };
            let error = server_config(&identity, "127.0.0.1".parse().unwrap()).unwrap_err().to_string();
            assert!(error.contains(named.to_str().unwrap()), "{error}");
            assert!(error.contains("hint:"), "{error}");
        }
        let identity = TlsIdentity::Files { certificate: good, key };
        server_config(&identity, "127.0.0.1".parse().unwrap()).unwrap();
    }
}
