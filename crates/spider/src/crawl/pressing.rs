//! Forms, and what comes after them.

use std::collections::BTreeSet;
use std::rc::Rc;

use restage_replay::ReplayError;
use restage_site::{ANONYMOUS, Submission, fill_fields, form_targets};

use crate::crawl::changing::may_change;
use crate::crawl::explorer::{Explorer, UNSAFE};
use crate::crawl::request::Outgoing;
use crate::crawl::scene::{PageSource, Target};
use crate::page_answer::PageAnswer;
use crate::sessions::{is_logout, is_nobodys, offered_by, proves_identity};

/// A form is tried with so many sets of values, where it does not take the first.
const TRIES: usize = 3;
/// A form is sent with so many ways to choose of what it enumerates.
const WAYS_TO_CHOOSE: usize = 4;
/// After a form, so many pages are looked at again: they may show what it did.
const AGAIN: usize = 6;
/// So many forms one after another are sent to get somewhere.
const PRESSES: usize = 6;
/// Users are the same where one is offered so much of what the other is.
const ALIKE: f64 = 0.8;
/// Who has logged in, where no session shows who that is.
const LOGGED_IN: &str = "logged in";

/// What was chosen of what a form enumerates: names and values.
type Choices = BTreeSet<(String, String)>;

/// What came of sending a form once.
enum Pressed {
    /// The page has no such form any more.
    Gone,
    /// Nothing more may be sent, or there was no answer.
    Nothing,
    /// It was answered.
    Answered { answer: Box<PageAnswer>, uri: String, proves: bool },
}

