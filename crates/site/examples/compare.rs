//! What changed between two maps: `compare OLD.json NEW.json`.

use std::process::ExitCode;
use std::time::Instant;

use restage_site::{Site, SiteMap, diff};

fn main() -> ExitCode {
    let read = |file: &String| {
        let json = std::fs::read(file).ok()?;
        SiteMap::parse(&json).ok().map(|map| Site::from(&map))
    };
    let sites: Vec<Site> = std::env::args().skip(1).collect::<Vec<_>>().iter().filter_map(read).collect();
    let [old, new] = sites.as_slice() else {
        eprintln!("usage: compare OLD.json NEW.json");
        return ExitCode::FAILURE;
    };
    let begun = Instant::now();
    let diff = diff(old, new);
    eprintln!("{:?}", begun.elapsed());
    print!("{diff}");
    ExitCode::SUCCESS
}
