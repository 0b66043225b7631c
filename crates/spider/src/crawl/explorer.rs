//! One user's exploration: pages, links, and what comes of following them. It can be left and gone on with.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use std::time::{Duration, Instant};

use restage_browser::{CookieJar, Fetched};
use restage_model::{Headers, KeyRules, Suite};
use restage_replay::{ReplayError, Stage};
use restage_site::{
    ANONYMOUS, ConstantTable, Seen, SeenBy, SiteBuilder, computed_resources, form_targets, link_node,
};

use crate::crawl::budget::{Spent, StopReason};
use crate::crawl::changing::{may_change, may_change_unsaid};
use crate::crawl::frontier::Frontier;
use crate::crawl::promise::{Kind, Promise};
use crate::crawl::report::{CrawlProgress, SkipList};
use crate::crawl::request::Outgoing;
use crate::crawl::scene::{Action, Known, PageSource, Scene, Target};
use crate::crawl::visitor::{Snapshots, Visitor};
use crate::page_answer::PageAnswer;
use crate::sessions::{Traffic, is_logout};

/// A browser gives up after so many redirects.
const HOPS: usize = 8;
/// Why something is neither followed nor sent.
pub(crate) const UNSAFE: &str = "may change something, and there is no [state] to restore";
/// Where restoring takes less than this, it is done before everything that is looked at.
const QUICK: Duration = Duration::from_millis(15);

/// What all users' explorations share.
pub(crate) struct Shared<'a, 's, 'p> {
    pub(crate) stage: &'s mut Stage<'p>,
    pub(crate) builder: &'a mut SiteBuilder,
    pub(crate) traffic: &'a Traffic,
    pub(crate) suite: &'a Suite,
    pub(crate) snapshots: &'a Snapshots,
    pub(crate) constants: &'a ConstantTable,
    pub(crate) promise: Promise,
    pub(crate) spent: Spent,
    pub(crate) skipped: SkipList,
    pub(crate) told: &'a mut dyn FnMut(CrawlProgress<'_>),
    /// Whether forms that may change something are sent.
    pub(crate) may_write: bool,
    /// Where users begin: path and query.
    pub(crate) home: &'a str,
    /// The users that are explored on their own, with what they are offered there.
    pub(crate) known: Vec<(String, BTreeSet<String>)>,
    /// What is offered there to nobody in particular.
    pub(crate) offered_to_nobody: BTreeSet<String>,
    pub(crate) pressed: usize,
    /// How many requests of scripts, and addresses that users typed, were tried.
    pub(crate) tried: usize,
    pub(crate) restores: usize,
    pub(crate) restoring: Duration,
}

/// What an exploration is to do next. What is new to all comes before what other users know already, and what often led to something new
/// before what seldom did, so that a budget is spent on what is new.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phase {
    /// Links are followed, and forms sent that only ask for something.
    Read,
    /// What sessions' scripts and users sent is tried.
    Try,
    /// Forms that may change something are sent, where sessions sent them and the spider has not yet: there are values for them.
    WriteShown,
    /// Forms that may change something are sent, where nobody sent them before.
    WriteNew,
    /// What promises less.
    More,
    /// All else.
    Rest,
}

impl Phase {
    pub(crate) const ALL: [Self; 6] =
        [Self::Read, Self::Try, Self::WriteShown, Self::WriteNew, Self::More, Self::Rest];

    /// What is looked at promises at least so much.
    fn least_promise(self) -> f64 {
        match self {
            Self::Read | Self::Try | Self::WriteShown | Self::WriteNew => 0.25,
            Self::More | Self::Rest => 0.1,
        }
    }
}

/// One user's exploration, as far as it is.
pub(crate) struct Exploration {
    pub(crate) visitor: Visitor,
    pub(crate) scenes: Vec<Scene>,
    pub(crate) frontier: Frontier,
    /// An address of each node.
    pub(crate) addresses: HashMap<String, String>,
    /// Users that turned out to be there: what they are called, and where they begin.
    pub(crate) discovered: Vec<(String, Scene, String)>,
    /// The sessions of which everything was tried, by their places, and whether what they sent by forms was sent, too.
    pub(crate) tried_sessions: HashSet<(usize, bool)>,
    /// The nodes that answered as they had when they were recorded.
    pub(crate) answered: BTreeSet<String>,
    /// Whether home was looked at.
    pub(crate) has_begun: bool,
    /// The state that it begins in, where another exploration saved it.
    pub(crate) begins_with: Option<String>,
}

