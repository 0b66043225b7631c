//! Python: tracebacks, as the interpreter, Django's and Werkzeug's pages print them.

use super::forms::Form;
use super::lines::Lines;
use super::trace::{exception, pattern};
use super::{ErrorKind, ServerError};

pub(super) const FORMS: &[Form] =
    &[Form { tell_tale: "Traceback (most recent call last)", raw: &[], digit: false, read: traceback }];

/// No traceback is longer; deep recursion is cut by the interpreter.
const REACH: usize = 4000;

pattern!(FRAME, r#"^\s*File "(.+?)", line (\d+)"#);
pattern!(EXCEPTION, r"^((?:\w+\.)*[A-Z]\w*)(?:: (.*))?$");
pattern!(DJANGO_TYPE, r"^\s*Exception Type: ([A-Za-z_][\w.]*)");
pattern!(DJANGO_VALUE, r"^\s*Exception Value: ?(.*)");

fn traceback(lines: &Lines, at: usize, found: &mut Vec<ServerError>) {
    let mut last: Option<(&str, &str)> = None;
    for i in at + 1..lines.len().min(at + REACH) {
        let line = lines.bare(i);
        if line.contains("Traceback (most recent call last)") {
            return;
        }
        if let Some(frame) = FRAME.captures(line) {
            last = frame.get(1).zip(frame.get(2)).map(|(file, line)| (file.as_str(), line.as_str()));
            continue;
        }
        // Without a frame above it, it is a text about tracebacks.
        let Some(place) = last else { continue };
        if let Some(kind) = DJANGO_TYPE.captures(line) {
            let value = DJANGO_VALUE.captures(lines.bare(i + 1));
            let value = value.as_ref().and_then(|v| v.get(1)).map(|m| m.as_str());
            found.push(ServerError::new(ErrorKind::Python, &exception(&kind[1], value), Some(place)));
            return;
        }
        if let Some(parts) = EXCEPTION.captures(line) {
            let what = exception(&parts[1], parts.get(2).map(|m| m.as_str()));
            found.push(ServerError::new(ErrorKind::Python, &what, Some(place)));
            return;
        }
    }
}
