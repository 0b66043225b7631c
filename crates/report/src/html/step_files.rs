//! Files beside a large report, which hold the steps that it has no room for.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::limits::Limits;
use super::script::{POLICY, SCRIPT, STYLE};
use super::targets::file_name;
use crate::ReportError;
use crate::plain::one_line;

/// Writes a file of a name beside the report.
pub(super) type WriteFile<'w> = dyn FnMut(&str, &str) -> Result<(), ReportError> + 'w;

/// The files so far.
pub(super) struct StepFiles<'w> {
    write: &'w mut WriteFile<'w>,
    /// What the report is called, as a link names it.
    report: String,
    limits: Limits,
    number: u32,
    held: String,
    used: usize,
}

impl<'w> StepFiles<'w> {
    pub(super) fn new(write: &'w mut WriteFile<'w>, report: &str, limits: Limits) -> Self {
        Self { write, report: report.to_owned(), limits, number: 1, held: String::new(), used: 0 }
    }

    /// Takes some steps of a session; the number of the file that they are in, or none where there is no room for them.
    pub(super) fn add(&mut self, session: &str, steps: &str) -> Result<Option<u32>, ReportError> {
        if self.used + steps.len() > self.limits.files {
            return Ok(None);
        }
        if !self.held.is_empty() && self.held.len() + steps.len() > self.limits.file {
            self.flush()?;
        }
        self.used += steps.len();
        let part = html! {
            details .session open {
                summary { span .mono { (one_line(session)) } }
                div .steps { (PreEscaped(steps)) }
            }
        };
        self.held.push_str(&part.into_string());
        Ok(Some(self.number))
    }

    /// Writes what is left.
    pub(super) fn finish(mut self) -> Result<(), ReportError> {
        if self.held.is_empty() { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> Result<(), ReportError> {
        let held = std::mem::take(&mut self.held);
        let page = self.page(&held).into_string();
        (self.write)(&file_name(self.number), &page)?;
        self.number += 1;
        Ok(())
    }

    fn page(&self, held: &str) -> Markup {
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(POLICY);
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="referrer" content="no-referrer";
                    title { "Steps " (self.number) }
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    main {
                        p { a href={ "../" (self.report) } { "Back to the report" } }
                        div .sessions { (PreEscaped(held)) }
                    }
                    script { (PreEscaped(SCRIPT)) }
                }
            }
        }
    }
}
