//! Nodes and frames.

use maud::{Markup, html};

use crate::graph::NodeIndex;
use crate::plain::{at_most, one_line};
use crate::render::svg::caption::{Caption, cut, cut_middle, width};
use crate::render::svg::menus::menu_letter;
use crate::render::svg::scene::{Rect, Scene};
use crate::render::svg::strokes::LONGEST;
use crate::site::{NodeKind, SiteNode};

/// The size of what is written first on a node, and below.
const SIZES: (f64, f64) = (12.0, 10.0);
/// Between a node's edge and its text.
const PADDING: f64 = 9.0;
/// Less room beside the place is not used.
const SHORTEST: f64 = 44.0;
/// So many lines are shown where one points at a node.
const TOLD: usize = 24;

/// The outline of a node: pages are rectangles, those that the server computes with round corners, static ones with a folded corner;
/// forms are hexagons, static ones slanted.
pub(crate) fn outline(kind: NodeKind, dynamic: bool, rect: Rect) -> String {
    let Rect { x, y, width, height } = rect;
    let (right, bottom, middle) = (x + width, y + height, y + height / 2.0);
    match (kind, dynamic) {
        (NodeKind::Page, true) => {
            let r = 7.0;
            format!(
                "M{:.1} {y:.1}H{:.1}A{r} {r} 0 0 1 {right:.1} {:.1}V{:.1}A{r} {r} 0 0 1 {:.1} {bottom:.1}H{:.1}A{r} {r} 0 0 1 {x:.1} {:.1}V{:.1}A{r} {r} 0 0 1 {:.1} {y:.1}Z",
                x + r,
                right - r,
                y + r,
                bottom - r,
                right - r,
                x + r,
                bottom - r,
                y + r,
                x + r
            )
        }
        (NodeKind::Page, false) => {
            let fold = 9.0;
            format!(
                "M{x:.1} {y:.1}H{:.1}L{right:.1} {:.1}V{bottom:.1}H{x:.1}ZM{:.1} {y:.1}V{:.1}H{right:.1}",
                right - fold,
                y + fold,
                right - fold,
                y + fold
            )
        }
        (NodeKind::Form, true) => {
            let point = 8.0;
            format!(
                "M{x:.1} {middle:.1}L{:.1} {y:.1}H{:.1}L{right:.1} {middle:.1}L{:.1} {bottom:.1}H{:.1}Z",
                x + point,
                right - point,
                right - point,
                x + point
            )
        }
        (NodeKind::Form, false) => {
            let slant = 8.0;
            format!("M{:.1} {y:.1}H{right:.1}L{:.1} {bottom:.1}H{x:.1}Z", x + slant, right - slant)
        }
    }
}

/// A frame around nodes that the same pages lead to.
pub(crate) fn frame(rect: Rect) -> Markup {
    html! {
        rect x=(short(rect.x)) y=(short(rect.y)) width=(short(rect.width)) height=(short(rect.height)) rx="9"
            fill="#f6f7f9" stroke="#9aa3af" stroke-width="1" {}
    }
}

