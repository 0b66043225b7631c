//! The shoppers of release 1 in later releases: they miss what moved, but the shop stands it.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use bookstore::Release;
use bookstore::shoppers::drive_watched;

use crate::visitor::shop;

#[test]
fn old_habits_break_no_release() {
    for release in Release::all() {
        let shop = shop(release.number());
        let mut statuses: BTreeMap<u16, usize> = BTreeMap::new();
        drive_watched(&shop.url(), 7, 40, &mut |exchange| {
            *statuses.entry(exchange.status).or_default() += 1;
            ControlFlow::Continue(())
        })
        .unwrap();
        println!("release {}: {statuses:?}", release.number());
        assert!(statuses.keys().all(|status| *status < 500), "release {}: {statuses:?}", release.number());
    }
}