impl<'a> Explorer<'_, 'a, '_, '_> {
    /// Sends a form, with several sets of values where the application does not take the first, and looks at what it did.
    pub(crate) fn press(
        &mut self,
        target: &Target,
        page: &PageSource,
        label: &str,
    ) -> Result<(), ReplayError> {
        let reads = target.node.starts_with("GET ");
        let changes = !reads || is_logout(&target.node) || may_change(&target.node) || may_change(label);
        if changes && !self.shared.may_write {
            self.shared.skipped.add(UNSAFE, &target.node);
            return Ok(());
        }
        let tries = self.sets_of_values(&target.node);
        let last = tries.len() - 1;
        let mut taken: Vec<Choices> = Vec::new();
        for (number, (choices, submission)) in tries.into_iter().enumerate() {
            // With other choices, a form does something else; without recorded ones, there is no telling.
            if taken.contains(&choices) || (submission.is_none() && !taken.is_empty()) {
                continue;
            }
            self.enter(target.scene)?;
            self.dirty |= changes;
            let (answer, uri, proves) = match self.send_form(target, page, label, submission)? {
                Pressed::Gone => {
                    self.shared.skipped.add("forms that were gone when they were to be sent", &target.node);
                    return Ok(());
                }
                Pressed::Nothing => return Ok(()),
                Pressed::Answered { answer, uri, proves } => (*answer, uri, proves),
            };
            // The same form once more means that the values were not taken.
            let refused = answer.status >= 400
                || answer.page.as_ref().is_some_and(|page| !reads && self.offers(page, &target.node));
            let has_state = self.shared.stage.has_state();
            if refused && number < last && has_state {
                self.see(&target.node, &uri, &answer);
                continue;
            }
            self.look_after(target, label, &uri, answer, proves && !refused)?;
            if proves || !has_state {
                return Ok(());
            }
            taken.push(choices);
        }
        Ok(())
    }

    /// The sets of values that a form is tried with, with what each chooses of what the form enumerates: what sessions sent, one set for
    /// each way to choose first, and at last the tables alone.
    fn sets_of_values(&self, node: &str) -> Vec<(Choices, Option<&'a Submission>)> {
        let enumerated: BTreeSet<&str> = self
            .shared
            .builder
            .fields(node)
            .iter()
            .filter(|field| matches!(field.control.as_str(), "select" | "radio"))
            .map(|field| field.name.as_str())
            .collect();
        let traffic = self.shared.traffic;
        let mut sets: Vec<(Choices, Option<&Submission>)> = Vec::new();
        let mut again: Vec<(Choices, Option<&Submission>)> = Vec::new();
        for submission in traffic.lookup.of_form(node, &self.own.visitor.name) {
            let chosen = submission.fields.iter().filter(|(name, _)| enumerated.contains(name.as_str()));
            let choices: Choices = chosen.cloned().collect();
            let list = if sets.iter().any(|(known, _)| *known == choices) { &mut again } else { &mut sets };
            list.push((choices, Some(submission)));
        }
        sets.truncate(WAYS_TO_CHOOSE);
        // What was refused may be taken with other values beside the same choices.
        again.truncate((TRIES - 1).saturating_sub(sets.len()));
        sets.append(&mut again);
        sets.push((Choices::new(), None));
        sets
    }

    fn offers(&self, page: &restage_browser::LoadedPage, node: &str) -> bool {
        form_targets(self.rules(), page).iter().any(|form| form.node == node)
    }

    fn send_form(
        &mut self,
        target: &Target,
        page: &PageSource,
        label: &str,
        submission: Option<&Submission>,
    ) -> Result<Pressed, ReplayError> {
        let answer = match page {
            PageSource::Answer(answer) => answer.clone(),
            PageSource::Get(uri) => match self.fetch(&Outgoing::get(uri), None)? {
                Some(answer) => Rc::new(answer),
                None => return Ok(Pressed::Nothing),
            },
        };
        let Some(loaded) = &answer.page else { return Ok(Pressed::Gone) };
        let forms = form_targets(self.rules(), loaded);
        let of_node = || forms.iter().filter(|form| form.node == target.node);
        let on_button =
            |form: &&restage_site::FormTarget<'_>| form.button.is_some_and(|button| button.text == label);
        let Some(form) = of_node().find(on_button).or_else(|| of_node().next()) else {
            return Ok(Pressed::Gone);
        };
        let filled = fill_fields(
            form.form,
            form.button,
            submission,
            &self.shared.traffic.lookup,
            self.shared.constants,
        );
        let proves = proves_identity(Some(form.form), &filled.pairs);
        self.shared.builder.note_sources(&target.node, &filled.sources);
        let outgoing = Outgoing::submit(form, &filled);
        let referer = answer.url.to_string();
        self.shared.pressed += 1;
        match self.fetch(&outgoing, Some(&referer))? {
            Some(answer) => Ok(Pressed::Answered { answer: Box::new(answer), uri: outgoing.uri, proves }),
            None => Ok(Pressed::Nothing),
        }
    }

    /// Looks at what a form did: where it leads, who the user is now, and which pages have something new to show.
    fn look_after(
        &mut self,
        target: &Target,
        label: &str,
        uri: &str,
        answer: PageAnswer,
        proves: bool,
    ) -> Result<(), ReplayError> {
        let is_nobody = self.own.visitor.name == ANONYMOUS;
        if (is_logout(uri) || is_logout(label)) && !is_nobody {
            self.see(&target.node, uri, &answer);
            let hops = self.redirects(&target.node, answer)?;
            self.shared.builder.note_change(&target.node, ANONYMOUS);
            self.see_as(ANONYMOUS, &hops[1..]);
            return Ok(());
        }
        if proves && is_nobody {
            return self.log_in(target, uri, answer);
        }
        self.settle(&target.node, uri, answer, target.scene, target.depth)
    }

    /// Somebody has logged in: a user that is explored on her own, or will be.
    fn log_in(&mut self, target: &Target, uri: &str, answer: PageAnswer) -> Result<(), ReplayError> {
        self.see(&target.node, uri, &answer);
        let hops = self.redirects(&target.node, answer)?;
        let Some((.., landed)) = hops.last() else { return Ok(()) };
        let landing = restage_browser::request_uri(&landed.url);
        let rules = self.shared.builder.rules();
        let landed_on = landed.page.as_ref().map(|page| offered_by(rules, page)).unwrap_or_default();
        let asked_again = landed.asks_password();
        let before = &self.own.scenes[target.scene].jar;
        let has_new_cookies = before.matching(&landing) != self.jar.matching(&landing);
        let scene = self.add_scene()?;
        // Pages are compared that are the same for all.
        let home = self.fetch(&Outgoing::get(self.shared.home), None)?.and_then(|answer| answer.page);
        let offered = home.map_or(landed_on, |page| offered_by(self.shared.builder.rules(), &page));
        // Who is offered what everybody is, and got no cookie or is asked for a password once more, was not let in.
        if same(&offered, &self.shared.offered_to_nobody) && (asked_again || !has_new_cookies) {
            self.see_hops(&hops[1..]);
            return Ok(());
        }
        let alike = self.shared.known.iter().map(|(name, other)| (name, share(other, &offered)));
        let known = alike.filter(|(_, alike)| *alike >= ALIKE).max_by(|(_, a), (_, b)| a.total_cmp(b));
        let name = match known {
            Some((name, _)) => name.clone(),
            None => {
                let name = LOGGED_IN.to_owned();
                self.own.discovered.push((name.clone(), self.own.scenes[scene].clone(), landing));
                self.shared.known.push((name.clone(), offered));
                name
            }
        };
        self.shared.builder.note_change(&target.node, &name);
        // From the form on, she is who she is.
        self.see_as(&name, &hops[1..]);
        Ok(())
    }

    fn see_hops(&mut self, hops: &[(String, String, PageAnswer)]) {
        for (node, uri, answer) in hops {
            self.see(node, uri, answer);
        }
    }

    /// Takes in answers that somebody else got: she has just logged in or out.
    fn see_as(&mut self, user: &str, hops: &[(String, String, PageAnswer)]) {
        let before = std::mem::replace(&mut self.own.visitor.name, user.to_owned());
        self.see_hops(hops);
        self.own.visitor.name = before;
    }

    /// Takes in the answer to something that may have changed the state, looks again at pages that may show it, and saves the state
    /// where they lead to something new.
    pub(crate) fn settle(
        &mut self,
        node: &str,
        uri: &str,
        answer: PageAnswer,
        scene: usize,
        depth: usize,
    ) -> Result<(), ReplayError> {
        let redirected = answer.redirect.is_some();
        let is_get = node.starts_with("GET ");
        // From the answer on, it has been sent.
        self.see(node, uri, &answer);
        self.sent.push(node.to_owned());
        let (landed, at) = self.follow_redirects(node, uri, answer)?;
        if !self.shared.stage.has_state() || self.sent.len() > PRESSES {
            let source = PageSource::Get(restage_browser::request_uri(&landed.url));
            if redirected || is_get {
                self.queue_page((&landed, &at), scene, depth + 1, source);
            }
            return Ok(());
        }
        let source = |answer: &Rc<PageAnswer>| {
            if redirected || is_get {
                PageSource::Get(restage_browser::request_uri(&answer.url))
            } else {
                PageSource::Answer(answer.clone())
            }
        };
        let landed = Rc::new(landed);
        let mut new_scene = None;
        if self.has_new(&landed) {
            let added = self.add_scene()?;
            new_scene = Some(added);
            self.queue_page((&landed, &at), added, depth + 1, source(&landed));
        }
        if is_get && !redirected {
            return Ok(());
        }
        for (again, address) in self.pages_to_see_again(node, &at) {
            let Some(answer) = self.fetch(&Outgoing::get(&address), None)? else { break };
            let (answer, landed_at) = self.follow_redirects(&again, &address, answer)?;
            if self.has_new(&answer) {
                let added = match new_scene {
                    Some(added) => added,
                    None => self.add_scene()?,
                };
                new_scene = Some(added);
                let source = PageSource::Get(restage_browser::request_uri(&answer.url));
                self.queue_page((&answer, &landed_at), added, depth + 2, source);
            }
        }
        Ok(())
    }

    /// Pages that may show what a form did: where sessions went after it.
    fn pages_to_see_again(&self, form: &str, landed: &str) -> Vec<(String, String)> {
        let next = self.shared.traffic.next.get(form).into_iter().flatten();
        let known = next.filter(|node| *node != landed && !node.contains(" /logout"));
        let mut pages: Vec<(String, String)> =
            known.filter_map(|node| Some((node.clone(), self.own.addresses.get(node)?.clone()))).collect();
        pages.truncate(AGAIN);
        pages
    }
}

/// Whether two are offered the same, as far as it is nobody's data.
fn same(offered: &BTreeSet<String>, others: &BTreeSet<String>) -> bool {
    let plain = |link: &&String| is_nobodys(link);
    offered.iter().filter(plain).eq(others.iter().filter(plain))
}

/// How much of what a user is offered somebody is offered, too, as far as it is nobody's data.
fn share(offered: &BTreeSet<String>, to: &BTreeSet<String>) -> f64 {
    let plain = offered.iter().filter(|link| is_nobodys(link));
    let (all, both) =
        plain.fold((0u32, 0u32), |(all, both), link| (all + 1, both + u32::from(to.contains(link))));
    if all == 0 { 0.0 } else { f64::from(both) / f64::from(all) }
}
