//! The probe for Node 18 and newer: a module that `NODE_OPTIONS` has it load first.

use crate::probes::environment::{extended, shared};
use crate::{Probe, ProbeSetting};

pub(super) const NODE: Probe =
    Probe { name: "node", files: &[("probe.cjs", include_str!("../../probes/node/probe.cjs"))], environment };

fn environment(setting: &ProbeSetting) -> Vec<(String, String)> {
    let file = format!("{}/probe.cjs", setting.folder).replace('\\', "\\\\").replace('"', "\\\"");
    let mut variables = shared(setting);
    variables.push((
        "NODE_OPTIONS".into(),
        extended(setting, "NODE_OPTIONS", &format!("--require \"{file}\""), " "),
    ));
    variables
}
