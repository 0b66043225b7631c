//! What is asked of the app's probes.

use std::str::FromStr;

use restage_facts::Want;
use restage_project::Project;

/// Whether to ask what the server does for each step.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct FactsArgs {
    /// Also store what the server did for each step: lines and functions that ran, session values, statements to databases,
    /// errors. Probes for PHP, Python, Ruby and Node are put into the app's environment. --facts=lines,branches,session,sql,errors,callers
    /// says which; branches cost much more than lines, and are stored only where they are asked for, as are the lines that led to
    /// each statement (callers)
    #[arg(
        long,
        value_name = "KINDS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "lines,session,sql,errors"
    )]
    facts: Option<Wanted>,
}

impl FactsArgs {
    /// Lets a replay ask for them.
    pub(crate) fn apply(&self, project: &Project, work: &mut restage_replay::Project) {
        work.facts = self.facts.as_ref().map(|wanted| project.facts_asked(wanted.0.clone()));
    }
}

/// Kinds of facts, by commas.
#[derive(Clone, Debug)]
struct Wanted(Vec<Want>);

impl FromStr for Wanted {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut wanted = text.split(',').map(|kind| kind.trim().parse()).collect::<Result<Vec<Want>, _>>()?;
        wanted.sort_unstable();
        wanted.dedup();
        Ok(Self(wanted))
    }
}
