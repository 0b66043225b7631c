//! Whether an app is ready.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(1);
/// How long one answer is waited for, before it is asked again.
const ANSWER: Duration = Duration::from_secs(10);
/// How long the rest of the answer is waited for that says that it is ready.
const DRAIN: Duration = Duration::from_millis(200);
/// And how long the whole of it.
const WHOLE: Duration = Duration::from_secs(2);
/// No more of that answer is read.
const LARGEST: usize = 64 << 20;
/// No wait is shorter: none at all would be refused by the system.
const SHORTEST: Duration = Duration::from_millis(10);

/// Whether a request is answered with anything but a server error, within so long.
pub(crate) fn answers(address: SocketAddr, path: &str, within: Duration) -> bool {
    let within = within.max(SHORTEST);
    let ask = || -> std::io::Result<bool> {
        let mut stream = TcpStream::connect_timeout(&address, CONNECT.min(within))?;
        stream.set_read_timeout(Some(ANSWER.min(within)))?;
        stream.set_write_timeout(Some(ANSWER.min(within)))?;
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {address}\r\nUser-Agent: restage\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(request.as_bytes())?;
        let mut head = [0; 12];
        stream.read_exact(&mut head)?;
        drain(&mut stream)?;
        Ok(head.starts_with(b"HTTP/1.") && head[9] < b'5')
    };
    ask().unwrap_or(false)
}

/// Reads an answer to its end, but not for ever: an app whose client leaves in the middle may log that as an error.
fn drain(stream: &mut TcpStream) -> std::io::Result<()> {
    let begun = Instant::now();
    let mut buffer = vec![0; 64 << 10];
    let mut read = 0;
    stream.set_read_timeout(Some(DRAIN))?;
    // What comes is read on; what has paused, or has no end, is not.
    while read < LARGEST && begun.elapsed() < WHOLE {
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => break,
            Ok(some) => read += some,
        }
    }
    Ok(())
}
