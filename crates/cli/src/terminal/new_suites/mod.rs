//! What is told of suites that restage made: generated, regenerated, repaired.

pub(crate) mod generated;
pub(crate) mod regenerated;
pub(crate) mod repaired;
