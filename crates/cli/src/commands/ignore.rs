//! `restage ignore`: what never matters on some pages.

use restage_judge::{Comparison, Effect, StoredVerdicts, VerdictSource};
use restage_model::Change;
use restage_oracle::{DifferencePattern, KeyPattern};
use restage_project::{NewRule, Project, RunPair, SettingsFile};
use restage_store::Store;

use crate::args::{Global, RunPairArgs};
use crate::failure::{Failure, Outcome};
use crate::open_project;
use crate::settling::{Known, Settlements, find, known_settled, listed, tell_effect};
use crate::terminal::judging;
use crate::terminal::output;
use crate::terminal::progress::note;

/// Ignore a kind of difference on the pages it shows on, or the content of some pages
///
/// For a change, this adds an [[ignore]] rule to restage.toml. It names the pages and the difference, with * for the words that
/// changed if the rest identifies the place. Other differences on these pages fail as before. Every report counts what is ignored.
///
/// With --key and no change, this adds an [[oracle.rules]]: these pages are judged by --oracle, or only by status and flow.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  restage ignore fcb94a --reason 'the quote of the day'\n  restage ignore fcb94a --key 'GET /book/*'\n  restage ignore --key 'GET /status*'\n  restage ignore --key 'GET /search*' --oracle 'N-SL+U'"
)]
pub(crate) struct Args {
    /// The ids of the changes, or prefixes of them; reports show them in brackets
    #[arg(value_name = "CHANGE")]
    changes: Vec<String>,
    /// The key of the pages; * stands for anything [default: the pages that the change shows on]
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    /// The oracle for the pages of --key [default: Flist, only status and flow]
    #[arg(long, value_name = "EXPR", requires = "key", conflicts_with = "changes")]
    oracle: Option<String>,
    /// Why, for readers of the file
    #[arg(long, value_name = "TEXT", requires = "changes")]
    reason: Option<String>,
    #[command(flatten)]
    runs: RunPairArgs,
    /// Show what would be written and its effect, and write nothing
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
    before: Option<Before>,
}

/// What failed without the rules.
struct Before {
    store: Store,
    pair: RunPair,
    rules: restage_judge::Rules,
    comparison: Comparison,
}

impl Rules {
    fn for_changes(global: &Global, args: &Args, project: &Project) -> Result<Self, Failure> {
        let store = project.store()?;
        let pair = args.runs.find(project, &store)?;
        let before = compared(global, project, store, pair)?;
        let comparison = &before.comparison;
        let open: Vec<Known<'_>> = comparison.changes.iter().map(|c| (&c.id, c.summary())).collect();
        let mut known = open.clone();
        known.extend(known_settled(&comparison.accepted).chain(known_settled(&comparison.ignored)));
        let mut rules = Vec::new();
        for name in &args.changes {
            let id = find(name, &known)?;
            if open.iter().all(|(other, _)| *other != id) {
                return Err(Failure::user(format!(
                    "[{}] does not fail: it is accepted or ignored already\n  hint: {}",
                    id,
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
        Ok(Self { rules, before: Some(before) })
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
                let before = compared(global, project, store, pair)?;
                let pattern = KeyPattern::new(&key);
                let mut met = false;
                before.verdicts().each_session(&mut |session| {
                    met |= session.verdicts.iter().any(|v| pattern.matches(&v.key));
                })?;
                if !met {
                    let run = &before.pair.actual.name;
                    note(global, format!("note: no page of {run} has the key `{key}`"));
                }
                Some(before)
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
        // Only an oracle makes it worth looking at the pages again.
        let after = match &self.before {
            Some(before) => {
                let rules = rules_of(global, project)?;
                let Before { store, pair, .. } = before;
                let after = judging::judge(global, store, &pair.expected, &pair.actual, &rules)?;
                let effect = Effect::of(&before.verdicts(), &after.verdicts(store, &rules))?;
                Some((before, after, effect))
            }
            None => None,
        };
        if !args.print {
            file.write()?;
        }
        let wrote: Vec<String> = self.rules.iter().map(NewRule::text).collect();
        if global.json {
            output::json(&serde_json::json!({
                "file": file.path(),
                "written": !args.print,
                "rules": wrote,
                "failing_before": after.as_ref().map(|(before, ..)| before.comparison.counts.all_failing()),
                "failing": after.as_ref().map(|(_, after, _)| after.counts.all_failing()),
                "changes": after.as_ref().map(|(_, after, _)| after.changes.len()),
            }));
            return Ok(());
        }
        output::line(&format!(
            "{} {}:\n",
            if args.print { "would add to" } else { "added to" },
            file.path().display()
        ));
        output::line(&wrote.join("\n"));
        if let Some((before, after, effect)) = after {
            tell_effect(&before.pair, &before.comparison, &after, effect);
        }
        Ok(())
    }
}

impl Before {
    fn verdicts(&self) -> StoredVerdicts<'_> {
        self.comparison.verdicts(&self.store, &self.rules)
    }
}

fn compared(global: &Global, project: &Project, store: Store, pair: RunPair) -> Result<Before, Failure> {
    let rules = rules_of(global, project)?;
    let comparison = judging::judge(global, &store, &pair.expected, &pair.actual, &rules)?;
    Ok(Before { store, pair, rules, comparison })
}

/// By what the project judges, with what it accepts and ignores.
fn rules_of(global: &Global, project: &Project) -> Result<restage_judge::Rules, Failure> {
    let quiet = Global { quiet: true, ..global.clone() };
    Ok(Settlements::of(&quiet, project)?.join(project.judging_rules(None)?))
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
    if change.difference.is_seen_by("Flist") {
        note(
            global,
            format!(
                "note: [{}] is a difference in the flow of pages: where it is ignored, the content of these pages is not compared",
                change.id
            ),
        );
    }
}
