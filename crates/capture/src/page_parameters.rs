//! Which parameters lead to different pages, learnt from all that the store has.

use restage_model::KeyRules;
use restage_store::{Store, StoreError};
use restage_suite::ParameterLearner;

use crate::online_reduction::StoredExchanges;

/// Learns from all exchanges, and keeps what was learnt in the store; what is new. `listed` are the rules that the user gave.
pub fn learn_page_parameters(store: &mut Store, listed: &KeyRules) -> Result<Vec<String>, StoreError> {
    let mut rules = listed.clone();
    rules.parameters.learnt = store.page_parameters()?.iter().filter_map(|text| text.parse().ok()).collect();
    let mut learner = ParameterLearner::new(rules);
    store.each_exchange(|exchange| {
        let added = learner.add(&exchange, &StoredExchanges(store));
        added.map(|_| ()).map_err(|error| StoreError::Unreadable(error.to_string()))
    })?;
    let learnt: Vec<String> = learner.learnt().into_iter().map(String::from).collect();
    store.add_page_parameters(&learnt)?;
    Ok(learnt)
}
