//! Shoppers in a shop: that all goes well without faults, always in the same way with a seed, that
//! every page and form is met, and which faults the shoppers get to see.

// All of this file is tests, functions without #[test] too.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use bookstore::shoppers::{Exchange, drive, drive_watched};
use bookstore::{Fault, FaultCategory, RunningShop, Settings, start};

const SHOPPERS: usize = 40;
const SEED: u64 = 7;

/// The faults that these shoppers do not get to see; empty, as long as the scripts stay as good.
const UNSEEN: &[Fault] = &[];

fn reproducible(folder: &tempfile::TempDir, faults: &[Fault]) -> RunningShop {
    let mut settings = Settings::new(folder.path());
    settings.seed = Some(1);
    settings.clock = "2026-11-15".parse().unwrap();
    settings.faults = faults.iter().copied().collect();
    start(settings).unwrap()
}

fn record(faults: &[Fault]) -> Vec<Exchange> {
    let folder = tempfile::tempdir().unwrap();
    let shop = reproducible(&folder, faults);
    let mut seen = Vec::new();
    let tally = drive_watched(&shop.url(), SEED, SHOPPERS, &mut |exchange| {
        seen.push(exchange.clone());
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!((tally.sessions, tally.requests), (SHOPPERS, seen.len()));
    seen
}

/// The first exchange that differs from the clean shop's.
fn first_difference(fault: Fault, clean: &[Exchange]) -> Option<Exchange> {
    let folder = tempfile::tempdir().unwrap();
    let shop = reproducible(&folder, &[fault]);
    let mut expected = clean.iter();
    let mut found = None;
    drive_watched(&shop.url(), SEED, SHOPPERS, &mut |exchange| {
        if expected.next() == Some(exchange) {
            return ControlFlow::Continue(());
        }
        found = Some(exchange.clone());
        ControlFlow::Break(())
    })
    .unwrap();
    found
}

#[test]
fn a_clean_drive_meets_every_page_and_repeats_byte_for_byte() {
    let clean = record(&[]);
    let again = record(&[]);
    for (one, other) in clean.iter().zip(&again) {
        assert!(one == other, "{} {} differs between runs", one.method, one.address);
    }
    assert_eq!(clean.len(), again.len());

    let mut statuses: BTreeMap<u16, usize> = BTreeMap::new();
    for exchange in &clean {
        *statuses.entry(exchange.status).or_default() += 1;
    }
    println!("{} requests, by status: {statuses:?}", clean.len());
    assert_eq!(statuses.keys().copied().collect::<Vec<_>>(), [200, 303, 403, 404, 405, 422]);

    let met: BTreeSet<String> = clean.iter().map(page_of).collect();
    let wanted = include_str!("pages.txt");
    let missed: Vec<&str> = wanted.lines().filter(|page| !met.contains(*page)).collect();
    assert!(missed.is_empty(), "not met: {missed:#?}\nmet: {met:#?}");
}

#[test]
fn shoppers_get_to_see_the_faults() {
    let clean = record(&[]);
    let next = AtomicUsize::new(0);
    let shown = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(&fault) = Fault::ALL.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let difference = first_difference(fault, &clean);
                    shown.lock().unwrap().insert(fault, difference);
                }
            });
        }
    });
    let shown = shown.into_inner().unwrap();
    for (fault, difference) in &shown {
        match difference {
            Some(at) => println!("{fault:<26} session {:>2}  {} {}", at.session, at.method, at.address),
            None => println!("{fault:<26} not seen"),
        }
    }
    let unseen: Vec<Fault> =
        shown.iter().filter(|(_, difference)| difference.is_none()).map(|(fault, _)| *fault).collect();
    assert_eq!(unseen, UNSEEN);
    assert!(shown.len() - unseen.len() >= 40);
    for &category in FaultCategory::ALL {
        println!("{category}: {}", shown.keys().filter(|fault| fault.category() == category).count());
    }
}

#[test]
fn without_a_seed_every_drive_is_another() {
    let folder = tempfile::tempdir().unwrap();
    let shop = start(Settings::new(folder.path())).unwrap();
    let mut sessions = Vec::new();
    let tally = drive(&shop.url(), 3, 4, &mut |session| sessions.push(session)).unwrap();
    assert_eq!((tally.sessions, sessions), (4, vec![0, 1, 2, 3]));
    let body = |path: &str| {
        ureq::get(format!("{}{path}", shop.url())).call().unwrap().body_mut().read_to_string().unwrap()
    };
    assert_ne!(body("/category/1"), body("/category/1"));
}

#[test]
fn with_a_seed_the_answer_depends_on_request_and_database_alone() {
    let folder = tempfile::tempdir().unwrap();
    let shop = reproducible(&folder, &[]);
    let answer = |path: &str| {
        let mut response = ureq::get(format!("{}{path}", shop.url())).call().unwrap();
        let cookie = response.headers()["set-cookie"].clone();
        (cookie, response.body_mut().read_to_string().unwrap())
    };
    let first = answer("/book/9");
    assert_ne!(answer("/book/9"), first, "a second visitor gets another session");
    let other_process = rusqlite::Connection::open(folder.path().join("shop.db")).unwrap();
    other_process
        .execute_batch("DELETE FROM sessions; DELETE FROM sqlite_sequence WHERE name = 'sessions'")
        .unwrap();
    assert_eq!(answer("/book/9"), first);
}

#[test]
fn a_form_without_its_token_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let shop = start(Settings::new(folder.path())).unwrap();
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
    let response = agent.post(format!("{}/cart/add", shop.url())).send("book=1&quantity=1").unwrap();
    assert_eq!(response.status(), 403);
    shop.stop();
}

/// Method and path, with every number in the path as `N`.
fn page_of(exchange: &Exchange) -> String {
    let path = exchange.address.split('?').next().unwrap_or_default();
    let parts: Vec<&str> =
        path.split('/').map(|part| if part.parse::<i64>().is_ok() { "N" } else { part }).collect();
    format!("{} {}", exchange.method, parts.join("/"))
}
