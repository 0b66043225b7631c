//! Java and its kin: stack traces, and the error pages of Tomcat and Spring.

use super::forms::Form;
use super::lines::Lines;
use super::trace::{exception, heading, is_first, pattern};
use super::{ErrorKind, ServerError};

pub(super) const FORMS: &[Form] = &[
    Form { tell_tale: ".java:", raw: &[], digit: true, read: trace },
    Form { tell_tale: ".kt:", raw: &[], digit: true, read: trace },
    Form { tell_tale: ".scala:", raw: &[], digit: true, read: trace },
    Form { tell_tale: ".groovy:", raw: &[], digit: true, read: trace },
    Form { tell_tale: "There was an unexpected error (type=", raw: &[], digit: false, read: whitelabel },
];

/// A message may have several lines.
const REACH: usize = 8;
/// So many frames are passed by to find whether a cause follows.
const FRAMES: usize = 1000;

pattern!(FRAME, r"^\s*(?:at )?([\w.$/@<>~-]+)\(([\w$-]+\.(?:java|kt|scala|groovy)):(\d+)\)");
// Tomcat's pages leave the `at` out.
pattern!(
    ANY_FRAME,
    r"^\s*(?:at [\w.$/@<>~-]+\(|[\w.$/@<>~-]+\((?:[\w$-]+\.(?:java|kt|scala|groovy)(?::\d+)?|Native Method|Unknown Source)\)|\.\.\. \d+ (?:more|common frames omitted))"
);
pattern!(
    HEADING,
    r"((?:[a-z_][\w$]*\.)+[A-Z][\w$]*(?:Exception|Error|Throwable|Failure|Fault))(?::\s*(.*))?$"
);
pattern!(CAUSE, r"(?i)^\s*(?:caused by: |root cause)");
pattern!(WHITELABEL, r"There was an unexpected error \(type=([^,]+), status=(5\d\d)\)");

fn trace(lines: &Lines, at: usize, found: &mut Vec<ServerError>) {
    let Some(frame) = FRAME.captures(lines.bare(at)) else { return };
    let Some(top) = is_first(lines, at, &FRAME, &ANY_FRAME) else { return };
    let Some(head) = heading(lines, top, REACH, &HEADING, &ANY_FRAME) else { return };
    // Where a cause follows, that is the fault.
    let after = (at + 1..at + FRAMES).find(|&i| !ANY_FRAME.is_match(lines.bare(i)));
    if after.is_some_and(|i| CAUSE.is_match(lines.bare(i))) {
        return;
    }
    let what = exception(&head[1], head.get(2).map(|m| m.as_str()));
    found.push(ServerError::new(ErrorKind::Java, &what, Some((&path(&frame[1], &frame[2]), &frame[3]))));
}

/// The file with its package: many are called the same.
fn path(method: &str, file: &str) -> String {
    let class = method.rsplit('/').next().unwrap_or(method);
    let parts: Vec<&str> = class.split('.').collect();
    // Behind the package are the class and the method.
    let package = &parts[..parts.len().saturating_sub(2)];
    if package.is_empty() { file.to_owned() } else { format!("{}/{file}", package.join("/")) }
}

fn whitelabel(lines: &Lines, at: usize, found: &mut Vec<ServerError>) {
    if let Some(parts) = WHITELABEL.captures(lines.get(at)) {
        found.push(ServerError::new(ErrorKind::Java, &format!("unexpected error: {}", &parts[1]), None));
    }
}
