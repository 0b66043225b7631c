//! The formats that can be imported, how one is guessed, and what each lacks.

use std::fmt;
use std::str::FromStr;

use super::{access_log, json_log};

/// How many lines of a file's beginning are tried.
const TRIED: usize = 200;

/// What a file is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// HAR 1.2: browsers, Playwright, mitmproxy.
    Har,
    /// The common log format.
    Clf,
    /// The combined log format: common, with the page before and the agent.
    Combined,
    /// An access log with a JSON object a line.
    JsonLog,
    /// GoReplay.
    Gor,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Har, Self::Clf, Self::Combined, Self::JsonLog, Self::Gor];

    /// Its name for users.
    pub fn name(self) -> &'static str {
        match self {
            Self::Har => "har",
            Self::Clf => "clf",
            Self::Combined => "combined",
            Self::JsonLog => "jsonlog",
            Self::Gor => "gor",
        }
    }

    /// The format of a file that begins so; none where nothing in it reads as any.
    pub fn guess(head: &[u8]) -> Option<Self> {
        let text = head.trim_ascii_start();
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        if super::gor::is_head(text) {
            return Some(Self::Gor);
        }
        let has = |needle: &[u8]| memchr::memmem::find(text, needle).is_some();
        let lines = || text.split(|b| *b == b'\n').filter(|l| !l.trim_ascii().is_empty()).take(TRIED);
        // A line that is an exchange by itself is a log's, whatever it begins with.
        if lines().any(|line| json_log::parse(line).is_ok()) {
            return Some(Self::JsonLog);
        }
        if text.starts_with(b"{") && (has(b"\"log\"") || has(b"\"entries\"")) {
            return Some(Self::Har);
        }
        let mut format = None;
        for line in lines() {
            match access_log::parse(line) {
                Ok(exchange) if exchange.headers.get("user-agent").is_some() => return Some(Self::Combined),
                Ok(_) => format = Some(if has(b"\" \"") { Self::Combined } else { Self::Clf }),
                Err(_) => {}
            }
        }
        format
    }

    /// What is not in the format, and what to do where that matters.
    pub fn lacks(self) -> Option<&'static str> {
        match self {
            Self::Clf => Some(
                "the common log format has no agents, cookies, forms' contents and pages: users are told apart by their address alone, and only GET requests replay as they were\n  hint: `restage init --nginx` and `restage init --apache` print a log format that has them",
            ),
            Self::Combined => Some(
                "the combined log format has no cookies, forms' contents and pages: users are told apart by address and agent, and only GET requests replay as they were\n  hint: `restage init --nginx` and `restage init --apache` print a log format that has them",
            ),
            Self::JsonLog | Self::Har | Self::Gor => None,
        }
    }

    /// What to do where a file is not of this format.
    pub(super) fn hint(self) -> &'static str {
        match self {
            Self::Har => {
                "export it anew: browsers' network panel, `Save all as HAR`; mitmdump --set hardump=out.har"
            }
            Self::Clf | Self::Combined => "leave --format out to have it guessed",
            Self::JsonLog => {
                "a JSON log has an object a line with a time, a method and an address; `restage init --nginx` prints one"
            }
            Self::Gor => {
                "record it with `gor --input-raw :80 --input-raw-track-response --output-file requests.gor`"
            }
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|format| format.name() == text);
        found.ok_or_else(|| {
            format!("no format is called `{text}`\n  hint: har, clf, combined, jsonlog or gor")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: a file read as another format than it is, or one with garbage in front not known at all.
    #[test]
    fn formats_are_told_by_what_is_in_them() {
        let combined =
            "10.0.0.1 - - [10/Oct/2026:13:55:36 +0000] \"GET / HTTP/1.1\" 200 5 \"-\" \"Mozilla\"\n";
        for (head, expected) in [
            ("10.0.0.1 - - [10/Oct/2026:13:55:36 +0000] \"GET / HTTP/1.1\" 200 5\n", Some(Format::Clf)),
            (combined, Some(Format::Combined)),
            (&format!("garbage\n{combined}"), Some(Format::Combined)),
            ("{\"time\":\"2026-11-16T00:00:00Z\",\"request\":\"GET / HTTP/1.1\"}\n{}", Some(Format::JsonLog)),
            ("{\n \"log\": {\"version\":\"1.2\", \"entries\": []}}", Some(Format::Har)),
            (
                "1 932079936fa4306fc308d67588178d17d823647c 1439818823587396305\nGET / HTTP/1.1",
                Some(Format::Gor),
            ),
            ("hello\nworld", None),
            ("", None),
        ] {
            assert_eq!(Format::guess(head.as_bytes()), expected, "{head}");
        }
    }
}
