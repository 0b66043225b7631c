//! What the forms of stack traces share: a heading that names the exception, and the frames under it.

use regex_lite::Regex;

use super::lines::Lines;

/// Compiles a pattern once, when it is first asked for.
macro_rules! pattern {
    ($name:ident, $pattern:expr) => {
        static $name: std::sync::LazyLock<regex_lite::Regex> = std::sync::LazyLock::new(|| {
            regex_lite::Regex::new($pattern).expect("the pattern is well formed")
        });
    };
}
pub(super) use pattern;

/// Whether the frame at `at` is the first of its trace that has a place; those above it may have none, as
/// frames of native code do.
pub(super) fn is_first(lines: &Lines, at: usize, frame: &Regex, any_frame: &Regex) -> Option<usize> {
    let mut top = at;
    while top > 0 && at - top < 100 && any_frame.is_match(lines.bare(top - 1)) {
        top -= 1;
        if frame.is_match(lines.bare(top)) {
            return None;
        }
    }
    Some(top)
}

/// The nearest line before `top` that matches, at most `reach` lines up. A frame ends the search: what is above
/// it is another trace's.
pub(super) fn heading<'l>(
    lines: &'l Lines,
    top: usize,
    reach: usize,
    pattern: &Regex,
    any_frame: &Regex,
) -> Option<regex_lite::Captures<'l>> {
    let up = (top.saturating_sub(reach)..top).rev().map(|at| lines.bare(at));
    up.take_while(|line| !any_frame.is_match(line)).find_map(|line| pattern.captures(line))
}

/// An exception's class with its message, where it has one.
pub(super) fn exception(class: &str, message: Option<&str>) -> String {
    match message.map(str::trim).filter(|m| !m.is_empty()) {
        Some(message) => format!("{class}: {message}"),
        None => class.to_owned(),
    }
}
