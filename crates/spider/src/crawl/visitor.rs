//! Who a spider is logged in as: nobody, or a user whose recorded session leads it in.

use std::collections::{BTreeSet, HashMap};

use restage_browser::CookieJar;
use restage_model::{Headers, KeyRules, NewStep, Session};
use restage_replay::{INITIAL, ReplayError, Stage};
use restage_site::ANONYMOUS;

use crate::crawl::request::browser_headers;
use crate::page_answer::PageAnswer;
use crate::sessions::offered_by;

/// Somebody who can look at the application.
#[derive(Clone, Debug)]
pub(crate) struct Visitor {
    /// What she is called.
    pub(crate) name: String,
    /// Her cookies.
    pub(crate) jar: CookieJar,
    /// Her browser's own header fields.
    pub(crate) browser: Headers,
    /// What the page behind her login leads to; nothing where she is not logged in.
    pub(crate) offered: BTreeSet<String>,
    /// The page behind her login.
    pub(crate) landing: Option<String>,
}

/// The snapshot before each session, where a baseline made them.
pub(crate) type Snapshots = HashMap<String, String>;

impl Visitor {
    /// Nobody in particular. The application's data is as it was before the first recorded session, where that is known.
    pub(crate) fn anonymous(stage: &mut Stage<'_>, recorded: Option<&Headers>) -> Result<Self, ReplayError> {
        restore_initial(stage)?;
        Ok(Self {
            name: ANONYMOUS.to_owned(),
            jar: CookieJar::default(),
            browser: browser_headers(recorded),
            offered: BTreeSet::new(),
            landing: None,
        })
    }

    /// A user that a session's first steps log in; why not, where they do not.
    pub(crate) fn log_in(
        stage: &mut Stage<'_>,
        rules: &KeyRules,
        name: &str,
        (session, steps): (&Session, usize),
        snapshots: &Snapshots,
    ) -> Result<Result<(Self, usize), String>, ReplayError> {
        match snapshots.get(&session.name) {
            Some(snapshot) => stage.restore_snapshot(snapshot)?,
            None => restore_initial(stage)?,
        }
        stage.set_clock(session.from)?;
        let steps: Vec<NewStep> =
            session.exchanges.iter().take(steps).map(|id| NewStep::Stored(*id)).collect();
        let recorded = match session.exchanges.first() {
            Some(first) => stage.store().exchange(*first)?.request.headers,
            None => Headers::new(),
        };
        let mut staged = stage.begin(&steps)?;
        let (mut last, mut sent) = (None, 0);
        while let Some(step) = stage.step(&mut staged)? {
            sent += 1;
            last = Some(step);
        }
        let Some(step) = last else { return Ok(Err("its session has no steps".to_owned())) };
        let (status, headers, body) = match &step.answer {
            Ok(answer) => answer,
            Err(why) => return Ok(Err(format!("step {sent} was not answered: {why}"))),
        };
        let answer = PageAnswer::of(&step.headers, &step.uri, *status, headers, body);
        if answer.status >= 400 {
            return Ok(Err(format!("step {sent} was answered with {status}")));
        }
        if answer.asks_password() {
            return Ok(Err(format!("the application asks for the password again after step {sent}")));
        }
        let offered = answer.page.as_ref().map(|page| offered_by(rules, page)).unwrap_or_default();
        let landing = (step.method == "GET" && answer.page.is_some()).then(|| step.uri.clone());
        let visitor = Self {
            name: name.to_owned(),
            jar: staged.cookies().clone(),
            browser: browser_headers(Some(&recorded)),
            offered,
            landing,
        };
        Ok(Ok((visitor, sent)))
    }
}

/// The state before the first recorded session, where it was saved.
fn restore_initial(stage: &mut Stage<'_>) -> Result<(), ReplayError> {
    let exists = match stage.state() {
        Some(state) => state.snapshot_store().exists(INITIAL)?,
        None => false,
    };
    if exists { stage.restore_snapshot(INITIAL) } else { stage.restore_start() }
}
