//! `restage ignore`: what never matters on some pages.

use restage_model::{Change, Comparison};
use restage_oracle::{DifferencePattern, KeyPattern};
use restage_project::{NewRule, Project, RunPair, SettingsFile};
use restage_store::Store;

use crate::args::Global;
use crate::args::RunPairArgs;
use crate::failure::{Failure, Outcome};
use crate::judging;
use crate::open_project;
use crate::settling::{Known, Settlements, find, known_settled, listed, tell_effect};
use crate::terminal::output;
use crate::terminal::progress::note;

/// Ignore a kind of difference on the pages it shows on, or the insides of a page
///
/// For a change, a rule [[ignore]] is added to restage.toml that names its pages and what is said of it, with * for the words that changed where the
/// rest tells the place. Whatever else differs on these pages fails as before. What is ignored is counted in every report.
///
/// With --key and no change, an [[oracle.rules]] is added: these pages are judged by --oracle, or by their status and flow alone.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  restage ignore fcb94a --reason 'the quote of the day'\n  restage ignore fcb94a --key 'GET /book/*'\n  restage ignore --key 'GET /status*'\n  restage ignore --key 'GET /search*' --oracle 'N-SL+U'"
)]
pub(crate) struct Args {
    /// The changes, each by its id or the beginning of it, as reports show it in brackets
    #[arg(value_name = "CHANGE")]
    changes: Vec<String>,
    /// The pages, by their key; * stands for anything [default: those that the change shows on]
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    /// By what the pages of --key are judged from now on [default: Flist, status and flow alone]
    #[arg(long, value_name = "EXPR", requires = "key", conflicts_with = "changes")]
    oracle: Option<String>,
    /// Why, for those who read the file
    #[arg(long, value_name = "TEXT", requires = "changes")]
    reason: Option<String>,
    #[command(flatten)]
    runs: RunPairArgs,
    /// Show what would be written and what it would come to, and write nothing
    #[arg(long)]
    print: bool,
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let mut project = open_project::find(global)?;
    let mut file = SettingsFile::read(&project)?;
    if args.changes.is_empty() && args.key.is_none() {
        return Err(Failure::user(
            "say which changes, or which pages with --key\n  hint: `restage report` shows the changes of the newest run, each with its id",
        ));
    }
    let rules = if args.changes.is_empty() {
        Rules::for_pages(global, args, &project)?
    } else {
        Rules::for_changes(global, args, &project)?
    };
    rules.write(global, args, &mut project, &mut file)?;
    Ok(Outcome::Well)
}

/// The rules to be written, and what failed without them.
struct Rules {
    rules: Vec<NewRule>,
    /// None where nothing was replayed yet.
    before: Option<(Store, RunPair, Comparison)>,
}

impl Rules {
    fn for_changes(global: &Global, args: &Args, project: &Project) -> Result<Self, Failure> {
        let store = project.store()?;
        let pair = args.runs.find(project, &store)?;
        let comparison = compared(global, project, &store, &pair)?;
        let open: Vec<Known<'_>> = comparison.changes.iter().map(|c| (&c.id, c.summary.as_str())).collect();
        let mut known = open.clone();
        known.extend(known_settled(&comparison.accepted).chain(known_settled(&comparison.ignored)));
        let mut rules = Vec::new();
        for name in &args.changes {
            let id = find(name, &known)?;
            if open.iter().all(|(other, _)| *other != id) {
                return Err(Failure::user(format!(
                    "[{}] fails nothing any more: it is accepted or ignored already\n  hint: {}",
                    id.0,
                    listed(&open)
                )));
            }
            for change in comparison.changes.iter().filter(|change| change.id == *id) {
                tell_of_flow(global, change);
                let rule = rule(args, change);
                if !rules.contains(&rule) {
                    rules.push(rule);
                }
            }
        }
        Ok(Self { rules, before: Some((store, pair, comparison)) })
    }

