//! A map as it is shown: in the terminal, as JSON, as a drawing, as paths, beside another one.

use std::path::{Path, PathBuf};

use restage_project::Project;
use restage_site::{Graph, NodeId, Site, SiteMap, independent_paths};

use crate::args::Global;
use crate::commands::map::MadeMap;
use crate::failure::Failure;
use crate::terminal::output::{self, count};
use crate::terminal::progress::note;

/// So many of a kind are named.
const SHOWN: usize = 8;
/// So much of a name is shown.
const LONGEST: usize = 120;

/// What of a map is shown, and where.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct MapViews {
    /// Show a map that there is, by its name in the store or from a file, in place of making one
    #[arg(long, value_name = "MAP", conflicts_with_all = ["from", "users", "into"])]
    map: Option<String>,
    /// List the maps in the store
    #[arg(long, conflicts_with_all = ["map", "diff"])]
    list: bool,
    /// Write it for Graphviz; - is standard output
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Write it as a drawing; - is standard output
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print linearly independent paths: every edge in exactly one of them
    #[arg(long)]
    paths: bool,
    /// Print what differs between two maps: pages, forms, parameters and links that came, went, moved or were renamed
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"], conflicts_with_all = ["map", "paths", "dot", "svg"])]
    diff: Option<Vec<String>>,
}

impl MapViews {
    /// Shows maps that there are; whether that was asked for.
    pub(crate) fn show_stored(&self, global: &Global, project: &Project) -> Result<bool, Failure> {
        if self.list {
            list(global, project)?;
            return Ok(true);
        }
        if let Some([old, new]) = self.diff.as_deref() {
            let (old, new) = (Site::from(&project.map(old)?), Site::from(&project.map(new)?));
            let diff = restage_site::diff(&old, &new);
            if global.json {
                output::json(&diff);
            } else {
                output::text(&diff.to_string());
            }
            return Ok(true);
        }
        let Some(name) = &self.map else { return Ok(false) };
        let map = project.map(name)?;
        self.write(&map)?;
        if self.paths {
            self.print_paths(global, &map)?;
        } else if global.json {
            output::json(&map);
        } else if !self.writes_to_output() {
            output::line(&format!("{name}: {}", in_short(&Site::from(&map))));
        }
        Ok(true)
    }

    /// Writes the files that were asked for.
    pub(crate) fn write(&self, map: &SiteMap) -> Result<(), Failure> {
        let site = Site::from(map);
        if let Some(path) = &self.dot {
            write(path, &restage_site::dot(&site))?;
        }
        if let Some(path) = &self.svg {
            write(path, &restage_site::svg(&site))?;
        }
        Ok(())
    }

    fn writes_to_output(&self) -> bool {
        [&self.dot, &self.svg].into_iter().flatten().any(|path| path == Path::new("-"))
    }

    /// Every edge in exactly one path.
    fn print_paths(&self, global: &Global, map: &SiteMap) -> Result<(), Failure> {
        let graph = Graph::of(map).map_err(|error| Failure::user(error.to_string()))?;
        let paths = independent_paths(&graph);
        // A path is a list of edges.
        let nodes = |path: &Vec<usize>| -> Vec<&NodeId> {
            let first = path.first().map(|edge| &map.edges[*edge].from);
            first.into_iter().chain(path.iter().map(|edge| &map.edges[*edge].to)).collect()
        };
        if global.json {
            let paths: Vec<Vec<&NodeId>> = paths.iter().map(nodes).collect();
            output::json(&serde_json::json!({ "paths": paths }));
            return Ok(());
        }
        for path in &paths {
            let ids: Vec<String> = nodes(path).into_iter().map(ToString::to_string).collect();
            output::line(&ids.join(" → "));
        }
        note(global, format!("{}, {}", count(paths.len(), "path"), count(map.edges.len(), "edge")));
        Ok(())
    }
}

