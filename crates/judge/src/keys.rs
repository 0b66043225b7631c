//! Which page a step asks for.

use std::collections::HashMap;

use restage_model::{Key, KeyRules, Step, StepAt};
use restage_store::{Store, StoreError};

/// The key of each step's recorded request.
pub fn keys(store: &Store, steps: &[Step], rules: &KeyRules) -> Result<HashMap<StepAt, Key>, StoreError> {
    steps.iter().map(|step| Ok((step.at, key(store, step, rules)?))).collect()
}

/// The key of a step's recorded request.
pub(crate) fn key(store: &Store, step: &Step, rules: &KeyRules) -> Result<Key, StoreError> {
    let request = store.exchange(step.exchange)?.request;
    Key::of_request(rules, &request, || store.body(&request.body))
}
