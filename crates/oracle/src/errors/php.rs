//! PHP: what the engine prints into pages and logs, and how its frameworks show exceptions.

use super::forms::Form;
use super::lines::Lines;
use super::trace::{exception, pattern};
use super::{ErrorKind, ServerError};

pub(super) const FORMS: &[Form] = &[
    Form { tell_tale: "on line ", raw: &[], digit: false, read: engine },
    Form { tell_tale: ".php line ", raw: &[], digit: true, read: symfony },
    Form { tell_tale: "[object] (", raw: &[], digit: false, read: laravel_log },
    Form { tell_tale: "exception", raw: &["\"exception\""], digit: false, read: laravel_json },
];

/// So far up is the heading of an uncaught exception looked for; traces may be long.
const REACH: usize = 100;

pattern!(
    ENGINE,
    r"((?:Catchable |Recoverable )?(?i:fatal error)|Parse error|Warning|Notice|Deprecated|Strict Standards|(?:Core|Compile) (?:error|warning))\s*:\s+(.*?) in (.+?) on line (\d+)"
);
pattern!(THROWN, r"^\s*thrown in (.+) on line (\d+)");
pattern!(UNCAUGHT, r"Uncaught ([A-Za-z_][\w\\]*)(?:: (.*?))?(?: in \S.*:\d+)?$");
pattern!(OLD_UNCAUGHT, r"Uncaught exception '([\w\\]+)'(?: with message '(.*?)')?(?: in |$)");
pattern!(IN_FILE, r"([A-Za-z_][\w\\]*(?:Exception|Error)): (.*?) in file (\S.*?) on line (\d+)");
pattern!(NAMED, r"([A-Za-z_][\w\\]*(?:Exception|Error)) in (\S+\.php) line (\d+):?\s*(.*)");
pattern!(LOGGED, r#"Uncaught PHP Exception ([\w\\]+): "?(.*?)"? at (\S.*?) line (\d+)"#);
pattern!(OBJECT, r"\[object\] \(([\w\\]+)\(code: [^)]*\): (.*?) at (\S+):(\d+)\)");

fn engine(lines: &Lines, at: usize, found: &mut Vec<ServerError>) {
    let line = lines.get(at);
    if let Some(thrown) = THROWN.captures(lines.bare(at)) {
        let up = (at.saturating_sub(REACH)..at).rev().map(|at| lines.get(at));
        // What is above another's last line is that one's.
        let mut own = up.take_while(|line| !line.contains("thrown in "));
        let what = own.find_map(uncaught).unwrap_or("Uncaught exception".to_owned());
        found.push(error(&what, &thrown[1], &thrown[2]));
        return;
    }
    if let Some(parts) = IN_FILE.captures(line) {
        found.push(error(&exception(&parts[1], Some(&parts[2])), &parts[3], &parts[4]));
        return;
    }
    // Of what was not caught, the trace's last line is read.
    if line.contains("Uncaught ") && lines.get(at + 1).starts_with("Stack trace:") {
        return;
    }
    for parts in ENGINE.captures_iter(line) {
        // The file is behind the last " in ": a message may have one, too.
        let (before, file) = parts[3].rsplit_once(" in ").unwrap_or(("", &parts[3]));
        if !is_file(file) {
            continue;
        }
        let message =
            if before.is_empty() { parts[2].to_owned() } else { format!("{} in {before}", &parts[2]) };
        let what = uncaught(&message).unwrap_or_else(|| format!("{}: {message}", level(&parts[1])));
        found.push(error(&what, file, &parts[4]));
    }
}

/// An exception's class and message, of a line that says it was not caught.
fn uncaught(line: &str) -> Option<String> {
    if !line.contains("Uncaught ") {
        return None;
    }
    let parts = OLD_UNCAUGHT.captures(line).or_else(|| UNCAUGHT.captures(line))?;
    // Who called is not what was wrong.
    let message = parts.get(2).map(|m| m.as_str().split(", called").next().unwrap_or_default());
    Some(format!("Uncaught {}", exception(&parts[1], message)))
}

/// Logs and pages spell it in different cases.
fn level(level: &str) -> &str {
    if level.eq_ignore_ascii_case("fatal error") { "Fatal error" } else { level }
}

fn is_file(file: &str) -> bool {
    file.contains(['/', '\\']) || [".php", ".inc", ".phtml"].iter().any(|end| file.contains(end))
}

fn symfony(lines: &Lines, at: usize, found: &mut Vec<ServerError>) {
    let line = lines.get(at);
    if let Some(parts) = LOGGED.captures(line) {
        found.push(error(
            &format!("Uncaught {}", exception(&parts[1], Some(&parts[2]))),
            &parts[3],
            &parts[4],
        ));
    } else if let Some(parts) = NAMED.captures(line) {
        found.push(error(&exception(&parts[1], Some(&parts[4])), &parts[2], &parts[3]));
    }
}

fn laravel_log(lines: &Lines, at: usize, found: &mut Vec<ServerError>) {
    if let Some(parts) = OBJECT.captures(lines.get(at)) {
        found.push(error(&exception(&parts[1], Some(&parts[2])), &parts[3], &parts[4]));
    }
}

/// `{"message": "…", "exception": "…", "file": "…", "line": 20, …}`, whose strings are lines of their own.
fn laravel_json(lines: &Lines, at: usize, found: &mut Vec<ServerError>) {
    let value = |name: &str, from: usize| {
        let key = (from..from + 8).find(|&i| lines.get(i) == name)?;
        Some((lines.get(key + 1).trim(), lines.get(key + 2)))
    };
    if lines.get(at) != "exception" || !lines.get(at + 1).trim().starts_with(':') {
        return;
    }
    let class = lines.get(at + 2);
    let Some((_, file)) = value("file", at + 3).filter(|(_, file)| is_file(file)) else { return };
    let Some((line, _)) = value("line", at + 3) else { return };
    let line: String = line.chars().filter(char::is_ascii_digit).collect();
    let message = (at >= 4 && lines.get(at - 4) == "message").then(|| lines.get(at - 2));
    found.push(error(&exception(class, message), file, &line));
}

fn error(what: &str, file: &str, line: &str) -> ServerError {
    ServerError::new(ErrorKind::Php, what, Some((file, line)))
}