impl Exploration {
    pub(crate) fn new(visitor: Visitor) -> Self {
        let frontier = Frontier::of(&visitor.name);
        Self {
            visitor,
            scenes: Vec::new(),
            frontier,
            addresses: HashMap::new(),
            discovered: Vec::new(),
            tried_sessions: HashSet::new(),
            answered: BTreeSet::new(),
            has_begun: false,
            begins_with: None,
        }
    }
}

/// Goes on with one user's exploration.
pub(crate) struct Explorer<'e, 'a, 's, 'p> {
    pub(crate) shared: &'e mut Shared<'a, 's, 'p>,
    pub(crate) own: &'e mut Exploration,
    /// The scene that is on, and whether something was done in it.
    on: Option<usize>,
    pub(crate) dirty: bool,
    /// The forms that were sent since the user began, in the state that is now.
    pub(crate) sent: Vec<String>,
    /// The cookies as they are now.
    pub(crate) jar: CookieJar,
    /// The browser's own header fields.
    pub(crate) browser: Headers,
    /// Whether what is looked at now was found by trying alone.
    pub(crate) trying: bool,
}

impl<'e, 'a, 's, 'p> Explorer<'e, 'a, 's, 'p> {
    pub(crate) fn new(shared: &'e mut Shared<'a, 's, 'p>, own: &'e mut Exploration) -> Self {
        let (jar, browser) = (own.visitor.jar.clone(), own.visitor.browser.clone());
        Self { shared, own, on: None, dirty: true, sent: Vec::new(), jar, browser, trying: false }
    }

    /// Looks at home, in the state that is now.
    pub(crate) fn begin(&mut self, home: &str) -> Result<(), ReplayError> {
        self.own.has_begun = true;
        let node = link_node(self.rules(), home);
        self.shared.builder.set_home(&node);
        let first = self.fetch(&Outgoing::get(home), None)?;
        self.add_scene()?;
        self.on = Some(0);
        self.dirty = false;
        if let Some(answer) = first {
            self.arrive(&node, home, answer, 0, 0)?;
        }
        if let Some(landing) = self.own.visitor.landing.clone() {
            let node = link_node(self.rules(), &landing);
            if let Some(answer) = self.fetch(&Outgoing::get(&landing), None)? {
                self.arrive(&node, &landing, answer, 0, 1)?;
            }
        }
        // Not everything leads back to where the site begins.
        let action = Action::Follow {
            uri: "/".to_owned(),
            referer: Rc::from(""),
            label: String::new(),
            signs: String::new(),
            in_data: false,
            in_sessions: false,
        };
        let (node, from) = (link_node(self.rules(), "/"), Rc::from(""));
        let known = self.known(&node, &from);
        let tried = self.trying;
        let root = Target { scene: 0, depth: 1, node, from, tried, known, kind: Kind::New, action };
        self.queue(root);
        Ok(())
    }

    /// Does what is to be done in a phase; why it stopped.
    pub(crate) fn explore(&mut self, phase: Phase) -> Result<StopReason, ReplayError> {
        loop {
            if let Some(why) = self.shared.spent.over() {
                return Ok(why);
            }
            let Some(target) = self.next(phase) else {
                if phase >= Phase::Try && self.try_next_session(false)? {
                    continue;
                }
                if phase > Phase::Try && self.try_next_session(true)? {
                    continue;
                }
                return Ok(StopReason::Complete);
            };
            self.trying = target.tried;
            let known = self.shared.promise.news();
            match &target.action {
                _ if target.kind == Kind::ShownFrom && !self.leads_elsewhere(&target) => {}
                Action::Follow { uri, referer, label, signs, .. } => {
                    self.follow(&target, (uri, referer), (label, signs))?
                }
                Action::Load { uri } => self.load(&target, uri)?,
                Action::Press { page, label, .. } => self.press(&target, page, label)?,
            }
            self.trying = false;
            let promise = &mut self.shared.promise;
            promise.count(&target.kind, promise.news() > known);
        }
    }

