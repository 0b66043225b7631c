//! One user's exploration: pages, links, and what comes of following them.

use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

use restage_browser::CookieJar;
use restage_model::KeyRules;
use restage_replay::{ReplayError, Stage};
use restage_site::{
    ANONYMOUS, ConstantTable, Seen, SeenBy, SiteBuilder, computed_resources, form_targets, link_node,
};

use crate::crawl::budget::{Spent, StopReason};
use crate::crawl::changing::may_change;
use crate::crawl::frontier::Frontier;
use crate::crawl::report::{CrawlProgress, SkipList};
use crate::crawl::request::Outgoing;
use crate::crawl::scene::{Action, PageSource, Scene, Target};
use crate::crawl::visitor::Visitor;
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
    pub(crate) constants: &'a ConstantTable,
    pub(crate) spent: Spent,
    pub(crate) skipped: SkipList,
    pub(crate) told: &'a mut dyn FnMut(CrawlProgress<'_>),
    /// Whether forms that may change something are sent.
    pub(crate) may_write: bool,
    /// The users that are explored on their own, with what they are offered.
    pub(crate) known: Vec<(String, BTreeSet<String>)>,
    pub(crate) pressed: usize,
    pub(crate) restores: usize,
    pub(crate) restoring: Duration,
}

/// One user's exploration.
pub(crate) struct Explorer<'e, 'a, 's, 'p> {
    pub(crate) shared: &'e mut Shared<'a, 's, 'p>,
    pub(crate) visitor: Visitor,
    pub(crate) scenes: Vec<Scene>,
    /// The scene that is on, and whether something was done in it.
    on: Option<usize>,
    pub(crate) dirty: bool,
    /// The forms that were sent since the user began, in the state that is now.
    pub(crate) sent: Vec<String>,
    /// The cookies as they are now.
    pub(crate) jar: CookieJar,
    pub(crate) frontier: Frontier,
    /// An address of each node.
    pub(crate) addresses: HashMap<String, String>,
    /// Users that turned out to be there: what they are called, and where they begin.
    pub(crate) discovered: Vec<(String, Scene, String)>,
}

impl<'e, 'a, 's, 'p> Explorer<'e, 'a, 's, 'p> {
    pub(crate) fn new(shared: &'e mut Shared<'a, 's, 'p>, visitor: Visitor) -> Self {
        let jar = visitor.jar.clone();
        Self {
            shared,
            visitor,
            scenes: Vec::new(),
            on: None,
            dirty: false,
            sent: Vec::new(),
            jar,
            frontier: Frontier::default(),
            addresses: HashMap::new(),
            discovered: Vec::new(),
        }
    }

    /// Looks at everything that home leads to; why it stopped.
    pub(crate) fn explore(&mut self, home: &str) -> Result<StopReason, ReplayError> {
        let node = link_node(self.rules(), home);
        self.shared.builder.set_home(&node);
        let first = self.fetch(&Outgoing::get(home), None)?;
        self.add_scene()?;
        self.on = Some(0);
        if let Some(answer) = first {
            self.arrive(&node, home, answer, 0, 0)?;
        }
        if let Some(landing) = self.visitor.landing.clone() {
            let node = link_node(self.rules(), &landing);
            if let Some(answer) = self.fetch(&Outgoing::get(&landing), None)? {
                self.arrive(&node, &landing, answer, 0, 1)?;
            }
        }
        // Not everything leads back to where the site begins.
        let action = Action::Follow { uri: "/".to_owned(), label: String::new() };
        let root = Target { scene: 0, depth: 1, node: link_node(self.rules(), "/"), action };
        self.frontier.add(root, self.shared.spent.depth(), &mut self.shared.skipped);
        loop {
            if let Some(why) = self.shared.spent.over() {
                return Ok(why);
            }
            let Some(target) = self.frontier.next(self.on) else { return Ok(StopReason::Complete) };
            match &target.action {
                Action::Follow { uri, label } => {
                    let (uri, label) = (uri.clone(), label.clone());
                    self.follow(&target, &uri, &label)?;
                }
                Action::Load { uri } => {
                    let uri = uri.clone();
                    self.load(&target, &uri)?;
                }
                Action::Press { page, label, .. } => {
                    let (page, label) = (page.clone(), label.clone());
                    self.press(&target, &page, &label)?;
                }
            }
        }
    }

    pub(crate) fn rules(&self) -> &KeyRules {
        self.shared.builder.rules()
    }

