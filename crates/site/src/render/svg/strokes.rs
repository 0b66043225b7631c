//! Lines and their heads.

use std::collections::BTreeSet;

use maud::{Markup, html};

use crate::plain::at_most;
use crate::render::palette::{FOR_ALL, Style, UserSet};
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
    // The legend shows each kind in the colour of everyone.
    let used: BTreeSet<(EdgeKind, UserSet)> = scene
        .lines
        .iter()
        .flat_map(|line| [(line.kind, scene.palette.set(&line.users)), (line.kind, FOR_ALL)])
        .collect();
    html! {
        defs {
            @for &(kind, users) in &used {
                @for starts in [false, true] { (head(kind, users, scene.palette.style(users), starts)) }
            }
        }
    }
}

/// What a line of this kind and colour ends with, as it is referred to.
pub(crate) fn head_at_end(kind: EdgeKind, users: UserSet) -> String {
    format!("url(#{})", head_name(kind, users, false))
}

fn head_name(kind: EdgeKind, users: UserSet, starts: bool) -> String {
    let kind = match kind {
        EdgeKind::Link => "link",
        EdgeKind::Submit => "submit",
        EdgeKind::Redirect => "redirect",
        EdgeKind::Frame => "frame",
        EdgeKind::Script => "script",
    };
    format!("{kind}-{users}{}", if starts { "-start" } else { "" })
}

/// A head at the end of a line, or at its start: turned around by a transformation, since not all viewers turn it by themselves.
fn head(kind: EdgeKind, users: UserSet, style: Style, starts: bool) -> Markup {
    // A filled arrow for what users do, a hollow one for a redirect, a dot for a frame, a diamond for a script.
    let (shape, fill) = match kind {
        EdgeKind::Link | EdgeKind::Submit => ("M0 0.8L10 5L0 9.2Z", style.colour),
        EdgeKind::Redirect => ("M0.8 1.4L9.2 5L0.8 8.6Z", "#ffffff"),
        EdgeKind::Frame => ("M0.8 5A4.2 4.2 0 1 1 9.2 5A4.2 4.2 0 1 1 0.8 5Z", "#ffffff"),
        EdgeKind::Script => ("M0.6 5L5 1.4L9.4 5L5 8.6Z", style.colour),
    };
    html! {
        marker id=(head_name(kind, users, starts)) viewBox="0 0 10 10" refX=(if starts { "0.4" } else { "9.6" }) refY="5"
            markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto" {
            path d=(shape) fill=(fill) stroke=(style.colour) stroke-width="1.1" transform=[starts.then_some("rotate(180 5 5)")] {}
        }
    }
}

/// A stretch of a line. The shortest way to each node is drawn strongest, and what leads back lightest.
pub(crate) fn stroke(scene: &Scene<'_>, stretch: &Stretch) -> Markup {
    let style = scene.palette.style(stretch.users);
    let ends = !matches!(stretch.to, End::Bend(_));
    let strength = match (stretch.on_way, stretch.direction, scene.dense) {
        (true, ..) => "0.95",
        (false, Direction::Forward, false) => "0.75",
        (false, _, false) => "0.5",
        (false, Direction::Forward, true) => "0.35",
        (false, _, true) => "0.25",
    };
    html! {
        path class="w" d=(scene.curve(stretch)) fill="none" stroke=(style.colour) stroke-opacity=(strength)
            stroke-width=(thickness(stretch.kind))
            stroke-dasharray=[(!style.dashes.is_empty()).then_some(style.dashes)]
            marker-start=[stretch.opposite.map(|kind| format!("url(#{})", head_name(kind, stretch.users, true)))]
            marker-end=[ends.then(|| head_at_end(stretch.kind, stretch.users))] {
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
