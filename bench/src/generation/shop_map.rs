//! The bookstore's map, made as `restage map` makes it, and sequences over it walked as `restage generate --into` walks them.

use std::collections::HashMap;

use restage_capture::learn_page_parameters;
use restage_model::{KeyRules, NewSuite, Run, Suite};
use restage_replay::on_stage;
use restage_site::{
    ANONYMOUS, ConstantTable, Coverage, Site, SiteBuilder, UserGraph, link_node, user_graphs,
};
use restage_spider::{
    Budget, Crawl, CrawlError, GeneratedSessions, SequenceWalk, Traffic, UserSequences, Values, WalkedCover,
    crawl, read_sessions, session_paths, walk_sequences,
};

use crate::Trouble;
use crate::generation::cover::Cover;
use crate::generation::way::SuiteWay;
use crate::subject::Subject;

/// So many kinds of users are looked for, as `restage map` does.
const USERS: usize = 4;

/// The map of a bookstore, and what its sessions show.
#[derive(Debug)]
pub struct ShopMap {
    site: Site,
    rules: KeyRules,
    traffic: Traffic,
    recorded: Suite,
    graphs: Vec<UserGraph>,
}

/// A suite that was made in one of the ways.
#[derive(Debug)]
pub struct WalkedSuite {
    /// The suite, in the store.
    pub suite: Suite,
    /// What its sequences cover of the map as a graph; nothing where there were none.
    pub planned: Option<Cover>,
    /// What its sessions covered on the bookstore.
    pub walked: Cover,
}

impl ShopMap {
    /// Maps a bookstore by its sessions and by a spider. The baseline has the state before each session.
    pub fn of(subject: &mut Subject, baseline: &Run) -> Result<Self, Trouble> {
        let app = subject.app(&[])?;
        let recorded = subject.suite.clone();
        let project = &mut subject.project;
        let mut rules = KeyRules::default();
        learn_page_parameters(&mut project.store, &rules)?;
        rules.parameters.learnt =
            project.store.page_parameters()?.iter().filter_map(|text| text.parse().ok()).collect();
        let mut builder = SiteBuilder::new(rules.clone());
        let traffic = read_sessions(&project.store, &recorded, &mut builder, |_| true)?;
        let home = traffic.usual_start().unwrap_or_else(|| "/".to_owned());
        builder.set_home(&link_node(&rules, &home));
        let sessions = project.store.run_sessions(baseline.id)?.into_iter();
        let plan = Crawl {
            suite: &recorded,
            traffic: &traffic,
            users: traffic.users.iter().take(USERS).cloned().collect(),
            anonymous: true,
            snapshots: sessions.filter_map(|session| Some((session.session, session.snapshot?))).collect(),
            home,
            budget: Budget::default(),
            press: false,
            constants: ConstantTable::default(),
        };
        on_stage(project, &app, "map", |stage| crawl(stage, &mut builder, &plan, &mut |_| {}))?;
        drop(plan);
        let site = builder.finish();
        let can_begin = |graph: &UserGraph| {
            graph.graph.home.is_some()
                && (graph.user == ANONYMOUS || traffic.users.iter().any(|user| user.name == graph.user))
        };
        let graphs = user_graphs(&site).into_iter().filter(can_begin).collect();
        Ok(Self { site, rules, traffic, recorded, graphs })
    }

    /// Of each user: her name, and how many nodes, dynamic nodes, edges and ordered pairs there are for her.
    pub fn users(&self) -> Result<Vec<(String, [usize; 4])>, Trouble> {
        let sizes = |graph: &UserGraph| -> Result<_, Trouble> {
            let all = Coverage::of(&graph.graph, graph.graph.home, &[])?;
            let reached = graph.graph.reached_from(graph.graph.home);
            let nodes = || reached.iter().zip(&graph.graph.dynamic).filter(|(reached, _)| **reached);
            let dynamic = nodes().filter(|(_, dynamic)| **dynamic).count();
            Ok((graph.user.clone(), [nodes().count(), dynamic, all.edges, all.pairs]))
        };
        self.graphs.iter().map(sizes).collect()
    }

    /// Makes a suite in one of the ways.
    pub fn walked(&self, subject: &mut Subject, way: SuiteWay) -> Result<WalkedSuite, Trouble> {
        if way == SuiteWay::Recorded {
            let walked = self.recorded_cover(subject)?;
            return Ok(WalkedSuite { suite: self.recorded.clone(), planned: None, walked });
        }
        let mut planned = Cover::default();
        let mut users = Vec::new();
        for graph in &self.graphs {
            let paths = way.sequences(&graph.graph);
            planned += Cover::of(&paths, &Coverage::of(&graph.graph, graph.graph.home, &paths)?);
            let ids =
                |path: &Vec<usize>| graph.ids(&self.site, path).into_iter().map(str::to_owned).collect();
            users.push(UserSequences { graph, sequences: paths.iter().map(ids).collect() });
        }
        let constants = ConstantTable::default();
        let plan = SequenceWalk {
            site: &self.site,
            rules: &self.rules,
            suite: &self.recorded,
            traffic: &self.traffic,
            constants: &constants,
            values: Values::One,
            by: way.criterion(),
        };
        let app = subject.app(&[])?;
        let name = way.name();
        let mut generated: GeneratedSessions = on_stage(&mut subject.project, &app, &name, |stage| {
            walk_sequences(stage, &plan, &users, &mut |_| {})
        })
        .map_err(|error: CrawlError| error.to_string())?;
        if let Some((user, why)) = generated.not_logged_in.first() {
            return Err(format!("{name}: {user} could not be logged in: {why}").into());
        }
        let visited: Vec<(&str, &[String])> = generated
            .users
            .iter()
            .map(String::as_str)
            .zip(generated.visited.iter().map(Vec::as_slice))
            .collect();
        let mut walked = self.cover(&visited);
        walked.lengths = generated.sessions.iter().map(|session| session.steps.len()).collect();
        let sessions = std::mem::take(&mut generated.sessions);
        let suite =
            subject.project.store.save_suite(NewSuite { name, origin: "generate".to_owned(), sessions })?;
        Ok(WalkedSuite { suite, planned: Some(planned), walked })
    }

    /// What recorded sessions cover: each user's part of each of them.
    fn recorded_cover(&self, subject: &Subject) -> Result<Cover, Trouble> {
        let paths = session_paths(&subject.project.store, &self.recorded, &self.rules)?;
        let mut parts: Vec<(String, Vec<String>)> = Vec::new();
        for path in &paths {
            let mut by_user: HashMap<&str, Vec<String>> = HashMap::new();
            for (user, node) in &path.visited {
                by_user.entry(user).or_default().push(node.clone());
            }
            parts.extend(by_user.into_iter().map(|(user, nodes)| (user.to_owned(), nodes)));
        }
        let visited: Vec<(&str, &[String])> =
            parts.iter().map(|(user, nodes)| (user.as_str(), nodes.as_slice())).collect();
        Ok(Cover { lengths: subject.lengths(), ..self.cover(&visited) })
    }

    fn cover(&self, visited: &[(&str, &[String])]) -> Cover {
        let mut all = Cover::default();
        for graph in &self.graphs {
            let mut cover = WalkedCover::new(&self.site, graph);
            let of_user = visited.iter().filter(|(user, _)| *user == graph.user);
            of_user.for_each(|(_, nodes)| cover.add(nodes));
            all += Cover {
                lengths: Vec::new(),
                edges: (cover.edges(), cover.wanted_edges()),
                pairs: (cover.pairs(), cover.wanted_pairs()),
            };
        }
        all
    }
}
