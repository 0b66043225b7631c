//! Storing facts.

use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use restage_facts::{Coverage, FactsReport, FileOutline, StepFacts};
use restage_model::{RunId, StepAt};

use super::coverage::{self, file_id};
use super::{content, read};
use crate::bodies::Packer;
use crate::exchanges::to_json;
use crate::{Store, StoreError};

impl Store {
    /// Stores facts of steps, all or none of them. Where a step has some already, as one that was sent twice may, they are joined.
    pub fn add_step_facts(&mut self, run: RunId, facts: &[(StepAt, StepFacts)]) -> Result<(), StoreError> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for (at, facts) in facts {
            let facts = match read::step_facts(&transaction, &self.packer, run, *at)? {
                Some(mut known) => {
                    known.join(facts.clone());
                    known
                }
                None => facts.clone(),
            };
            insert(&transaction, &self.packer, run, *at, facts)?;
        }
        Ok(transaction.commit()?)
    }

    /// Stores what is in files of a run's application; what was stored before of the same files is replaced.
    pub fn add_outlines(&mut self, run: RunId, outlines: &[FileOutline]) -> Result<(), StoreError> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for outline in outlines {
            let file = file_id(&transaction, &outline.file)?;
            let id = content::put(&transaction, &self.packer, to_json(outline).as_bytes())?;
            transaction
                .prepare_cached("INSERT OR REPLACE INTO run_outline (run, file, outline) VALUES (?, ?, ?)")?
                .execute(params![run.0, file, id])?;
        }
        Ok(transaction.commit()?)
    }

    /// Stores what became of asking for the facts of a run.
    pub fn save_facts_report(&mut self, run: RunId, report: &FactsReport) -> Result<(), StoreError> {
        self.connection.execute(
            "INSERT OR REPLACE INTO run_facts (run, report) VALUES (?, ?)",
            params![run.0, to_json(report)],
        )?;
        Ok(())
    }

    /// Puts other facts in place of those of steps, so that no byte of what was there is left.
    pub fn rewrite_step_facts(
        &mut self,
        run: RunId,
        facts: &[(StepAt, StepFacts)],
    ) -> Result<(), StoreError> {
        self.delete_securely()?;
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for (at, facts) in facts {
            insert(&transaction, &self.packer, run, *at, facts.clone())?;
        }
        forget_unused_facts(&transaction)?;
        Ok(transaction.commit()?)
    }
}

fn insert(
    transaction: &Transaction<'_>,
    packer: &Packer,
    run: RunId,
    at: StepAt,
    facts: StepFacts,
) -> Result<(), StoreError> {
    let covered = coverage::put(transaction, packer, &Coverage::from(&facts))?;
    let detail = StepFacts {
        step: String::new(),
        lines: Default::default(),
        functions: Default::default(),
        branches: Default::default(),
        ..facts
    };
    let detail = match detail == StepFacts::default() {
        true => None,
        false => Some(content::put(transaction, packer, to_json(&detail).as_bytes())?),
    };
    transaction
        .prepare_cached(
            "INSERT OR REPLACE INTO step_facts (run, session, ordinal, coverage, detail) VALUES (?, ?, ?, ?, ?)",
        )?
        .execute(params![run.0, at.session, at.step, covered, detail])?;
    Ok(())
}

/// Removes what no run has any more.
pub(crate) fn forget_unused_facts(connection: &Connection) -> Result<(), StoreError> {
    let any: Option<i64> =
        connection.query_row("SELECT 1 FROM fact_content LIMIT 1", [], |row| row.get(0)).optional()?;
    if any.is_none() {
        return Ok(());
    }
    connection.execute_batch(
        "DELETE FROM coverage WHERE id NOT IN (SELECT coverage FROM step_facts WHERE coverage NOT NULL);
         DELETE FROM coverage_part WHERE coverage NOT IN (SELECT id FROM coverage);
         DELETE FROM fact_content WHERE id NOT IN (
             SELECT bits FROM coverage_part UNION SELECT detail FROM step_facts WHERE detail NOT NULL
             UNION SELECT outline FROM run_outline);
         DELETE FROM fact_file WHERE id NOT IN (SELECT file FROM coverage_part UNION SELECT file FROM run_outline);",
    )?;
    Ok(())
}
