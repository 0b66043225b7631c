//! Menus: links that many pages share. They are listed once, instead of being drawn from each page.
//!
//! A navigation bar of ten links on three hundred pages is three thousand edges that tell a reader ten things. Nodes that (nearly) the
//! same, many pages lead to are one menu: that of all pages, or of a part of the site.

use std::collections::BTreeMap;

use crate::bits::Bits;
use crate::graph::NodeIndex;
use crate::render::layers::Layers;
use crate::render::svg::lines::Line;
use crate::site::EdgeKind;

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
    // What only sends the browser on shows no page, and so no menu.
    let mut leads = vec![false; count];
    for line in lines.iter().filter(|line| line.from != line.to) {
        sources[line.to].push(line.from);
        leads[line.from] |= line.kind != EdgeKind::Redirect;
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
            let is_of_menu = targets.has(line.to) && (pages.has(line.from) || line.from == line.to);
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

/// The letter that stands for a menu on the pages that have it. One that is everywhere needs none.
pub(crate) fn menu_letter(menus: &[Menu], menu: usize) -> char {
    const LETTERS: &[u8; 26] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let place = menus[..menu].iter().filter(|menu| !menu.is_everywhere).count();
    char::from(LETTERS[place % LETTERS.len()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::svg::lines::lines;
    use crate::site::{Site, SiteEdge, SiteNode};
    use crate::site_index::SiteIndex;

    fn site(edges: &[(usize, usize)]) -> Site {
        let count = edges.iter().flat_map(|&(from, to)| [from, to]).max().unwrap_or(0) + 1;
        let node = |number: usize| SiteNode { id: number.to_string(), ..SiteNode::default() };
        let edge = |&(from, to): &(usize, usize)| SiteEdge {
            from: from.to_string(),
            to: to.to_string(),
            ..SiteEdge::default()
        };
        Site {
            home: Some("0".to_owned()),
            users: Vec::new(),
            nodes: (0..count).map(node).collect(),
            edges: edges.iter().map(edge).collect(),
        }
    }

    fn found(site: &Site) -> (Vec<Menu>, Vec<(usize, usize)>) {
        let index = SiteIndex::of(site);
        let lines = lines(&index);
        let (menus, drawn) = menus(&lines, &Layers::of(&index));
        let drawn = lines
            .iter()
            .zip(drawn)
            .filter(|(_, drawn)| *drawn)
            .map(|(line, _)| (line.from, line.to))
            .collect();
        (menus, drawn)
    }

    /// Catches: a navigation bar that is drawn from every page; a page whose only way from home is not drawn.
    #[test]
    fn a_navigation_bar_is_listed_once() {
        // Pages 0 to 9 each lead to 1, 2 and 3; page 4 leads to page 5 alone, and so on.
        let bar = (0..10).flat_map(|page| [(page, 1), (page, 2), (page, 3)]);
        let edges: Vec<(usize, usize)> = bar.chain((3..9).map(|page| (page, page + 1))).collect();
        let (menus, drawn) = found(&site(&edges));
        assert_eq!(menus.len(), 1);
        assert!(menus[0].is_everywhere);
        assert_eq!(
            menus[0].targets.iter().copied().collect::<std::collections::BTreeSet<_>>(),
            [1, 2, 3].into()
        );
        let chain: Vec<(usize, usize)> =
            [(0, 1), (0, 2), (0, 3)].into_iter().chain((3..9).map(|p| (p, p + 1))).collect();
        assert_eq!(drawn, chain);
    }

    /// Catches: the menu of a part of the site that is taken for one of all pages, or whose lines are all drawn.
    #[test]
    fn a_part_of_the_site_has_a_menu_of_its_own() {
        let others = (1..20).map(|page| (0, page));
        let menu = (1..9).flat_map(|page| [(page, 20), (page, 21), (page, 22)]);
        let leading = (9..20).map(|page| (page, page + 14));
        let edges: Vec<(usize, usize)> = others.chain(menu).chain(leading).collect();
        let (menus, drawn) = found(&site(&edges));
        assert_eq!(menus.len(), 1);
        assert_eq!((menus[0].targets.clone(), menus[0].is_everywhere), (vec![20, 21, 22], false));
        assert_eq!(menus[0].pages, (1..9).collect::<Vec<_>>());
        assert_eq!(drawn.len(), 19 + 3 + 11);
        assert_eq!(menu_letter(&menus, 0), 'A');
    }
}
