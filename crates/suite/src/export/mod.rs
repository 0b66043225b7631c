//! A suite for other tools.
