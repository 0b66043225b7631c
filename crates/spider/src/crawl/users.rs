//! The whole of a crawl, on one stage: in each phase, user by user.

use std::collections::{BTreeMap, BTreeSet};

use restage_model::{Headers, Suite};
use restage_replay::{ReplayError, Stage};
use restage_site::{ANONYMOUS, ConstantTable, SiteBuilder, SiteUser};
use thiserror::Error;

use crate::crawl::budget::{Budget, Spent, StopReason};
use crate::crawl::explorer::{Exploration, Explorer, Phase, Shared};
use crate::crawl::frontier::TRAPS;
use crate::crawl::promise::Promise;
use crate::crawl::report::{CrawlProgress, CrawlReport, SkipList};
use crate::crawl::request::{Outgoing, browser_headers};
use crate::crawl::scene::Scene;
use crate::crawl::visitor::{LoggedIn, Snapshots, Visitor, restore_initial};
use crate::page_answer::PageAnswer;
use crate::sessions::{KnownUser, Traffic, offered_by};

/// What a spider is to do.
#[derive(Debug)]
pub struct Crawl<'a> {
    /// The suite whose sessions show who the users are.
    pub suite: &'a Suite,
    /// What is known of these sessions.
    pub traffic: &'a Traffic,
    /// The users that it is to be logged in as.
    pub users: Vec<KnownUser>,
    /// Whether it is to look at what is there for nobody in particular, too.
    pub anonymous: bool,
    /// The snapshot before each session, where a baseline made them.
    pub snapshots: Snapshots,
    /// Where users begin: path and query.
    pub home: String,
    /// How much it may send.
    pub budget: Budget,
    /// Whether it may press what changes something though the state cannot be restored.
    pub press: bool,
    /// What is typed where no session ever sent anything.
    pub constants: ConstantTable,
}

/// What can go wrong.
#[derive(Debug, Error)]
pub enum CrawlError {
    /// The app, its state or the store failed.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// There is nobody to be logged in as.
    #[error("{0}")]
    Nobody(String),
}

