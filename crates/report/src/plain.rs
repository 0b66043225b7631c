//! Foreign text made fit to show.
//!
//! A recorded page can hold escape sequences that repaint a terminal, characters that XML forbids, and
//! marks that turn the reading direction around so that a line reads as another. None of them reaches
//! a reader as such.

/// The text with control characters as visible pictures of themselves. Line breaks and tabs stay.
pub(crate) fn harmless(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\n' | '\t' => out.push(c),
            '\r' if chars.peek() == Some(&'\n') => {}
            '\u{0}'..='\u{1f}' => out.push(char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}')),
            '\u{7f}' => out.push('\u{2421}'),
            // C1 controls, direction overrides, and the two characters that are none.
            '\u{80}'..='\u{9f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
            | '\u{fffe}'
            | '\u{ffff}' => out.push('\u{fffd}'),
            _ => out.push(c),
        }
    }
    out
}

/// The same on one line, runs of white space as one space.
pub(crate) fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in harmless(text).split([' ', '\n', '\t']).filter(|w| !w.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// At most `room` characters: what is too much is left out in the middle, since both a value's
/// beginning and its end tell it from others.
pub(crate) fn shortened(text: &str, room: usize) -> String {
    let length = text.chars().count();
    if length <= room {
        return text.to_owned();
    }
    let kept = room.saturating_sub(1);
    let tail = kept / 3;
    let head: String = text.chars().take(kept - tail).collect();
    let tail: String = text.chars().skip(length - tail).collect();
    format!("{}…{}", head.trim_end(), tail.trim_start())
}

/// `1 step`, `2 steps`.
pub(crate) fn counted(count: usize, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}

/// Microseconds for people: `340 µs`, `12 ms`, `3.4 s`.
pub(crate) fn duration(microseconds: u64) -> String {
    match microseconds {
        0..1_000 => format!("{microseconds} µs"),
        1_000..1_000_000 => format!("{} ms", microseconds / 1_000),
        _ => format!("{}.{} s", microseconds / 1_000_000, microseconds / 100_000 % 10),
    }
}

/// Bytes for people: `312 bytes`, `12 KB`, `3.4 MB`.
pub(crate) fn size(bytes: u64) -> String {
    match bytes {
        1 => "1 byte".to_owned(),
        0..10_000 => format!("{bytes} bytes"),
        10_000..1_000_000 => format!("{} KB", bytes / 1_000),
        _ => format!("{}.{} MB", bytes / 1_000_000, bytes / 100_000 % 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_seen_and_not_obeyed() {
        assert_eq!(harmless("a\u{1b}[31mb\0\r\nc\rd\u{202e}e\u{9b}f"), "a␛[31mb␀\nc␍d\u{fffd}e\u{fffd}f");
        assert_eq!(one_line("  a\n\t b  "), "a b");
    }

    #[test]
    fn the_middle_is_left_out() {
        assert_eq!(shortened("short", 5), "short");
        assert_eq!(shortened("abcdefghijklmnop", 10), "abcdef…nop");
        assert_eq!(shortened("ééééé", 3), "éé…");
    }

    #[test]
    fn quantities_for_people() {
        assert_eq!((counted(1, "step"), counted(0, "step")), ("1 step".to_owned(), "0 steps".to_owned()));
        assert_eq!([duration(340), duration(12_345), duration(3_450_000)], ["340 µs", "12 ms", "3.4 s"]);
        assert_eq!(
            [size(1), size(312), size(12_000), size(3_400_000)],
            ["1 byte", "312 bytes", "12 KB", "3.4 MB"]
        );
    }
}
