//! A session on its way on the new version: what was sent so far, and what came back.

use std::collections::BTreeSet;

use restage_model::{Headers, KeyRules, NewStep};
use restage_replay::{ReplayError, Stage, StagedSession};
use restage_site::link_node;

use super::start::Start;
use crate::seen_answer::SeenAnswer;

/// A step that is to be sent.
#[derive(Clone, Debug)]
pub(crate) struct Planned {
    pub(crate) step: NewStep,
    /// The step of the old session that it stands for, by its place; none where it was put in.
    pub(crate) of: Option<usize>,
    /// The steps of the old session whose pages its answer is.
    pub(crate) shows: Vec<usize>,
    /// The form that it sends, as a node; none where it is no form.
    pub(crate) form: Option<String>,
    /// The names of the fields that are filled in.
    pub(crate) fields: BTreeSet<String>,
    /// Its own address, before live values: path and query.
    pub(crate) uri: String,
    /// `GET`, `POST`, …
    pub(crate) method: String,
}

/// A step that was sent.
#[derive(Debug)]
pub(crate) struct LiveStep {
    pub(crate) planned: Planned,
    pub(crate) answer: SeenAnswer,
    /// The node that it led to.
    pub(crate) node: String,
    /// The node that its answer sends the browser to.
    pub(crate) target: Option<String>,
    /// Why the live application did not offer what it used.
    pub(crate) stale: Option<String>,
    /// Why there was no answer.
    pub(crate) failed: Option<String>,
}

impl LiveStep {
    /// The address that a request from its page names as where it came from.
    pub(crate) fn referer(&self) -> String {
        let host = self.answer.url.host_str().unwrap_or("localhost");
        let port = self.answer.url.port().map(|port| format!(":{port}")).unwrap_or_default();
        format!("http://{host}{port}{}", self.planned.uri)
    }
}

/// A session on its way.
pub(crate) struct Walk {
    session: StagedSession,
    pub(crate) steps: Vec<LiveStep>,
}

impl Walk {
    /// A session that begins with a state.
    pub(crate) fn begin(stage: &mut Stage<'_>, start: &Start) -> Result<Self, ReplayError> {
        start.restore(stage)?;
        Ok(Self { session: stage.begin(&[])?, steps: Vec::new() })
    }

    /// A session that begins with what the one before left behind.
    pub(crate) fn go_on(stage: &mut Stage<'_>) -> Result<Self, ReplayError> {
        Ok(Self { session: stage.begin(&[])?, steps: Vec::new() })
    }

    /// Adds a step, and says why the live application does not offer what it uses, before it is sent.
    pub(crate) fn add(
        &mut self,
        stage: &mut Stage<'_>,
        planned: &Planned,
    ) -> Result<Option<String>, ReplayError> {
        stage.add(&mut self.session, &planned.step)?;
        Ok(stage.is_stale(&self.session))
    }

    /// Takes back the step that was added, and was not sent.
    pub(crate) fn take_back(&mut self, stage: &Stage<'_>) {
        stage.take_back(&mut self.session);
    }

    /// Sends the step that was added.
    pub(crate) fn send(
        &mut self,
        stage: &mut Stage<'_>,
        rules: &KeyRules,
        planned: Planned,
    ) -> Result<&LiveStep, ReplayError> {
        let replayed = stage.step(&mut self.session)?;
        let (answer, stale, failed) = match replayed {
            Some(step) => {
                let (answer, failed) = match step.answer {
                    Ok((status, headers, body)) => {
                        (SeenAnswer::of(&step.headers, &step.uri, status, &headers, Some(body)), None)
                    }
                    Err(why) => (SeenAnswer::none(&step.headers, &step.uri), Some(why)),
                };
                (answer, step.stale, failed)
            }
            None => {
                let none = SeenAnswer::none(&Headers::new(), &planned.uri);
                (none, None, Some("the application is gone".to_owned()))
            }
        };
        let node = match &planned.form {
            Some(form) => form.clone(),
            None if planned.method == "GET" => link_node(rules, &answer.uri()),
            None => format!("{} {}", planned.method, rules.path_name(answer.url.path())),
        };
        let target = answer.redirect.as_ref().map(|uri| link_node(rules, uri));
        self.steps.push(LiveStep { planned, answer, node, target, stale, failed });
        Ok(&self.steps[self.steps.len() - 1])
    }

    /// The latest step.
    pub(crate) fn latest(&self) -> Option<&LiveStep> {
        self.steps.last()
    }

    /// The latest step that has a page, by its place.
    pub(crate) fn latest_page(&self) -> Option<usize> {
        self.steps.iter().rposition(|step| step.answer.is_page())
    }

    /// Where the page of a step of the old session is; none where that was left out.
    pub(crate) fn page_of(&self, old: usize) -> Option<usize> {
        self.steps.iter().rposition(|step| step.planned.shows.contains(&old))
    }
}