/// Lets a spider loose on an app.
pub fn crawl(
    stage: &mut Stage<'_>,
    builder: &mut SiteBuilder,
    plan: &Crawl<'_>,
    told: &mut dyn FnMut(CrawlProgress<'_>),
) -> Result<CrawlReport, CrawlError> {
    let may_write = plan.press || stage.has_state();
    let mut shared = Shared {
        stage,
        builder,
        traffic: plan.traffic,
        suite: plan.suite,
        snapshots: &plan.snapshots,
        constants: &plan.constants,
        promise: Promise::default(),
        spent: Spent::of(plan.budget),
        skipped: SkipList::default(),
        told,
        may_write,
        home: &plan.home,
        known: Vec::new(),
        offered_to_nobody: BTreeSet::new(),
        pressed: 0,
        tried: 0,
        restores: 0,
        restoring: std::time::Duration::ZERO,
    };
    shared.stage.answer_by(shared.spent.deadline());
    let mut report = Outcome::default();
    let mut explorations = Vec::new();
    let recorded = recorded_browser(&mut shared, plan)?;
    // Who they are is found out first, so that a login that the spider finds is known for what it is.
    let nobody = Visitor::anonymous(shared.stage, recorded.as_ref())?;
    shared.offered_to_nobody = offered_at_home(&mut shared, &nobody)?;
    if plan.anonymous {
        explorations.push((Exploration::new(nobody), None));
    }
    for user in &plan.users {
        match log_in(&mut shared, plan, user)? {
            Ok(LoggedIn { visitor, .. }) => {
                let offered = offered_at_home(&mut shared, &visitor)?;
                shared.known.push((visitor.name.clone(), offered));
                explorations.push((Exploration::new(visitor), Some(user)));
            }
            Err(why) => {
                report.not_logged_in.insert(user.name.clone(), why);
            }
        }
    }
    for phase in Phase::ALL {
        let mut at = 0;
        // Users may turn out to be there meanwhile.
        while at < explorations.len() && !report.is_over() {
            let (exploration, user) = &mut explorations[at];
            let is_first = !exploration.has_begun;
            if is_first {
                report.users.push(exploration.visitor.name.clone());
                begin_as(&mut shared, plan, exploration, *user)?;
            }
            let mut explorer = Explorer::new(&mut shared, exploration);
            if is_first {
                explorer.begin(&plan.home)?;
            }
            report.stopped = Some(explorer.explore(phase)?);
            let discovered = std::mem::take(&mut exploration.discovered);
            for found in discovered {
                explorations.push((discovered_user(&mut shared, found, recorded.as_ref()), None));
            }
            at += 1;
        }
    }
    for (exploration, _) in &explorations {
        report.note_left(&shared, exploration);
    }
    if report.users.is_empty() {
        let whys: Vec<String> =
            report.not_logged_in.iter().map(|(name, why)| format!("{name}: {why}")).collect();
        return Err(CrawlError::Nobody(format!(
            "the spider could not be logged in: {}\n  hint: `restage baseline` says which steps of these sessions are answered as recorded, and what to do about the others",
            whys.join("; ")
        )));
    }
    for node in shared.skipped.of(&TRAPS) {
        shared.builder.leave_out(node.clone());
    }
    Ok(CrawlReport {
        stopped: report.stopped.unwrap_or(StopReason::Complete),
        requests: shared.spent.requests,
        pressed: shared.pressed,
        tried: shared.tried,
        restores: shared.restores,
        users: report.users,
        not_logged_in: report.not_logged_in,
        skipped: shared.skipped.finish(),
        unseen: report.unseen,
    })
}

fn log_in(
    shared: &mut Shared<'_, '_, '_>,
    plan: &Crawl<'_>,
    user: &KnownUser,
) -> Result<Result<LoggedIn, String>, ReplayError> {
    let rules = shared.builder.rules();
    let entered = Visitor::log_in_by_any(shared.stage, rules, user, plan.suite, &plan.snapshots)?;
    if let Ok(entered) = &entered {
        shared.spent.requests += entered.sent;
    }
    Ok(entered)
}

/// Puts the state, and the cookies, as they are where a user begins.
fn begin_as(
    shared: &mut Shared<'_, '_, '_>,
    plan: &Crawl<'_>,
    exploration: &mut Exploration,
    user: Option<&KnownUser>,
) -> Result<(), ReplayError> {
    if let Some(snapshot) = &exploration.begins_with {
        return shared.stage.restore(snapshot);
    }
    match user {
        Some(user) => {
            // The state has moved on since it was found out who she is.
            let mut way_in = user.ways_in.first().cloned();
            if let Ok(entered) = log_in(shared, plan, user)? {
                exploration.visitor = entered.visitor;
                way_in = Some(entered.way_in);
            }
            shared.builder.add_user(user.on_map(way_in.as_ref()));
        }
        None => {
            shared.builder.add_user(SiteUser { name: ANONYMOUS.to_owned(), session: None, steps: 0 });
            restore_initial(shared.stage)?;
        }
    }
    Ok(())
}

/// A user that the spider found by itself, as she will be explored.
fn discovered_user(
    shared: &mut Shared<'_, '_, '_>,
    (name, scene, landing): (String, Scene, String),
    recorded: Option<&Headers>,
) -> Exploration {
    shared.builder.add_user(SiteUser { name: name.clone(), session: None, steps: 0 });
    let offered = shared.known.iter().find(|(known, _)| *known == name).map(|(_, offered)| offered.clone());
    let visitor = Visitor {
        name,
        jar: scene.jar,
        browser: browser_headers(recorded),
        offered: offered.unwrap_or_default(),
        landing: Some(landing),
    };
    Exploration { begins_with: Some(scene.snapshot), ..Exploration::new(visitor) }
}

/// What a user is offered where users begin; what the page behind her login offers, where that is no page.
fn offered_at_home(
    shared: &mut Shared<'_, '_, '_>,
    visitor: &Visitor,
) -> Result<BTreeSet<String>, ReplayError> {
    let outgoing = Outgoing::get(shared.home);
    let headers = outgoing.headers(&visitor.browser, &visitor.jar, None);
    shared.spent.requests += 1;
    let answer = shared.stage.send("GET", shared.home, &headers, b"")?;
    let page = answer.ok().and_then(|fetched| {
        PageAnswer::of(&headers, shared.home, fetched.status, &fetched.headers, &fetched.body).page
    });
    Ok(page.map_or_else(|| visitor.offered.clone(), |page| offered_by(shared.builder.rules(), &page)))
}

/// The header fields of the browser that recorded the first session.
fn recorded_browser(
    shared: &mut Shared<'_, '_, '_>,
    plan: &Crawl<'_>,
) -> Result<Option<Headers>, ReplayError> {
    let first = plan.suite.sessions.first().and_then(|session| session.exchanges.first());
    let Some(first) = first else { return Ok(None) };
    Ok(Some(shared.stage.store().exchange(*first)?.request.headers))
}

/// What came of it so far.
#[derive(Default)]
struct Outcome {
    stopped: Option<StopReason>,
    users: Vec<String>,
    not_logged_in: BTreeMap<String, String>,
    unseen: Vec<String>,
}

impl Outcome {
    fn is_over(&self) -> bool {
        self.stopped.is_some_and(|why| why != StopReason::Complete)
    }

    /// Notes what a user did not look at.
    fn note_left(&mut self, shared: &Shared<'_, '_, '_>, exploration: &Exploration) {
        let left = exploration.frontier.left().map(str::to_owned);
        self.unseen.extend(left.filter(|node| !shared.builder.is_visited(node)));
        self.unseen.sort();
        self.unseen.dedup();
    }
}
