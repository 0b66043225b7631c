//! Maps of the application: what they are made by, what of them is covered, and where they are found.

use std::collections::HashMap;
use std::path::Path;

use restage_model::{Moment, Suite, SuiteId};
use restage_redact::Redactor;
use restage_replay::Secrecy;
use restage_site::{ConstantTable, Site, SiteMap};
use restage_store::{NewMap, Store, StoreError};

use crate::error::ProjectError;
use crate::project::Project;
use crate::sessions::RECORDED;

/// What maps are called where nobody gives them a name: `map-1`, `map-2`, ….
const PREFIX: &str = "map";

impl Project {
    /// What is typed into fields that no session ever filled in, with what `[map]` adds to it.
    pub fn constant_table(&self) -> ConstantTable {
        ConstantTable::new(self.config.map.types.clone(), self.config.map.values.clone())
    }

    /// The suite whose sessions a map is made of; one without sessions where nothing was recorded yet, and nobody asks for a suite.
    pub fn mapped_suite(&self, store: &mut Store, name: Option<&str>) -> Result<Suite, ProjectError> {
        match self.suite(store, name.unwrap_or(RECORDED)) {
            Err(ProjectError::NothingRecorded) if name.is_none() => Ok(Suite {
                id: SuiteId(0),
                name: RECORDED.to_owned(),
                created: Moment(0),
                origin: RECORDED.to_owned(),
                sessions: Vec::new(),
            }),
            suite => suite,
        }
    }

    /// The snapshot before each session of a suite, as its newest baseline made them.
    pub fn session_snapshots(
        &self,
        store: &Store,
        suite: &Suite,
    ) -> Result<HashMap<String, String>, ProjectError> {
        let Some(baseline) = self.newest_baseline(store)?.filter(|baseline| baseline.suite == suite.id)
        else {
            return Ok(HashMap::new());
        };
        let sessions = store.run_sessions(baseline.id)?.into_iter();
        Ok(sessions.filter_map(|session| Some((session.session, session.snapshot?))).collect())
    }

    /// A name for a map: the one given, or the first free of `map-1`, `map-2`, ….
    pub fn map_name(&self, store: &Store, given: Option<&str>) -> Result<String, ProjectError> {
        if let Some(name) = given {
            return Ok(name.to_owned());
        }
        let taken: Vec<String> = store.maps()?.into_iter().map(|map| map.name).collect();
        let free = (1..).map(|n| format!("{PREFIX}-{n}")).find(|name| !taken.contains(name));
        Ok(free.unwrap_or_else(|| PREFIX.to_owned()))
    }

    /// Stores a map, its secrets covered.
    pub fn save_map(
        &self,
        store: &mut Store,
        name: &str,
        app: Option<&str>,
        site: &mut Site,
        secrecy: &Secrecy,
    ) -> Result<(), ProjectError> {
        if let Some(mut redactor) = secrecy.redactor() {
            cover_site(&mut redactor, site);
            store.add_stand_ins(&redactor.take_fresh())?;
        }
        let json = serde_json::to_string(&SiteMap::from(&*site)).unwrap_or_default();
        Ok(store.save_map(&NewMap { name, app, json: &json })?)
    }

    /// A map by its name in the store, or from a file.
    pub fn map(&self, name: &str) -> Result<SiteMap, ProjectError> {
        let bad = |error| ProjectError::Map { place: name.to_owned(), source: error };
        let file = Path::new(name);
        if file.is_file() {
            let json =
                std::fs::read(file).map_err(|source| ProjectError::Read { path: file.to_owned(), source })?;
            return SiteMap::parse(&json).map_err(bad);
        }
        if !self.store_path().is_file() {
            let there = "there is no file of this name either; `restage map` makes a map".to_owned();
            return Err(StoreError::Unknown { kind: "map", name: name.to_owned(), there }.into());
        }
        SiteMap::parse(self.store_to_read()?.map_json(name)?.as_bytes()).map_err(bad)
    }

    /// The newest map that a spider made of this version.
    pub fn newest_map(&self, store: &Store, app: &str) -> Result<Option<String>, ProjectError> {
        let maps = store.maps()?.into_iter().rev();
        Ok(maps.into_iter().find(|map| map.app.as_deref() == Some(app)).map(|map| map.name))
    }
}

/// Puts stand-ins in place of the secrets of stored maps; whether there were any.
pub(crate) fn sanitize_maps(store: &mut Store, redactor: &mut Redactor) -> Result<bool, ProjectError> {
    let mut any = false;
    for map in store.maps()? {
        let json = store.map_json(&map.name)?;
        let Ok(read) = SiteMap::parse(json.as_bytes()) else { continue };
        let mut site = Site::from(&read);
        if cover_site(redactor, &mut site) {
            any = true;
            let json = serde_json::to_string(&SiteMap::from(&site)).unwrap_or_default();
            store.save_map(&NewMap { name: &map.name, app: map.app.as_deref(), json: &json })?;
        }
    }
    store.add_stand_ins(&redactor.take_fresh())?;
    Ok(any)
}

/// Puts stand-ins in place of a map's secrets; whether it had any.
fn cover_site(redactor: &mut Redactor, site: &mut Site) -> bool {
    let nodes = site.nodes.iter_mut().flat_map(|node| {
        let choices = node.fields.iter_mut().flat_map(|field| field.choices.iter_mut());
        [&mut node.title, &mut node.address].into_iter().chain(node.headings.iter_mut()).chain(choices)
    });
    let mut any = false;
    for text in nodes {
        any |= cover(redactor, text);
    }
    for edge in &mut site.edges {
        any |= cover(redactor, &mut edge.label);
        for parameter in &mut edge.request.parameters {
            // A name can say that a value is a secret where the value does not.
            let pair = format!("{}={}", parameter.name, parameter.value);
            match redactor.redact_text(&pair) {
                Some(covered) => {
                    any = true;
                    let value = covered.split_once('=').map_or("", |(_, value)| value);
                    parameter.value = value.to_owned();
                }
                None => any |= cover(redactor, &mut parameter.value),
            }
        }
    }
    any
}

fn cover(redactor: &mut Redactor, text: &mut String) -> bool {
    match redactor.redact_text(text) {
        Some(covered) => {
            *text = covered;
            true
        }
        None => false,
    }
}
