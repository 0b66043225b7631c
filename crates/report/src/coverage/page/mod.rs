//! Coverage for people: a page that lists the files, and beside it a page for each of them with its lines.
//!
//! - `index`: the files, the least covered of the largest at a glance;
//! - `source_page`: the lines of a file, with which of them ran;
//! - `source_text`: where the lines come from, and whether they are those that ran.

mod index;
mod source_page;
mod source_text;

use std::fs;
use std::path::Path;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use restage_facts::Coverage;

use super::{CoveredFile, CoveredFiles};
use crate::ReportError;
use crate::html::STYLE;
pub use source_text::SourceText;

/// The style of what is shown here alone.
const OWN_STYLE: &str = include_str!("style.css");
/// Nothing here runs or asks for anything.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// What is shown.
pub struct CoveragePage<'a> {
    /// What ran where: `baseline-1`, `baseline-1, sessions of small`.
    pub title: &'a str,
    /// The files.
    pub covered: &'a CoveredFiles,
    /// What runs elsewhere in the run and not in the sessions that are shown.
    pub lost: Option<&'a Coverage>,
    /// The text of a file.
    pub source: &'a dyn Fn(&CoveredFile) -> SourceText,
}

/// Writes the list of files to `path`, and a page for each file to a folder beside it: `NAME.files`.
pub fn write_coverage_page(page: &CoveragePage<'_>, path: &Path) -> Result<(), ReportError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| ReportError::Write { path, source }
    };
    let folder = path.with_extension("files");
    remove_source_pages(&folder);
    fs::create_dir_all(&folder).map_err(failed(&folder))?;
    let name =
        |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    for (number, file) in page.covered.files.iter().enumerate() {
        let lost = page.lost.and_then(|lost| lost.files.get(&file.name));
        let shown = source_page::source_page(file, lost, &(page.source)(file), &name(path));
        let place = folder.join(page_name(number));
        fs::write(&place, shown.into_string()).map_err(failed(&place))?;
    }
    let index = index::index(page, &name(&folder));
    fs::write(path, index.into_string()).map_err(failed(path))
}

/// Removes the pages of an earlier run. What else is in the folder is not ours.
fn remove_source_pages(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with("source-") && name.ends_with(".html") {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn page_name(number: usize) -> String {
    format!("source-{}.html", number + 1)
}

fn document(title: &str, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) (PreEscaped(OWN_STYLE)) }
            }
            body { (body) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::covered_files::tests::shop;

    fn written(source: &dyn Fn(&CoveredFile) -> SourceText, lost: Option<&Coverage>) -> (String, String) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("coverage.html");
        let page = CoveragePage { title: "baseline-1", covered: &shop(), lost, source };
        write_coverage_page(&page, &path).expect("writes");
        let read = |path: &Path| fs::read_to_string(path).expect("is there");
        (read(&path), read(&folder.path().join("coverage.files/source-1.html")))
    }

    /// Catches: lines that count for others, hostile text that is not escaped, a page that cannot be found.
    #[test]
    fn each_line_says_whether_it_ran() {
        let text = "<?php\nif ($a) {\n  b();\n  echo '<script>';\n}\n\nfunction x() {}\n";
        let (index, source) = written(&|_| SourceText::AsItRan(text.to_owned()), None);
        assert!(index.contains("href=\"coverage.files/source-1.html\""), "{index}");
        assert!(index.contains("cart &amp; co.php") && index.contains("2 of 4"), "{index}");
        assert!(source.contains("<td class=\"ran\" id=\"L3\">"), "{source}");
        assert!(source.contains("<td class=\"not\" id=\"L4\">"), "{source}");
        assert!(source.contains("<td id=\"L1\">"), "{source}");
        assert!(source.contains("1 of 2 branches"), "{source}");
        assert!(source.contains("&lt;script&gt;") && !source.contains("<script>"), "{source}");
    }

    #[test]
    fn what_cannot_be_shown_is_said() {
        let (_, missing) = written(&|_| SourceText::Missing("there is no cart.php".to_owned()), None);
        assert!(missing.contains("there is no cart.php") && missing.contains("ran: 2–3"), "{missing}");
        let (_, changed) = written(&|_| SourceText::Changed("a\nb\nc\nd\n".to_owned()), None);
        assert!(changed.contains("changed since it ran"), "{changed}");
    }

    #[test]
    fn what_other_sessions_run_is_marked() {
        let mut lost = Coverage::default();
        lost.file("cart & co.php").lines = [4].into_iter().collect();
        let (index, source) =
            written(&|_| SourceText::AsItRan("1\n2\n3\n4\n5\n6\n7".to_owned()), Some(&lost));
        assert!(source.contains("<td class=\"lost\" id=\"L4\">"), "{source}");
        assert!(index.contains("only elsewhere in the run"), "{index}");
    }
}
