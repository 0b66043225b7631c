//! What there is to try in place of a step.

use restage_site::NodeIndex;
use restage_site::repair::Way;

use super::candidate::{Candidate, Move};
use super::session_search::Search;
use crate::old::Act;
use crate::ways::{offers, translated};

/// So many pages are looked at, the latest first.
const PAGES: usize = 12;
/// So many ways of the map are tried.
const WAYS: usize = 4;
/// What it costs to do something on the page that the user was on, on the latest page, and on one before.
const OWN_PAGE: f64 = 1.0;
const LATEST_PAGE: f64 = 1.2;
const EARLIER_PAGE: f64 = 1.9;
/// To go a way of the map, besides its own cost; and to begin at the home page.
const ON_THE_MAP: f64 = 2.0;
const FROM_HOME: f64 = 5.0;
/// To type an address.
const TYPED: f64 = 7.0;
/// What worked for another session.
const REMEMBERED: f64 = 4.0;

impl Search<'_, '_, '_> {
    /// What there is to try in place of the next step.
    pub(super) fn candidates(&self) -> Vec<Candidate> {
        let at = self.at();
        let mut found = self.on_pages(at);
        found.extend(self.leaving_out(at));
        found.extend(self.on_the_map(at));
        found.extend(self.typed(at));
        found.extend(self.gone(at));
        let (node, from) = (&self.session.steps[at].node, self.origin_node(at));
        for candidate in &mut found {
            // That another session did without it does not make it less worth a try.
            if !candidate.leaves_out() && self.memory.knows(node, &from, &candidate.tag(&self.walk)) {
                candidate.cost = (candidate.cost - REMEMBERED).max(0.1);
            }
        }
        found
    }

    /// The steps whose pages are looked at: that which the user was on, the latest, and those before.
    pub(super) fn pages(&self, at: usize) -> Vec<(usize, f64)> {
        let steps = &self.walk.steps;
        let own = self.session.steps[at].from.and_then(|from| self.walk.page_of(from));
        let mut pages: Vec<(usize, f64)> = own.map(|page| (page, OWN_PAGE)).into_iter().collect();
        let mut cost = LATEST_PAGE;
        for page in (0..steps.len()).rev().filter(|page| steps[*page].answer.is_page()).take(PAGES) {
            if Some(page) != own {
                pages.push((page, cost));
            }
            cost = if cost < EARLIER_PAGE { EARLIER_PAGE } else { cost + 0.05 };
        }
        // Where an answer sends the browser is on no page.
        let latest = steps.len().checked_sub(1).filter(|_| self.session.steps[at].act == Act::Redirect);
        if let Some(latest) = latest.filter(|latest| !pages.iter().any(|(page, _)| page == latest)) {
            pages.insert(0, (latest, OWN_PAGE));
        }
        pages
    }

    /// What the user did, done on a page that was visited.
    fn on_pages(&self, at: usize) -> Vec<Candidate> {
        let mut found = Vec::new();
        for (page, cost) in self.pages(at) {
            for (nth, offer) in offers(self.asked(at, page)).iter().enumerate() {
                let moves = vec![Move::Perform { page: Some(page), nth }];
                found.push(Candidate::new(moves, cost + 2.0 * (1.0 - offer.score) + 0.1 * nth as f64));
            }
        }
        found
    }

    /// Ways of the map to where the step leads, or to the page that has its form.
    fn on_the_map(&self, at: usize) -> Vec<Candidate> {
        let network = self.context.planner.network();
        let step = &self.session.steps[at];
        let (places, nodes) = self.visited();
        let mut found = Vec::new();
        for (target, sure) in self.context.counterparts(&step.node).into_iter().take(2) {
            let unsure = 3.0 * (1.0 - sure);
            // What is one step from a page that was visited is looked for on that page.
            let ways = network.ways(&nodes, target, None, WAYS + nodes.len());
            for way in ways.iter().filter(|way| way.edges.len() > 1).take(WAYS) {
                let moves = self.along(way, Some(places[way.source]));
                found.extend(moves.map(|m| Candidate::new(m, ON_THE_MAP + way.cost + unsure)));
            }
            let home = network.site().home.as_deref().and_then(|home| network.place(home));
            if let Some(home) = home.filter(|home| !nodes.contains(home)) {
                let uri = network.node(home).address.clone();
                for way in network.ways(&[home], target, None, 2) {
                    let mut moves = vec![Move::Home { uri: uri.clone() }];
                    match self.along(&way, None) {
                        Some(more) => moves.extend(more),
                        None => moves.push(Move::Perform { page: None, nth: 0 }),
                    }
                    found.push(Candidate::new(moves, ON_THE_MAP + FROM_HOME + way.cost + unsure));
                }
            }
        }
        found
    }

    /// The pages that were visited, as steps and as nodes of the map.
    pub(super) fn visited(&self) -> (Vec<usize>, Vec<NodeIndex>) {
        let network = self.context.planner.network();
        let steps = self.walk.steps.iter().enumerate().filter(|(_, step)| step.answer.is_page());
        steps.filter_map(|(at, step)| Some((at, network.place(&step.node)?))).unzip()
    }

    /// A way of the map, with the step itself at its end; none where the step is all of it.
    fn along(&self, way: &Way, page: Option<usize>) -> Option<Vec<Move>> {
        let (_, before) = way.edges.split_last().filter(|(_, before)| !before.is_empty())?;
        let latest = self.walk.latest_page();
        let go = |(nth, edge): (usize, &usize)| {
            let page = page.filter(|page| nth == 0 && Some(*page) != latest);
            Move::Go { page, edge: *edge }
        };
        let mut moves: Vec<Move> = before.iter().enumerate().map(go).collect();
        moves.push(Move::Perform { page: None, nth: 0 });
        Some(moves)
    }

    /// Its address, typed; or that of what it is now.
    fn typed(&self, at: usize) -> Vec<Candidate> {
        let step = &self.session.steps[at];
        if !step.is_get() || step.act == Act::Resource {
            return Vec::new();
        }
        let own = step.recorded.uri();
        let mut addresses: Vec<String> = Vec::new();
        for (target, _) in self.context.counterparts(&step.node).into_iter().take(2) {
            addresses.extend(translated(self.context.rules, &own, self.context.node(target)));
        }
        addresses.push(own);
        let mut known: Vec<String> = Vec::new();
        let mut found = Vec::new();
        for uri in addresses {
            if !known.contains(&uri) {
                let cost = TYPED + 0.5 * known.len() as f64;
                found.push(Candidate::new(vec![Move::Typed { uri: uri.clone() }], cost));
                known.push(uri);
            }
        }
        found
    }
}
