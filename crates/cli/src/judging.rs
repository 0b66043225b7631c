//! By what a project's runs are judged, and judging them with a bar that shows how far it is.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use restage_judge::{AftermathRules, Comparison, JudgeEvent, Rules};
use restage_model::Run;
use restage_oracle::{Accepted, Oracle, Profile};
use restage_project::{ProfileFile, Project};
use restage_state::{FileMask, FileVaries, StateMasks};
use restage_store::Store;

use crate::args::Global;
use crate::failure::Failure;
use crate::terminal::output::count;
use crate::terminal::progress;

/// Compares two runs: the call of `restage_judge`, with a bar.
pub(crate) fn judge(
    global: &Global,
    store: &Store,
    expected: &Run,
    actual: &Run,
    rules: &Rules,
) -> Result<Comparison, Failure> {
    let bar = progress::bar(global, "comparing", 0);
    let comparison = restage_judge::judge(store, expected, actual, rules, &mut |event| match event {
        JudgeEvent::Steps(steps) => bar.set_length(steps as u64),
        JudgeEvent::Step => bar.inc(1),
    })?;
    bar.finish_and_clear();
    if let Some((replayed, all)) = comparison.replayed {
        let all = count(all, "session");
        progress::note(
            global,
            format!("note: `{}` has {replayed} of the suite's {all}; the others are not judged", actual.name),
        );
    }
    Ok(comparison)
}

/// The oracle asked for, which then judges all pages; or the project's own rules, and for pages without one what
/// its profile says. Nothing is accepted or ignored yet.
pub(crate) fn rules(project: &Project, given: Option<&str>) -> Result<Rules, Failure> {
    let comparators = project.config.comparators()?;
    let mut oracle = project.config.oracle_rules()?;
    let file = ProfileFile::read(project)?;
    match (given, &file) {
        (Some(text), _) => {
            oracle.rules.clear();
            oracle.default = Oracle::parse(text, &comparators)?;
        }
        (None, Some(file)) => oracle.rules.extend(file.oracles(project, &comparators)?),
        (None, None) => {}
    }
    let (profile, state) = match file {
        Some(ProfileFile { pages, state }) => (Some(Profile { pages }), state),
        None => (None, StateMasks::default()),
    };
    Ok(Rules {
        oracle,
        templates: project.config.path_templates(),
        profile,
        aftermath: aftermath_rules(project, &state)?,
        accepted: Accepted::default(),
        ignored: Vec::new(),
    })
}

/// How what sessions left behind is judged. Logs that lie in the state vary: they are read for errors.
fn aftermath_rules(project: &Project, known: &StateMasks) -> Result<AftermathRules, Failure> {
    let mask = |path: PathBuf| FileMask {
        file: path.display().to_string(),
        varies: FileVaries::Number,
        seen: Some("a log".to_owned()),
    };
    let files = project.config.logs()?.into_iter().map(mask).collect();
    let mut masks = StateMasks { files, ..StateMasks::default() };
    masks.merge(known.clone());
    Ok(AftermathRules {
        snapshot_store: project.config.judges_state().then(|| project.snapshot_store_path()),
        masks,
        cover: project.covering_text()?.map(|redactor| Arc::new(Mutex::new(redactor))),
    })
}
