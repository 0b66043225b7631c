//! GoReplay's files: messages as they were on the wire, each with a line in front, divided by monkeys.
//!
//! `1 ID TIME` heads a request, `2 ID TIME TOOK` the response to it; `3` is a response of the application that GoReplay
//! replayed on, and not what the user got.

use std::collections::HashMap;
use std::collections::VecDeque;
use std::io::{self, Read};

use memchr::memmem;
use restage_model::{Captured, Moment};

use super::access_log::request_line;
use super::entry_handler::EntryHandler;
use super::error::ImportError;
use super::http_message::Message;

/// What divides two messages.
const DIVIDER: &str = "\n🐵🙈🙉\n";
/// How many requests wait for their responses at a time, and how many bytes of them.
const WAITING: usize = 4096;
const WAITING_BYTES: usize = 64 << 20;
/// No message is longer.
const LONGEST: usize = 256 << 20;
/// How much is read at a time.
const BLOCK: usize = 1 << 18;

/// Whether a file that begins so is GoReplay's.
pub(super) fn is_head(head: &[u8]) -> bool {
    let line = head.split(|b| *b == b'\n').next().unwrap_or_default();
    Head::parse(line).is_some()
}

/// Reads a file.
pub(super) fn read(mut reader: impl Read, found: &mut dyn EntryHandler) -> Result<(), ImportError> {
    let divider = memmem::Finder::new(DIVIDER.as_bytes());
    let mut waiting = Waiting::default();
    let mut buffer: Vec<u8> = Vec::with_capacity(BLOCK);
    let mut block = vec![0; BLOCK];
    let (mut number, mut searched) = (0, 0);
    loop {
        let read = match reader.read(&mut block) {
            Ok(read) => read,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error.into()),
        };
        buffer.extend_from_slice(&block[..read]);
        let mut begin = 0;
        while let Some(at) = divider.find(&buffer[searched.max(begin)..]) {
            let end = searched.max(begin) + at;
            number += 1;
            waiting.message(number, &buffer[begin..end], found)?;
            begin = end + DIVIDER.len();
            searched = begin;
        }
        buffer.drain(..begin);
        searched = buffer.len().saturating_sub(DIVIDER.len());
        if buffer.len() > LONGEST {
            number += 1;
            found.unread(number, "it is longer than any message", &buffer[..buffer.len().min(100)])?;
            buffer.clear();
            searched = 0;
        }
        if read == 0 {
            break;
        }
    }
    if !buffer.trim_ascii().is_empty() {
        waiting.message(number + 1, &buffer, found)?;
    }
    waiting.all(found)
}

/// The line in front of a message.
struct Head<'a> {
    kind: u8,
    id: &'a [u8],
    at: Moment,
    took: u64,
}

impl<'a> Head<'a> {
    fn parse(line: &'a [u8]) -> Option<Self> {
        let mut words = line.trim_ascii().split(|b| *b == b' ');
        let kind = match words.next()? {
            [kind @ b'1'..=b'3'] => *kind,
            _ => return None,
        };
        let id = words.next().filter(|id| id.len() >= 8 && id.iter().all(u8::is_ascii_alphanumeric))?;
        let number = |word: &[u8]| std::str::from_utf8(word).ok()?.parse::<i64>().ok();
        // Nanoseconds since 1970.
        let at = number(words.next()?).filter(|at| *at > 0)?;
        let took = words.next().and_then(number).unwrap_or(0).max(0);
        Some(Self { kind, id, at: Moment(at / 1000), took: took.unsigned_abs() / 1000 })
    }
}

/// Requests whose responses are still to come.
#[derive(Default)]
struct Waiting {
    requests: HashMap<Vec<u8>, Captured>,
    order: VecDeque<Vec<u8>>,
    bytes: usize,
}

impl Waiting {
    fn message(
        &mut self,
        number: u64,
        bytes: &[u8],
        found: &mut dyn EntryHandler,
    ) -> Result<(), ImportError> {
        let bytes = bytes.trim_ascii_start();
        if bytes.is_empty() {
            return Ok(());
        }
        let end = memchr::memchr(b'\n', bytes).unwrap_or(bytes.len());
        let Some(head) = Head::parse(&bytes[..end]) else {
            return found.unread(number, "it has no line of GoReplay's in front", bytes);
        };
        if head.kind == b'3' {
            found.passed_over();
            return Ok(());
        }
        let Some(message) = Message::parse(bytes.get(end + 1..).unwrap_or_default()) else {
            return found.unread(number, "it is no HTTP message", bytes);
        };
        if head.kind == b'1' {
            match request(&head, message) {
                Ok(captured) => self.wait(head.id, captured, found),
                Err(why) => found.unread(number, why, bytes),
            }
        } else {
            let Some(status) = message.status() else {
                return found.unread(number, "its status is none", bytes);
            };
            let Some(mut captured) = self.take(head.id) else {
                return found.unread(number, "there is no request that it answers", bytes);
            };
            let since = head.at.since(captured.at).max(0).unsigned_abs();
            captured.took = if head.took > 0 { head.took } else { since };
            captured.response = Some((status, message.headers, message.body));
            found.exchange(captured)
        }
    }

    fn wait(
        &mut self,
        id: &[u8],
        captured: Captured,
        found: &mut dyn EntryHandler,
    ) -> Result<(), ImportError> {
        // The same id twice: the first was never answered.
        if let Some(earlier) = self.take(id) {
            found.exchange(earlier)?;
        }
        self.bytes += captured.body.bytes.len() + 512;
        self.order.push_back(id.to_vec());
        self.requests.insert(id.to_vec(), captured);
        while self.requests.len() > WAITING || self.bytes > WAITING_BYTES {
            let Some(oldest) = self.order.pop_front() else { break };
            if let Some(captured) = self.take(&oldest) {
                found.exchange(captured)?;
            }
        }
        // Ids of requests that were answered meanwhile.
        if self.order.len() > 4 * WAITING {
            self.order.retain(|id| self.requests.contains_key(id));
        }
        Ok(())
    }

    fn take(&mut self, id: &[u8]) -> Option<Captured> {
        let captured = self.requests.remove(id)?;
        self.bytes -= captured.body.bytes.len() + 512;
        Some(captured)
    }

    fn all(mut self, found: &mut dyn EntryHandler) -> Result<(), ImportError> {
        while let Some(id) = self.order.pop_front() {
            if let Some(captured) = self.take(&id) {
                found.exchange(captured)?;
            }
        }
        Ok(())
    }
}

fn request(head: &Head<'_>, message: Message<'_>) -> Result<Captured, &'static str> {
    let (method, uri, host) = request_line(message.first)?;
    let mut headers = message.headers;
    if let Some(host) = host.filter(|_| headers.get("host").is_none()) {
        headers.push_bytes("host", &host);
    }
    // GoReplay keeps no addresses; a proxy before the application, or --input-raw-realip-header, does.
    let told = ["x-real-ip", "x-forwarded-for"].iter().find_map(|name| headers.get(name));
    let client = told.and_then(|t| t.split(',').next()).unwrap_or_default().trim().to_owned();
    Ok(Captured {
        at: head.at,
        took: 0,
        client,
        method,
        uri,
        headers,
        body: message.body,
        response: None,
        error: None,
    })
}
