//! `wget`, started once a request, its cookies in a file and its pages in files: how the papers replay
//! (paper 1, section 4).

use std::fmt::Write;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Trouble;
use crate::request::Request;

/// What wget makes itself, or is told by other options.
const OWN: &[&str] = &["cookie", "content-length", "connection", "accept-encoding"];

/// Replays by starting wget; all it writes is in a folder.
#[derive(Debug)]
pub struct Wget<'a> {
    /// Where the pages and the cookies go.
    pub folder: &'a Path,
    /// The app.
    pub address: SocketAddr,
}

impl Wget<'_> {
    /// Sends requests one after another.
    pub fn send(&self, requests: &[Request]) -> Result<(), Trouble> {
        for (number, request) in requests.iter().enumerate() {
            let jar = self.folder.join(format!("cookies-{}", request.session));
            if !jar.exists() {
                fs::write(&jar, self.cookies(request))?;
            }
            let mut command = Command::new("wget");
            command
                .args([
                    "--quiet",
                    "--tries=1",
                    "--max-redirect=0",
                    "--content-on-error",
                    "--keep-session-cookies",
                ])
                .arg("--load-cookies")
                .arg(&jar)
                .arg("--save-cookies")
                .arg(&jar)
                .arg("--output-document")
                .arg(self.page(number));
            for (name, value) in request.headers.iter().filter(|(name, _)| !OWN.contains(name)) {
                command.arg(format!("--header={name}: {value}"));
            }
            if request.method != "GET" {
                command.arg(format!("--method={}", request.method));
                command.arg(format!("--body-data={}", String::from_utf8_lossy(&request.body)));
            }
            command.arg(format!("http://{}{}", self.address, request.uri));
            let status = command
                .stderr(Stdio::null())
                .status()
                .map_err(|e| format!("wget does not start: {e}\n  hint: Debian's package is `wget`"))?;
            // 8: answered with an error, or with a redirect that it was told not to follow.
            if !matches!(status.code(), Some(0 | 8)) {
                return Err(format!("wget {}: {status}", request.uri).into());
            }
        }
        Ok(())
    }

    /// The file of an answer's page.
    pub fn page(&self, number: usize) -> PathBuf {
        self.folder.join(format!("page-{number}"))
    }

    /// The cookies a browser brings to a session, in the format that wget reads.
    fn cookies(&self, first: &Request) -> String {
        let mut jar = "# HTTP Cookie File\n".to_owned();
        for (name, value) in first.headers.get("cookie").into_iter().flat_map(restage_model::cookie_pairs) {
            // Writing to a string does not fail.
            let _ = writeln!(jar, "{}\tFALSE\t/\tFALSE\t0\t{name}\t{value}", self.address);
        }
        jar
    }
}
