//! Ids that are made of the time, in whole seconds: an application that names what it stores after the second mixes up what a fast
//! replay does within one.

use restage_model::{Exchange, Moment};

/// So many seconds may lie between a request and the second that its answer is named after.
const NEAR: i64 = 3;

/// Whether a text has a number that is the second, or nearly, at which one of these exchanges was recorded.
pub(crate) fn is_named_after_time(text: &str, exchanges: &[Exchange]) -> bool {
    let is_second = |digits: &str| {
        let second = match digits.len() {
            10 => digits.parse::<i64>().ok(),
            14 => civil_second(digits),
            _ => None,
        };
        second.is_some_and(|second| exchanges.iter().any(|e| (e.at.0 / 1_000_000 - second).abs() <= NEAR))
    };
    text.split(|c: char| !c.is_ascii_digit()).any(is_second)
}

/// `20261118040102`, in UTC.
fn civil_second(digits: &str) -> Option<i64> {
    let part = |from: usize, to: usize| digits.get(from..to);
    let text = format!(
        "{}-{}-{}T{}:{}:{}Z",
        part(0, 4)?,
        part(4, 6)?,
        part(6, 8)?,
        part(8, 10)?,
        part(10, 12)?,
        part(12, 14)?
    );
    Moment::parse(&text).map(|moment| moment.0 / 1_000_000)
}
