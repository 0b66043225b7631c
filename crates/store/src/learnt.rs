//! What was learnt from traffic about how pages are named: path templates, and parameters that lead to different pages. Both are only
//! added to: what a page was called once it was known is what it is called from then on.

use crate::{Store, StoreError};

impl Store {
    /// Adds learnt path templates; those that are there stay as they are.
    pub fn add_path_templates(&mut self, templates: &[String]) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        for template in templates {
            transaction
                .prepare_cached("INSERT OR IGNORE INTO path_template (template) VALUES (?)")?
                .execute([template])?;
        }
        Ok(transaction.commit()?)
    }

    /// The learnt path templates, in the order they were learnt in.
    pub fn path_templates(&self) -> Result<Vec<String>, StoreError> {
        let mut statement =
            self.connection.prepare_cached("SELECT template FROM path_template ORDER BY id")?;
        let rows = statement.query_map([], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Adds learnt parameters; those that are there stay as they are.
    pub fn add_page_parameters(&mut self, parameters: &[String]) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        for parameter in parameters {
            transaction
                .prepare_cached("INSERT OR IGNORE INTO page_parameter (parameter) VALUES (?)")?
                .execute([parameter])?;
        }
        Ok(transaction.commit()?)
    }

    /// The learnt parameters, in the order they were learnt in.
    pub fn page_parameters(&self) -> Result<Vec<String>, StoreError> {
        let mut statement =
            self.connection.prepare_cached("SELECT parameter FROM page_parameter ORDER BY id")?;
        let rows = statement.query_map([], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}
