//! Requests that no page offers, tried as sessions show them: those of scripts, and addresses that users typed.
//!
//! A session is gone through from where its user had logged in. Its pages are those that the spider found: it asks for its own address of
//! each. What scripts sent from there is sent with live values, which come from these pages and from the answers to such requests; what the
//! answers lead to is looked at as what any page leads to. A request counts as found where it is answered in the way it was when it was
//! recorded: a refusal is none.
//!
//! What is left then may be about something that the session made itself, by a form. Such a session is gone through once more when forms have been
//! sent, and now along all of its forms, links and pages that the spider has found itself, with live values, too.

use std::collections::BTreeSet;
use std::rc::Rc;

use restage_model::Headers;
use restage_replay::{ReplayError, StagedSession};
use restage_site::{ANONYMOUS, Seen, SeenBy};
use restage_store::ReplayedStep;

use crate::crawl::changing::{may_change, may_change_unsaid};
use crate::crawl::explorer::{Explorer, UNSAFE};
use crate::crawl::request::Outgoing;
use crate::crawl::scene::PageSource;
use crate::crawl::visitor::{Visitor, restore_initial};
use crate::page_answer::PageAnswer;
use crate::sessions::{ShownKind, ShownSession, ShownStep};

/// Why something that a session sent is not in the map.
const OTHERWISE: &str = "requests of scripts that were answered otherwise than when they were recorded";
const NO_VALUES: &str = "requests of scripts for which the live pages have no values";
/// What of a browser's own header fields a script's request has, too.
const OF_BROWSER: &[&str] =
    &["accept-language", "host", "user-agent", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto"];

/// A session that is gone through.
struct Trail<'t> {
    shown: &'t ShownSession,
    staged: StagedSession,
    /// The scene that was saved since something was changed last.
    scene: Option<usize>,
    /// Whether what the session sent from its pages is sent, too.
    with_forms: bool,
    /// Whether any of that was: from there on, pages are those that it led to.
    has_sent: bool,
    browser: Headers,
}

impl Explorer<'_, '_, '_, '_> {
    /// Tries what the session shows that has most requests that were not tried yet; whether there was one. `with_forms` is for sessions that
    /// were tried without, and for requests that are still not answered as they were.
    pub(crate) fn try_next_session(&mut self, with_forms: bool) -> Result<bool, ReplayError> {
        let shown = &self.shared.traffic.shown;
        let user = self.user_in_sessions().to_owned();
        let left = |at: &usize| {
            let nodes: BTreeSet<&str> =
                shown[*at].untried(&user, &self.own.answered).map(|(_, step)| step.node.as_str()).collect();
            nodes.len()
        };
        let has_way = |at: &usize| {
            let sent = shown[*at].steps.iter().filter(|step| step.kind == ShownKind::Sent);
            !with_forms || sent.into_iter().any(|step| self.may_send_again(step, &user))
        };
        let untried = (0..shown.len())
            .filter(|at| !self.own.tried_sessions.contains(&(*at, with_forms)))
            .filter(has_way);
        let Some(best) = untried.max_by_key(|at| (left(at), std::cmp::Reverse(*at))) else {
            return Ok(false);
        };
        if left(&best) == 0 {
            return Ok(false);
        }
        self.own.tried_sessions.insert((best, with_forms));
        self.trying = true;
        let tried = self.try_session(&shown[best], &user, with_forms);
        self.trying = false;
        tried?;
        Ok(true)
    }

    /// What sessions call who is logged in now.
    pub(crate) fn user_in_sessions(&self) -> &str {
        let name = &self.own.visitor.name;
        self.shared.traffic.kinds.get(name).unwrap_or(name)
    }

