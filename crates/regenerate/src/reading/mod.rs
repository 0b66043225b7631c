//! From facts, and from what the source code says, to definitions and uses.

mod bound;
mod distinct;
mod run;
mod session_tables;
mod source_code;
mod step;
mod tables;
mod variables;
mod variants;

pub use run::{Reader, SessionSeen, read_session};
pub use session_tables::SessionTables;
pub use step::{ReadStep, read_step};
pub use variables::StateLines;
pub use variants::RequestVariants;
