//! How much of what was compared is masked.

use std::collections::BTreeMap;

use restage_model::Key;
use serde::Serialize;

use crate::ReportSession;

/// A page of which more is masked is warned of, in thousandths.
const MOST: u64 = 500;

/// What share of the text, the tags and the rows is masked, in thousandths.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MaskedShares {
    /// Of the text of pages, over all steps: nothing where both answers are the same.
    pub text: u64,
    /// Of their tags.
    pub tags: u64,
    /// Of the rows that differ in what sessions left behind.
    pub rows: u64,
    /// The pages that are mostly masked, the most masked first.
    pub pages: Vec<MaskedPage>,
}

/// A page that is mostly masked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MaskedPage {
    /// Its key.
    pub key: Key,
    /// How much of its text, in thousandths.
    pub text: u64,
    /// How much of its tags.
    pub tags: u64,
}

/// What was counted so far.
#[derive(Default)]
pub(crate) struct SharesSoFar {
    steps: u64,
    all: Sum,
    /// By page, over the steps whose answers differ.
    pages: BTreeMap<Key, (u64, Sum)>,
    rows: (u64, u64),
}

#[derive(Clone, Copy, Default)]
struct Sum {
    text: u64,
    tags: u64,
}

impl SharesSoFar {
    /// Takes a session.
    pub(crate) fn add(&mut self, session: &ReportSession) {
        for verdict in session.steps.iter().filter_map(|step| step.verdict.as_ref()) {
            self.steps += 1;
            let share = verdict.masked_share;
            if share.is_empty() {
                continue;
            }
            let (steps, page) = self.pages.entry(verdict.key.clone()).or_default();
            *steps += 1;
            for sum in [&mut self.all, page] {
                sum.text += u64::from(share.text);
                sum.tags += u64::from(share.tags);
            }
        }
        if let Some(aftermath) = &session.aftermath {
            self.rows.0 += aftermath.masked_rows.masked;
            self.rows.1 += aftermath.masked_rows.of;
        }
    }

    pub(crate) fn finish(self) -> MaskedShares {
        let part = |of: u64, all: u64| of.checked_div(all).unwrap_or(0);
        let mut pages: Vec<MaskedPage> = self
            .pages
            .into_iter()
            .map(|(key, (steps, sum))| MaskedPage {
                key,
                text: part(sum.text, steps),
                tags: part(sum.tags, steps),
            })
            .filter(|page| page.text.max(page.tags) > MOST)
            .collect();
        pages.sort_by_key(|page| std::cmp::Reverse(page.text.max(page.tags)));
        MaskedShares {
            text: part(self.all.text, self.steps),
            tags: part(self.all.tags, self.steps),
            rows: part(self.rows.0 * 1000, self.rows.1),
            pages,
        }
    }
}

impl MaskedShares {
    /// Whether nothing is masked.
    pub fn is_empty(&self) -> bool {
        self.text == 0 && self.tags == 0 && self.rows == 0
    }

    /// `3.1 % of the text, 0.4 % of the tags, 12 % of the rows that differ`.
    pub(crate) fn said(&self) -> String {
        format!(
            "{} of the text, {} of the tags, {} of the rows that differ",
            percent(self.text),
            percent(self.tags),
            percent(self.rows)
        )
    }
}

impl MaskedPage {
    /// `GET /report: 82 % of the text and 10 % of the tags are masked`.
    pub(crate) fn said(&self) -> String {
        format!("{} of its text and {} of its tags", percent(self.text), percent(self.tags))
    }
}

fn percent(thousandths: u64) -> String {
    match thousandths {
        n if n % 10 == 0 || n >= 100 => format!("{} %", n / 10),
        n => format!("{}.{} %", n / 10, n % 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_said_as_percents() {
        assert_eq!(
            [0, 4, 31, 120, 999, 1000].map(percent),
            ["0 %", "0.4 %", "3.1 %", "12 %", "99 %", "100 %"]
        );
    }
}
