//! The whole picture, as a file.

use maud::{Markup, PreEscaped, html};

use crate::render::palette::FOR_ALL;
use crate::render::svg::boxes::{frame, loop_of, node, short, telling};
use crate::render::svg::header::header;
use crate::render::svg::scene::{End, Scene, Stretch};
use crate::render::svg::strokes::{edge_text, head_at_end, heads, stroke};
use crate::site::Site;
use crate::site_index::SiteIndex;

/// Around the picture.
const MARGIN: f64 = 24.0;
/// The least width, so that the legend has room.
const NARROWEST: f64 = 900.0;
/// For the names of the columns.
const COLUMN_NAMES: f64 = 34.0;
/// In viewers that know it, pointing at a node or a line shows what leads from there.
const POINTED: &str = "g.n:hover>path.w{stroke-opacity:1;stroke-width:3.2}";

/// A map as an SVG that a person can read: layers by distance from home, from left to right; what most pages lead to is listed once, on
/// top. It needs nothing but itself, and has no script. The same map gives the same picture.
pub fn svg(site: &Site) -> String {
    let index = SiteIndex::of(site);
    let scene = Scene::of(&index);
    let width = scene.width.max(NARROWEST) + 2.0 * MARGIN;
    let header = header(&scene, MARGIN, width - MARGIN);
    let top = header.height + COLUMN_NAMES;
    let height = top + scene.height + MARGIN;
    let size = format!("0 0 {width:.0} {height:.0}");
    let shift = format!("translate({MARGIN} {top:.1})");
    let markup = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(format!("{width:.0}")) height=(format!("{height:.0}")) viewBox=(size)
            font-family="Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif" fill="#111827" {
            title { "Map of an application" }
            style { (POINTED) }
            (heads(&scene))
            rect width="100%" height="100%" fill="#ffffff" {}
            g { @for part in &header.markup { (part) } }
            g transform=(shift) { (columns(&scene)) (body(&scene)) }
        }
    };
    let mut file = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    file.push_str(&markup.into_string());
    file.push('\n');
    file
}

/// The names of the columns.
fn columns(scene: &Scene<'_>) -> Markup {
    let last = scene.columns.len().saturating_sub(1);
    let name = |layer: usize| match layer {
        _ if layer == last && scene.has_unreached => "not reached from home".to_owned(),
        0 if scene.index.home().is_some() => "home".to_owned(),
        0 => "start".to_owned(),
        1 => "1 click from home".to_owned(),
        _ => format!("{layer} clicks"),
    };
    html! {
        @for (layer, column) in scene.columns.iter().enumerate() {
            rect x=(short(column.x - 8.0)) y="-30" width=(short(column.width + 16.0)) height=(short(scene.height + 38.0))
                rx="10" fill="#fafbfc" stroke="#eceff3" {}
            text x=(short(column.x)) y="-13" font-size="12" font-weight="bold" fill="#4b5563" { (name(layer)) }
        }
    }
}

/// Lines that pass layers first, then frames, then nodes, each with the lines that leave it.
fn body(scene: &Scene<'_>) -> Markup {
    let mut of_nodes: Vec<Vec<&Stretch>> = vec![Vec::new(); scene.nodes.len()];
    let mut of_frames: Vec<Vec<&Stretch>> = vec![Vec::new(); scene.blocks.len()];
    let mut passing: Vec<&Stretch> = Vec::new();
    for stretch in &scene.stretches {
        match stretch.from {
            End::Node(node) => of_nodes[node].push(stretch),
            End::Frame(block) => of_frames[block].push(stretch),
            End::Bend(_) => passing.push(stretch),
        }
    }
    let mut menus_of: Vec<Vec<usize>> = vec![Vec::new(); scene.nodes.len()];
    for (place, menu) in scene.menus.iter().enumerate().filter(|(_, menu)| !menu.is_everywhere) {
        menu.pages.iter().for_each(|&page| menus_of[page].push(place));
    }
    let mut loops: Vec<Option<Markup>> = vec![None; scene.nodes.len()];
    let drawn = scene.lines.iter().zip(&scene.drawn).filter(|(_, drawn)| **drawn).map(|(line, _)| line);
    for line in drawn.filter(|line| line.from == line.to) {
        let users = scene.palette.set(&line.users);
        let style = scene.palette.style(users);
        let told: Vec<String> = line.edges.iter().take(6).map(|edge| edge_text(edge)).collect();
        loops[line.from] = Some(html! {
            path class="w" d=(loop_of(scene.nodes[line.from])) fill="none" stroke=(style.colour) stroke-opacity="0.8"
                marker-end=(head_at_end(line.kind, users)) { title { (told.join("\n")) } }
        });
    }
    let strokes = |stretches: &[&Stretch]| html! { @for stretch in stretches { (stroke(scene, stretch)) } };
    html! {
        (strokes(&passing))
        @for (place, block) in scene.blocks.iter().enumerate().filter(|(_, block)| block.is_framed()) {
            g class="n" {
                title { (format!("{} nodes that the same pages lead to", block.nodes.len())) }
                (strokes(&of_frames[place])) (frame(scene.frames[place]))
            }
        }
        @for (place, shown) in scene.index.site.nodes.iter().enumerate() {
            g class="n" {
                title { (telling(shown)) }
                (strokes(&of_nodes[place]))
                (loops[place].clone().unwrap_or_else(|| PreEscaped(String::new())))
                (node(scene, place, &menus_of[place]))
            }
        }
        @if scene.nodes.is_empty() {
            text x="0" y="20" font-size="13" fill=(scene.palette.style(FOR_ALL).colour) { "The map is empty." }
        }
    }
}
