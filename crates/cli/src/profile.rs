//! `restage.noise.toml`: what varies on the trusted version, as `restage calibrate` writes it and people edit it.

use std::path::PathBuf;

use restage_oracle::{Comparators, KeyPattern, Oracle, PageProfile, Profile};
use restage_state::StateMasks;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::project::Project;

/// The file's name, beside `restage.toml`.
pub(crate) const FILE: &str = "restage.noise.toml";

const HEAD: &str = "\
# What varies from run to run on the trusted version, page by page: written by `restage calibrate`, yours to edit.
# Keep it under version control, beside restage.toml.
#
# Each [[page]] has a key (`*` stands for anything) and the oracle that judges it: the strictest that saw no
# difference between runs of the same version. A [[page.mask]] covers one part before pages are compared:
#   attribute and like   a part of an attribute's value: \"took {number} ms\" covers the number alone
#   text                 a part of the text right inside the element; \"{text}\" covers all of it
#   order                \"any\", or the items that tie; substitutes: ties of which some are left out for others
#   number, presence     \"any\": how many of the element there are, and whether it is there
# [state] has what varies in the database rows and files that sessions leave behind.
# A part is written as {day}, {date}, {number}, {token}, {word} or {text}, with what stands around it; {day} is a date that
# is always written in the same form. `seen` is some of what was seen.
# `restage calibrate` writes the file anew; a page with `keep = true` stays as it is.
";

/// What the file says.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProfileFile {
    /// What varies in the state that sessions leave behind.
    #[serde(default, skip_serializing_if = "StateMasks::is_empty")]
    pub(crate) state: StateMasks,
    /// What varies in pages, and by what they are judged.
    #[serde(default, rename = "page")]
    pub(crate) pages: Vec<PageProfile>,
}

/// Where it is.
pub(crate) fn path(project: &Project) -> PathBuf {
    project.root.join(FILE)
}

/// The profile; none where the project was not calibrated.
pub(crate) fn read(project: &Project) -> Result<Option<ProfileFile>, Failure> {
    let path = path(project);
    if !path.is_file() {
        return Ok(None);
    }
    let text = std::fs::read_to_string(&path)
        .map_err(|e| Failure::user(format!("cannot read {}: {e}", path.display())))?;
    let profile: ProfileFile = toml::from_str(&text).map_err(|e| {
        let said = e.to_string();
        let hint = if said.contains("hint:") {
            ""
        } else {
            "\n  hint: mend it, or let `restage calibrate` write it anew"
        };
        Failure::user(format!("{}: {}{hint}", path.display(), said.trim_end()))
    })?;
    Ok(Some(profile))
}

/// The oracles that the profile has for pages.
pub(crate) fn oracles(
    project: &Project,
    profile: &Profile,
    comparators: &Comparators,
) -> Result<Vec<(KeyPattern, Oracle)>, Failure> {
    let mut rules = Vec::new();
    for page in &profile.pages {
        if let Some(text) = &page.oracle {
            let oracle = Oracle::parse(text, comparators).map_err(|e| {
                Failure::user(format!("{}: the page \"{}\": {e}", path(project).display(), page.key))
            })?;
            rules.push((page.key.clone(), oracle));
        }
    }
    Ok(rules)
}

/// Writes the profile. Pages of the one before that are to be kept take the place of what was learnt of them.
pub(crate) fn write(project: &Project, mut profile: ProfileFile) -> Result<ProfileFile, Failure> {
    if let Some(before) = read(project)? {
        for page in before.pages.into_iter().filter(|page| page.keep) {
            profile.pages.retain(|learnt| learnt.key != page.key);
            profile.pages.push(page);
        }
    }
    let text = toml::to_string(&profile)
        .map_err(|e| Failure::environment(format!("cannot write the profile: {e}")))?;
    let path = path(project);
    std::fs::write(&path, format!("{HEAD}\n{text}"))
        .map_err(|e| Failure::environment(format!("cannot write {}: {e}", path.display())))?;
    Ok(profile)
}
