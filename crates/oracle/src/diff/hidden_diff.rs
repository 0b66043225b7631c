//! Edits of what no reader of a page sees: comments, scripts and other dropped elements, and how tags are written.

use restage_html::{Token, Tokens};
use restage_model::Place;

use crate::comparators::features::Features;
use crate::comparators::view::{Item, Origin, Section};
use crate::diff::collector::Found;
use crate::diff::hunks::hunks;
use crate::diff::sequence_diff::stretches;
use crate::diff::tag_diff::push_tag;
use crate::diff::touched::Edit;
use crate::page::digest::hash;
use crate::page::document::Document;

/// What only who compares the bytes of two pages sees.
pub(crate) fn hidden_edits(expected: &Document<'_>, actual: &Document<'_>) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    let (before, after) = (dropped(expected), dropped(actual));
    let hashes = |parts: &[String]| -> Vec<u64> { parts.iter().map(|part| hash(part.as_bytes())).collect() };
    for hunk in stretches(&hashes(&before), &hashes(&after)) {
        let part = |parts: &[String], range: std::ops::Range<u32>| {
            let text = parts[range.start as usize..range.end as usize].concat();
            (!text.is_empty()).then_some(text)
        };
        edits.push(Edit::hidden((Place::Source, part(&before, hunk.before), part(&after, hunk.after))));
    }
    edits.extend(written_otherwise(expected, actual).into_iter().map(Edit::hidden));
    edits
}

/// Comments, document types, and elements that no comparator but D looks at, as they are written.
fn dropped(document: &Document<'_>) -> Vec<String> {
    document.hidden_tokens().into_iter().map(shown).filter(|text| !text.is_empty()).collect()
}

fn shown(token: Token<'_>) -> String {
    match token {
        Token::Comment(text) => format!("<!--{}-->", String::from_utf8_lossy(text)),
        Token::Doctype(text) => format!("<!DOCTYPE {}>", String::from_utf8_lossy(text)),
        Token::Text(text) => String::from_utf8_lossy(text).into_owned(),
        tag => {
            let mut out = String::new();
            push_tag(&mut out, tag);
            out
        }
    }
}

/// Lines that are read as the same and are not the same bytes: other quotation marks, `</p >`.
fn written_otherwise(expected: &Document<'_>, actual: &Document<'_>) -> Vec<Found> {
    let lines = |document: &Document<'_>| match document.sections(Features::BYTES).pop() {
        Some(Section::Ordered(lines)) => lines,
        _ => Vec::new(),
    };
    let (before, after) = (lines(expected), lines(actual));
    let text = |document: &Document<'_>, items: &[Item]| -> Vec<u8> {
        let mut out = Vec::new();
        for item in items {
            if let Origin::Line(from, to) = item.origin {
                out.extend_from_slice(document.raw(from..to));
            }
        }
        out
    };
    let mut found = Vec::new();
    for hunk in hunks(&before, &after) {
        let was = text(expected, &before[hunk.before.start as usize..hunk.before.end as usize]);
        let is = text(actual, &after[hunk.after.start as usize..hunk.after.end as usize]);
        let same = !was.is_empty() && !is.is_empty() && {
            let (was, is) = (Tokens::of(&was), Tokens::of(&is));
            was.iter().map(shown).eq(is.iter().map(shown))
        };
        if same {
            let side = |text: &[u8]| Some(String::from_utf8_lossy(text).into_owned());
            found.push((Place::Source, side(&was), side(&is)));
        }
    }
    found
}