    /// The next to look at in a phase.
    fn next(&mut self, phase: Phase) -> Option<Target> {
        let own = &mut *self.own;
        let (promise, least) = (&self.shared.promise, phase.least_promise());
        if let Some(target) = own.frontier.next_to_read(self.on, promise, least) {
            return Some(target);
        }
        let builder = &*self.shared.builder;
        let worth = |target: &Target| promise.of(&target.kind);
        let is_new = |target: &Target| !builder.is_visited(&target.node);
        let is_shown = |target: &Target| target.known.to_sessions;
        match phase {
            Phase::Read | Phase::Try => None,
            Phase::WriteShown => own.frontier.next_to_write(|target| {
                let is_first = is_new(target) && is_shown(target);
                (is_first || target.kind == Kind::ShownFrom).then_some(())
            }),
            Phase::WriteNew => own.frontier.next_to_write(|target| {
                Some(worth(target)).filter(|worth| is_new(target) && *worth >= least)
            }),
            Phase::More => own
                .frontier
                .next_to_write(|target| Some((is_new(target), is_shown(target))).filter(|(a, b)| *a || *b)),
            Phase::Rest => own
                .frontier
                .next_to_write(|target| Some(worth(target)))
                .or_else(|| own.frontier.next_to_read(self.on, promise, 0.0)),
        }
    }

    pub(crate) fn rules(&self) -> &KeyRules {
        self.shared.builder.rules()
    }

    /// Saves the state as it is now; its place among the scenes.
    pub(crate) fn add_scene(&mut self) -> Result<usize, ReplayError> {
        let snapshot = format!("{} {}", self.own.visitor.name, self.own.scenes.len());
        self.shared.stage.save(&snapshot)?;
        let (jar, browser, sent) = (self.jar.clone(), self.browser.clone(), self.sent.clone());
        self.own.scenes.push(Scene { snapshot, jar, browser, sent });
        Ok(self.own.scenes.len() - 1)
    }

    /// The state is no longer that of any scene.
    pub(crate) fn leave_scene(&mut self) {
        self.on = None;
        self.dirty = true;
    }

    /// Puts the state as a scene has it.
    pub(crate) fn enter(&mut self, scene: usize) -> Result<(), ReplayError> {
        let shared = &mut *self.shared;
        let entered = &self.own.scenes[scene];
        self.jar = entered.jar.clone();
        self.browser = entered.browser.clone();
        self.sent = entered.sent.clone();
        if !shared.stage.has_state() {
            self.on = Some(scene);
            return Ok(());
        }
        let cost = shared.restoring.checked_div(u32::try_from(shared.restores).unwrap_or(u32::MAX));
        if self.on != Some(scene) || self.dirty || cost.is_none_or(|cost| cost < QUICK) {
            let begun = Instant::now();
            shared.stage.restore(&self.own.scenes[scene].snapshot)?;
            shared.restoring += begun.elapsed();
            shared.restores += 1;
            self.dirty = false;
        }
        self.on = Some(scene);
        Ok(())
    }

    /// Sends a request and reads its answer; none where there is none, or where nothing more may be sent.
    pub(crate) fn fetch(
        &mut self,
        outgoing: &Outgoing,
        referer: Option<&str>,
    ) -> Result<Option<PageAnswer>, ReplayError> {
        Ok(self.fetch_whole(outgoing, referer)?.map(|(answer, _)| answer))
    }

    /// The same, with the answer as it came.
    pub(crate) fn fetch_whole(
        &mut self,
        outgoing: &Outgoing,
        referer: Option<&str>,
    ) -> Result<Option<(PageAnswer, Fetched)>, ReplayError> {
        if self.shared.spent.over().is_some() {
            return Ok(None);
        }
        let headers = outgoing.headers(&self.browser, &self.jar, referer);
        self.count_request();
        let shared = &mut *self.shared;
        let answer = shared.stage.send(&outgoing.method, &outgoing.uri, &headers, &outgoing.body)?;
        let fetched = match answer {
            Ok(fetched) => fetched,
            Err(why) => {
                if shared.spent.over() != Some(StopReason::MaxTime) {
                    let what = format!("{} {}: {}", outgoing.method, outgoing.uri, why.why);
                    shared.skipped.add("not answered", &what);
                }
                self.dirty = true;
                return Ok(None);
            }
        };
        let sets_cookie = fetched.headers.get("set-cookie").is_some();
        self.jar.receive(&outgoing.uri, &fetched.headers);
        let answer = PageAnswer::of(&headers, &outgoing.uri, fetched.status, &fetched.headers, &fetched.body);
        self.dirty |= outgoing.method != "GET" || sets_cookie || answer.redirect.is_some();
        Ok(Some((answer, fetched)))
    }

    /// One more request is sent.
    pub(crate) fn count_request(&mut self) {
        let shared = &mut *self.shared;
        shared.spent.requests += 1;
        let (nodes, edges) = shared.builder.size();
        let (user, requests) = (self.own.visitor.name.as_str(), shared.spent.requests);
        (shared.told)(CrawlProgress { user, requests, nodes, edges });
    }

