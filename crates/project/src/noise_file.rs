//! `restage.noise.toml`: what varies on the trusted version, as `restage calibrate` writes it and people edit it.

use std::path::PathBuf;

use restage_oracle::{Comparators, KeyPattern, Oracle, PageProfile};
use restage_state::StateMasks;
use serde::{Deserialize, Serialize};

use crate::error::{ProjectError, SettingError};
use crate::project::Project;

/// The file's name, beside `restage.toml`.
pub const FILE: &str = "restage.noise.toml";

const HEAD: &str = "\
# What varies from run to run on the trusted version. Written by `restage calibrate`, yours to edit.
# Keep it under version control, beside restage.toml.
#
# Each [[page]] has a key (`*` stands for anything) and the oracle that judges it: the strictest one that saw no
# difference between runs of the same version. A [[page.mask]] hides one part before pages are compared:
#   attribute and like   a part of an attribute's value: \"took {number} ms\" hides only the number
#   text                 a part of the text directly inside the element; \"{text}\" hides all of it
#   order                \"any\", or the items that tie; substitutes: ties of which some give way to others
#   number, presence     \"any\": how many of the element there are, and whether there is one
#   sessions             those in which it was seen to vary; without it the mask holds in all
# [state] lists what varies in the database rows and files that sessions leave behind.
# {day}, {date}, {ago}, {number}, {token}, {word} and {text} stand for the part that varies, the rest is literal; {day} is a date
# that is always written in the same form, {ago} a moment told from now, {number:2} the second number. `seen` shows some of the values that were seen.
# `restage calibrate` rewrites the file; a page with `keep = true` stays as it is.
";

/// The format that is written. The first one has no number, and no `sessions`, `varies = "number"`, `{ago}` and `{number:2}`; it is
/// read as it is.
const FORMAT: u32 = 2;

/// What the file says.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProfileFile {
    /// The format it is written in; 0 where it does not say.
    #[serde(default)]
    pub format: u32,
    /// What varies in the state that sessions leave behind.
    #[serde(default, skip_serializing_if = "StateMasks::is_empty")]
    pub state: StateMasks,
    /// What varies in pages, and by what they are judged.
    #[serde(default, rename = "page")]
    pub pages: Vec<PageProfile>,
}

impl ProfileFile {
    /// Where a project has it.
    pub fn path(project: &Project) -> PathBuf {
        project.root.join(FILE)
    }

    /// The profile; none where the project was not calibrated.
    pub fn read(project: &Project) -> Result<Option<Self>, ProjectError> {
        let path = Self::path(project);
        if !path.is_file() {
            return Ok(None);
        }
        let text = std::fs::read_to_string(&path)
            .map_err(|source| ProjectError::Read { path: path.clone(), source })?;
        // A file of a newer format most likely has fields that are not known here: its number says more than the first of them.
        let format = toml::from_str::<Format>(&text).map(|found| found.format).unwrap_or_default();
        if format > FORMAT {
            let newer = format!("format {format} is of a newer restage; this one reads up to {FORMAT}");
            return Err(SettingError::new(newer)
                .or_hint("use that restage, or let `restage calibrate` write a new one")
                .in_file(&path));
        }
        let profile = toml::from_str(&text).map_err(|e| {
            SettingError::new(e)
                .or_hint("correct it, or let `restage calibrate` write a new one")
                .in_file(&path)
        })?;
        Ok(Some(profile))
    }

    /// The oracles that it has for pages.
    pub fn oracles(
        &self,
        project: &Project,
        comparators: &Comparators,
    ) -> Result<Vec<(KeyPattern, Oracle)>, ProjectError> {
        let mut rules = Vec::new();
        for page in &self.pages {
            if let Some(text) = &page.oracle {
                let oracle = Oracle::parse(text, comparators).map_err(|e| {
                    let place = format!("the [[page]] \"{}\"", page.key);
                    SettingError::new(e).in_section(place).in_file(Self::path(project))
                })?;
                rules.push((page.key.clone(), oracle));
            }
        }
        Ok(rules)
    }

