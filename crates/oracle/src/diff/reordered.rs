//! A list in another order is one edit.
//!
//! Rows without an order of their own come in another one after each restore, and so do items that tie. A diff tells of that in
//! as many edits as it takes. Edits that together take away just what they add are the same things in another order: one edit.

use std::collections::{HashMap, HashSet};

use restage_model::{Difference, Place};

/// So few edits are told one by one: two values that were swapped are no list.
const FEW: usize = 3;

/// More edits than these are another page, not another order.
const MANY: usize = 1000;

/// The differences, those that together are a reordering as one.
pub(crate) fn reorderings_joined(all: Vec<Difference>) -> Vec<Difference> {
    if !(FEW..=MANY).contains(&all.len()) {
        return all;
    }
    let mut of_order: Vec<usize> = (0..all.len())
        .filter(|at| !matches!(pieces(&all[*at]), (was, is) if was.is_empty() && is.is_empty()))
        .collect();
    // What is not balanced is an edit of its own, and what it takes away is missing elsewhere.
    loop {
        let mut balance: HashMap<String, i64> = HashMap::new();
        for at in &of_order {
            let (was, is) = pieces(&all[*at]);
            was.into_iter().for_each(|piece| *balance.entry(piece).or_default() += 1);
            is.into_iter().for_each(|piece| *balance.entry(piece).or_default() -= 1);
        }
        let is_balanced = |at: &usize| {
            let (was, is) = pieces(&all[*at]);
            was.iter().chain(&is).all(|piece| balance.get(piece) == Some(&0))
        };
        let before = of_order.len();
        of_order.retain(is_balanced);
        if of_order.len() == before {
            break;
        }
    }
    let texts: Vec<usize> =
        of_order.iter().copied().filter(|at| matches!(all[*at].place, Place::Text { .. })).collect();
    let Some(first) = texts.first().copied().filter(|_| of_order.len() >= FEW) else { return all };
    let together = joined(&all, &of_order, &texts);
    let of_order: HashSet<usize> = of_order.into_iter().collect();
    let mut out = Vec::with_capacity(all.len());
    for (at, difference) in all.into_iter().enumerate() {
        if at == first {
            out.push(together.clone());
        } else if !of_order.contains(&at) {
            out.push(difference);
        }
    }
    out
}

/// What an edit takes away and what it adds, in pieces that may stand elsewhere; nothing of edits of which the place counts.
fn pieces(difference: &Difference) -> (Vec<String>, Vec<String>) {
    let side =
        |text: &Option<String>, of: &dyn Fn(&str) -> Vec<String>| text.as_deref().map(of).unwrap_or_default();
    match &difference.place {
        Place::Text { .. } => {
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
            (side(&difference.was, &words), side(&difference.is, &words))
        }
        Place::Attribute { attribute, .. } => {
            let whole = |value: &str| marks(&format!("{attribute}=\"{value}\""));
            (side(&difference.was, &whole), side(&difference.is, &whole))
        }
        Place::Tags { .. } => (side(&difference.was, &marks), side(&difference.is, &marks)),
        _ => (Vec::new(), Vec::new()),
    }
}

/// The names and attributes of tags, however they are told: an attribute alone, or a tag with all of its own.
fn marks(source: &str) -> Vec<String> {
    let mark = |piece: &str| format!("<{}", piece.trim_start_matches('<').trim_end_matches('>'));
    source.split_whitespace().map(mark).collect()
}

fn joined(all: &[Difference], of_order: &[usize], texts: &[usize]) -> Difference {
    let mut seen_by: Vec<String> = Vec::new();
    for by in of_order.iter().flat_map(|at| &all[*at].seen_by) {
        if !seen_by.contains(by) {
            seen_by.push(by.clone());
        }
    }
    let side = |of: fn(&Difference) -> Option<&String>| {
        let pieces: Vec<&str> = texts.iter().filter_map(|at| of(&all[*at])).map(String::as_str).collect();
        Some(pieces.join("\n"))
    };
    let place = texts.first().map_or(Place::Content, |at| all[*at].place.clone());
    Difference { seen_by, place, was: side(|d| d.was.as_ref()), is: side(|d| d.is.as_ref()) }
}

#[cfg(test)]
mod tests {
    use restage_model::Headers;

    use crate::Oracle;
    use crate::page::document::Document;

    fn told(expected: &str, actual: &str) -> Vec<String> {
        let headers: Headers = [("content-type".to_owned(), "text/html".to_owned())].into_iter().collect();
        let oracle: Oracle = "C-WD | N+I".parse().unwrap();
        let read = |html: &'static str| Document::of(&headers, html.as_bytes());
        let [expected, actual] = [expected, actual].map(|html| read(html.to_owned().leak()));
        oracle.judge(&expected, &actual).iter().map(ToString::to_string).collect()
    }

    fn list(order: &[usize], price: &str) -> String {
        const BOOKS: [&str; 7] = ["Emma", "Ulysses", "Dracula", "Walden", "Candide", "Faust", "Kim"];
        let row = |at: &usize| format!("<tr><td><a href=/book/{at}>{}</a><td>Euro {at}.50</tr>", BOOKS[*at]);
        format!("<table>{}</table><p>Total {price}", order.iter().map(row).collect::<String>())
    }

    /// Catches: a table whose rows come in another order after a restore is told in 7 to 15 changes.
    #[test]
    fn rows_in_another_order_are_one_change() {
        let (was, is) = (list(&[0, 1, 2, 3, 4, 5, 6], "9"), list(&[3, 0, 5, 2, 1, 6, 4], "9"));
        assert_eq!(told(&was, &is).len(), 1, "{:?}", told(&was, &is));
        // What is another beside it is told by itself.
        let other = told(&was, &list(&[3, 0, 5, 2, 1, 6, 4], "8"));
        assert_eq!(other.len(), 2, "{other:?}");
        assert!(other[1].contains('8'), "{other:?}");
        // A swap of two is told as it was.
        let swapped = told("<p>Ann 3<p>Bob 4", "<p>Ann 4<p>Bob 3");
        assert_eq!(swapped.len(), 2, "{swapped:?}");
    }
}