    fn follow(
        &mut self,
        target: &Target,
        (uri, referer): (&str, &str),
        (label, signs): (&str, &str),
    ) -> Result<(), ReplayError> {
        let leaves = is_logout(uri) || is_logout(label);
        let says_so = leaves || may_change(uri) || may_change(label) || may_change(signs);
        // What cannot be put back is not risked: one only asks where nothing hints at more.
        let unsaid = !self.shared.may_write
            && (may_change_unsaid(uri) || self.shared.traffic.acting.contains(&target.node));
        let changes = says_so || unsaid;
        if changes && !self.shared.may_write {
            self.shared.skipped.add(UNSAFE, &target.node);
            return Ok(());
        }
        self.enter(target.scene)?;
        self.dirty |= changes;
        let referer = Some(referer).filter(|referer| !referer.is_empty());
        let Some(answer) = self.fetch(&Outgoing::get(uri), referer)? else { return Ok(()) };
        if leaves && self.own.visitor.name != ANONYMOUS {
            self.shared.builder.note_change(&target.node, ANONYMOUS);
            // Who is nobody from here on is explored as nobody.
            self.see(&target.node, uri, &answer);
            return Ok(());
        }
        let moved = answer.redirect.is_some();
        let (scene, depth) = (target.scene, target.depth);
        if moved && self.shared.stage.has_state() {
            self.settle(&target.node, uri, answer, scene, depth)
        } else {
            self.arrive(&target.node, uri, answer, scene, depth)
        }
    }

    /// Looks at what a browser asks for by itself. Styles and fonts are no part of a map, whatever their addresses look like.
    fn load(&mut self, target: &Target, uri: &str) -> Result<(), ReplayError> {
        self.enter(target.scene)?;
        match self.fetch(&Outgoing::get(uri), None)? {
            Some(answer) if answer.is_style => self.shared.builder.leave_out(target.node.clone()),
            Some(answer) => self.arrive(&target.node, uri, answer, target.scene, target.depth)?,
            None => {}
        }
        Ok(())
    }

    /// Takes in an answer, follows where it sends the browser, and queues what the pages lead to.
    pub(crate) fn arrive(
        &mut self,
        node: &str,
        uri: &str,
        answer: PageAnswer,
        scene: usize,
        depth: usize,
    ) -> Result<(), ReplayError> {
        let (landed, at) = self.follow_redirects(node, uri, answer)?;
        self.queue_page(
            (&landed, &at),
            scene,
            depth + 1,
            PageSource::Get(restage_browser::request_uri(&landed.url)),
        );
        Ok(())
    }

    /// Takes in an answer and those after it, as long as each sends the browser on; the last one, and its node.
    pub(crate) fn follow_redirects(
        &mut self,
        node: &str,
        uri: &str,
        answer: PageAnswer,
    ) -> Result<(PageAnswer, String), ReplayError> {
        self.see(node, uri, &answer);
        let mut hops = self.redirects(node, answer)?;
        for (node, uri, answer) in hops.iter().skip(1) {
            self.see(node, uri, answer);
        }
        Ok(hops
            .pop()
            .map(|(node, _, answer)| (answer, node))
            .unwrap_or_else(|| unreachable!("the first is there")))
    }

    /// An answer and those after it, as long as each sends the browser on, with their nodes and addresses.
    pub(crate) fn redirects(
        &mut self,
        node: &str,
        first: PageAnswer,
    ) -> Result<Vec<(String, String, PageAnswer)>, ReplayError> {
        let mut next = first.redirect.clone();
        let mut hops = vec![(node.to_owned(), restage_browser::request_uri(&first.url), first)];
        while let Some(uri) = next.take() {
            if hops.len() > HOPS {
                self.shared.skipped.add("redirects without an end", node);
                break;
            }
            let Some(found) = self.fetch(&Outgoing::get(&uri), None)? else { break };
            next = found.redirect.clone();
            hops.push((link_node(self.rules(), &uri), uri, found));
        }
        if let Some((node, ..)) = hops.last().filter(|(.., answer)| answer.leads_out) {
            self.shared.skipped.add("leads to another site", node);
        }
        Ok(hops)
    }