    fn for_pages(global: &Global, args: &Args, project: &Project) -> Result<Self, Failure> {
        let key = args.key.clone().unwrap_or_default();
        let oracle = args.oracle.clone().unwrap_or_else(|| "Flist".to_owned());
        // Where nothing was replayed yet, there is nothing to say of the effect.
        let pair = project.store().ok().and_then(|store| {
            let pair = args.runs.find(project, &store).ok()?;
            Some((store, pair))
        });
        let before = match pair {
            Some((store, pair)) => {
                let comparison = compared(global, project, &store, &pair)?;
                let pattern = KeyPattern::new(&key);
                if !comparison.verdicts.iter().any(|v| pattern.matches(&v.key)) {
                    note(global, format!("note: no page of {} is of the key `{key}`", pair.actual.name));
                }
                Some((store, pair, comparison))
            }
            None => None,
        };
        Ok(Self { rules: vec![NewRule::Oracle { key, oracle }], before })
    }

    fn write(
        self,
        global: &Global,
        args: &Args,
        project: &mut Project,
        file: &mut SettingsFile,
    ) -> Result<(), Failure> {
        for rule in &self.rules {
            project.config = file.add(rule)?;
        }
        let after = match &self.before {
            Some((store, pair, before)) => Some(self.after(global, project, (store, pair), before)?),
            None => None,
        };
        if !args.print {
            file.write()?;
        }
        let wrote: Vec<String> = self.rules.iter().map(NewRule::text).collect();
        let effect = self.before.as_ref().zip(after.as_ref());
        if global.json {
            let failing = |c: &Comparison| c.failing().count() + c.failing_aftermaths().count();
            output::json(&serde_json::json!({
                "file": file.path(),
                "written": !args.print,
                "rules": wrote,
                "failing_before": effect.map(|((_, _, before), _)| failing(before)),
                "failing": effect.map(|(_, after)| failing(after)),
                "changes": effect.map(|(_, after)| after.changes.len()),
            }));
            return Ok(());
        }
        output::line(&format!(
            "{} {}:\n",
            if args.print { "would add to" } else { "added to" },
            file.path().display()
        ));
        output::line(&wrote.join("\n"));
        if let Some(((_, pair, before), after)) = effect {
            tell_effect(pair, before, after);
        }
        Ok(())
    }

    /// What fails with the rules. Only an oracle makes it worth looking at the pages again.
    fn after(
        &self,
        global: &Global,
        project: &Project,
        (store, pair): (&Store, &RunPair),
        before: &Comparison,
    ) -> Result<Comparison, Failure> {
        if self.rules.iter().any(|rule| matches!(rule, NewRule::Oracle { .. })) {
            return compared(global, project, store, pair);
        }
        let mut after = before.clone();
        settled(global, project)?.apply(&mut after);
        Ok(after)
    }
}

fn compared(
    global: &Global,
    project: &Project,
    store: &Store,
    pair: &RunPair,
) -> Result<Comparison, Failure> {
    let rules = settled(global, project)?.join(judging::rules(project, None)?);
    judging::judge(global, store, &pair.expected, &pair.actual, &rules)
}

fn settled(global: &Global, project: &Project) -> Result<Settlements, Failure> {
    Settlements::of(&Global { quiet: true, ..global.clone() }, project)
}

fn rule(args: &Args, change: &Change) -> NewRule {
    let difference = DifferencePattern::of(&change.difference);
    match &args.key {
        Some(key) => NewRule::Ignore { keys: vec![key.clone()], difference, reason: args.reason.clone() },
        None => {
            NewRule::ignoring(&change.keys, !change.sessions.is_empty(), difference, args.reason.as_deref())
        }
    }
}

fn tell_of_flow(global: &Global, change: &Change) {
    if change.difference.seen_by == "Flist" {
        note(
            global,
            format!(
                "note: [{}] is of the flow of pages: where it is ignored, the pages that differ so are not compared inside",
                change.id.0
            ),
        );
    }
}
