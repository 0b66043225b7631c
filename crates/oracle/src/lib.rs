//! Comparators, oracle expressions, verdicts and changes.
