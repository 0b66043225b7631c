//! What stands above the picture: what it is of, what its signs mean, and its menus.

use maud::{Markup, html};

use crate::plain::{at_most, count};
use crate::render::palette::FOR_ALL;
use crate::render::svg::boxes::{outline, short};
use crate::render::svg::caption::{Caption, cut, cut_middle, width};
use crate::render::svg::menus::menu_letter;
use crate::render::svg::scene::{Rect, Scene};
use crate::render::svg::strokes::{LONGEST, head_at_end, kind_name, thickness};
use crate::site::{EdgeKind, NodeKind};

/// The size of what is written.
const SIZE: f64 = 11.5;
/// Between two lines of it.
const LINE: f64 = 22.0;
/// Between two entries.
const GAP: f64 = 22.0;
/// The name of a user, or of a node in a menu, is no wider.
const WIDEST: f64 = 24.0;
/// A reader sees it without scrolling.
const WIDEST_HEADER: f64 = 1500.0;
/// So many nodes of a menu are listed.
const LISTED: usize = 60;

/// What stands above the picture, and how high it is.
pub(crate) struct Header {
    pub(crate) markup: Vec<Markup>,
    pub(crate) height: f64,
}

/// Lays entries side by side, and below each other where there is no more room.
struct Flow {
    left: f64,
    right: f64,
    x: f64,
    y: f64,
    markup: Vec<Markup>,
}

impl Flow {
    fn new(left: f64, right: f64, y: f64) -> Self {
        Self { left, right, x: left, y, markup: Vec::new() }
    }

    /// Room for an entry of this width: where it begins, and the middle of its line.
    fn room(&mut self, width: f64) -> (f64, f64) {
        if self.x > self.left && self.x + width > self.right {
            self.next_line();
        }
        let at = (self.x, self.y);
        self.x += width + GAP;
        at
    }

    fn next_line(&mut self) {
        self.x = self.left;
        self.y += LINE;
    }

    /// A sign, and what it means.
    fn entry(&mut self, sign_width: f64, text: &str, sign: impl Fn(f64, f64) -> Markup) {
        let (x, y) = self.room(sign_width + 6.0 + width(text) * SIZE);
        self.markup.push(sign(x, y));
        self.text(x + sign_width + 6.0, y, text, false);
    }

    fn text(&mut self, x: f64, y: f64, text: &str, bold: bool) {
        self.markup.push(html! {
            text x=(short(x)) y=(short(y + 4.0)) font-size=(SIZE) font-weight=[bold.then_some("bold")] { (text) }
        });
    }

    fn heading(&mut self, text: &str) {
        let (x, y) = self.room(width(text) * SIZE * 1.1);
        self.text(x, y, text, true);
    }
}

/// The header of a scene, from `left` to `right`.
pub(crate) fn header(scene: &Scene<'_>, left: f64, right: f64) -> Header {
    let mut flow = Flow::new(left, right.min(left + WIDEST_HEADER), 30.0);
    title(scene, &mut flow);
    shapes(scene, &mut flow);
    kinds(scene, &mut flow);
    users(scene, &mut flow);
    menus(scene, &mut flow);
    Header { markup: flow.markup, height: flow.y + LINE }
}

fn title(scene: &Scene<'_>, flow: &mut Flow) {
    let site = scene.index.site;
    let forms = site.nodes.iter().filter(|node| node.kind == NodeKind::Form).count();
    let pages = count(site.nodes.len() - forms, "page");
    let text = format!("{pages}, {}, {}", count(forms, "form"), count(scene.index.edges.len(), "edge"));
    let (x, y) = (flow.left, flow.y);
    flow.markup.push(html! {
        text x=(short(x)) y=(short(y)) font-size="19" font-weight="bold" { "Map" }
        text x=(short(x + 56.0)) y=(short(y)) font-size="13" fill="#374151" { (text) }
    });
    flow.y += 1.5 * LINE;
}

