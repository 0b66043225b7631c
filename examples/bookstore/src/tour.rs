//! Three faults of different kinds for showing somebody around, and where each comes to light.

use crate::faults::Fault;

/// A fault, and the beginning of the path of a page on which it comes to light.
#[derive(Debug, Clone, Copy)]
pub struct TourStop {
    /// The fault.
    pub fault: Fault,
    /// Where a shopper meets it.
    pub path: &'static str,
}

/// A data-store, a logic and a link fault, each on another page.
pub const TOUR: [TourStop; 3] = [
    TourStop { fault: Fault::EmailNotUpdated, path: "/account" },
    TourStop { fault: Fault::TotalIgnoresQuantity, path: "/cart" },
    TourStop { fault: Fault::ArrivalsDead, path: "/" },
];
