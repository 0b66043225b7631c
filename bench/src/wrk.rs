//! The load: `wrk`, the same for every subject.

use std::net::SocketAddr;
use std::process::Command;

use crate::Trouble;

const CONNECTIONS: u32 = 64;

/// What a load came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// Requests answered.
    pub requests: u64,
    /// A second.
    pub rate: f64,
}

/// Asks for a path as fast as 64 connections can.
pub fn wrk(address: SocketAddr, path: &str, seconds: u32) -> Result<Load, Trouble> {
    let output = Command::new("wrk")
        .args([
            "-t1",
            &format!("-c{CONNECTIONS}"),
            &format!("-d{seconds}"),
            &format!("http://{address}{path}"),
        ])
        .output()
        .map_err(|e| format!("wrk does not start: {e}\n  hint: Debian's package is `wrk`"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        return Err(format!("wrk failed: {text}{}", String::from_utf8_lossy(&output.stderr)).into());
    }
    for bad in ["Non-2xx", "Socket errors"] {
        if let Some(line) = text.lines().find(|l| l.contains(bad)) {
            return Err(format!("wrk at {address}{path}: {}", line.trim()).into());
        }
    }
    read(&text).ok_or_else(|| format!("wrk printed something else: {text}").into())
}

fn read(text: &str) -> Option<Load> {
    let requests = text.lines().find_map(|l| l.trim().split_once(" requests in "))?.0.parse().ok()?;
    let rate = text.lines().find_map(|l| l.strip_prefix("Requests/sec:"))?.trim().parse().ok()?;
    Some(Load { requests, rate })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_report_is_read() {
        let text = "Running 1s test\n  33241 requests in 2.00s, 269.6MB read\nRequests/sec:  16613.05\n";
        assert_eq!(read(text), Some(Load { requests: 33241, rate: 16613.05 }));
    }
}
