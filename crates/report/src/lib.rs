//! The reports over one result: terminal, JSON, JUnit, static HTML.
