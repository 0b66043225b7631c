//! .NET: stack traces with places, and ASP.NET's yellow page.

use super::forms::Form;
use super::lines::Lines;
use super::trace::{exception, heading, is_first, pattern};
use super::{ErrorKind, ServerError};

pub(super) const FORMS: &[Form] = &[
    Form { tell_tale: ":line ", raw: &[], digit: true, read: trace },
    Form { tell_tale: "Server Error in ", raw: &[], digit: false, read: yellow_page },
];

/// A message may have several lines.
const REACH: usize = 10;
/// So far down a yellow page are its details.
const DETAILS: usize = 60;

pattern!(FRAME, r"^\s*at .+\) in (.+):line (\d+)");
pattern!(ANY_FRAME, r"^\s*(?:at .+\)|--- End of )");
pattern!(
    HEADING,
    r"(?:^|[\s>\[])((?:[A-Z]\w*\.)*[A-Z]\w*(?:Exception|Error))(?: \(0x[0-9A-Fa-f]+\))?(?:: (.*?)\]?)?$"
);
pattern!(YELLOW, r"^\s*Server Error in '.*' Application");
pattern!(EXCEPTION_DETAILS, r"Exception Details:\s*([\w.]+)(?:: (.*))?$");
pattern!(SOURCE_FILE, r"Source File:\s*(\S.*?)\s+Line:\s*(\d+)");

fn trace(lines: &Lines, at: usize, found: &mut Vec<ServerError>) {
    let Some(frame) = FRAME.captures(lines.bare(at)) else { return };
    let Some(top) = is_first(lines, at, &FRAME, &ANY_FRAME) else { return };
    let Some(head) = heading(lines, top, REACH, &HEADING, &ANY_FRAME) else { return };
    let what = exception(&head[1], head.get(2).map(|m| m.as_str()));
    found.push(ServerError::new(ErrorKind::DotNet, &what, Some((&frame[1], &frame[2]))));
}

fn yellow_page(lines: &Lines, at: usize, found: &mut Vec<ServerError>) {
    if !YELLOW.is_match(lines.get(at)) {
        return;
    }
    let below = || (at + 1..at + DETAILS).map(|i| lines.get(i));
    let details = below().find_map(|line| EXCEPTION_DETAILS.captures(line));
    let what = match &details {
        Some(parts) => exception(&parts[1], parts.get(2).map(|m| m.as_str())),
        // To visitors from elsewhere the page does not tell more.
        None => "Server Error in Application".to_owned(),
    };
    let place = below().find_map(|line| SOURCE_FILE.captures(line));
    let place = place.as_ref().map(|parts| (&parts[1], &parts[2]));
    found.push(ServerError::new(ErrorKind::DotNet, &what, place));
}
