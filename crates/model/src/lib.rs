//! Exchanges, sessions, suites, keys, runs and verdicts: plain data and the rules about it.
