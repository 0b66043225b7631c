//! The whole of a crawl: user by user, on one stage.

use std::collections::BTreeMap;

use restage_model::{Headers, Suite};
use restage_replay::{ReplayError, Stage};
use restage_site::{ANONYMOUS, ConstantTable, SiteBuilder, SiteUser};
use thiserror::Error;

use crate::crawl::budget::{Budget, Spent, StopReason};
use crate::crawl::explorer::{Explorer, Shared};
use crate::crawl::frontier::TRAPS;
use crate::crawl::report::{CrawlProgress, CrawlReport, SkipList};
use crate::crawl::visitor::{LoggedIn, Snapshots, Visitor};
use crate::sessions::{KnownUser, Traffic};

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
        constants: &plan.constants,
        spent: Spent::of(plan.budget),
        skipped: SkipList::default(),
        told,
        may_write,
        known: Vec::new(),
        pressed: 0,
        restores: 0,
        restoring: std::time::Duration::ZERO,
    };
    shared.stage.answer_by(shared.spent.deadline());
    let mut report = Outcome::default();
    let mut visitors = Vec::new();
    // Who they are is found out first, so that a login that the spider finds is known for what it is.
    for user in &plan.users {
        match log_in(&mut shared, plan, user)? {
            Ok(LoggedIn { visitor, .. }) => {
                shared.known.push((visitor.name, visitor.offered));
                visitors.push(user);
            }
            Err(why) => {
                report.not_logged_in.insert(user.name.clone(), why);
            }
        }
    }
    let recorded = recorded_browser(&mut shared, plan)?;
    if plan.anonymous {
        shared.builder.add_user(SiteUser { name: ANONYMOUS.to_owned(), session: None, steps: 0 });
        let visitor = Visitor::anonymous(shared.stage, recorded.as_ref())?;
        report.explore(&mut shared, visitor, &plan.home, recorded.as_ref())?;
    }
    for user in visitors {
        if report.is_over() {
            break;
        }
        if let Ok(LoggedIn { visitor, way_in, .. }) = log_in(&mut shared, plan, user)? {
            shared.builder.add_user(user.on_map(Some(&way_in)));
            report.explore(&mut shared, visitor, &plan.home, recorded.as_ref())?;
        }
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

    /// One user's exploration, and that of users who turn out to be there.
    fn explore(
        &mut self,
        shared: &mut Shared<'_, '_, '_>,
        visitor: Visitor,
        home: &str,
        recorded: Option<&Headers>,
    ) -> Result<(), ReplayError> {
        let mut waiting: Vec<(Visitor, Option<String>)> = vec![(visitor, None)];
        while let Some((visitor, snapshot)) = waiting.pop() {
            if let Some(snapshot) = &snapshot {
                shared.stage.restore(snapshot)?;
            }
            self.users.push(visitor.name.clone());
            let mut explorer = Explorer::new(shared, visitor);
            let stopped = explorer.explore(home)?;
            let left: Vec<String> = explorer.frontier.left().map(str::to_owned).collect();
            let discovered = std::mem::take(&mut explorer.discovered);
            self.unseen.extend(left.into_iter().filter(|node| !shared.builder.is_visited(node)));
            self.unseen.sort();
            self.unseen.dedup();
            self.stopped = Some(stopped);
            if self.is_over() {
                break;
            }
            for (name, scene, landing) in discovered {
                shared.builder.add_user(SiteUser { name: name.clone(), session: None, steps: 0 });
                let offered =
                    shared.known.iter().find(|(known, _)| *known == name).map(|(_, offered)| offered.clone());
                let visitor = Visitor {
                    name,
                    jar: scene.jar,
                    browser: crate::crawl::request::browser_headers(recorded),
                    offered: offered.unwrap_or_default(),
                    landing: Some(landing),
                };
                waiting.push((visitor, Some(scene.snapshot)));
            }
        }
        Ok(())
    }
}
