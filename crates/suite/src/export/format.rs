//! The formats there are.

use std::fmt;
use std::str::FromStr;

use restage_model::Suite;

use crate::export::{Script, curl, har, hurl, k6, playwright};
use crate::source::{ExchangeSource, SourceError};

/// What a suite can be written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// HTTP Archive 1.2.
    Har,
    /// Files for hurl, one a session.
    Hurl,
    /// A shell script that calls curl.
    Curl,
    /// A script for k6.
    K6,
    /// A test file for Playwright, by its requests alone.
    Playwright,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Har, Self::Hurl, Self::Curl, Self::K6, Self::Playwright];

    /// Its name in commands.
    pub fn name(self) -> &'static str {
        match self {
            Self::Har => "har",
            Self::Hurl => "hurl",
            Self::Curl => "curl",
            Self::K6 => "k6",
            Self::Playwright => "playwright",
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
        Self::ALL.into_iter().find(|format| format.name() == text).ok_or_else(|| {
            format!(
                "suites are not written as `{text}`\n  hint: one of {}",
                Self::ALL.map(Self::name).join(", ")
            )
        })
    }
}

/// A file that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedFile {
    /// Its name in a folder.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// Writes a suite.
pub fn export(
    suite: &Suite,
    source: &dyn ExchangeSource,
    format: Format,
) -> Result<Vec<ExportedFile>, SourceError> {
    let one = |extension: &str, text: String| {
        vec![ExportedFile { name: format!("{}.{extension}", file_name(&suite.name)), text }]
    };
    if format == Format::Har {
        return Ok(one("har", har(suite, source)?));
    }
    let script = Script::of(suite, source)?;
    Ok(match format {
        Format::Har | Format::Hurl => (script.sessions.iter())
            .map(|session| ExportedFile {
                name: format!("{}.hurl", file_name(&session.name)),
                text: hurl::write(&script, session),
            })
            .collect(),
        Format::Curl => one("sh", curl::write(&script)),
        Format::K6 => one("js", k6::write(&script)),
        Format::Playwright => one("spec.js", playwright::write(&script)),
    })
}

/// A name that is one on every system.
fn file_name(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect()
}
