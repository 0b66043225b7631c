//! A Markdown table with aligned columns: it reads well on a terminal and in a file.

use std::fmt;

/// A table; the first column is text, figures in the others are aligned to the right.
#[derive(Clone, Debug)]
pub struct Table {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
    /// How many columns, from the first, are text.
    text: usize,
}

impl Table {
    /// A table without rows.
    pub fn new(text: usize, head: &[&str]) -> Self {
        Self { head: head.iter().map(|&h| h.to_owned()).collect(), rows: Vec::new(), text }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = || std::iter::once(&self.head).chain(&self.rows);
        let width = |column: usize| lines().map(|l| l.get(column).map_or(0, |c| c.chars().count())).max();
        let widths: Vec<usize> = (0..self.head.len()).map(|c| width(c).unwrap_or(0).max(3)).collect();
        for (number, line) in lines().enumerate() {
            for (column, &width) in widths.iter().enumerate() {
                let cell = line.get(column).map_or("", String::as_str);
                if column < self.text {
                    write!(f, "| {cell:<width$} ")?
                } else {
                    write!(f, "| {cell:>width$} ")?
                }
            }
            writeln!(f, "|")?;
            if number == 0 {
                for (column, width) in widths.iter().enumerate() {
                    let dashes = "-".repeat(width - 1);
                    if column < self.text { write!(f, "| {dashes}- ")? } else { write!(f, "| {dashes}: ")? }
                }
                writeln!(f, "|")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(1, &["what", "n"]);
        table.row(vec!["a longer one".to_owned(), "7".to_owned()]);
        let text = table.to_string();
        assert_eq!(text, "| what         |   n |\n| ------------ | --: |\n| a longer one |   7 |\n");
    }
}
