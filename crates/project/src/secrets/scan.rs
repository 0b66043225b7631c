//! Looking for secrets in what is about to be written for others.

use restage_model::{ExchangeId, Origin, Run, Suite};
use restage_redact::{Cover, Finding, Redactor, Texts};
use restage_replay::cover_facts;
use restage_store::{ReplayedStep, Store, StoreError};

use crate::error::ProjectError;
use crate::project::Project;

/// Secrets that no stand-in has replaced, and where they stand.
#[derive(Debug, Default)]
pub struct Secrets {
    found: Vec<String>,
    /// The hashes of the stand-ins that were met.
    pub stand_ins: Vec<u64>,
}

impl Secrets {
    /// Looks through what was recorded of a suite.
    pub fn of_suite(project: &Project, store: &Store, suite: &Suite) -> Result<Self, ProjectError> {
        let mut redactor = project.scanning(store)?;
        let mut secrets = Self::default();
        let origins = store.origins()?;
        for session in &suite.sessions {
            let mut ids: Vec<ExchangeId> =
                session.exchanges.iter().chain(&session.left_out).copied().collect();
            // What requests were made of is written with them.
            let mut at = 0;
            while let Some(id) = ids.get(at) {
                let sources = origins.get(id).map(|origin| origin.sources()).unwrap_or_default();
                let new: Vec<ExchangeId> = sources.iter().filter(|id| !ids.contains(id)).copied().collect();
                ids.extend(new);
                at += 1;
            }
            for id in ids {
                secrets.look(&mut redactor, store, &session.name, id, origins.get(&id))?;
            }
        }
        secrets.stand_ins = redactor.met();
        Ok(secrets)
    }

    /// Looks through all that nobody recorded, of whatever suite.
    pub fn add_made(&mut self, project: &Project, store: &Store) -> Result<(), ProjectError> {
        let mut redactor = project.scanning(store)?;
        for (id, origin) in store.origins()? {
            self.look(&mut redactor, store, origin.kind(), id, Some(&origin))?;
        }
        Ok(())
    }

    /// Looks through runs, and what was recorded of what they replayed, before others get to see them. What replays sent and got is covered by what is returned
    /// with the secrets that covering cannot help: those that users left in the recording, which `restage sanitize` removes for good, and those that are no more
    /// than a word, which cannot be told from the same word elsewhere.
    pub fn of_runs(project: &Project, store: &Store, runs: &[&Run]) -> Result<(Self, Cover), ProjectError> {
        let mut secrets = Self::default();
        let mut suites: Vec<_> = runs.iter().map(|run| run.suite).collect();
        suites.dedup();
        for suite in suites {
            secrets.found.extend(Self::of_suite(project, store, &store.suite(suite)?)?.found);
        }
        let mut redactor = project.showing(store)?;
        each_step(store, runs, |said, step| {
            let mut findings = look_at_step(&mut redactor, step);
            findings.retain(|found| !found.telling && !found.is_drawn());
            secrets.tell(said, &findings);
        })?;
        Ok((secrets, Cover::new(redactor)))
    }

    /// Looks through what replays sent and got.
    pub fn add_runs(&mut self, project: &Project, store: &Store, runs: &[&Run]) -> Result<(), ProjectError> {
        let mut covering = project.covering(store)?;
        each_step(store, runs, |said, step| self.tell(said, &look_at_step(&mut covering, step)))?;
        for run in runs {
            store.each_step_facts::<StoreError>(run.id, |at, mut facts| {
                if cover_facts(&mut covering, &mut facts) {
                    let place = format!("{}, session {}, step {}", run.name, at.session + 1, at.step + 1);
                    self.found.push(format!("{place}: what the server did: a secret"));
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Where they are.
    pub fn places(&self) -> &[String] {
        &self.found
    }

    fn look(
        &mut self,
        redactor: &mut Redactor,
        store: &Store,
        session: &str,
        id: ExchangeId,
        origin: Option<&Origin>,
    ) -> Result<(), ProjectError> {
        let mut captured = store.captured(id)?;
        let said =
            format!("{session}, {} {}", captured.method, captured.uri.split('?').next().unwrap_or_default());
        let findings = redactor.redact_texts(&mut Texts {
            uri: &mut captured.uri,
            headers: &mut captured.headers,
            body: &mut captured.body.bytes,
            response: captured.response.as_mut().map(|(_, headers, body)| (headers, &mut body.bytes)),
        });
        self.tell(&said, &findings);
        for word in origin.cloned().iter_mut().flat_map(Origin::words_mut) {
            if redactor.redact_text(word).is_some() {
                self.found.push(format!("{said}: where it comes from: a secret"));
            }
        }
        Ok(())
    }

    fn tell(&mut self, place: &str, findings: &[Finding]) {
        self.found.extend(findings.iter().map(|found| format!("{place}: {}: {}", found.place, found.kind)));
    }

    /// An error where there are any: nothing is to be written then.
    pub fn refuse(&self, what: &str) -> Result<(), ProjectError> {
        if self.found.is_empty() {
            return Ok(());
        }
        Err(ProjectError::HoldsSecrets { what: what.to_owned(), found: self.found.clone() })
    }
}

/// Reads what replays sent and got, a session at a time; each step with where it is.
fn each_step(
    store: &Store,
    runs: &[&Run],
    mut take: impl FnMut(&str, &mut ReplayedStep),
) -> Result<(), ProjectError> {
    for run in runs {
        for (ordinal, _) in store.step_counts(run.id)? {
            for mut step in store.replayed_steps(run.id, ordinal)? {
                let said = format!("{}, session {}, step {}", run.name, ordinal + 1, step.at.step + 1);
                take(&said, &mut step);
            }
        }
    }
    Ok(())
}

fn look_at_step(redactor: &mut Redactor, step: &mut ReplayedStep) -> Vec<Finding> {
    let mut answer = step.answer.as_ref().ok().map(|(_, headers, body)| (headers.clone(), body.to_vec()));
    redactor.redact_texts(&mut Texts {
        uri: &mut step.uri,
        headers: &mut step.headers,
        body: &mut step.body,
        response: answer.as_mut().map(|(headers, body)| (headers, body)),
    })
}
