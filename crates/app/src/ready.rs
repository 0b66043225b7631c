//! Whether an app answers.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// How long the rest of an answer is waited for, once it has begun.
const DRAIN: Duration = Duration::from_millis(200);
/// No more of that answer is read.
const LARGEST: u64 = 64 << 20;
/// No attempt is shorter than this: an app may need a moment for its first page.
const LEAST: Duration = Duration::from_millis(100);

/// Whether a request is answered within the time with anything but a server error.
pub(crate) fn answers(address: SocketAddr, path: &str, within: Duration) -> bool {
    let deadline = Instant::now() + within.max(LEAST);
    let ask = || -> std::io::Result<bool> {
        let mut stream = TcpStream::connect_timeout(&address, left(deadline).min(Duration::from_secs(1)))?;
        stream.set_write_timeout(Some(left(deadline)))?;
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {address}\r\nUser-Agent: restage\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(request.as_bytes())?;
        let mut head = [0; 12];
        let mut read = 0;
        while read < head.len() {
            stream.set_read_timeout(Some(left(deadline)))?;
            match stream.read(&mut head[read..])? {
                0 => return Ok(false),
                more => read += more,
            }
        }
        // To its end, but not for ever: an app whose client leaves in the middle may log that as an error.
        stream.set_read_timeout(Some(DRAIN))?;
        drain(&mut stream, deadline);
        Ok(head.starts_with(b"HTTP/1.") && head[9] < b'5')
    };
    ask().unwrap_or(false)
}

fn drain(stream: &mut TcpStream, deadline: Instant) {
    let mut buffer = vec![0; 64 << 10];
    let mut read = 0;
    while read < LARGEST && Instant::now() < deadline {
        match stream.read(&mut buffer) {
            Ok(more) if more > 0 => read += more as u64,
            _ => return,
        }
    }
}

/// The time until then; never zero, which would mean for ever.
fn left(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(1))
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    /// Catches: an app that takes connections and says nothing, or one byte now and then, holds a run up for ever.
    #[test]
    fn one_that_drips_or_is_silent_is_given_up_in_time() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            for (number, stream) in listener.incoming().enumerate() {
                let mut stream = stream.unwrap();
                std::thread::spawn(move || {
                    while number > 0 && stream.write_all(b"H").is_ok() {
                        std::thread::sleep(Duration::from_millis(30));
                    }
                    // For good: who does not give it up hangs, and the test with it.
                    loop {
                        std::thread::park();
                    }
                });
            }
        });
        for _ in 0..2 {
            assert!(!answers(address, "/", Duration::from_millis(200)));
        }
    }
}
