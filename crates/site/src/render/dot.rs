//! A map for Graphviz.

use std::fmt::Write;

use crate::plain::at_most;
use crate::render::layers::Layers;
use crate::render::palette::Palette;
use crate::site::{EdgeKind, NodeKind, Site, SiteEdge, SiteNode};
use crate::site_index::SiteIndex;

/// So much of a text is shown.
const LONGEST: usize = 60;
/// And where one points at it.
const LONGEST_TOLD: usize = 300;

/// A map for Graphviz (`dot -Tsvg`). Nodes are named by number, since an id may be any text; labels have the ids.
///
/// Static nodes are white; pages are boxes or, where they are static, notes; forms are hexagons. What kind an edge is, is told by its line
/// and head; for whom a part is there, by its colour. Nodes of the same distance from home are side by side.
pub fn dot(site: &Site) -> String {
    let index = SiteIndex::of(site);
    let sets = site.nodes.iter().map(|node| &node.users);
    let palette = Palette::of(&site.users, sets.chain(site.edges.iter().map(|edge| &edge.users)));
    let mut out =
        String::from("digraph site {\n  rankdir=LR;\n  node [fontname=\"sans-serif\", fontsize=11];\n");
    out.push_str("  edge [fontname=\"sans-serif\", fontsize=9];\n");
    for (place, node) in site.nodes.iter().enumerate() {
        let style = palette.style(palette.set(&node.users));
        let (shape, line) = match (node.kind, node.dynamic) {
            (NodeKind::Page, true) => ("box", "rounded,filled"),
            (NodeKind::Page, false) => ("note", "filled"),
            (NodeKind::Form, true) => ("hexagon", "filled"),
            (NodeKind::Form, false) => ("parallelogram", "filled"),
        };
        let fill = if node.dynamic { style.tint } else { "#ffffff" };
        let width = if index.home() == Some(place) { 3 } else { 1 };
        let _ = writeln!(
            out,
            "  n{place} [label={}, tooltip={}, shape={shape}, style=\"{line}\", color=\"{}\", fillcolor=\"{fill}\", penwidth={width}];",
            quoted(&[at_most(&node.id, LONGEST), at_most(&node.title, LONGEST)]),
            quoted(&told(node)),
            style.colour,
        );
    }
    for &(from, to, edge) in &index.edges {
        let style = palette.style(palette.set(&edge.users));
        let _ = writeln!(
            out,
            "  n{from} -> n{to} [label={}, tooltip={}, color=\"{}\", {}];",
            quoted(&[at_most(&edge.label, LONGEST)]),
            quoted(&told_of_edge(edge)),
            style.colour,
            look(edge.kind)
        );
    }
    let layers = Layers::of(&index);
    for nodes in layers.nodes() {
        let names: Vec<String> = nodes.iter().map(|node| format!("n{node};")).collect();
        let _ = writeln!(out, "  {{ rank=same; {} }}", names.join(" "));
    }
    for (place, (style, users)) in palette.legend().iter().enumerate().skip(1) {
        let _ = writeln!(
            out,
            "  u{place} [label={}, shape=plaintext, fontcolor=\"{}\"];",
            quoted(&[format!("for {}", at_most(users, LONGEST))]),
            style.colour
        );
    }
    out.push_str("}\n");
    out
}

/// What an edge of a kind looks like.
fn look(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Link => "style=solid, arrowhead=normal",
        EdgeKind::Submit => "style=bold, arrowhead=normal",
        EdgeKind::Redirect => "style=dashed, arrowhead=empty",
        EdgeKind::Frame => "style=dotted, arrowhead=odot",
        EdgeKind::Script => "style=dotted, arrowhead=diamond",
    }
}

fn told(node: &SiteNode) -> Vec<String> {
    let mut told = vec![at_most(&node.id, LONGEST_TOLD)];
    if !node.fields.is_empty() {
        let names: Vec<&str> = node.fields.iter().map(|field| field.name.as_str()).collect();
        told.push(at_most(&names.join(", "), LONGEST_TOLD));
    }
    told.extend(node.status.map(|status| status.to_string()));
    told.push(users(&node.users));
    told
}

fn told_of_edge(edge: &SiteEdge) -> Vec<String> {
    vec![
        format!("{} → {}", at_most(&edge.from, LONGEST_TOLD), at_most(&edge.to, LONGEST_TOLD)),
        at_most(&edge.label, LONGEST_TOLD),
        users(&edge.users),
    ]
}

fn users(users: &std::collections::BTreeSet<String>) -> String {
    at_most(&users.iter().map(String::as_str).collect::<Vec<_>>().join(", "), LONGEST_TOLD)
}

/// Lines of plain text as one of Graphviz's quoted strings. It reads `\N` and the like, and entities as in HTML: both are escaped.
fn quoted(lines: &[String]) -> String {
    let mut out = String::from("\"");
    for (place, line) in lines.iter().filter(|line| !line.is_empty()).enumerate() {
        if place > 0 {
            out.push_str("\\n");
        }
        for c in line.chars() {
            match c {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '&' => out.push_str("&amp;"),
                _ => out.push(c),
            }
        }
    }
    out.push('"');
    out
}
