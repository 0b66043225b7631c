//! Data on standard output: tables for people, JSON for machines.

use std::io::{IsTerminal, Write};

use serde::Serialize;

use crate::cli::{Color, Global};

/// Prints a value as JSON.
pub(crate) fn json(value: &impl Serialize) {
    match serde_json::to_string_pretty(value) {
        Ok(text) => line(&text),
        Err(error) => eprintln!("error: cannot print JSON: {error}"),
    }
}

/// Prints a line. A reader that has gone away (`| head`) wants no more; the work, and the exit code, go on.
pub(crate) fn line(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// Prints a text that ends its lines itself.
pub(crate) fn text(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}

/// Prints rows in aligned columns. Columns whose title ends in a space are aligned right.
pub(crate) fn table(titles: &[&str], rows: &[Vec<String>]) {
    let width = |column: usize| {
        let cells = rows.iter().map(|r| r[column].chars().count());
        cells.chain([titles[column].trim_end().chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..titles.len()).map(width).collect();
    let print = |cells: &mut dyn Iterator<Item = &str>| {
        let mut out = String::new();
        for (column, cell) in cells.enumerate() {
            let pad = " ".repeat(widths[column].saturating_sub(cell.chars().count()));
            if titles[column].ends_with(' ') {
                out.push_str(&pad);
                out.push_str(cell);
            } else {
                out.push_str(cell);
                out.push_str(&pad);
            }
            out.push_str("  ");
        }
        line(out.trim_end());
    };
    print(&mut titles.iter().map(|t| t.trim_end()));
    for row in rows {
        print(&mut row.iter().map(String::as_str));
    }
}

/// Whether to use colour on standard output.
pub(crate) fn colour(global: &Global) -> bool {
    match global.color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
    }
}

/// A text for one line of a terminal: control characters harmless, the end cut.
pub(crate) fn cut(text: &str, most: usize) -> String {
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if clean.chars().count() <= most { clean } else { clean.chars().take(most - 1).chain(['…']).collect() }
}

/// `1 step`, `2 steps`.
pub(crate) fn count(n: usize, one: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") }
}
