//! What a suite does with the server's state: an abstract view, made of facts and of what the source code says.

mod access;
mod request_part;
mod row_keys;
mod session_dynamics;
mod state_id;

pub use access::{Access, AccessKind, AccessLocation};
pub use request_part::RequestPart;
pub use row_keys::{RowKeys, RowRelation};
pub use session_dynamics::{Clearness, Dynamics, SessionDynamics, StepDynamics};
pub use state_id::StateId;
