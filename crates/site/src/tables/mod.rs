//! What forms are filled in with (paper 3, step 1).
//!
//! - `lookup`: the parameter look-up table: what sessions sent, by form and by the parameter's name;
//! - `constants`: the constant value table, by a field's type and name, for what no session ever sent;
//! - `fill`: a live form, filled in from both.

mod constants;
mod fill;
mod lookup;

pub use constants::ConstantTable;
pub use fill::{FilledFields, fill_fields};
pub use lookup::{LookupTable, Submission};
