//! Reading facts: of a step, or joined over many.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

use rusqlite::{Connection, OptionalExtension, params};

use restage_facts::{Coverage, FactsReport, FileOutline, LineSet, StepFacts};
use restage_model::{RunId, StepAt};

use super::{content, coverage};
use crate::bodies::Packer;
use crate::runs::read_json;
use crate::{Store, StoreError};

/// Which steps of a run.
#[derive(Clone, Copy, Debug)]
pub enum FactsOf<'a> {
    /// All.
    Run,
    /// Those of these sessions, by their places in the run.
    Sessions(&'a [u32]),
    /// These.
    Steps(&'a [StepAt]),
}

/// What is known of a step beside its coverage.
#[derive(Clone, Debug)]
pub struct StepDetail {
    /// Which step.
    pub at: StepAt,
    /// Its facts, without lines, functions and branches.
    pub facts: StepFacts,
}

impl Store {
    /// What became of asking for the facts of a run; none where nobody asked.
    pub fn facts_report(&self, run: RunId) -> Result<Option<FactsReport>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT report FROM run_facts WHERE run = ?")?;
        let report: Option<String> = statement.query_row([run.0], |row| row.get(0)).optional()?;
        report.map(|report| read_json("report on facts", &report)).transpose()
    }

    /// The facts of a step; none where there are none.
    pub fn step_facts(&self, run: RunId, at: StepAt) -> Result<Option<StepFacts>, StoreError> {
        step_facts(&self.connection, &self.packer, run, at)
    }

    /// The steps of a run of which there are facts, in order.
    pub fn steps_with_facts(&self, run: RunId) -> Result<Vec<StepAt>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT session, ordinal FROM step_facts WHERE run = ? ORDER BY session, ordinal",
        )?;
        let rows =
            statement.query_map([run.0], |row| Ok(StepAt { session: row.get(0)?, step: row.get(1)? }))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// What ran in steps, joined. Each distinct set of lines is looked at once.
    pub fn coverage(&self, run: RunId, of: FactsOf<'_>) -> Result<Coverage, StoreError> {
        let mut joined = Coverage::default();
        match of {
            FactsOf::Run => {
                let steps = "SELECT DISTINCT coverage FROM step_facts WHERE run = ? AND coverage NOT NULL";
                self.join_parts(&mut joined, steps, &[&run.0])?;
            }
            FactsOf::Sessions(sessions) => {
                let steps = "SELECT DISTINCT coverage FROM step_facts WHERE run = ? AND session = ? AND coverage NOT NULL";
                for session in sessions {
                    self.join_parts(&mut joined, steps, &[&run.0, session])?;
                }
            }
            FactsOf::Steps(steps) => {
                for at in steps {
                    let steps = "SELECT coverage FROM step_facts WHERE run = ? AND session = ? AND ordinal = ? AND coverage NOT NULL";
                    self.join_parts(&mut joined, steps, &[&run.0, &at.session, &at.step])?;
                }
            }
        }
        Ok(joined)
    }

    fn join_parts(
        &self,
        joined: &mut Coverage,
        steps: &str,
        params: &[&dyn rusqlite::ToSql],
    ) -> Result<(), StoreError> {
        let sql = format!(
            "SELECT DISTINCT f.name, p.kind, p.bits FROM coverage_part p JOIN fact_file f ON f.id = p.file \
             WHERE p.coverage IN ({steps})"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut rows = statement.query(params)?;
        while let Some(row) = rows.next()? {
            let set = LineSet::from_bytes(&content::get(&self.connection, &self.packer, row.get(2)?)?);
            coverage::join_kind(joined.file(&row.get::<_, String>(0)?), row.get(1)?, &set);
        }
        Ok(())
    }

    /// Hands out, in order, what is known of each step of a run beside its coverage, one at a time.
    pub fn each_step_detail<E: From<StoreError>>(
        &self,
        run: RunId,
        mut take: impl FnMut(StepDetail) -> Result<(), E>,
    ) -> Result<(), E> {
        for at in self.steps_with_facts(run)? {
            let (_, facts) = stored(&self.connection, &self.packer, run, at)?.unwrap_or_default();
            take(StepDetail { at, facts })?;
        }
        Ok(())
    }

    /// Hands out the facts of each step of a run, in order, one at a time.
    pub fn each_step_facts<E: From<StoreError>>(
        &self,
        run: RunId,
        mut take: impl FnMut(StepAt, StepFacts) -> Result<(), E>,
    ) -> Result<(), E> {
        for at in self.steps_with_facts(run)? {
            if let Some(facts) = self.step_facts(run, at)? {
                take(at, facts)?;
            }
        }
        Ok(())
    }

    /// What is in the files of a run's application, by file.
    pub fn outlines(&self, run: RunId) -> Result<BTreeMap<String, FileOutline>, StoreError> {
        let mut statement =
            self.connection.prepare_cached("SELECT outline FROM run_outline WHERE run = ?")?;
        let ids = statement.query_map([run.0], |row| row.get(0))?.collect::<Result<Vec<i64>, _>>()?;
        let outlines = ids.into_iter().map(|id| {
            let outline: FileOutline = self.fact_json(id)?;
            Ok((outline.file.clone(), outline))
        });
        outlines.collect()
    }

    /// What is in a file of a run's application; none where no probe said so.
    pub fn outline(&self, run: RunId, file: &str) -> Result<Option<FileOutline>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT o.outline FROM run_outline o JOIN fact_file f ON f.id = o.file WHERE o.run = ? AND f.name = ?",
        )?;
        let id: Option<i64> = statement.query_row(params![run.0, file], |row| row.get(0)).optional()?;
        id.map(|id| self.fact_json(id)).transpose()
    }

    /// Which steps of a run ran a line of a file, by line: what leads from a line to the steps that run it.
    pub fn steps_by_line(&self, run: RunId, file: &str) -> Result<BTreeMap<u32, Vec<StepAt>>, StoreError> {
        let mut sets: HashMap<i64, LineSet> = HashMap::new();
        let mut by_line: BTreeMap<u32, Vec<StepAt>> = BTreeMap::new();
        let mut statement = self.connection.prepare_cached(
            "SELECT s.session, s.ordinal, p.bits FROM step_facts s \
             JOIN coverage_part p ON p.coverage = s.coverage AND p.kind = 0 \
             JOIN fact_file f ON f.id = p.file \
             WHERE s.run = ? AND f.name = ? ORDER BY s.session, s.ordinal",
        )?;
        let mut rows = statement.query(params![run.0, file])?;
        while let Some(row) = rows.next()? {
            let (at, bits) = (StepAt { session: row.get(0)?, step: row.get(1)? }, row.get(2)?);
            let set = match sets.entry(bits) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => {
                    let bytes = content::get(&self.connection, &self.packer, bits)?;
                    new.insert(LineSet::from_bytes(&bytes))
                }
            };
            for line in set.iter() {
                by_line.entry(line).or_default().push(at);
            }
        }
        Ok(by_line)
    }

    fn fact_json<T: serde::de::DeserializeOwned>(&self, id: i64) -> Result<T, StoreError> {
        let bytes = content::get(&self.connection, &self.packer, id)?;
        read_json("facts", &String::from_utf8_lossy(&bytes))
    }
}

