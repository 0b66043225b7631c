//! Lines and their heads.

use std::collections::BTreeSet;

use maud::{Markup, html};

use crate::plain::at_most;
use crate::render::palette::{Style, UserSet};
use crate::render::svg::scene::{Direction, End, Scene, Stretch};
use crate::site::{EdgeKind, SiteEdge};

/// So many edges are named where one points at a line.
const NAMED: usize = 12;
/// So much of a text is shown there.
pub(crate) const LONGEST: usize = 160;

/// How a kind of edge is called.
pub(crate) fn kind_name(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Link => "link",
        EdgeKind::Submit => "form is sent",
        EdgeKind::Redirect => "redirect",
        EdgeKind::Frame => "frame",
        EdgeKind::Script => "script's request",
    }
}

/// How thick a line is.
pub(crate) fn thickness(kind: EdgeKind) -> f64 {
    if kind == EdgeKind::Submit { 2.2 } else { 1.2 }
}

/// The heads that lines of a scene have, one for each kind and colour.
pub(crate) fn heads(scene: &Scene<'_>) -> Markup {
    let used: BTreeSet<(EdgeKind, UserSet)> =
        scene.lines.iter().map(|line| (line.kind, scene.palette.set(&line.users))).collect();
    html! {
        defs {
            @for &(kind, users) in &used { (head(kind, users, scene.palette.style(users))) }
        }
    }
}

/// What a line of this kind and colour ends with, by name.
pub(crate) fn head_name(kind: EdgeKind, users: UserSet) -> String {
    let kind = match kind {
        EdgeKind::Link => "link",
        EdgeKind::Submit => "submit",
        EdgeKind::Redirect => "redirect",
        EdgeKind::Frame => "frame",
        EdgeKind::Script => "script",
    };
    format!("{kind}-{users}")
}

fn head(kind: EdgeKind, users: UserSet, style: Style) -> Markup {
    // A filled arrow for what users do, a hollow one for a redirect, a dot for a frame, a diamond for a script.
    let (shape, fill) = match kind {
        EdgeKind::Link | EdgeKind::Submit => ("M0 0.8L10 5L0 9.2Z", style.colour),
        EdgeKind::Redirect => ("M0.8 1.4L9.2 5L0.8 8.6Z", "#ffffff"),
        EdgeKind::Frame => ("M0.8 5A4.2 4.2 0 1 1 9.2 5A4.2 4.2 0 1 1 0.8 5Z", "#ffffff"),
        EdgeKind::Script => ("M0.6 5L5 1.4L9.4 5L5 8.6Z", style.colour),
    };
    html! {
        marker id=(head_name(kind, users)) viewBox="0 0 10 10" refX="9.6" refY="5" markerWidth="9" markerHeight="9"
            markerUnits="userSpaceOnUse" orient="auto" {
            path d=(shape) fill=(fill) stroke=(style.colour) stroke-width="1.1" {}
        }
    }
}

/// A stretch of a line. What leads forward is drawn stronger than what leads back.
pub(crate) fn stroke(scene: &Scene<'_>, stretch: &Stretch) -> Markup {
    let style = scene.palette.style(stretch.users);
    let ends = !matches!(stretch.to, End::Bend(_));
    let strength = if stretch.direction == Direction::Forward { "0.9" } else { "0.55" };
    html! {
        path class="w" d=(scene.curve(stretch)) fill="none" stroke=(style.colour) stroke-opacity=(strength)
            stroke-width=(thickness(stretch.kind))
            stroke-dasharray=[(!style.dashes.is_empty()).then_some(style.dashes)]
            marker-end=[ends.then(|| format!("url(#{})", head_name(stretch.kind, stretch.users)))] {
            title { (telling(scene, stretch)) }
        }
    }
}

/// What one reads where one points at a line.
fn telling(scene: &Scene<'_>, stretch: &Stretch) -> String {
    let mut told: Vec<String> = Vec::new();
    let edges = || stretch.lines.iter().flat_map(|&line| scene.lines[line].edges.iter());
    told.extend(edges().take(NAMED).map(|edge| edge_text(edge)));
    let more = edges().count().saturating_sub(NAMED);
    if more > 0 {
        told.push(format!("and {more} more"));
    }
    told.join("\n")
}

/// An edge, in a line of text.
pub(crate) fn edge_text(edge: &SiteEdge) -> String {
    let mut text = format!("{} → {}", at_most(&edge.from, LONGEST), at_most(&edge.to, LONGEST));
    text.push_str(&format!(": {}", kind_name(edge.kind)));
    if !edge.label.is_empty() {
        text.push_str(&format!(" “{}”", at_most(&edge.label, LONGEST)));
    }
    if !edge.users.is_empty() {
        let users: Vec<String> = edge.users.iter().map(|user| at_most(user, LONGEST)).collect();
        text.push_str(&format!(", for {}", users.join(", ")));
    }
    text
}
