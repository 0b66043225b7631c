//! nginx as a reverse proxy, in a private folder, with the settings its own documentation advises.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::Trouble;
use crate::process::{Server, free_port};

/// Whether nginx keeps a line about each request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessLog {
    /// It does, buffered by nothing: the default of most installations.
    On,
    /// It does not.
    Off,
}

/// Starts nginx before an upstream; all it writes is in `folder`.
pub fn nginx(folder: &Path, upstream: SocketAddr, log: AccessLog) -> Result<Server, Trouble> {
    let port = free_port()?;
    fs::create_dir_all(folder)?;
    let access_log = match log {
        AccessLog::On => "access.log combined",
        AccessLog::Off => "off",
    };
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|kind| format!("  {kind}_temp_path {kind};\n"))
        .concat();
    let conf = format!(
        "daemon off;\nworker_processes auto;\npid nginx.pid;\nerror_log error.log;\n\
         events {{ worker_connections 1024; }}\n\
         http {{\n{temporary}  access_log {access_log};\n  keepalive_requests 100000000;\n  \
           upstream app {{ server {upstream}; keepalive 64; keepalive_requests 100000000; }}\n  \
           server {{\n    listen 127.0.0.1:{port} backlog=1024;\n    location / {{\n      \
             proxy_pass http://app;\n      proxy_http_version 1.1;\n      proxy_set_header Connection \"\";\n      \
             proxy_set_header Host $http_host;\n      proxy_buffers 16 8k;\n    }}\n  }}\n}}\n"
    );
    fs::write(folder.join("nginx.conf"), conf)?;
    let name = if log == AccessLog::On { "nginx, access log" } else { "nginx" };
    let mut command = Command::new("nginx");
    command.arg("-p").arg(folder).args(["-c", "nginx.conf", "-e", "error.log"]).stderr(Stdio::null());
    Server::start(name, port, &mut command)
        .map_err(|e| format!("{e}\n  hint: Debian's package is `nginx-light`").into())
}