/// The facts of a step; none where there are none.
pub(super) fn step_facts(
    connection: &Connection,
    packer: &Packer,
    run: RunId,
    at: StepAt,
) -> Result<Option<StepFacts>, StoreError> {
    let Some((covered, mut facts)) = stored(connection, packer, run, at)? else { return Ok(None) };
    if let Some(id) = covered {
        for (name, file) in coverage::get(connection, packer, id)?.files {
            for (sets, set) in [
                (&mut facts.lines, file.lines),
                (&mut facts.functions, file.functions),
                (&mut facts.branches, file.branches),
            ] {
                if !set.is_empty() {
                    sets.insert(name.clone(), set);
                }
            }
        }
    }
    Ok(Some(facts))
}

/// What is stored of a step: the id of its coverage, and the rest.
fn stored(
    connection: &Connection,
    packer: &Packer,
    run: RunId,
    at: StepAt,
) -> Result<Option<(Option<i64>, StepFacts)>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT coverage, detail FROM step_facts WHERE run = ? AND session = ? AND ordinal = ?",
    )?;
    let row: Option<(Option<i64>, Option<i64>)> = statement
        .query_row(params![run.0, at.session, at.step], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let Some((covered, detail)) = row else { return Ok(None) };
    let facts = match detail {
        Some(id) => read_json("facts", &String::from_utf8_lossy(&content::get(connection, packer, id)?))?,
        None => StepFacts::default(),
    };
    Ok(Some((covered, facts)))
}