    /// Notes an answer in the map.
    pub(crate) fn see(&mut self, node: &str, uri: &str, answer: &PageAnswer) {
        self.own.addresses.insert(node.to_owned(), uri.to_owned());
        self.shared.promise.note(node);
        self.shared.builder.see(&Seen {
            user: &self.own.visitor.name,
            by: SeenBy::Spider,
            tried: self.trying,
            node,
            uri,
            status: answer.status,
            redirect: answer.redirect.as_deref(),
            page: answer.offers(),
            headings: &answer.headings,
            after: &self.sent,
            digest: answer.digest,
            is_file: answer.is_file,
        });
    }

    /// Queues what a page leads to; whether any of it is new.
    pub(crate) fn queue_page(
        &mut self,
        page: (&PageAnswer, &str),
        scene: usize,
        depth: usize,
        source: PageSource,
    ) -> bool {
        let targets = self.targets(page, scene, depth, &source);
        let mut any = false;
        for target in targets {
            any |= self.queue(target);
        }
        any
    }

    fn queue(&mut self, target: Target) -> bool {
        let shared = &mut *self.shared;
        shared.promise.note(&target.node);
        self.own.frontier.add(target, shared.spent.depth(), &mut shared.skipped, &shared.promise)
    }

    /// Whether a page leads to something that was never queued.
    pub(crate) fn has_new(&self, answer: &PageAnswer) -> bool {
        let source = PageSource::Get(String::new());
        self.targets((answer, ""), 0, 0, &source).iter().any(|target| self.own.frontier.is_new(&target.node))
    }

    /// Whether sessions were led from a target's page to where the spider never was.
    fn leads_elsewhere(&self, target: &Target) -> bool {
        self.leads_sessions_elsewhere(&target.node, &target.from)
    }

    fn leads_sessions_elsewhere(&self, node: &str, from: &Rc<str>) -> bool {
        let led = self.shared.traffic.answers.get(node).and_then(|by_page| by_page.get(&**from));
        led.is_some_and(|led| led.iter().any(|node| !self.shared.builder.is_visited(node)))
    }

    fn known(&self, node: &str, from: &Rc<str>) -> Known {
        let is_visited = self.shared.builder.is_visited(node);
        let traffic = self.shared.traffic;
        let by_sessions = traffic.reached_by.get(node);
        let to_sessions =
            by_sessions.is_some_and(|users| !is_visited || users.contains(self.user_in_sessions()));
        Known {
            to_sessions,
            to_others: !self.own.addresses.contains_key(node) && is_visited,
            acts: traffic.acting.contains(node),
            elsewhere_in_sessions: self.leads_sessions_elsewhere(node, from),
        }
    }

    /// What a page leads to.
    fn targets(
        &self,
        (answer, at): (&PageAnswer, &str),
        scene: usize,
        depth: usize,
        source: &PageSource,
    ) -> Vec<Target> {
        let Some(page) = answer.offers().filter(|_| answer.status < 500) else { return Vec::new() };
        let (in_data, tried) = (answer.page.is_none(), self.trying);
        let rules = self.shared.builder.rules();
        let (from, referer): (Rc<str>, Rc<str>) = (Rc::from(at), Rc::from(answer.url.as_str()));
        let mut targets = Vec::new();
        for link in page.links().iter().filter(|link| !link.href.starts_with('#')) {
            let Some(uri) = page.uri(&link.href) else { continue };
            if !uri.starts_with('/') {
                continue;
            }
            let signs = answer.signs.get(&link.href).cloned().unwrap_or_default();
            let label = link.text.clone();
            let in_sessions = self.shared.traffic.addresses.contains(uri.as_ref());
            let node = link_node(rules, &uri);
            let uri = uri.into_owned();
            let action = Action::Follow { uri, referer: referer.clone(), label, signs, in_data, in_sessions };
            let known = self.known(&node, &from);
            let (from, kind) = (from.clone(), Kind::New);
            targets.push(Target { scene, depth, node, from, tried, known, kind, action });
        }
        for uri in computed_resources(page) {
            let node = link_node(rules, &uri);
            let (known, action) = (self.known(&node, &from), Action::Load { uri });
            let (from, kind) = (from.clone(), Kind::New);
            targets.push(Target { scene, depth, node, from, tried, known, kind, action });
        }
        for form in form_targets(rules, page) {
            let label = form.button.map(|button| button.text.clone()).unwrap_or_default();
            let action = Action::Press { page: source.clone(), label, writes: form.method != "GET" };
            let (known, node) = (self.known(&form.node, &from), form.node);
            let (from, kind) = (from.clone(), Kind::New);
            targets.push(Target { scene, depth, node, from, tried, known, kind, action });
        }
        targets
    }
}
