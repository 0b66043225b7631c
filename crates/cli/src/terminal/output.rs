//! Data on standard output: tables for people, JSON for machines.

use std::io::{BufWriter, IsTerminal, Write};

use serde::Serialize;

use crate::args::{Color, Global};

/// Prints a value as JSON, piece by piece: it may be large.
pub(crate) fn json(value: &impl Serialize) {
    let mut out = BufWriter::new(std::io::stdout().lock());
    match serde_json::to_writer_pretty(&mut out, value) {
        Err(error) if !error.is_io() => eprintln!("error: cannot print JSON: {error}"),
        _ => drop(writeln!(out)),
    }
}

/// A list for JSON whose items are made one at a time.
pub(crate) struct List<F>(pub(crate) F);

impl<F, I> Serialize for List<F>
where
    F: Fn() -> I,
    I: Iterator<Item: Serialize>,
{
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
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
    long_table(titles, || rows.iter());
}

/// The same, of rows that are made anew for each of two passes, so that very many are never all in memory.
pub(crate) fn long_table<I>(titles: &[&str], rows: impl Fn() -> I)
where
    I: Iterator<Item: AsRef<[String]>>,
{
    let mut widths: Vec<usize> = titles.iter().map(|title| title.trim_end().chars().count()).collect();
    for row in rows() {
        for (width, cell) in widths.iter_mut().zip(row.as_ref()) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut out = BufWriter::new(std::io::stdout().lock());
    // A reader that has gone away (`| head`) wants no more.
    let mut print = |cells: &mut dyn Iterator<Item = &str>| {
        let mut text = String::new();
        for ((title, width), cell) in titles.iter().zip(&widths).zip(cells) {
            let pad = " ".repeat(width.saturating_sub(cell.chars().count()));
            let (before, after) = if title.ends_with(' ') { (pad.as_str(), "") } else { ("", pad.as_str()) };
            text.extend([before, cell, after, "  "]);
        }
        writeln!(out, "{}", text.trim_end()).is_ok()
    };
    if !print(&mut titles.iter().map(|t| t.trim_end())) {
        return;
    }
    for row in rows() {
        if !print(&mut row.as_ref().iter().map(String::as_str)) {
            return;
        }
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
