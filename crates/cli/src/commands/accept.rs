//! `restage accept`: changes that are intended.

use restage_judge::{Comparison, Effect, Rules};
use restage_model::{Change, ChangeId, Difference};
use restage_project::{ACCEPTED_FILE, AcceptedFile, Entry, Project, RunPair};
use restage_store::Store;

use crate::args::{Global, RunPairArgs};
use crate::failure::{Failure, Outcome};
use crate::open_project;
use crate::settling::{Known, Settlements, find, known_settled, listed, tell_effect};
use crate::terminal::judging;
use crate::terminal::output::{self, count, cut};
use crate::terminal::progress::note;

/// Accept intended changes, so that no test fails on them
///
/// A change is named by its id, which reports show in brackets; a unique prefix is enough. Accepted changes are kept in
/// restage.accepted.toml, beside restage.toml, for version control. An accepted change passes wherever it shows: on any page, in
/// any session and any later run. Other differences fail as before.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  restage accept fcb94a --reason 'the button says what it does'\n  restage accept --all\n  restage accept --list\n  restage accept --remove fcb94a\n  restage accept --remove --unused"
)]
pub(crate) struct Args {
    /// The ids of the changes, or prefixes of them
    #[arg(value_name = "CHANGE")]
    changes: Vec<String>,
    /// Accept all changes of the run; with --remove, remove all
    #[arg(long, conflicts_with = "changes")]
    all: bool,
    /// Why, for readers of the file
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    #[command(flatten)]
    runs: RunPairArgs,
    /// The oracle for all pages [default: [oracle] in restage.toml, else C-WD | N+I]
    #[arg(long, value_name = "EXPR", env = "RESTAGE_ORACLE", hide_env = true)]
    oracle: Option<String>,
    /// List the accepted changes
    #[arg(long, conflicts_with_all = ["changes", "all", "reason", "remove"])]
    list: bool,
    /// Remove changes from the accepted ones
    #[arg(long, conflicts_with = "reason")]
    remove: bool,
    /// With --remove: remove those that the run does not show
    #[arg(long, requires = "remove", conflicts_with_all = ["changes", "all"])]
    unused: bool,
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let project = open_project::find(global)?;
    if args.list {
        list(global, &AcceptedFile::read(&project.root)?);
    } else if args.remove {
        remove(global, args, &project)?;
    } else {
        accept(global, args, &project)?;
    }
    Ok(Outcome::Well)
}

fn accept(global: &Global, args: &Args, project: &Project) -> Result<(), Failure> {
    let Compared { store, settlements, rules, pair, comparison } = compared(global, args, project)?;
    let mut file = settlements.file;
    let chosen = choose(args, &comparison, &file)?;
    let mut added: Vec<&Change> = Vec::new();
    for change in comparison.changes.iter().filter(|change| chosen.contains(&change.id)) {
        if file.add(Entry::of(change, args.reason.as_deref())) {
            added.push(change);
        }
    }
    if !added.is_empty() {
        file.write()?;
    }
    let quiet = Global { quiet: true, ..global.clone() };
    let rules_now = Settlements::of(&quiet, project)?.join(rules.clone());
    let settled = judging::judge(&quiet, &store, &pair.expected, &pair.actual, &rules_now)?;
    if global.json {
        output::json(&serde_json::json!({
            "file": file.path(),
            "accepted": added.iter().map(|c| serde_json::json!({ "id": c.id, "summary": c.summary() })).collect::<Vec<_>>(),
            "already": chosen.iter().filter(|id| added.iter().all(|c| c.id != **id)).collect::<Vec<_>>(),
            "failing_before": comparison.counts.all_failing(),
            "failing": settled.counts.all_failing(),
            "changes": settled.changes.len(),
        }));
        return Ok(());
    }
    tell(global, &added, &chosen, &file);
    if !added.is_empty() {
        let (before, after) = (comparison.verdicts(&store, &rules), settled.verdicts(&store, &rules_now));
        tell_effect(&pair, &comparison, &settled, Effect::of(&before, &after)?);
    }
    Ok(())
}

/// The two runs that the command is about, compared.
struct Compared {
    store: Store,
    settlements: Settlements,
    rules: Rules,
    pair: RunPair,
    comparison: Comparison,
}

fn compared(global: &Global, args: &Args, project: &Project) -> Result<Compared, Failure> {
    let rules = project.judging_rules(args.oracle.as_deref())?;
    let settlements = Settlements::of(global, project)?;
    let store = project.store()?;
    let pair = args.runs.find(project, &store)?;
    let rules = settlements.join(rules);
    let comparison = judging::judge(global, &store, &pair.expected, &pair.actual, &rules)?;
    Ok(Compared { store, settlements, rules, pair, comparison })
}

