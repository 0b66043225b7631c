//! Ruby: uncaught exceptions, and how Rails and Rack show them in pages and logs.

use super::forms::Form;
use super::lines::Lines;
use super::trace::{exception, heading, is_first, pattern};
use super::{ErrorKind, ServerError};

pub(super) const FORMS: &[Form] = &[
    Form { tell_tale: ".rb:", raw: &[], digit: true, read: trace },
    Form { tell_tale: ".erb:", raw: &[], digit: true, read: trace },
    Form { tell_tale: ".haml:", raw: &[], digit: true, read: trace },
    Form { tell_tale: ".slim:", raw: &[], digit: true, read: trace },
];

/// Between the heading and the frames Rails shows a piece of the source.
const REACH: usize = 60;

pattern!(FRAME, r"([^\s:'`(]+\.(?:rb|erb|haml|slim)):(\d+):in [`'\x22]");
pattern!(UNCAUGHT, r"\.(?:rb|erb|haml|slim):\d+:in [`'].*?': (.*) \(((?:[A-Z]\w*::)*[A-Z]\w*)\)");
pattern!(
    HEADING,
    r"(?:^|[\s>])((?:[A-Z]\w*::)*[A-Z]\w*(?:Error|Exception|NotFound|Invalid|Missing|Timeout|Interrupt|UnknownFormat|Conflict))(?:$|:?\s+\((.*)\):?$|: (.*)$| in .*$| at .*$)"
);

fn trace(lines: &Lines, at: usize, found: &mut Vec<ServerError>) {
    let line = lines.bare(at);
    let Some(frame) = FRAME.captures(line) else { return };
    if let Some(parts) = UNCAUGHT.captures(line) {
        push(&exception(&parts[2], Some(&parts[1])), &frame, found);
        return;
    }
    let Some(top) = is_first(lines, at, &FRAME, &FRAME) else { return };
    let Some(head) = heading(lines, top, REACH, &HEADING, &FRAME) else { return };
    let message = head.get(2).or(head.get(3)).map(|m| m.as_str());
    push(&exception(&head[1], message), &frame, found);
}

fn push(what: &str, frame: &regex_lite::Captures<'_>, found: &mut Vec<ServerError>) {
    found.push(ServerError::new(ErrorKind::Ruby, what, Some((&frame[1], &frame[2]))));
}