/// A node with what is written on it. `menus` are the menus that it has.
pub(crate) fn node(scene: &Scene<'_>, place: NodeIndex, menus: &[usize]) -> Markup {
    let (node, rect) = (&scene.index.site.nodes[place], scene.nodes[place]);
    let style = scene.palette.style(scene.palette.set(&node.users));
    let is_home = scene.index.home() == Some(place);
    let caption = Caption::of(node, &scene.site_name);
    let letters: String = menus.iter().map(|&menu| menu_letter(&scene.menus, menu)).collect();
    let status = node.status.filter(|status| *status >= 400).map(|status| status.to_string());
    let marks =
        [status.as_deref(), Some(&letters)].map(|mark| mark.map_or(0.0, |mark| width(mark) * SIZES.1 + 4.0));
    let room = rect.width - 2.0 * PADDING - marks.iter().sum::<f64>();
    let two = scene.spacious && !caption.subject.is_empty();
    let first = if two { rect.y + 15.0 } else { rect.middle() + 4.2 };
    let edge = rect.right() - PADDING;
    let place_text = cut_middle(&caption.place, room / SIZES.0);
    // Where there is one line for both, the subject has what the place leaves.
    let beside =
        if two || caption.subject.is_empty() { 0.0 } else { room - width(&place_text) * SIZES.0 - 7.0 };
    let fill = if node.dynamic { style.tint } else { "#ffffff" };
    html! {
        path d=(outline(node.kind, node.dynamic, rect)) fill=(fill) stroke=(style.colour)
            stroke-width=(if is_home { 3.0 } else { 1.4 })
            stroke-dasharray=[(!style.dashes.is_empty()).then_some(style.dashes)] {}
        text x=(short(rect.x + PADDING)) y=(short(first)) font-size=(SIZES.0) font-weight=[is_home.then_some("bold")]
            font-style=[(scene.knows_visits && node.status.is_none()).then_some("italic")] {
            (place_text)
            @if beside > SHORTEST {
                tspan dx="7" font-size=(SIZES.1) fill="#4b5563" { (cut(&caption.subject, beside / SIZES.1)) }
            }
        }
        @if two {
            text x=(short(rect.x + PADDING)) y=(short(first + 13.5)) font-size=(SIZES.1) fill="#374151" {
                (cut(&caption.subject, (rect.width - 2.0 * PADDING) / SIZES.1))
            }
        }
        @if let Some(status) = &status {
            text x=(short(edge - marks[1])) y=(short(first)) font-size=(SIZES.1) font-weight="bold" fill="#a8123d"
                text-anchor="end" { (status) }
        }
        @if !letters.is_empty() {
            text x=(short(edge)) y=(short(first)) font-size=(SIZES.1) font-weight="bold" fill="#374151" text-anchor="end" {
                (letters)
            }
        }
    }
}

/// A line from a node to itself.
pub(crate) fn loop_of(rect: Rect) -> String {
    let x = rect.right() - 26.0;
    format!("M{x:.1} {:.1}c-2 -9 14 -9 11 -0.5", rect.y)
}

/// What one reads where one points at a node.
pub(crate) fn telling(node: &SiteNode) -> String {
    let mut told = vec![at_most(&node.id, LONGEST)];
    let mut tell = |name: &str, text: &str| {
        if !text.is_empty() {
            told.push(format!("{name}: {}", at_most(text, LONGEST)));
        }
    };
    if node.key != node.id {
        tell("key", &node.key);
    }
    tell("title", &node.title);
    tell("headings", &node.headings.join(" · "));
    tell("address", &node.address);
    tell("users", &node.users.iter().map(String::as_str).collect::<Vec<_>>().join(", "));
    let kind = match (node.kind, node.dynamic) {
        (NodeKind::Page, true) => "page, computed by the server",
        (NodeKind::Page, false) => "static page",
        (NodeKind::Form, true) => "form",
        (NodeKind::Form, false) => "form, answered by a static page",
    };
    match node.status {
        Some(status) => told.push(format!("{kind}, answered with {status}")),
        None => told.push(format!("{kind}, linked but not visited")),
    }
    for field in &node.fields {
        let choices = match field.choices.len() {
            0 => String::new(),
            1 => ", 1 choice".to_owned(),
            count => format!(", {count} choices"),
        };
        told.push(format!("field {} ({}{choices})", at_most(&field.name, LONGEST), one_line(&field.control)));
    }
    if told.len() > TOLD {
        let more = told.len() - TOLD;
        told.truncate(TOLD);
        told.push(format!("and {more} more fields"));
    }
    told.join("\n")
}

/// A length with one decimal: more cannot be seen.
pub(crate) fn short(length: f64) -> String {
    format!("{length:.1}")
}
