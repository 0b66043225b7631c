//! What the sessions of a run know of each other, and of the trusted run.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use restage_model::StepAt;

use crate::facts::StepMarks;
use crate::secrecy::Secrecy;

/// Cookies of earlier sessions of this run: what was recorded, and what the live server gave instead.
pub(crate) type EarlierCookies = HashMap<(String, String), String>;

/// What the sessions of a run know of each other, and of the trusted run.
#[derive(Debug, Default)]
pub(crate) struct SessionContext {
    /// Whether requests are sent as they were recorded, without live values.
    pub(crate) as_recorded: bool,
    /// What the trusted run sent, where there is one.
    pub(crate) reference: HashMap<StepAt, TrustedStep>,
    /// By what names probes know the steps; none where no facts are asked for.
    pub(crate) marks: Option<StepMarks>,
    /// What is known of secrets.
    pub(crate) secrecy: Secrecy,
    earlier_cookies: Mutex<EarlierCookies>,
}

/// What a replay needs to know of a step of the trusted run: there may be very many.
#[derive(Clone, Debug)]
pub(crate) struct TrustedStep {
    /// The path and query sent.
    pub(crate) uri: String,
    /// The cookies sent.
    pub(crate) cookie: Option<String>,
}

impl SessionContext {
    /// Sessions that know of no trusted run yet.
    pub(crate) fn new(as_recorded: bool, secrecy: Secrecy) -> Self {
        Self { as_recorded, secrecy, ..Self::default() }
    }

    /// The cookies that sessions of this run were given.
    pub(crate) fn earlier_cookies(&self) -> MutexGuard<'_, EarlierCookies> {
        self.earlier_cookies.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
