//! The probe for Ruby: a file that `RUBYOPT` has it require first, found by `RUBYLIB`, since an option holds no spaces.

use crate::probes::environment::{extended, shared};
use crate::{Probe, ProbeSetting};

pub(super) const RUBY: Probe = Probe {
    name: "ruby",
    files: &[("restage_facts_probe.rb", include_str!("../../probes/ruby/restage_facts_probe.rb"))],
    environment,
};

fn environment(setting: &ProbeSetting) -> Vec<(String, String)> {
    let mut variables = shared(setting);
    variables.push(("RUBYLIB".into(), extended(setting, "RUBYLIB", &setting.folder, ":")));
    variables.push(("RUBYOPT".into(), extended(setting, "RUBYOPT", "-rrestage_facts_probe", " ")));
    variables
}
