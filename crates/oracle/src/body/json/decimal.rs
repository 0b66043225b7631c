//! Numbers as they are written, so that none is too big or too precise to compare.

use std::hash::{Hash, Hasher};

/// A decimal number: its significant digits, and how far the first is from the point.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Decimal {
    negative: bool,
    digits: Vec<u8>,
    exponent: i64,
}

impl Decimal {
    /// Reads a number as JSON writes it.
    pub(super) fn of(text: &str) -> Self {
        let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits: Vec<u8> = whole.bytes().chain(fraction.bytes()).collect();
        let leading = digits.iter().take_while(|d| **d == b'0').count();
        if leading == digits.len() {
            return Self { negative: false, digits: Vec::new(), exponent: 0 };
        }
        let trailing = digits.iter().rev().take_while(|d| **d == b'0').count();
        let shift = whole.len() as i64 - leading as i64;
        Self {
            negative,
            digits: digits[leading..digits.len() - trailing].to_vec(),
            exponent: power(exponent).saturating_add(shift),
        }
    }

    pub(super) fn hash(&self) -> u64 {
        let mut bytes = Bytes(Vec::new());
        Hash::hash(self, &mut bytes);
        crate::page::digest::hash(&bytes.0)
    }
}

/// The number after the `e`; one with too many digits is as far out as can be told.
fn power(text: &str) -> i64 {
    let limit = if text.starts_with('-') { i64::MIN / 2 } else { i64::MAX / 2 };
    text.strip_prefix('+').unwrap_or(text).parse().map_or(limit, |n: i64| n.clamp(i64::MIN / 2, i64::MAX / 2))
}

/// Gathers what is to be hashed.
struct Bytes(Vec<u8>);

impl Hasher for Bytes {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn finish(&self) -> u64 {
        0
    }
}

/// Whether two numbers are as near as `tolerance` asks, measured by the bigger of them.
pub(super) fn near(a: &str, b: &str, tolerance: f64) -> bool {
    match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => (a - b).abs() <= tolerance * a.abs().max(b.abs()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_same_number_in_other_clothes() {
        for (a, b) in [
            ("1", "1.0"),
            ("100", "1e2"),
            ("-0", "0"),
            ("0.001", "1E-3"),
            ("12.50", "1.25e+1"),
            ("0e99999999999999999999", "0"),
        ] {
            assert_eq!(Decimal::of(a), Decimal::of(b), "{a} {b}");
        }
        for (a, b) in
            [("1", "-1"), ("10", "1"), ("12345678901234567890", "12345678901234567891"), ("1e-5", "1e5")]
        {
            assert_ne!(Decimal::of(a), Decimal::of(b), "{a} {b}");
        }
    }

    #[test]
    fn nearness_is_relative() {
        assert!(near("1000000", "1000001", 1e-6) && !near("1", "1.1", 0.01) && near("0", "-0.0", 0.0));
    }

    proptest! {
        #[test]
        fn integers_are_equal_when_they_are(a: i32, b: i32) {
            prop_assert_eq!(Decimal::of(&a.to_string()) == Decimal::of(&b.to_string()), a == b);
            prop_assert_eq!(Decimal::of(&a.to_string()), Decimal::of(&format!("{a}.000")));
        }
    }
}
