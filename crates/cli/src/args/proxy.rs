//! Arguments of the commands that record.

use std::net::SocketAddr;
use std::path::PathBuf;

use restage_capture::{HostRule, RecorderSettings, TlsIdentity, UpstreamTls};
use restage_project::Project;
use url::Url;

use crate::args::WaitArgs;
use crate::failure::Failure;

/// Where the recorder stands, and how it passes the traffic on.
#[derive(Debug, clap::Args)]
pub(crate) struct ProxyArgs {
    /// The application: http://HOST:PORT or https://HOST:PORT
    #[arg(long, value_name = "URL", env = "RESTAGE_UPSTREAM", hide_env = true)]
    upstream: Option<String>,
    /// Where users connect; port 0 takes any free port [default: 127.0.0.1:9090]
    #[arg(long, value_name = "ADDR", env = "RESTAGE_LISTEN", hide_env = true)]
    listen: Option<SocketAddr>,
    /// The Host header sent to the application: auto, preserve (the client's), upstream, or a name
    #[arg(long, value_name = "RULE")]
    host: Option<String>,
    /// Add Forwarded and X-Forwarded-* headers with the client's address
    #[arg(long)]
    forwarded: bool,
    /// Listen with TLS, with a generated certificate
    #[arg(long)]
    tls: bool,
    /// Listen with TLS, with this certificate chain (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The certificate's private key (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Also trust this certificate authority (PEM) for the application
    #[arg(long, value_name = "FILE")]
    upstream_ca: Option<PathBuf>,
    /// Do not verify the application's certificate
    #[arg(long, conflicts_with = "upstream_ca")]
    upstream_insecure: bool,
    /// Store at most this many bytes of each body; longer bodies are marked as cut
    #[arg(long, value_name = "BYTES")]
    body_limit: Option<u64>,
    /// Do not save the application's state as the snapshot `initial` first
    #[arg(long)]
    pub(crate) no_snapshot: bool,
    #[command(flatten)]
    pub(crate) wait: WaitArgs,
}

impl ProxyArgs {
    /// The recorder's settings: flags before the environment, before `[record]`, before the defaults.
    pub(crate) fn settings(&self, project: &Project) -> Result<RecorderSettings, Failure> {
        let config = &project.config.record;
        let upstream = self.upstream.as_ref().or(config.upstream.as_ref()).ok_or_else(|| {
        Failure::user("--upstream is missing: which application should be recorded?\n  hint: restage record --upstream http://127.0.0.1:8080")
    })?;
        let with_scheme =
            if upstream.contains("://") { upstream.clone() } else { format!("http://{upstream}") };
        let url = Url::parse(&with_scheme).map_err(|e| {
            Failure::user(format!(
                "--upstream: `{upstream}` is not a URL: {e}\n  hint: write http://HOST:PORT"
            ))
        })?;
        let listen =
            self.listen.or(config.listen).unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 9090)));
        let mut settings = RecorderSettings::new(url, listen);
        settings.listen_tls = match (&self.tls_cert, &self.tls_key) {
            (Some(certificate), Some(key)) => {
                Some(TlsIdentity::Files { certificate: certificate.clone(), key: key.clone() })
            }
            _ => self.tls.then(|| TlsIdentity::Generated { folder: project.own_folder().join("tls") }),
        };
        if let Some(file) = &self.upstream_ca {
            settings.upstream_tls = UpstreamTls::ExtraCa(file.clone());
        } else if self.upstream_insecure {
            settings.upstream_tls = UpstreamTls::Insecure;
        }
        if let Some(rule) = self.host.as_ref().or(config.host.as_ref()) {
            settings.host = rule.parse::<HostRule>().unwrap_or_default();
        }
        settings.forwarded = self.forwarded;
        if let Some(limit) = self.body_limit.or(config.body_limit) {
            settings.body_limit = limit;
        }
        Ok(settings)
    }
}
