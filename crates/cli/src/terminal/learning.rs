//! Telling what was learnt from traffic.

use crate::args::Global;
use crate::terminal::progress::note;

/// Tells which parameters were learnt to lead to different pages.
pub(crate) fn tell(global: &Global, parameters: &[String]) {
    if !parameters.is_empty() {
        note(
            global,
            format!(
                "parameters that lead to different pages, learned from the traffic: {}\n  hint: their values are part of keys from now on; `data` in [keys] says otherwise",
                parameters.join(", ")
            ),
        );
    }
}
