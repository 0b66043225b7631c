//! Which page a step asks for.

use std::collections::HashMap;

use restage_model::{Key, PathTemplates, Step, StepAt};
use restage_store::{Store, StoreError};

/// The key of each step's recorded request.
pub fn keys(
    store: &Store,
    steps: &[Step],
    templates: &PathTemplates,
) -> Result<HashMap<StepAt, Key>, StoreError> {
    steps.iter().map(|step| Ok((step.at, key(store, step, templates)?))).collect()
}

/// The key of a step's recorded request.
pub(crate) fn key(store: &Store, step: &Step, templates: &PathTemplates) -> Result<Key, StoreError> {
    let request = store.exchange(step.exchange)?.request;
    let is_form = request.headers.media_type().as_deref() == Some("application/x-www-form-urlencoded");
    let form = if is_form { store.body(&request.body)? } else { Vec::new() };
    Ok(Key::by(templates, &request.method, &request.uri, &String::from_utf8_lossy(&form)))
}