    fn try_session(&mut self, shown: &ShownSession, user: &str, with_forms: bool) -> Result<(), ReplayError> {
        let Some((last, _)) = shown.untried(user, &self.own.answered).last() else { return Ok(()) };
        self.be_user_of(&shown.session)?;
        let of_server = &self.shared.traffic.server_cookies;
        let staged = self.shared.stage.begin_with(&self.jar, of_server);
        let mut browser = Headers::new();
        for (name, value) in self.browser.iter().filter(|(name, _)| OF_BROWSER.contains(name)) {
            browser.push(name, value);
        }
        let mut trail = Trail { shown, staged, scene: None, with_forms, has_sent: false, browser };
        for at in (0..=last).filter(|at| shown.steps[*at].user == user) {
            if self.shared.spent.over().is_some() {
                break;
            }
            match shown.steps[at].kind {
                ShownKind::Page => self.show_page(&mut trail, at, last)?,
                ShownKind::Sent => self.send_again(&mut trail, &shown.steps[at], user)?,
                ShownKind::Script | ShownKind::Typed if shown.steps[at].changes_user => {}
                ShownKind::Script | ShownKind::Typed => self.try_step(&mut trail, &shown.steps[at])?,
            }
        }
        // After it, nobody is who she was.
        let changes = |(_, step): &(usize, &ShownStep)| step.changes_user;
        let last = shown.untried(user, &self.own.answered).find(changes).map(|(_, step)| step);
        if let Some(step) = last {
            self.try_step(&mut trail, step)?;
            if self.own.answered.contains(&step.node) {
                let becomes = match user {
                    ANONYMOUS => self.shared.traffic.kinds.get(&shown.session).map_or(user, String::as_str),
                    _ => ANONYMOUS,
                };
                self.shared.builder.note_change(&step.node, becomes);
            }
        }
        self.leave_scene();
        Ok(())
    }

    /// Is the user whose session it was, in the state before it where that was saved; else in the state that this exploration began in.
    fn be_user_of(&mut self, session: &str) -> Result<(), ReplayError> {
        self.leave_scene();
        self.sent.clear();
        let shared = &mut *self.shared;
        let snapshot = shared.snapshots.get(session).filter(|_| shared.stage.has_state());
        if self.own.visitor.name == ANONYMOUS {
            match snapshot {
                Some(snapshot) => shared.stage.restore_snapshot(snapshot)?,
                None => restore_initial(shared.stage)?,
            }
            self.jar = self.own.visitor.jar.clone();
            self.browser = self.own.visitor.browser.clone();
            return Ok(());
        }
        let recorded = shared.suite.sessions.iter().find(|recorded| recorded.name == session);
        let steps = shared.traffic.logins.get(session);
        if let (Some(recorded), Some(steps)) = (recorded, steps) {
            let (rules, name) = (shared.builder.rules(), &self.own.visitor.name);
            let way_in = (recorded, *steps);
            if let Ok((visitor, sent)) = Visitor::log_in(shared.stage, rules, name, way_in, shared.snapshots)?
            {
                shared.spent.requests += sent;
                self.jar = visitor.jar;
                self.browser = visitor.browser;
                return Ok(());
            }
        }
        self.enter(0)
    }

    /// Asks for the page that the next requests were sent from, at the address that the spider found for it.
    fn show_page(&mut self, trail: &mut Trail<'_>, at: usize, last: usize) -> Result<(), ReplayError> {
        let step = &trail.shown.steps[at];
        let with_forms = trail.with_forms;
        let is_sent_from = |next: &ShownStep| {
            (next.is_offered_nowhere() || (with_forms && next.kind == ShownKind::Sent))
                && next.from.as_deref().is_none_or(|from| from == step.node)
        };
        let Some(uri) = self.own.addresses.get(&step.node).cloned() else { return Ok(()) };
        if trail.has_sent && self.send_shown(trail, step)?.is_some_and(|(_, answer)| answer.status < 400) {
            return Ok(());
        }
        if !trail.shown.steps[at + 1..=last].iter().any(is_sent_from) {
            return Ok(());
        }
        let Some((answer, fetched)) = self.fetch_whole(&Outgoing::get(&uri), None)? else { return Ok(()) };
        if answer.page.is_some() && answer.status < 400 {
            self.shared.stage.adopt(&mut trail.staged, step.exchange, &uri, &fetched)?;
        }
        trail.staged.set_cookies(&self.jar);
        Ok(())
    }

    /// Whether a form or a link of a session may be sent as it was: the spider has found it as the same user.
    fn may_send_again(&self, step: &ShownStep, user: &str) -> bool {
        self.shared.may_write
            && step.user == user
            && !step.changes_user
            && self.own.addresses.contains_key(&step.node)
    }

