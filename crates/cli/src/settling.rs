//! What fails nothing in a project: the changes it accepted, and what its rules ignore.

use restage_judge::{Comparison, Effect, Rules};
use restage_model::{ChangeId, SettledChange};
use restage_oracle::{Accepted, IgnoreRule};
use restage_project::{AcceptedFile, Project, RunPair};

use crate::args::Global;
use crate::failure::Failure;
use crate::terminal::output::{self, count, cut};
use crate::terminal::progress::note;

/// How many changes a message lists.
const SHOWN: usize = 8;

/// What fails nothing in a project.
pub(crate) struct Settlements {
    pub(crate) file: AcceptedFile,
    accepted: Accepted,
    rules: Vec<IgnoreRule>,
}

impl Settlements {
    /// Reads them; entries that are not what they seem are told of.
    pub(crate) fn of(global: &Global, project: &Project) -> Result<Self, Failure> {
        let file = AcceptedFile::read(&project.root)?;
        for entry in file.disagreeing() {
            note(
                global,
                format!(
                    "note: {}: the entry {} was edited and does not describe the change of its id; the id counts\n  hint: `restage accept --remove {1}`, then accept the right change",
                    file.path().display(),
                    entry.id
                ),
            );
        }
        Ok(Self { accepted: file.accepted(), rules: project.config.ignore_rules()?, file })
    }

    /// Rules under which what is accepted or ignored fails nothing.
    pub(crate) fn join(&self, rules: Rules) -> Rules {
        Rules { accepted: self.accepted.clone(), ignored: self.rules.clone(), ..rules }
    }

    /// Says which accepted changes did not show in a run that went through all sessions, so that they can be removed. Rules
    /// are often for what differs some days only: reports list those.
    pub(crate) fn tell_of_unused(global: &Global, comparison: &Comparison) {
        let unused = &comparison.unused.accepted;
        if !comparison.missing.is_empty() || unused.is_empty() {
            return;
        }
        let ids: Vec<String> = unused.iter().take(SHOWN).map(ToString::to_string).collect();
        let left = unused.len() - ids.len();
        let more = if left > 0 { format!(" and {left} more") } else { String::new() };
        note(
            global,
            format!(
                "note: accepted, but not seen in this run: {}{more}\n  hint: `restage accept --remove --unused` removes them",
                ids.join(" ")
            ),
        );
    }
}

/// A change as commands name it: its id, and what a person would say changed.
pub(crate) type Known<'a> = (&'a ChangeId, String);

/// The changes of a comparison that are settled already.
pub(crate) fn known_settled(changes: &[SettledChange]) -> impl Iterator<Item = Known<'_>> {
    changes.iter().map(|settled| (&settled.change.id, settled.change.summary()))
}

/// The change that a prefix of its id names.
pub(crate) fn find<'a>(prefix: &str, known: &[Known<'a>]) -> Result<&'a ChangeId, Failure> {
    // As it stands in a report, with or without the brackets.
    let wanted = prefix.trim().trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase();
    let mut found: Vec<Known<'a>> =
        known.iter().filter(|(id, _)| id.0.starts_with(&wanted)).cloned().collect();
    found.sort();
    found.dedup_by_key(|(id, _)| *id);
    match found.as_slice() {
        [(id, _)] if !wanted.is_empty() => Ok(id),
        [] => Err(Failure::user(format!("no change is called `{prefix}`\n  hint: {}", listed(known)))),
        several => {
            Err(Failure::user(format!("`{prefix}` names more than one change\n  hint: {}", listed(several))))
        }
    }
}

/// Changes for a message, each with its id.
pub(crate) fn listed(known: &[Known<'_>]) -> String {
    if known.is_empty() {
        return "there are none".to_owned();
    }
    let length = ChangeId::telling_length(known.iter().map(|(id, _)| *id));
    let lines: Vec<String> = known
        .iter()
        .take(SHOWN)
        .map(|(id, summary)| format!("\n    [{}] {}", id.prefix(length), cut(summary, 90)))
        .collect();
    let left = known.len().saturating_sub(SHOWN);
    let more = if left > 0 { format!("\n    and {left} more") } else { String::new() };
    format!("the changes are:{}{more}", lines.concat())
}

/// Says what settling more came to.
pub(crate) fn tell_effect(pair: &RunPair, before: &Comparison, after: &Comparison, effect: Effect) {
    let mut said = format!(
        "{} against {}: {} of {} now pass",
        pair.actual.name,
        pair.expected.name,
        effect.now_pass,
        count(before.counts.failing, "failing step")
    );
    let less = |n: usize| format!(", {n} {} less", if n == 1 { "differs" } else { "differ" });
    let worse = |n: usize| format!(", {n} that passed {} now", if n == 1 { "fails" } else { "fail" });
    match effect.differ_less {
        0 => {}
        n => said.push_str(&less(n)),
    }
    match effect.now_fail {
        0 => {}
        n => said.push_str(&worse(n)),
    }
    let sessions = before.counts.failing_aftermaths;
    if sessions > 0 {
        let left = after.counts.failing_aftermaths;
        said.push_str(&format!(
            "; and what {} of {} left behind",
            sessions.saturating_sub(left),
            count(sessions, "failing session")
        ));
    }
    if !after.changes.is_empty() {
        said.push_str(&format!("; {} left", count(after.changes.len(), "change")));
    }
    output::line(&said);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_prefix_that_names_one() {
        let ids = ["a3f9c2", "a3b000", "0c11d2"].map(|id| ChangeId(id.to_owned()));
        let known: Vec<Known<'_>> = ids.iter().map(|id| (id, "text".to_owned())).collect();
        let find = |prefix: &str| find(prefix, &known).map(|id| id.0.clone());
        for prefix in ["a3f9c2", "[a3f9c2]", "a3f", "A3F"] {
            assert_eq!(find(prefix).unwrap(), "a3f9c2");
        }
        assert_eq!(find("0").unwrap(), "0c11d2");
        for prefix in ["a3", "", "[]", "zz", "a3f9c2a"] {
            assert!(find(prefix).is_err(), "{prefix}");
        }
    }
}