/// Shows a map that was just made.
pub(crate) fn tell_map(
    global: &Global,
    views: &MapViews,
    made: &MadeMap,
    map: &SiteMap,
) -> Result<(), Failure> {
    if views.paths {
        return views.print_paths(global, map);
    }
    if global.json {
        let mut map = map.clone();
        map.other.insert("name".to_owned(), made.name.clone().into());
        if let Some(report) = &made.report {
            map.other.insert("spider".to_owned(), serde_json::to_value(report).unwrap_or_default());
            map.other.insert("sessions".to_owned(), serde_json::to_value(found(made)).unwrap_or_default());
        }
        output::json(&map);
        return Ok(());
    }
    if views.writes_to_output() {
        return Ok(());
    }
    output::line(&format!("{}: {}", made.name, in_short(&made.site)));
    if let Some(report) = &made.report {
        let stopped = report.stopped;
        output::line(&format!(
            "  the spider sent {} ({} sent a form) as {}, and restored the data {}; {stopped}",
            count(report.requests, "request"),
            report.pressed,
            report.users.join(", "),
            count(report.restores, "time"),
        ));
        for (user, why) in &report.not_logged_in {
            output::line(&format!("  it could not be logged in as {user}: {why}"));
        }
        let found = found(made);
        if found.reached > 0 {
            output::line(&format!(
                "  of {} that sessions reach, it found {} by itself{}{}",
                count(found.reached, "page or form").replace("page or forms", "pages and forms"),
                found.found,
                found.by_trying(),
                named(", without ", &found.missed),
            ));
        }
        for skipped in &report.skipped {
            let more = skipped.count.saturating_sub(skipped.examples.len());
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            output::line(&format!("  passed over, {}: {}{more}", skipped.why, skipped.examples.join(", ")));
        }
        if !report.unseen.is_empty() {
            output::line(&format!("  not looked at{}", named(": ", &report.unseen)));
        }
    }
    let name = &made.name;
    note(
        global,
        format!(
            "next: `restage map --map {name} --svg map.svg` draws it; `restage generate --map {name} --into NAME` makes sessions that cover it"
        ),
    );
    Ok(())
}

/// How much of what sessions reach the spider found by itself.
#[derive(serde::Serialize)]
struct Found {
    /// Pages and forms that sessions reach.
    reached: usize,
    /// Those that the spider found.
    found: usize,
    /// Those of these that links and forms alone led it to, without trying what sessions' scripts and users sent.
    found_by_links: usize,
    /// Those of them that a page led to; to the others, only scripts did, or addresses that were typed.
    led_to: usize,
    /// Those of these that the spider found.
    found_of_led_to: usize,
    /// Those that it did not find.
    missed: Vec<String>,
}

impl Found {
    /// How many of them links and forms alone did not lead to, in words.
    fn by_trying(&self) -> String {
        match self.found - self.found_by_links {
            0 => String::new(),
            others => format!(" ({others} by trying what scripts sent and users typed)"),
        }
    }
}

fn found(made: &MadeMap) -> Found {
    let by_spider = |id: &str| {
        made.site.node(id).is_some_and(|node| node.seen_by.contains(&restage_site::SeenBy::Spider))
    };
    let by_links = |id: &str| by_spider(id) && made.site.node(id).is_some_and(|node| !node.tried);
    let reached: Vec<&String> = made.traffic.reached.keys().collect();
    let missed: Vec<String> = reached.iter().filter(|id| !by_spider(id)).map(|id| (*id).clone()).collect();
    let led_to: Vec<&&String> = reached.iter().filter(|id| made.traffic.led_to.contains(**id)).collect();
    Found {
        reached: reached.len(),
        found: reached.len() - missed.len(),
        found_by_links: reached.iter().filter(|id| by_links(id)).count(),
        led_to: led_to.len(),
        found_of_led_to: led_to.iter().filter(|id| by_spider(id)).count(),
        missed,
    }
}

fn in_short(site: &Site) -> String {
    let dynamic = site.nodes.iter().filter(|node| node.dynamic).count();
    let users: Vec<&str> = site.users.iter().map(|user| user.name.as_str()).collect();
    let users = if users.is_empty() { String::new() } else { format!("; seen as {}", users.join(", ")) };
    let nodes = if site.nodes.len() == 1 { "page or form" } else { "pages and forms" };
    format!(
        "{} {nodes} ({dynamic} dynamic), {} between them{users}",
        site.nodes.len(),
        count(site.edges.len(), "way"),
    )
}

fn named(before: &str, names: &[String]) -> String {
    if names.is_empty() {
        return String::new();
    }
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| shortened(name)).collect();
    let more = names.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{before}{}{more}", shown.join(", "))
}

/// A name as it is told: forms of many fields have long ones.
fn shortened(name: &str) -> String {
    if name.chars().count() <= LONGEST {
        return name.to_owned();
    }
    name.chars().take(LONGEST).chain(['…']).collect()
}

fn list(global: &Global, project: &Project) -> Result<(), Failure> {
    let maps = project.store_to_read()?.maps()?;
    if global.json {
        output::json(&maps);
        return Ok(());
    }
    let rows: Vec<Vec<String>> = maps
        .iter()
        .map(|map| {
            let app = map.app.clone().unwrap_or_else(|| "sessions alone".to_owned());
            vec![map.name.clone(), map.created.to_string(), app]
        })
        .collect();
    output::table(&["map", "made", "of"], &rows);
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    if path == Path::new("-") {
        output::text(text);
        return Ok(());
    }
    std::fs::write(path, text)
        .map_err(|error| Failure::environment(format!("cannot write {}: {error}", path.display())))
}
