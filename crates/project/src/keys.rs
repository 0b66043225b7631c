//! How the project's pages are named: by what is listed in `[keys]`, and by what was learnt.

use restage_capture::learn_page_parameters;
use restage_model::KeyRules;
use restage_store::Store;

use crate::error::ProjectError;
use crate::project::Project;

impl Project {
    /// What keys are made by, wherever they are used: the templates and parameters that are listed, and the parameters that were
    /// learnt from pages.
    pub fn key_rules(&self, store: &Store) -> Result<KeyRules, ProjectError> {
        let mut rules = self.config.key_rules();
        rules.parameters.learnt =
            store.page_parameters()?.iter().filter_map(|text| text.parse().ok()).collect();
        Ok(rules)
    }

    /// The same, where there may be no store yet.
    pub(crate) fn known_key_rules(&self) -> Result<KeyRules, ProjectError> {
        if self.store_path().is_file() {
            self.key_rules(&self.store_to_read()?)
        } else {
            Ok(self.config.key_rules())
        }
    }

    /// The rules for views of the traffic: also with the path templates that imports taught. These name pages in no report, mask or
    /// rule, so that an import renames none.
    pub fn view_key_rules(&self, store: &Store) -> Result<KeyRules, ProjectError> {
        let mut rules = self.key_rules(store)?;
        rules.templates.0.extend(store.path_templates()?.iter().filter_map(|text| text.parse().ok()));
        Ok(rules)
    }

    /// Looks through what was recorded for parameters whose values lead to different pages, and keeps them in the store; those
    /// that are new.
    pub fn learn_page_parameters(&self, store: &mut Store) -> Result<Vec<String>, ProjectError> {
        Ok(learn_page_parameters(store, &self.config.key_rules())?)
    }
}
