//! A suite repaired on a version of the application: what `restage repair` and `restage test --repair` share.

use restage_model::{NewSuite, Run, Suite};
use restage_project::Project;
use restage_repair::{RepairInput, RepairReport, RepairedSuite, repair_suite, seen_by_spider};
use restage_replay::{AppSpec, on_stage};
use restage_site::{Site, SiteBuilder, SiteMap, link_node};
use restage_spider::{Budget, Crawl, CrawlError, Traffic, crawl};

use crate::args::Global;
use crate::commands::map::{USERS, read};
use crate::failure::Failure;
use crate::terminal::groups::named;
use crate::terminal::progress::{bar, note};

/// What is repaired.
pub(crate) struct Repairing<'a> {
    pub(crate) suite: &'a Suite,
    /// The version that it is to be valid on.
    pub(crate) app: &'a AppSpec,
    /// The map of that version: its name in the store, or a file; else the newest of that version, or a new one.
    pub(crate) map: Option<&'a str>,
    /// A run of the old version.
    pub(crate) baseline: Option<&'a Run>,
    /// How much is tried for each session.
    pub(crate) most_tries: usize,
    /// What the stage is called, should the process be killed meanwhile.
    pub(crate) name: String,
}

/// A repair, and the suite that it is stored as.
pub(crate) struct StoredRepair {
    /// The suite that was repaired.
    pub(crate) suite: String,
    /// The suite that it is stored as; the name that it would have, where nothing was stored.
    pub(crate) into: String,
    /// The version that it is valid on.
    pub(crate) app: String,
    /// The map that it was repaired by.
    pub(crate) map: String,
    pub(crate) report: RepairReport,
    pub(crate) is_stored: bool,
}

impl Repairing<'_> {
    /// Repairs the suite, and stores nothing.
    pub(crate) fn try_out(
        &self,
        global: &Global,
        project: &Project,
        work: &mut restage_replay::Project,
        into: &str,
    ) -> Result<StoredRepair, Failure> {
        let (repaired, map) = self.run(global, project, work)?;
        Ok(self.told(into, map, repaired.report, false))
    }

    /// Repairs the suite, and stores what comes of it, with what was done as its receipt.
    pub(crate) fn store(
        &self,
        global: &Global,
        project: &Project,
        work: &mut restage_replay::Project,
        into: &str,
    ) -> Result<StoredRepair, Failure> {
        let (repaired, map) = self.run(global, project, work)?;
        let origin = format!("{} repaired for {}", self.suite.name, self.app.name);
        let new = NewSuite { name: into.to_owned(), origin, sessions: repaired.sessions };
        let saved = project.save_suite(&mut work.store, new)?;
        let receipt = serde_json::to_string(&repaired.report).unwrap_or_default();
        work.store.set_receipt(saved.id, &receipt)?;
        Ok(self.told(into, map, repaired.report, true))
    }

    fn told(&self, into: &str, map: String, report: RepairReport, is_stored: bool) -> StoredRepair {
        let (suite, app) = (self.suite.name.clone(), self.app.name.clone());
        StoredRepair { suite, into: into.to_owned(), app, map, report, is_stored }
    }

    /// The repaired suite, and the name of the map that it was repaired by.
    fn run(
        &self,
        global: &Global,
        project: &Project,
        work: &mut restage_replay::Project,
    ) -> Result<(RepairedSuite, String), Failure> {
        project.learn_page_parameters(&mut work.store)?;
        if let Some(baseline) = self.baseline {
            for group in project.groups_of_run(&work.store, baseline)?.iter() {
                note(
                    global,
                    format!(
                        "note: {} met, and are tried one by one: what they did to each other is missing",
                        named(group)
                    ),
                );
            }
        }
        let rules = project.view_key_rules(&work.store)?;
        let mut builder = SiteBuilder::new(rules.clone());
        let traffic = read(global, &work.store, self.suite, &mut builder)?;
        let home = home_of(project, &traffic);
        builder.set_home(&link_node(&rules, &home));
        let old = builder.finish();
        let (name, new) = self.new_map(global, project, work, &traffic, &home)?;
        let constants = project.constant_table();
        let input = RepairInput {
            suite: self.suite,
            rules: &rules,
            old: &old,
            new: &new,
            lookup: &traffic.lookup,
            constants: &constants,
            baseline: self.baseline,
            most_tries: self.most_tries,
        };
        let progress = bar(global, "sessions", self.suite.sessions.len());
        let repaired = on_stage(work, self.app, &self.name, |stage| {
            repair_suite(stage, &input, &mut |told| {
                progress.set_position(told.done as u64);
                progress.set_message(told.session.to_owned());
            })
        });
        progress.finish_and_clear();
        let mut repaired = repaired?;
        if let Some(mut redactor) = work.secrecy.redactor() {
            repaired.report.each_text(&mut |text| {
                if let Some(covered) = redactor.redact_text(text) {
                    *text = covered;
                }
            });
        }
        Ok((repaired, name))
    }

    /// The map of the new version.
    fn new_map(
        &self,
        global: &Global,
        project: &Project,
        work: &mut restage_replay::Project,
        traffic: &Traffic,
        home: &str,
    ) -> Result<(String, Site), Failure> {
        let known = match self.map {
            Some(map) => Some(map.to_owned()),
            None => project.newest_map(&work.store, &self.app.name)?,
        };
        if let Some(name) = known {
            let map: SiteMap = project.map(&name)?;
            if self.map.is_none() {
                note(
                    global,
                    format!(
                        "note: by {name}, the newest map of this version\n  hint: where the application changed since, run `restage map` first"
                    ),
                );
            }
            return Ok((name, seen_by_spider(Site::from(&map))));
        }
        self.crawled(global, project, work, traffic, home)
    }

    fn crawled(
        &self,
        global: &Global,
        project: &Project,
        work: &mut restage_replay::Project,
        traffic: &Traffic,
        home: &str,
    ) -> Result<(String, Site), Failure> {
        let rules = project.view_key_rules(&work.store)?;
        let mut builder = SiteBuilder::new(rules.clone());
        builder.set_home(&link_node(&rules, home));
        let name = project.map_name(&work.store, None)?;
        let plan = Crawl {
            suite: self.suite,
            traffic,
            users: traffic.users.iter().take(USERS).cloned().collect(),
            anonymous: true,
            snapshots: project.session_snapshots(&work.store, self.suite)?,
            home: home.to_owned(),
            budget: Budget::default(),
            press: false,
            constants: project.constant_table(),
        };
        let progress = bar(global, "requests", plan.budget.requests);
        let report = on_stage(work, self.app, &name, |stage| {
            crawl(stage, &mut builder, &plan, &mut |told| {
                progress.set_position(told.requests as u64);
                progress.set_message(format!("mapping: {} pages and forms, as {}", told.nodes, told.user));
            })
        });
        progress.finish_and_clear();
        report.map_err(|error| match error {
            CrawlError::Replay(error) => Failure::from(error),
            CrawlError::Nobody(why) => Failure::environment(why),
        })?;
        let mut site = builder.finish();
        let secrecy = work.secrecy.clone();
        project.save_map(&mut work.store, &name, Some(&self.app.name), &mut site, &secrecy)?;
        Ok((name, site))
    }
}

fn home_of(project: &Project, traffic: &Traffic) -> String {
    let given = project.config.map.home.clone();
    given.or_else(|| traffic.usual_start()).unwrap_or_else(|| "/".to_owned())
}
