//! A database, made what it has to be.

use std::collections::BTreeSet;

use super::rows;
use super::schema::Rebuild;
use crate::error::Result;
use crate::server::engine::{Goal, Source, Written};
use crate::server::mariadb::catalogue::Glance;
use crate::server::mariadb::counters;
use crate::server::mariadb::engine::MariaDb;
use crate::server::mariadb::sql::name;

impl MariaDb {
    /// Rows go in one transaction. Where the schema differs, statements that commit by themselves go before and after.
    pub(in crate::server::mariadb) fn put_back_now(
        &mut self,
        goal: &Goal<'_>,
        source: &mut dyn Source,
    ) -> Result<Written> {
        self.glance = None;
        let mut written = Written::default();
        let versioned = goal.whole.iter().filter(|table| self.remembered.is_versioned(table));
        let anew: BTreeSet<String> = versioned.cloned().collect();
        let rebuild = Rebuild::of(goal, &anew);
        rebuild.begin(&mut self.server, &mut written)?;
        self.server.run("begin a transaction", "START TRANSACTION")?;
        match self.write_rows(goal, source, &rebuild, &mut written) {
            Ok(late) => self.carried = late,
            Err(error) => {
                self.server.roll_back();
                return Err(error);
            }
        }
        let altered = counters::put_back(&mut self.server, goal.counters)?;
        rebuild.finish(&mut self.server, &mut written)?;
        self.stirred.extend(goal.rows.keys().chain(goal.whole).cloned());
        self.stirred.extend(rebuild.tables.iter().map(|table| (*table).to_owned()));
        if !rebuild.is_empty() {
            let glance = Glance::take(&mut self.server, &mut self.recent)?;
            self.ensure(glance)?;
        }
        self.settle()?;
        let glance = Glance::take(&mut self.server, &mut self.recent)?;
        if rebuild.is_empty() {
            self.remembered.renew(&glance, &altered);
        }
        self.glance = Some(glance);
        Ok(written)
    }

    fn write_rows(
        &mut self,
        goal: &Goal<'_>,
        source: &mut dyn Source,
        rebuild: &Rebuild<'_>,
        written: &mut Written,
    ) -> Result<BTreeSet<crate::server::mariadb::tracked_changes::Note>> {
        for table in &goal.schema.tables {
            if rebuild.fills(&table.name) {
                rows::fill(&mut self.server, table, source, written)?;
            } else if goal.whole.contains(&table.name) {
                let sql = format!("DELETE FROM {}", name(&table.name));
                self.server.run(&format!("empty the table {}", table.name), &sql)?;
                rows::fill(&mut self.server, table, source, written)?;
            } else if let Some(rows) = goal.rows.get(&table.name) {
                rows::put_rows(&mut self.server, table, rows, written)?;
            }
        }
        let late = self.take_notes()?;
        self.server.run("commit", "COMMIT")?;
        Ok(late)
    }
}