    /// Saves the state as it is now; its place among the scenes.
    pub(crate) fn add_scene(&mut self) -> Result<usize, ReplayError> {
        let snapshot = format!("{} {}", self.visitor.name, self.scenes.len());
        self.shared.stage.save(&snapshot)?;
        self.scenes.push(Scene { snapshot, jar: self.jar.clone(), sent: self.sent.clone() });
        Ok(self.scenes.len() - 1)
    }

    /// Puts the state as a scene has it.
    pub(crate) fn enter(&mut self, scene: usize) -> Result<(), ReplayError> {
        let shared = &mut *self.shared;
        self.jar = self.scenes[scene].jar.clone();
        self.sent = self.scenes[scene].sent.clone();
        if !shared.stage.has_state() {
            self.on = Some(scene);
            return Ok(());
        }
        let cost = shared.restoring.checked_div(u32::try_from(shared.restores).unwrap_or(u32::MAX));
        if self.on != Some(scene) || self.dirty || cost.is_none_or(|cost| cost < QUICK) {
            let begun = Instant::now();
            shared.stage.restore(&self.scenes[scene].snapshot)?;
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
        let shared = &mut *self.shared;
        if shared.spent.over().is_some() {
            return Ok(None);
        }
        shared.spent.requests += 1;
        let headers = outgoing.headers(&self.visitor.browser, &self.jar, referer);
        let answer = shared.stage.send(&outgoing.method, &outgoing.uri, &headers, &outgoing.body)?;
        let (nodes, edges) = shared.builder.size();
        let (user, requests) = (self.visitor.name.as_str(), shared.spent.requests);
        (shared.told)(CrawlProgress { user, requests, nodes, edges });
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
        Ok(Some(answer))
    }

    fn follow(&mut self, target: &Target, uri: &str, label: &str) -> Result<(), ReplayError> {
        let leaves = is_logout(uri) || is_logout(label);
        let changes = leaves || may_change(uri) || may_change(label);
        if changes && !self.shared.may_write {
            self.shared.skipped.add(UNSAFE, &target.node);
            return Ok(());
        }
        self.enter(target.scene)?;
        self.dirty |= changes;
        let Some(answer) = self.fetch(&Outgoing::get(uri), None)? else { return Ok(()) };
        if leaves && self.visitor.name != ANONYMOUS {
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
        let (landed, _) = self.follow_redirects(node, uri, answer)?;
        self.queue_page(
            &landed,
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
        self.addresses.insert(node.to_owned(), uri.to_owned());
        self.shared.builder.see(&Seen {
            user: &self.visitor.name,
            by: SeenBy::Spider,
            node,
            uri,
            status: answer.status,
            redirect: answer.redirect.as_deref(),
            page: answer.page.as_ref(),
            headings: &answer.headings,
            after: &self.sent,
            digest: answer.digest,
            is_file: answer.is_file,
        });
    }

    /// Queues what a page leads to; whether any of it is new.
    pub(crate) fn queue_page(
        &mut self,
        answer: &PageAnswer,
        scene: usize,
        depth: usize,
        source: PageSource,
    ) -> bool {
        let targets = self.targets(answer, scene, depth, &source);
        let deepest = self.shared.spent.depth();
        let mut any = false;
        for target in targets {
            any |= self.frontier.add(target, deepest, &mut self.shared.skipped);
        }
        any
    }

    /// Whether a page leads to something that was never queued.
    pub(crate) fn has_new(&self, answer: &PageAnswer) -> bool {
        let source = PageSource::Get(String::new());
        self.targets(answer, 0, 0, &source).iter().any(|target| self.frontier.is_new(&target.node))
    }

    /// What a page leads to.
    fn targets(&self, answer: &PageAnswer, scene: usize, depth: usize, source: &PageSource) -> Vec<Target> {
        let Some(page) = answer.page.as_ref().filter(|_| answer.status < 500) else { return Vec::new() };
        let rules = self.shared.builder.rules();
        let mut targets = Vec::new();
        for link in page.links().iter().filter(|link| !link.href.starts_with('#')) {
            let Some(uri) = page.uri(&link.href) else { continue };
            if !uri.starts_with('/') {
                continue;
            }
            let action = Action::Follow { uri: uri.clone().into_owned(), label: link.text.clone() };
            targets.push(Target { scene, depth, node: link_node(rules, &uri), action });
        }
        for uri in computed_resources(page) {
            targets.push(Target { scene, depth, node: link_node(rules, &uri), action: Action::Load { uri } });
        }
        for form in form_targets(rules, page) {
            let label = form.button.map(|button| button.text.clone()).unwrap_or_default();
            let action = Action::Press { page: source.clone(), label, writes: form.method != "GET" };
            targets.push(Target { scene, depth, node: form.node, action });
        }
        targets
    }
}
