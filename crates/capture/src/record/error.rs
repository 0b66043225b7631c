//! What can keep a recorder from starting.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use thiserror::Error;

/// What can keep a recorder from starting.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The upstream's URL is not one of an application.
    #[error(
        "the upstream `{url}` cannot be recorded: {why}\n  hint: give scheme, host and port, as in http://127.0.0.1:8080"
    )]
    Upstream {
        /// As given.
        url: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A `Host` that cannot be sent.
    #[error(
        "`{0}` cannot be sent as a Host\n  hint: give a name and, where needed, a port: --host shop.example:8080"
    )]
    Host(String),
    /// The address to listen on is not to be had.
    #[error(
        "cannot listen on {listen}: {source}\n  hint: choose another address with --listen; port 0 takes any free one"
    )]
    Listen {
        /// The address.
        listen: SocketAddr,
        /// Why.
        source: io::Error,
    },
    /// A file that is not what it should be.
    #[error(
        "{path} cannot be used as {what}: {why}\n  hint: it must be a PEM file, with lines like `-----BEGIN {marker}-----`"
    )]
    Pem {
        /// The file.
        path: PathBuf,
        /// `a certificate` or `a private key`.
        what: &'static str,
        /// What is wrong with it.
        why: String,
        /// What its first line would say.
        marker: &'static str,
    },
    /// A certificate and a key that do not go together, or that TLS cannot use.
    #[error(
        "the certificate {certificate} and the key {key} cannot be used: {source}\n  hint: check that the key is that certificate's"
    )]
    Identity {
        /// The certificate's file.
        certificate: PathBuf,
        /// The key's file.
        key: PathBuf,
        /// Why.
        source: rustls::Error,
    },
    /// No certificate could be made or kept.
    #[error(
        "no certificate could be made in {folder}: {why}\n  hint: check that the folder can be written, or give --tls-cert and --tls-key"
    )]
    Generate {
        /// Where it was to be kept.
        folder: PathBuf,
        /// Why.
        why: String,
    },
    /// TLS towards the upstream could not be set up.
    #[error(
        "TLS towards the upstream cannot be set up: {why}\n  hint: name the upstream's authority with --upstream-ca FILE, or use --upstream-insecure"
    )]
    UpstreamTls {
        /// Why.
        why: String,
    },
}
