//! How well nodes of a release are found again, on maps that are made up: `correspond NODES`.

use std::time::Instant;

use restage_site::correspondence;

#[path = "../tests/sites/mod.rs"]
mod sites;

use sites::releases::{Changes, release};

fn main() {
    let nodes = std::env::args().nth(1).and_then(|nodes| nodes.parse().ok()).unwrap_or(200);
    let none = Changes::default();
    let cases = [
        ("nothing", none),
        ("renamed 20", Changes { renamed: 20, ..none }),
        ("renamed 100", Changes { renamed: 100, ..none }),
        ("retitled 30", Changes { retitled: 30, ..none }),
        ("renamed 20, retitled 20", Changes { renamed: 20, retitled: 20, ..none }),
        ("fields 50", Changes { fields: 50, ..none }),
        ("fields 50, renamed 30, moved 30", Changes { fields: 50, renamed: 30, moved: 30, ..none }),
        ("relabelled 30, renamed 30", Changes { relabelled: 30, renamed: 30, ..none }),
        ("gone 20, added 20", Changes { gone: 20, added: 20, ..none }),
        (
            "all",
            Changes { renamed: 15, retitled: 10, fields: 20, relabelled: 10, moved: 10, gone: 10, added: 10 },
        ),
    ];
    for (name, changes) in cases {
        let (mut right, mut wrong, mut missed, mut took) = (0, 0, 0, std::time::Duration::ZERO);
        let mut examples = Vec::new();
        for seed in 0..5 {
            let old = sites::web_like(seed, nodes);
            let new = release(&old, changes, seed);
            let begun = Instant::now();
            let found = correspondence(&old, &new.site);
            took += begun.elapsed();
            for (id, became) in &new.became {
                match (found.new_id(id), became.as_deref()) {
                    (Some(a), Some(b)) if a == b => right += 1,
                    (None, None) => {}
                    (None, Some(_)) => missed += 1,
                    (Some(a), b) => {
                        wrong += 1;
                        let about = found.of_old(id);
                        examples.push(format!(
                            "    {id} => {a}, is {b:?} ({:?})",
                            about.map(|a| (
                                a.confidence,
                                a.reasons.iter().map(ToString::to_string).collect::<Vec<_>>()
                            ))
                        ));
                    }
                }
            }
        }
        println!("{name}: right {right}, wrong {wrong}, missed {missed}; {:?} each", took / 5);
        if std::env::args().nth(2).is_some() {
            examples.iter().take(6).for_each(|example| println!("{example}"));
        }
    }
}