/// The names of the changes that were asked for, among those that fail and those that are settled already.
fn choose(args: &Args, comparison: &Comparison, file: &AcceptedFile) -> Result<Vec<ChangeId>, Failure> {
    let open: Vec<Known<'_>> = comparison.changes.iter().map(|c| (&c.id, c.summary())).collect();
    let acceptable = |id: &ChangeId| {
        comparison.changes.iter().find(|c| c.id == *id).is_none_or(|c| c.difference.can_be_accepted())
    };
    if args.all {
        return Ok(open.iter().map(|(id, _)| (*id).clone()).filter(|id| acceptable(id)).collect());
    }
    if args.changes.is_empty() {
        return Err(Failure::user(format!("say which changes, or --all\n  hint: {}", listed(&open))));
    }
    let mut known = open.clone();
    known.extend(file.entries().iter().map(|entry| (&entry.id, entry.summary.clone())));
    let fails_or_accepted = known.clone();
    known.extend(known_settled(&comparison.ignored));
    let mut chosen = Vec::new();
    for name in &args.changes {
        let id = find(name, &known)?;
        if fails_or_accepted.iter().all(|(other, _)| *other != id) {
            return Err(Failure::user(format!(
                "[{}] does not fail: an [[ignore]] rule in restage.toml ignores it\n  hint: to accept it instead, remove the rule",
                id.0
            )));
        }
        if !acceptable(id) {
            return Err(Failure::user(format!(
                "[{}] only counts differences that are not listed, so accepting it would accept anything\n  hint: to take the whole version as right, make a new baseline: `restage baseline --app default`",
                id.0
            )));
        }
        if !chosen.contains(id) {
            chosen.push(id.clone());
        }
    }
    Ok(chosen)
}

fn tell(global: &Global, added: &[&Change], chosen: &[ChangeId], file: &AcceptedFile) {
    for id in chosen.iter().filter(|id| added.iter().all(|change| change.id != **id)) {
        output::line(&format!("[{}] was accepted already", id.0));
    }
    if added.is_empty() {
        if chosen.is_empty() {
            output::line("nothing to accept: no change fails");
        }
        return;
    }
    output::line(&format!("accepted {} into {}", count(added.len(), "change"), file.path().display()));
    for change in added {
        output::line(&format!("  [{}] {}", change.id, cut(&change.summary(), 120)));
    }
    tell_of_breadth(global, added);
}

/// Says which of the changes stand for more than what was seen.
fn tell_of_breadth(global: &Global, added: &[&Change]) {
    let those = |wide: fn(&Difference) -> bool| -> Vec<String> {
        added.iter().filter(|c| wide(&c.difference)).map(|c| c.id.to_string()).collect()
    };
    let vague = those(Difference::names_no_place);
    if !vague.is_empty() {
        let ids = vague.join(" ");
        note(
            global,
            format!(
                "note: these name no place, so from now on they pass on every page: {ids}\n  hint: to limit them to the pages they show on: `restage accept --remove {ids}`, then `restage ignore {ids}`"
            ),
        );
    }
    let numbers = those(Difference::differs_in_numbers);
    if !numbers.is_empty() {
        let ids = numbers.join(" ");
        note(
            global,
            format!(
                "note: these differ only in numbers, so from now on any number passes there: {ids}\n  hint: once nothing else differs, a new baseline takes the new numbers as right instead"
            ),
        );
    }
}

fn list(global: &Global, file: &AcceptedFile) {
    if global.json {
        output::json(&file.entries());
        return;
    }
    let or_empty = |text: &Option<String>, room| text.as_deref().map_or_else(String::new, |t| cut(t, room));
    let rows: Vec<Vec<String>> = file
        .entries()
        .iter()
        .map(|e| {
            let (date, reason) = (or_empty(&e.date, 20), or_empty(&e.reason, 60));
            vec![e.id.to_string(), date, cut(&e.summary, 80), reason]
        })
        .collect();
    if rows.is_empty() {
        output::line("nothing is accepted");
    } else {
        output::table(&["change", "accepted", "what changed", "reason"], &rows);
    }
}

fn remove(global: &Global, args: &Args, project: &Project) -> Result<(), Failure> {
    let mut file = AcceptedFile::read(&project.root)?;
    let entries = file.entries().to_vec();
    let known: Vec<Known<'_>> = entries.iter().map(|entry| (&entry.id, entry.summary.clone())).collect();
    if !args.all && !args.unused && args.changes.is_empty() {
        return Err(Failure::user(format!(
            "say which of the accepted changes, --unused or --all\n  hint: {}",
            listed(&known)
        )));
    }
    let unused =
        if args.unused { compared(global, args, project)?.comparison.unused.accepted } else { Vec::new() };
    let mut removed: Vec<&ChangeId> =
        known.iter().map(|(id, _)| *id).filter(|id| args.all || unused.contains(id)).collect();
    for name in &args.changes {
        removed.push(find(name, &known)?);
    }
    for id in &removed {
        file.remove(id);
    }
    if !removed.is_empty() {
        file.write()?;
    }
    if global.json {
        output::json(&serde_json::json!({ "file": file.path(), "removed": removed }));
        return Ok(());
    }
    for entry in entries.iter().filter(|entry| removed.contains(&&entry.id)) {
        output::line(&format!("removed [{}] {}", entry.id, cut(&entry.summary, 120)));
    }
    if removed.is_empty() {
        output::line(&format!("nothing to remove from {}", ACCEPTED_FILE));
    }
    Ok(())
}
