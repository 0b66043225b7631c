//! Where a replay may send to. A recording holds what users did, orders and deletions among it: sent to the wrong
//! server, it does that there.

use std::net::{SocketAddr, ToSocketAddrs};

use url::Url;

use crate::error::SettingError;

/// The address of an app that runs already; an error where it is neither on this machine nor listed.
pub(crate) fn allowed_address(address: &str, listed: &[String]) -> Result<SocketAddr, SettingError> {
    let bad = |why: &str| {
        SettingError::new(format!("`address = \"{address}\"`: {why}"))
            .or_hint("for example address = \"http://127.0.0.1:8080\"")
    };
    let url = Url::parse(address).map_err(|e| bad(&e.to_string()))?;
    if url.scheme() != "http" {
        return Err(bad("a replay speaks plain HTTP"));
    }
    if url.path() != "/" || url.query().is_some() || !url.username().is_empty() {
        return Err(bad("it may have a host and a port, and nothing else"));
    }
    let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) else {
        return Err(bad("it names no host"));
    };
    let name = format!("{host}:{port}");
    let found: Vec<SocketAddr> =
        name.to_socket_addrs().map_err(|e| bad(&format!("{name} is not found: {e}")))?.collect();
    let Some(first) = found.first() else { return Err(bad(&format!("{name} is not found"))) };
    if found.iter().all(|found| found.ip().is_loopback()) || listed.iter().any(|host| names(host, &name)) {
        return Ok(*first);
    }
    Err(SettingError::new(format!(
        "the app is at {name}, which is not on this machine: a replay would repeat there what users did, orders and deletions included"
    ))
    .or_hint(format!("if that is what you want, list it: [replay] hosts = [\"{name}\"]")))
}

/// Whether an entry of the list is this host and port; port 80 need not be said.
fn names(listed: &str, wanted: &str) -> bool {
    listed.eq_ignore_ascii_case(wanted) || format!("{listed}:80").eq_ignore_ascii_case(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: what users did is done again on a server that others work with.
    #[test]
    fn only_this_machine_and_what_is_listed() {
        assert_eq!(allowed_address("http://127.0.0.1:8080", &[]).unwrap().to_string(), "127.0.0.1:8080");
        assert_eq!(allowed_address("http://localhost:8080/", &[]).unwrap().port(), 8080);
        assert_eq!(allowed_address("http://[::1]:8080", &[]).unwrap().to_string(), "[::1]:8080");
        let refused =
            allowed_address("http://192.0.2.7:8080", &["192.0.2.7:9090".to_owned(), "192.0.2.7".to_owned()]);
        assert!(refused.unwrap_err().to_string().contains("hosts = [\"192.0.2.7:8080\"]"));
        let listed = ["192.0.2.7:8080".to_owned(), "192.0.2.8".to_owned()];
        assert_eq!(allowed_address("http://192.0.2.7:8080", &listed).unwrap().to_string(), "192.0.2.7:8080");
        assert_eq!(allowed_address("http://192.0.2.8", &listed).unwrap().port(), 80);
        for bad in ["127.0.0.1:8080", "https://127.0.0.1", "http://127.0.0.1/shop", "http://a@127.0.0.1"] {
            assert!(allowed_address(bad, &[]).unwrap_err().to_string().contains("hint:"), "{bad}");
        }
    }
}
