//! Go: panics, as the runtime, `net/http` and Gin print them.

use super::forms::Form;
use super::lines::Lines;
use super::trace::{heading, pattern};
use super::{ErrorKind, ServerError};

pub(super) const FORMS: &[Form] = &[
    Form { tell_tale: "goroutine ", raw: &[], digit: true, read: goroutine },
    Form { tell_tale: "panic recovered:", raw: &[], digit: false, read: recovered },
];

/// A panic's message is right above its goroutine.
const REACH: usize = 6;
/// So far down is the application's own frame looked for.
const FRAMES: usize = 80;

pattern!(RUNNING, r"^goroutine \d+ .*\[running.*\]:");
pattern!(HEADING, r"(?:^|\s)(?:panic: |fatal error: |panic serving [^ ]+: )(.*)$");
pattern!(PLACE, r"^\s*(\S+\.go):(\d+)(?:\s|$)");
pattern!(RECOVERED, r"panic recovered:\s*(.*)$");
pattern!(
    RUNTIME_ERROR,
    r"^\s*((?:runtime error|interface conversion|assignment to entry in nil map|reflect: )\S*.*)$"
);

fn goroutine(lines: &Lines, at: usize, found: &mut Vec<ServerError>) {
    if !RUNNING.is_match(lines.bare(at)) {
        return;
    }
    let Some(head) = heading(lines, at, REACH, &HEADING, &PLACE) else { return };
    let what = head[1].trim_end_matches(" [recovered]");
    found.push(ServerError::new(ErrorKind::Go, &format!("panic: {what}"), place(lines, at + 1)));
}

fn recovered(lines: &Lines, at: usize, found: &mut Vec<ServerError>) {
    let Some(place) = place(lines, at + 1) else { return };
    let below = (at + 1..at + FRAMES).find_map(|i| RUNTIME_ERROR.captures(lines.bare(i)));
    let here = RECOVERED.captures(lines.bare(at));
    let what = here.as_ref().and_then(|c| c.get(1)).map(|m| m.as_str()).filter(|m| !m.is_empty());
    let what = what.or(below.as_ref().and_then(|c| c.get(1)).map(|m| m.as_str())).unwrap_or("recovered");
    found.push(ServerError::new(ErrorKind::Go, &format!("panic: {what}"), Some(place)));
}

/// The first frame that is not the library's own; else the first.
fn place(lines: &Lines, from: usize) -> Option<(&str, &str)> {
    let mut first = None;
    for at in from..lines.len().min(from + FRAMES) {
        if RUNNING.is_match(lines.bare(at)) {
            break;
        }
        let Some(parts) = PLACE.captures(lines.bare(at)) else { continue };
        let Some((file, line)) = parts.get(1).zip(parts.get(2)).map(|(f, l)| (f.as_str(), l.as_str())) else {
            continue;
        };
        if !["/go/src/", "/src/runtime/", "/src/net/http/", "/gin-gonic/"]
            .iter()
            .any(|own| file.contains(own))
        {
            return Some((file, line));
        }
        first = first.or(Some((file, line)));
    }
    first
}