/// The shapes that occur.
fn shapes(scene: &Scene<'_>, flow: &mut Flow) {
    let nodes = &scene.index.site.nodes;
    for (kind, dynamic, text) in [
        (NodeKind::Page, true, "page, computed by the server"),
        (NodeKind::Page, false, "static page"),
        (NodeKind::Form, true, "form"),
        (NodeKind::Form, false, "form, answered by a static page"),
    ] {
        if nodes.iter().any(|node| node.kind == kind && node.dynamic == dynamic) {
            let style = scene.palette.style(FOR_ALL);
            let fill = if dynamic { style.tint } else { "#ffffff" };
            flow.entry(34.0, text, |x, y| {
                let rect = Rect { x, y: y - 8.0, width: 34.0, height: 16.0 };
                html! { path d=(outline(kind, dynamic, rect)) fill=(fill) stroke=(style.colour) stroke-width="1.4" {} }
            });
        }
    }
    let note = |flow: &mut Flow, occurs: bool, text: &str| {
        if occurs {
            let (x, y) = flow.room(width(text) * SIZE);
            flow.text(x, y, text, false);
        }
    };
    note(flow, scene.index.home().is_some(), "thick outline: home");
    let unvisited = scene.knows_visits && nodes.iter().any(|node| node.status.is_none());
    note(flow, unvisited, "italic: linked, not visited");
    let framed = scene.blocks.iter().any(|block| block.is_framed());
    note(flow, framed, "grey frame: the same pages lead to all in it");
    note(flow, scene.dense, "strong lines: the shortest way from home");
    flow.next_line();
}

/// The kinds of edges that occur.
fn kinds(scene: &Scene<'_>, flow: &mut Flow) {
    for kind in [EdgeKind::Link, EdgeKind::Submit, EdgeKind::Redirect, EdgeKind::Frame, EdgeKind::Script] {
        if !scene.lines.iter().any(|line| line.kind == kind) {
            continue;
        }
        let style = scene.palette.style(FOR_ALL);
        flow.entry(36.0, kind_name(kind), |x, y| {
            html! {
                path d=(format!("M{x:.1} {y:.1}h36")) fill="none" stroke=(style.colour) stroke-width=(thickness(kind))
                    marker-end=(head_at_end(kind, FOR_ALL)) {}
            }
        });
    }
    if flow.x > flow.left {
        flow.next_line();
    }
}

/// The sets of users that occur, by colour and dashes.
fn users(scene: &Scene<'_>, flow: &mut Flow) {
    let legend = scene.palette.legend();
    if legend.len() < 2 {
        return;
    }
    flow.heading("For whom:");
    for (style, name) in legend {
        flow.entry(40.0, &cut(&at_most(name, LONGEST), WIDEST), |x, y| {
            html! {
                path d=(format!("M{x:.1} {y:.1}h40")) fill="none" stroke=(style.colour) stroke-width="2.6"
                    stroke-dasharray=[(!style.dashes.is_empty()).then_some(style.dashes)] {}
            }
        });
    }
    flow.next_line();
}

/// Each menu, with where it leads.
fn menus(scene: &Scene<'_>, flow: &mut Flow) {
    for (place, menu) in scene.menus.iter().enumerate() {
        let pages = count(menu.pages.len(), "page");
        let heading = match menu.is_everywhere {
            true => format!("On every page, or nearly ({pages}):"),
            false => format!("On the {pages} marked {}:", menu_letter(&scene.menus, place)),
        };
        flow.heading(&heading);
        for &target in menu.targets.iter().take(LISTED) {
            let node = &scene.index.site.nodes[target];
            let style = scene.palette.style(scene.palette.set(&node.users));
            let text = cut_middle(&Caption::of(node, &scene.site_name).place, WIDEST);
            let (x, y) = flow.room(width(&text) * SIZE + 14.0);
            let rect = Rect { x, y: y - 9.0, width: width(&text) * SIZE + 14.0, height: 18.0 };
            let fill = if node.dynamic { style.tint } else { "#ffffff" };
            flow.markup.push(html! {
                g {
                    title { (at_most(&node.id, LONGEST)) }
                    path d=(outline(node.kind, node.dynamic, rect)) fill=(fill) stroke=(style.colour) stroke-width="1" {}
                    text x=(short(x + 7.0)) y=(short(y + 4.0)) font-size=(SIZE) { (text) }
                }
            });
        }
        if menu.targets.len() > LISTED {
            let more = format!("and {} more", menu.targets.len() - LISTED);
            let (x, y) = flow.room(width(&more) * SIZE);
            flow.text(x, y, &more, false);
        }
        flow.next_line();
        flow.y += 4.0;
    }
}