    /// Writes it. Pages of the one before that are to be kept take the place of what was learnt of them.
    pub fn write(mut self, project: &Project) -> Result<Self, ProjectError> {
        self.format = FORMAT;
        if let Some(before) = Self::read(project)? {
            // What is masked as before is written as before: other examples of the same are no change.
            for page in &mut self.pages {
                let old: Vec<_> = before.pages.iter().filter(|old| old.key == page.key).collect();
                old.into_iter().for_each(|old| page.keep_examples(old));
            }
            self.state.keep_examples(&before.state);
            for page in before.pages.into_iter().filter(|page| page.keep) {
                self.pages
                    .retain(|learnt| learnt.key != page.key && !page.key.is_without_values(&learnt.key));
                self.pages.push(page);
            }
        }
        let path = Self::path(project);
        let failed = |source| ProjectError::Write { path: path.clone(), source };
        let text = toml::to_string(&self).map_err(|e| failed(std::io::Error::other(e)))?;
        std::fs::write(&path, format!("{HEAD}\n{text}")).map_err(failed)?;
        Ok(self)
    }
}

/// What is read of a file first.
#[derive(Deserialize)]
struct Format {
    #[serde(default)]
    format: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: version control shows every mask as changed, as each run draws other examples; and a file of before, or of
    /// later, that is read as something else.
    #[test]
    fn what_is_learnt_again_is_written_the_same_and_old_files_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let project = Project::find(Some(folder.path()), None).unwrap();
        let file = |token: &str, column: &str| {
            format!(
                "[[page]]\nkey = \"GET /\"\noracle = \"D\"\n[[page.mask]]\nat = 'input[name=\"csrf\"]'\nattribute = \"value\"\nlike = \"{{token}}\"\nseen = [\"{token}\"]\n[[state.columns]]\ndatabase = \"a.db\"\ntable = \"t\"\ncolumn = \"x\"\nseen = \"{column}\"\n"
            )
        };
        let write = |text: &str| {
            toml::from_str::<ProfileFile>(text).unwrap().write(&project).unwrap();
            std::fs::read_to_string(ProfileFile::path(&project)).unwrap()
        };
        let first = write(&file("a8f3", "1 and 2"));
        assert!(first.contains("format = 2") && first.contains("a8f3"), "{first}");
        assert_eq!(write(&file("77bc", "3 and 4")), first);
        // The first format.
        std::fs::write(ProfileFile::path(&project), file("a8f3", "1 and 2")).unwrap();
        assert_eq!(ProfileFile::read(&project).unwrap().unwrap().format, 0);
        std::fs::write(ProfileFile::path(&project), "format = 9\nnew = 1\n").unwrap();
        let told = ProfileFile::read(&project).unwrap_err().to_string();
        assert!(told.contains("format 9 is of a newer restage"), "{told}");
    }

    /// Catches: a page that was to be kept and is lost, or judged otherwise, once its parameter is known to lead to
    /// different pages.
    #[test]
    fn a_page_that_is_kept_takes_the_place_of_all_that_it_became() {
        let folder = tempfile::tempdir().unwrap();
        let project = Project::find(Some(folder.path()), None).unwrap();
        let kept = "[[page]]\nkey = \"GET /doku.php?do&id\"\nkeep = true\noracle = \"C\"\n";
        std::fs::write(ProfileFile::path(&project), kept).unwrap();
        let learnt = |key: &str| format!("[[page]]\nkey = \"{key}\"\noracle = \"D\"\n");
        let learnt =
            ["GET /doku.php?do=edit&id", "GET /doku.php?do=login", "GET /doku.php?id"].map(learnt).concat();
        let written = toml::from_str::<ProfileFile>(&learnt).unwrap().write(&project).unwrap();
        let keys: Vec<String> = written.pages.iter().map(|page| page.key.to_string()).collect();
        assert_eq!(keys, ["GET /doku.php?do=login", "GET /doku.php?id", "GET /doku.php?do&id"]);
    }
}
