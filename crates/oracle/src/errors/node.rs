//! JavaScript on the server: the stack of an `Error`, as Node prints it and Express shows it.

use super::forms::Form;
use super::lines::Lines;
use super::trace::{exception, heading, is_first, pattern};
use super::{ErrorKind, ServerError};

pub(super) const FORMS: &[Form] = &[
    Form { tell_tale: ".js:", raw: &[], digit: true, read: trace },
    Form { tell_tale: ".mjs:", raw: &[], digit: true, read: trace },
    Form { tell_tale: ".cjs:", raw: &[], digit: true, read: trace },
    Form { tell_tale: ".ts:", raw: &[], digit: true, read: trace },
    Form { tell_tale: ".tsx:", raw: &[], digit: true, read: trace },
    Form { tell_tale: ".jsx:", raw: &[], digit: true, read: trace },
];

/// A message may have several lines.
const REACH: usize = 10;

pattern!(FRAME, r"^\s*at (?:.* \()?([^()\s]*\.[cm]?[jt]sx?):(\d+):\d+\)?$");
pattern!(ANY_FRAME, r"^\s*at \S");
pattern!(HEADING, r"(?:^|[\s(\]])([A-Z]\w*(?:Error|Exception)|Error)(?: \[\w+\])?(?:: (.*))?$");

fn trace(lines: &Lines, at: usize, found: &mut Vec<ServerError>) {
    let Some(frame) = FRAME.captures(lines.bare(at)) else { return };
    // A browser's stack, sent to a log, is not the server's.
    if frame[1].starts_with("http:") || frame[1].starts_with("https:") {
        return;
    }
    let Some(top) = is_first(lines, at, &FRAME, &ANY_FRAME) else { return };
    let Some(head) = heading(lines, top, REACH, &HEADING, &ANY_FRAME) else { return };
    let what = exception(&head[1], head.get(2).map(|m| m.as_str()));
    let file = frame[1].strip_prefix("file://").unwrap_or(&frame[1]);
    found.push(ServerError::new(ErrorKind::Node, &what, Some((file, &frame[2]))));
}
