//! Draws a map, to look at: `draw map.json > map.svg`, or `draw web 300 > map.svg`, `draw random 60 > map.svg` for one that is made up.

use std::process::ExitCode;
use std::time::Instant;

use restage_site::{Site, SiteMap, svg};

#[path = "../tests/sites/mod.rs"]
mod sites;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let site = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["web", nodes] => nodes.parse().ok().map(|nodes| sites::web_like(1, nodes)),
        ["random", nodes] => nodes.parse().ok().map(|nodes| sites::random(1, nodes, nodes * 2)),
        [file] => {
            std::fs::read(file).ok().and_then(|json| SiteMap::parse(&json).ok()).map(|map| Site::from(&map))
        }
        _ => None,
    };
    let Some(site) = site else {
        eprintln!("usage: draw FILE | draw web NODES | draw random NODES");
        return ExitCode::FAILURE;
    };
    let begun = Instant::now();
    let picture = svg(&site);
    eprintln!(
        "{} nodes, {} edges: {} bytes in {:?}",
        site.nodes.len(),
        site.edges.len(),
        picture.len(),
        begun.elapsed()
    );
    print!("{picture}");
    ExitCode::SUCCESS
}
