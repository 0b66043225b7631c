//! How money, dates and ratings are written.

use jiff::civil::DateTime;

use crate::faults::Fault;
use crate::release::Release;
use crate::shop::Shop;

/// An amount in cents as `$12.50` or, where the currency is named, `US$12.50`.
pub(super) fn money(release: Release, cents: i64) -> String {
    let currency = if release.names_currency() { "US$" } else { "$" };
    format!("{currency}{}", amount(cents))
}

/// An amount as a form field holds it: `12.50`.
pub(super) fn amount(cents: i64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

/// Today's date: `Sunday, 15 November 2026`.
pub(super) fn today(shop: &Shop) -> String {
    let form = if shop.faulty(Fault::DateWrongForm) { "%m/%d/%Y" } else { "%A, %-d %B %Y" };
    shop.clock.now().strftime(form).to_string()
}

/// A date or moment of the database as `15 November 2026`.
pub(super) fn date(stored: &str) -> String {
    let day = stored.get(..10).unwrap_or(stored);
    match day.parse::<DateTime>() {
        Ok(day) => day.strftime("%-d %B %Y").to_string(),
        Err(_) => stored.to_owned(),
    }
}

/// A number of stars as `★★★☆☆`.
pub(super) fn stars(count: i64) -> String {
    let full = count.clamp(0, 5) as usize;
    format!("{}{}", "★".repeat(full), "☆".repeat(5 - full))
}

/// `1 book`, `2 books`.
pub(super) fn counted(count: i64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_and_dates_are_written_for_people() {
        assert_eq!((money(Release::R1, 1250).as_str(), money(Release::R1, 5).as_str()), ("$12.50", "$0.05"));
        assert_eq!(money(Release::R8, 1250), "US$12.50");
        assert_eq!(date("2026-11-05 10:00:00"), "5 November 2026");
        assert_eq!(stars(3), "★★★☆☆");
    }
}
