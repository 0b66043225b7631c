//! stub

use std::collections::BTreeSet;
use std::time::Duration;

use super::address::DatabaseSpec;
use super::engine::{Changes, Counters, Engine, Goal, Schema, Source, Table, Written};
use super::values::Values;
use crate::error::Result;

/// stub
pub(super) struct MariaDb;

impl MariaDb {
    pub(super) fn new(_spec: &DatabaseSpec) -> Result<Self> {
        Ok(Self)
    }
}

impl Engine for MariaDb {
    fn kind(&self) -> &'static str {
        "mariadb"
    }
    fn set_patience(&mut self, _patience: Duration) {}
    fn watch(&mut self) -> Result<()> {
        unimplemented!()
    }
    fn unwatch(&mut self) -> Result<()> {
        unimplemented!()
    }
    fn schema(&mut self) -> Result<Schema> {
        unimplemented!()
    }
    fn counters(&mut self) -> Result<Counters> {
        unimplemented!()
    }
    fn changes(&mut self, _schema: &Schema) -> Result<Changes> {
        unimplemented!()
    }
    fn forget_changes(&mut self) -> Result<()> {
        unimplemented!()
    }
    fn size(&mut self, _table: &Table) -> Result<u64> {
        unimplemented!()
    }
    fn scan(&mut self, _table: &Table, _each: &mut dyn FnMut(Values) -> Result<()>) -> Result<()> {
        unimplemented!()
    }
    fn rows(&mut self, _table: &Table, _keys: &BTreeSet<Values>) -> Result<Vec<Values>> {
        unimplemented!()
    }
    fn put_back(&mut self, _goal: &Goal<'_>, _source: &mut dyn Source) -> Result<Written> {
        unimplemented!()
    }
}
