//! A server as a child process that is stopped whatever happens, and the processor time it took.

use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::Trouble;

/// How long a server may take to listen, and to end.
const PATIENCE: Duration = Duration::from_secs(10);

/// The kernel's ticks a second in `/proc`, whatever it counts in itself.
const TICKS: f64 = 100.0;
/// A server that takes no processor time for so long has nothing to do.
const QUIET: Duration = Duration::from_millis(200);

/// A running server. Stopped when dropped.
#[derive(Debug)]
pub struct Server {
    /// What it is, for messages and tables.
    pub name: String,
    child: Child,
    port: u16,
}

impl Server {
    /// Starts a command that listens on the port, and waits until it does.
    pub fn start(name: &str, port: u16, command: &mut Command) -> Result<Self, Trouble> {
        let child = command.spawn().map_err(|e| format!("{name} does not start: {e}"))?;
        let mut server = Self { name: name.to_owned(), child, port };
        let begun = Instant::now();
        while TcpStream::connect(server.address()).is_err() {
            if let Some(status) = server.child.try_wait()? {
                return Err(format!("{name} ended before it listened: {status}").into());
            }
            if begun.elapsed() > PATIENCE {
                return Err(format!("{name} does not listen on port {port}").into());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(server)
    }

    /// One that says itself where it listens.
    pub(crate) fn telling(name: &str, child: Child) -> Self {
        Self { name: name.to_owned(), child, port: 0 }
    }

    /// It has said where.
    pub(crate) fn listens_on(&mut self, port: u16) {
        self.port = port;
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        SocketAddr::from((Ipv4Addr::LOCALHOST, self.port))
    }

    /// The processor time that it and its children have taken.
    pub fn cpu(&self) -> Duration {
        let own = self.child.id();
        let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let stats = processes.filter_map(|p| Stat::of(p.file_name().to_str()?.parse().ok()?));
        let ticks: u64 = stats.filter(|s| s.pid == own || s.parent == own).map(|s| s.ticks).sum();
        Duration::from_secs_f64(ticks as f64 / TICKS)
    }

    /// Waits until it has nothing left to do; how long it went on.
    pub fn settle(&self) -> Duration {
        let begun = Instant::now();
        let (mut busy, mut cpu) = (Duration::ZERO, self.cpu());
        while begun.elapsed() - busy < QUIET {
            std::thread::sleep(Duration::from_millis(10));
            let now = self.cpu();
            if now > cpu {
                (busy, cpu) = (begun.elapsed(), now);
            }
        }
        busy
    }

    /// Interrupts it and waits for its end.
    pub fn stop(&mut self) {
        if let Some(pid) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw)
            && matches!(self.child.try_wait(), Ok(None))
        {
            let _ = kill_process(pid, Signal::INT);
        }
        let asked = Instant::now();
        while matches!(self.child.try_wait(), Ok(None)) {
            if asked.elapsed() > PATIENCE * 3 {
                let _ = self.child.kill();
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A port that nothing listens on.
pub fn free_port() -> Result<u16, Trouble> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

/// What the kernel says of a process.
struct Stat {
    pid: u32,
    parent: u32,
    /// In user and kernel mode, of all its threads.
    ticks: u64,
}

impl Stat {
    fn of(pid: u32) -> Option<Self> {
        Self::parse(pid, &std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
    }

    /// `PID (NAME) STATE PPID …`, where the name may hold anything.
    fn parse(pid: u32, line: &str) -> Option<Self> {
        let fields: Vec<&str> = line.get(line.rfind(')')? + 1..)?.split_whitespace().collect();
        let number = |at: usize| fields.get(at)?.parse::<u64>().ok();
        Some(Self { pid, parent: u32::try_from(number(1)?).ok()?, ticks: number(11)? + number(12)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_name_may_hold_anything() {
        let line = "7 (a) b) S 3 7 7 0 -1 4194560 1 2 3 4 50 6 0 0 20 0 1 0 99";
        let stat = Stat::parse(7, line).unwrap();
        assert_eq!((stat.parent, stat.ticks), (3, 56));
    }
}
