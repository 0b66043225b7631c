//! Pages larger than anyone serves, and edited copies of them.

use std::fmt::Write;

use clap::ValueEnum;

use crate::page_pairs::PagePair;

const SIZE: usize = 50_000_000;
/// As many tags in one another.
const DEPTH: usize = 1_000_000;

/// What a large page is made of. One piece in twenty of the copy is edited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LargePage {
    /// One long text.
    Text,
    /// Short tags and little text.
    Tags,
    /// One long attribute, edited in its middle.
    Attribute,
    /// A tag of very many attributes.
    Attributes,
    /// Rows with links and inputs.
    Table,
    /// A million tags in one another, one of them another.
    Nested,
}

impl LargePage {
    /// What it is, in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "one text of 50 MB",
            Self::Tags => "50 MB of tags",
            Self::Attribute => "one attribute of 50 MB",
            Self::Attributes => "one tag, 4 million attributes",
            Self::Table => "a table of 50 MB",
            Self::Nested => "1 million tags in one another",
        }
    }

    /// The page, and its edited copy.
    pub fn pair(self) -> PagePair {
        match self {
            Self::Text => pieces(|page, n, shown| write!(page, "word{} in {shown} ", n % 5_000)),
            Self::Tags => pieces(|page, n, shown| {
                let tag = if n == shown { "p" } else { "div" };
                write!(page, "<{tag} class=k{}><b>x{}</b></{tag}>", n % 7, n % 100)
            }),
            Self::Attribute => around("<a href='", "'>go</a>", "x y ", SIZE / 4),
            Self::Attributes => {
                pieces_within("<p ", ">go</p>", |page, n, shown| write!(page, "a{n}={shown} "))
            }
            Self::Table => pieces(|page, n, shown| {
                writeln!(
                    page,
                    "<tr><td>{n}<td><a href='/b/{shown}'>Book {shown}</a><td><input name=q{n} value=1>"
                )
            }),
            Self::Nested => around("", "", "<div>", DEPTH),
        }
    }
}

fn pieces(piece: impl Fn(&mut String, usize, usize) -> std::fmt::Result) -> PagePair {
    pieces_within("", "", piece)
}

/// A page of many pieces, each made from its number; and the copy, to which an edited piece has another.
fn pieces_within(
    before: &str,
    after: &str,
    piece: impl Fn(&mut String, usize, usize) -> std::fmt::Result,
) -> PagePair {
    let page = |edited: bool, most: usize| {
        let mut page = format!("<html><body>{before}");
        let mut number = 0;
        while page.len() < SIZE && number < most {
            let shown = if edited && number % 20 == 7 { number + 1_000_000_000 } else { number };
            // Writing to a string does not fail.
            let _ = piece(&mut page, number, shown);
            number += 1;
        }
        page.push_str(after);
        (page, number)
    };
    let (expected, count) = page(false, usize::MAX);
    PagePair { expected: expected.into_bytes(), actual: page(true, count).0.into_bytes() }
}

/// A page of the same again and again, and the copy, which has something else in its middle.
fn around(before: &str, after: &str, piece: &str, times: usize) -> PagePair {
    let half = piece.repeat(times / 2);
    let page = |middle: &str| format!("<html><body>{before}{half}{middle}{half}{after}").into_bytes();
    PagePair { expected: page("<p>"), actual: page("<ul>") }
}
