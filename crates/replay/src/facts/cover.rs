//! Secrets in facts: covered by the rules that hold for everything else that a run stores.

use std::collections::BTreeMap;

use restage_facts::StepFacts;
use restage_redact::Redactor;

/// Puts stand-ins in place of the secrets in facts; whether there were any.
pub fn cover_facts(redactor: &mut Redactor, facts: &mut StepFacts) -> bool {
    let mut any = false;
    for statement in &mut facts.sql {
        any |= redactor.redact_statement(&mut statement.text, &mut statement.bound);
    }
    let errors = facts.errors.iter_mut().map(|error| &mut error.message);
    let refusals = facts.sql.iter_mut().filter_map(|statement| statement.error.as_mut());
    for text in errors.chain(refusals).chain(&mut facts.notes) {
        if let Some(covered) = redactor.redact_text(text) {
            *text = covered;
            any = true;
        }
    }
    if let Some(session) = &mut facts.session {
        for values in [&mut session.before, &mut session.after].into_iter().flatten() {
            any |= cover_values(redactor, values);
        }
        for name in session.reads.iter_mut().chain(&mut session.writes) {
            if let Some(covered) = redactor.redact_text(name) {
                *name = covered;
                any = true;
            }
        }
    }
    any
}

/// Session values by their names, which may be secret themselves: tokens are often keys.
fn cover_values(redactor: &mut Redactor, values: &mut BTreeMap<String, String>) -> bool {
    let mut any = false;
    let mut covered = BTreeMap::new();
    for (name, value) in std::mem::take(values) {
        let own = name.rsplit('.').find(|part| part.parse::<u64>().is_err()).unwrap_or(&name);
        let new_value = match serde_json::from_str::<String>(&value) {
            Ok(text) => redactor.redact_value(own, &text).map(|text| serde_json::json!(text).to_string()),
            // A hash, a number, true or false.
            Err(_) => redactor.redact_value(own, &value),
        };
        let new_name = redactor.redact_text(&name);
        any |= new_value.is_some() || new_name.is_some();
        covered.insert(new_name.unwrap_or(name), new_value.unwrap_or(value));
    }
    *values = covered;
    any
}
