//! Menus: links that many pages share. They are listed once, instead of being drawn from each page.
//!
//! A navigation bar of ten links on three hundred pages is three thousand edges that tell a reader ten things. Nodes that (nearly) the
//! same, many pages lead to are one menu: that of all pages, or of a part of the site.

use std::collections::BTreeMap;

use crate::bits::Bits;
use crate::graph::NodeIndex;
use crate::render::layers::Layers;
use crate::render::svg::lines::Line;

/// Fewer pages do not make a menu.
const FEWEST_PAGES: usize = 5;
/// Such a part of all pages that lead anywhere is every page, or nearly.
const NEARLY_ALL: f64 = 0.7;
/// Two nodes are in one menu where such a part of the pages that lead to either lead to both.
const TOGETHER: f64 = 0.75;
/// So many lines must be saved by a menu that not every page has.
const WORTH: usize = 12;

/// A menu.
#[derive(Clone, Debug)]
pub(crate) struct Menu {
    /// Where it leads, the most linked first.
    pub(crate) targets: Vec<NodeIndex>,
    /// The pages that have it.
    pub(crate) pages: Vec<NodeIndex>,
    /// Whether these are all pages, or nearly.
    pub(crate) is_everywhere: bool,
}

/// The menus of a map, and which lines are still drawn: those of no menu, and of a menu the one that is first on the way from home.
pub(crate) fn menus(lines: &[Line<'_>], layers: &Layers) -> (Vec<Menu>, Vec<bool>) {
    let count = layers.distance.len();
    let mut sources: Vec<Vec<NodeIndex>> = vec![Vec::new(); count];
    let mut leads = vec![false; count];
    for line in lines.iter().filter(|line| line.from != line.to) {
        sources[line.to].push(line.from);
        leads[line.from] = true;
    }
    let leading = leads.iter().filter(|&&leads| leads).count();
    let mut targets: Vec<NodeIndex> =
        (0..count).filter(|&node| sources[node].len() >= FEWEST_PAGES).collect();
    targets.sort_by_key(|&node| (std::cmp::Reverse(sources[node].len()), node));
    // A page that a menu leads to does not link to itself, and counts as one that has the menu.
    let nearly_all = |node: NodeIndex| {
        sources[node].len() + usize::from(leads[node]) >= (NEARLY_ALL * leading as f64).ceil() as usize
    };
    let mut menus = Vec::new();
    let (everywhere, mut others): (Vec<_>, Vec<_>) = targets.into_iter().partition(|&node| nearly_all(node));
    if !everywhere.is_empty() {
        menus.push(menu(everywhere, &sources, true));
    }
    while let Some(&first) = others.first() {
        let of_first = Bits::of(count, &sources[first]);
        let is_together = |node: NodeIndex| {
            let both = sources[node].iter().filter(|&&page| of_first.has(page)).count();
            let either = sources[node].len() + sources[first].len() - both;
            both as f64 >= TOGETHER * either as f64
        };
        let (together, rest): (Vec<_>, Vec<_>) = others.into_iter().partition(|&node| is_together(node));
        let saved: usize = together.iter().map(|&node| sources[node].len() - 1).sum();
        if together.len() > 1 && saved >= WORTH {
            menus.push(menu(together, &sources, false));
        }
        others = rest;
    }
    let mut drawn = vec![true; lines.len()];
    for menu in &menus {
        let (targets, pages) = (Bits::of(count, &menu.targets), Bits::of(count, &menu.pages));
        for (line, drawn) in lines.iter().zip(&mut drawn) {
            let is_of_menu = line.from != line.to && targets.has(line.to) && pages.has(line.from);
            *drawn &= !is_of_menu || layers.before[line.to] == Some(line.from);
        }
    }
    (menus, drawn)
}

/// A menu of these targets. A page of a part of the site has it where it leads to half of them; of one that is everywhere, to any.
fn menu(targets: Vec<NodeIndex>, sources: &[Vec<NodeIndex>], is_everywhere: bool) -> Menu {
    let mut counts: BTreeMap<NodeIndex, usize> = BTreeMap::new();
    for &target in &targets {
        sources[target].iter().for_each(|&page| *counts.entry(page).or_default() += 1);
    }
    let enough = if is_everywhere { 1 } else { targets.len().div_ceil(2) };
    let pages = counts.into_iter().filter(|&(_, leads)| leads >= enough).map(|(page, _)| page).collect();
    Menu { targets, pages, is_everywhere }
}

/// The letter that stands for a menu on the pages that have it.
pub(crate) fn menu_letter(menu: usize) -> char {
    const LETTERS: &[u8; 26] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    char::from(LETTERS[menu % LETTERS.len()])
}
