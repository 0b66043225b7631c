//! The path templates that were learnt from imported traffic. They are only added to.

use crate::{Store, StoreError};

impl Store {
    /// Adds learnt templates; those that are there stay as they are.
    pub fn add_path_templates(&mut self, templates: &[String]) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        for template in templates {
            transaction
                .prepare_cached("INSERT OR IGNORE INTO path_template (template) VALUES (?)")?
                .execute([template])?;
        }
        Ok(transaction.commit()?)
    }

    /// The learnt templates, in the order they were learnt in.
    pub fn path_templates(&self) -> Result<Vec<String>, StoreError> {
        let mut statement =
            self.connection.prepare_cached("SELECT template FROM path_template ORDER BY id")?;
        let rows = statement.query_map([], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}
