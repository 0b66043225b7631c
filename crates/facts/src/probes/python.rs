//! The probe for Python 3.9 and newer: a `sitecustomize` on `PYTHONPATH`, which Python imports at its start.

use crate::probes::environment::{extended, shared};
use crate::{Probe, ProbeSetting};

pub(super) const PYTHON: Probe = Probe {
    name: "python",
    files: &[
        ("sitecustomize.py", include_str!("../../probes/python/sitecustomize.py")),
        ("restage_facts/__init__.py", include_str!("../../probes/python/restage_facts/__init__.py")),
        ("restage_facts/record.py", include_str!("../../probes/python/restage_facts/record.py")),
        ("restage_facts/values.py", include_str!("../../probes/python/restage_facts/values.py")),
        ("restage_facts/imports.py", include_str!("../../probes/python/restage_facts/imports.py")),
        ("restage_facts/web.py", include_str!("../../probes/python/restage_facts/web.py")),
        ("restage_facts/sessions.py", include_str!("../../probes/python/restage_facts/sessions.py")),
        ("restage_facts/databases.py", include_str!("../../probes/python/restage_facts/databases.py")),
        ("restage_facts/coverage.py", include_str!("../../probes/python/restage_facts/coverage.py")),
        ("restage_facts/outline.py", include_str!("../../probes/python/restage_facts/outline.py")),
    ],
    environment,
};

fn environment(setting: &ProbeSetting) -> Vec<(String, String)> {
    let mut variables = shared(setting);
    variables.push(("PYTHONPATH".into(), extended(setting, "PYTHONPATH", &setting.folder, ":")));
    variables
}
