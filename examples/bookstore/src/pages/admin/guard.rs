//! Who may enter the administration.

use crate::faults::Fault;
use crate::web::{Refusal, Visit};

/// Lets administrators pass, asks strangers to log in and refuses all others.
pub(super) fn admins_only(visit: &Visit<'_>) -> Result<(), Refusal> {
    let member = visit.member()?;
    match member.is_admin() || visit.shop.faulty(Fault::AdminUnguarded) {
        true => Ok(()),
        false => Err(Refusal::Forbidden("This page is for administrators.")),
    }
}
