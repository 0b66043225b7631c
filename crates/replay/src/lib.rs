//! Start an application, replay sessions on it with live values, make runs.