    /// Sends a form, or a link that does something, as the session did, with live values: what comes after it may be about what it makes.
    fn send_again(&mut self, trail: &mut Trail<'_>, step: &ShownStep, user: &str) -> Result<(), ReplayError> {
        if !trail.with_forms || !self.may_send_again(step, user) {
            return Ok(());
        }
        if self.send_shown(trail, step)?.is_some() {
            trail.has_sent = true;
            trail.scene = None;
            if !self.sent.contains(&step.node) {
                self.sent.push(step.node.clone());
            }
        }
        Ok(())
    }

    /// Sends a step of a session with live values; none where that cannot be, or where there was no answer.
    fn send_shown(
        &mut self,
        trail: &mut Trail<'_>,
        step: &ShownStep,
    ) -> Result<Option<(ReplayedStep, PageAnswer)>, ReplayError> {
        if self.shared.spent.over().is_some() {
            return Ok(None);
        }
        self.count_request();
        let sent = self.shared.stage.send_recorded(&mut trail.staged, step.exchange, &trail.browser)?;
        let replayed = match sent {
            Ok(replayed) => replayed,
            Err(_) => {
                if step.is_offered_nowhere() {
                    self.shared.skipped.add(NO_VALUES, &step.node);
                }
                return Ok(None);
            }
        };
        self.jar = trail.staged.cookies().clone();
        self.dirty = true;
        let answer = answer_of(&replayed);
        if answer.is_none() {
            self.shared.skipped.add("not answered", &step.node);
        }
        Ok(answer.map(|answer| (replayed, answer)))
    }

    fn try_step(&mut self, trail: &mut Trail<'_>, step: &ShownStep) -> Result<(), ReplayError> {
        let reads = matches!(step.method.as_str(), "GET" | "HEAD" | "OPTIONS");
        let changes = !reads || may_change(&step.node);
        let unsafe_here = changes || step.changes_user || may_change_unsaid(&step.node);
        if unsafe_here && !self.shared.may_write {
            self.shared.skipped.add(UNSAFE, &step.node);
            return Ok(());
        }
        self.shared.tried += 1;
        let Some((replayed, answer)) = self.send_shown(trail, step)? else { return Ok(()) };
        if changes {
            trail.scene = None;
        }
        if !is_answered_alike(step, &answer) {
            self.shared.skipped.add(OTHERWISE, &step.node);
            return Ok(());
        }
        self.own.answered.insert(step.node.clone());
        self.see_way(step, &replayed.uri, &answer);
        if step.changes_user {
            self.see(&step.node, &replayed.uri, &answer);
            return Ok(());
        }
        if changes && !self.sent.contains(&step.node) {
            self.sent.push(step.node.clone());
        }
        let (landed, at) = self.follow_redirects(&step.node, &replayed.uri, answer)?;
        trail.staged.set_cookies(&self.jar);
        if self.has_new(&landed) {
            let scene = match trail.scene {
                Some(scene) => scene,
                None => self.add_scene()?,
            };
            trail.scene = Some(scene);
            let landed = Rc::new(landed);
            let source = if reads {
                PageSource::Get(restage_browser::request_uri(&landed.url))
            } else {
                PageSource::Answer(landed.clone())
            };
            self.queue_page((&landed, &at), scene, 1, source);
        }
        Ok(())
    }

    /// Notes the way from the page that a request was sent from.
    fn see_way(&mut self, step: &ShownStep, uri: &str, answer: &PageAnswer) {
        let Some(from) = step.from.as_deref().filter(|_| step.kind == ShownKind::Script) else { return };
        let before = Seen {
            user: &self.own.visitor.name,
            by: SeenBy::Spider,
            tried: true,
            node: from,
            uri: self.own.addresses.get(from).map_or(from, String::as_str),
            status: 0,
            redirect: None,
            page: None,
            headings: &[],
            after: &self.sent,
            digest: answer.digest,
            is_file: false,
        };
        self.shared.builder.see_script(&before, &step.node, &step.method, uri);
    }
}

fn answer_of(replayed: &ReplayedStep) -> Option<PageAnswer> {
    let (status, headers, body) = replayed.answer.as_ref().ok()?;
    Some(PageAnswer::of(&replayed.headers, &replayed.uri, *status, headers, body))
}

/// Whether an answer is of the kind of the recorded one.
fn is_answered_alike(step: &ShownStep, answer: &PageAnswer) -> bool {
    step.status / 100 == answer.status / 100 && step.media_type == answer.media_type
}
