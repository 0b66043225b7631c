//! Who a spider is logged in as: nobody, or a user whose recorded session leads it in.

use std::collections::{BTreeSet, HashMap};

use restage_browser::CookieJar;
use restage_model::{Headers, KeyRules, NewStep, Session, Suite};
use restage_replay::{INITIAL, ReplayError, Stage};
use restage_site::ANONYMOUS;

use crate::crawl::request::browser_headers;
use crate::page_answer::PageAnswer;
use crate::sessions::{KnownUser, is_plain, offered_by};

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

/// A user who is logged in.
pub(crate) struct LoggedIn {
    /// The user.
    pub(crate) visitor: Visitor,
    /// How many requests that took.
    pub(crate) sent: usize,
    /// The session that showed how, and how many of its steps.
    pub(crate) way_in: (String, usize),
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

    /// A user that the first steps of one of several sessions log in, with the way in that worked and what it sent; why not, where none does.
    pub(crate) fn log_in_by_any(
        stage: &mut Stage<'_>,
        rules: &KeyRules,
        user: &KnownUser,
        suite: &Suite,
        snapshots: &Snapshots,
    ) -> Result<Result<LoggedIn, String>, ReplayError> {
        let mut why_not = "no session shows how".to_owned();
        for (name, steps) in &user.ways_in {
            let Some(session) = suite.sessions.iter().find(|session| session.name == *name) else { continue };
            match Self::log_in(stage, rules, &user.name, (session, *steps), snapshots)? {
                Ok((visitor, sent)) => {
                    return Ok(Ok(LoggedIn { visitor, sent, way_in: (name.clone(), *steps) }));
                }
                Err(why) => why_not = format!("by session {name}, {why}"),
            }
        }
        Ok(Err(why_not))
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
        // What is offered behind the login must be what was offered there when it was recorded.
        let recorded_page = recorded_offers(stage, rules, &steps)?;
        let missing = recorded_page.iter().filter(|link| is_plain(link) && !offered.contains(*link)).count();
        if missing > recorded_page.len() / 10 {
            return Ok(Err("another page than the recorded one is behind the login".to_owned()));
        }
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

/// What the recorded answer to the last of some steps leads to.
fn recorded_offers(
    stage: &mut Stage<'_>,
    rules: &KeyRules,
    steps: &[NewStep],
) -> Result<BTreeSet<String>, ReplayError> {
    let Some(NewStep::Stored(last)) = steps.last() else { return Ok(BTreeSet::new()) };
    let exchange = stage.store().exchange(*last)?;
    let Some(response) = &exchange.response else { return Ok(BTreeSet::new()) };
    let body = stage.store().body(&response.body)?;
    let sent = &exchange.request;
    let answer = PageAnswer::of(&sent.headers, &sent.uri, response.status, &response.headers, &body);
    Ok(answer.page.as_ref().map(|page| offered_by(rules, page)).unwrap_or_default())
}

/// The state before the first recorded session, where it was saved.
pub(crate) fn restore_initial(stage: &mut Stage<'_>) -> Result<(), ReplayError> {
    let exists = match stage.state() {
        Some(state) => state.snapshot_store().exists(INITIAL)?,
        None => false,
    };
    if exists { stage.restore_snapshot(INITIAL) } else { stage.restore_start() }
}
