//! Lists whose number of items varies: what one of two pages has more than the other is left out of both.
//!
//! The number is masked, and not what is in the items. Those that both pages have are compared; an item that looks like one that both have
//! does not count; of the others, as many as both have belong together, whatever is in them.

use std::collections::{BTreeMap, HashMap, HashSet};

use imara_diff::{Algorithm, Diff, InternedInput};
use restage_html::Tokens;

use super::apply::identity;
use super::mask::Masks;
use super::selector::Level;
use super::tree::{Child, Tree};
use crate::page::digest::hash;

/// Two pages with their masks on, without the items that one has more than the other; none where there are none.
pub(crate) fn leveled(one: &Tokens, other: &Tokens, masks: &Masks<'_>) -> Option<(Tokens, Tokens)> {
    if !masks.lengths().any(|_| true) {
        return None;
    }
    let (a, b) = (Tree::of(one), Tree::of(other));
    let mut drop = [HashSet::new(), HashSet::new()];
    for mask in masks.lengths() {
        let (in_a, in_b) = (lists(&a, &mask.at), lists(&b, &mask.at));
        for (place, items_a) in &in_a {
            let Some(items_b) = in_b.get(place) else { continue };
            let more = more((&a, items_a), (&b, items_b));
            drop[0].extend(more.0);
            drop[1].extend(more.1);
        }
    }
    let any = drop.iter().any(|drop| !drop.is_empty());
    any.then(|| (without(&a, &drop[0]), without(&b, &drop[1])))
}

/// Which items of two lists of another length belong together, by what they are known by.
pub(crate) fn aligned(a: (&Tree<'_>, &[usize]), b: (&Tree<'_>, &[usize])) -> Vec<(usize, usize)> {
    let names = |(tree, items): (&Tree<'_>, &[usize])| -> Vec<String> {
        items.iter().map(|item| identity(tree, *item)).collect()
    };
    let (names_a, names_b) = (names(a), names(b));
    let pairs = in_order(&names_a, &names_b);
    if pairs.0 > 0 {
        return at(&pairs.1, a.1, b.1);
    }
    // Items without a name of their own: their numbers and times are others each time.
    let plain = |names: &[String]| -> Vec<String> {
        names
            .iter()
            .map(|name| name.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect())
            .collect()
    };
    at(&in_order(&plain(&names_a), &plain(&names_b)).1, a.1, b.1)
}

fn at(pairs: &[(usize, usize)], a: &[usize], b: &[usize]) -> Vec<(usize, usize)> {
    pairs.iter().map(|(i, j)| (a[*i], b[*j])).collect()
}

/// Pairs of two sequences: what is the same, in order, and between those one by one. And how many are the same.
fn in_order(a: &[String], b: &[String]) -> (usize, Vec<(usize, usize)>) {
    let mut input = InternedInput::default();
    input.update_before(a.iter().map(String::as_str));
    input.update_after(b.iter().map(String::as_str));
    let diff = Diff::compute(Algorithm::Myers, &input);
    let mut pairs = Vec::new();
    let (mut i, mut j, mut same) = (0, 0, 0);
    for hunk in diff.hunks() {
        let (before, after) = (hunk.before.start as usize, hunk.before.end as usize);
        let (from, to) = (hunk.after.start as usize, hunk.after.end as usize);
        same += before - i;
        pairs.extend((i..before).zip(j..from));
        pairs.extend((before..after).zip(from..to));
        (i, j) = (after, to);
    }
    same += a.len() - i;
    pairs.extend((i..a.len()).zip(j..b.len()));
    (same, pairs)
}

/// The lists of items that a selector names, by where they are.
fn lists(tree: &Tree<'_>, at: &super::selector::Selector) -> BTreeMap<Vec<Level>, Vec<usize>> {
    let mut lists: BTreeMap<Vec<Level>, Vec<usize>> = BTreeMap::new();
    for node in 1..tree.nodes.len() {
        if tree.nodes[node].element == at.last() && tree.is_at(node, at) {
            lists.entry(tree.path(tree.nodes[node].parent)).or_default().push(node);
        }
    }
    lists
}

/// The items that one list has more than the other, of both.
fn more(a: (&Tree<'_>, &[usize]), b: (&Tree<'_>, &[usize])) -> (Vec<usize>, Vec<usize>) {
    let looks = |(tree, items): (&Tree<'_>, &[usize])| -> Vec<u64> {
        items.iter().map(|item| hash(&source(tree, *item))).collect()
    };
    let (looks_a, looks_b) = (looks(a), looks(b));
    let mut there: HashMap<u64, usize> = HashMap::new();
    looks_b.iter().for_each(|look| *there.entry(*look).or_default() += 1);
    let mut in_both = HashSet::new();
    let mut alone_a = Vec::new();
    for (look, item) in looks_a.iter().zip(a.1) {
        match there.get_mut(look).filter(|left| **left > 0) {
            Some(left) => {
                *left -= 1;
                in_both.insert(*look);
            }
            None => alone_a.push((*look, *item)),
        }
    }
    let mut alone_b = Vec::new();
    for (look, item) in looks_b.iter().zip(b.1).rev() {
        if let Some(left) = there.get_mut(look).filter(|left| **left > 0) {
            *left -= 1;
            alone_b.push((*look, *item));
        }
    }
    alone_b.reverse();
    let (mut more_a, mut more_b) = (Vec::new(), Vec::new());
    let others = |alone: Vec<(u64, usize)>, more: &mut Vec<usize>| -> Vec<usize> {
        let (again, others): (Vec<_>, Vec<_>) =
            alone.into_iter().partition(|(look, _)| in_both.contains(look));
        more.extend(again.into_iter().map(|(_, item)| item));
        others.into_iter().map(|(_, item)| item).collect()
    };
    let (others_a, others_b) = (others(alone_a, &mut more_a), others(alone_b, &mut more_b));
    // Known by their links first, else by their order.
    let pairs = aligned((a.0, &others_a), (b.0, &others_b));
    let missing = others_a.len().min(others_b.len()).saturating_sub(pairs.len());
    let free = |items: &[usize], paired: HashSet<usize>| -> Vec<usize> {
        items.iter().copied().filter(|item| !paired.contains(item)).skip(missing).collect()
    };
    more_a.extend(free(&others_a, pairs.iter().map(|(a, _)| *a).collect()));
    more_b.extend(free(&others_b, pairs.iter().map(|(_, b)| *b).collect()));
    (more_a, more_b)
}

/// An element's source.
fn source(tree: &Tree<'_>, node: usize) -> Vec<u8> {
    let mut out = Tokens::default();
    write(tree, node, &HashSet::new(), &mut out);
    out.source()
}

fn without(tree: &Tree<'_>, drop: &HashSet<usize>) -> Tokens {
    let mut out = Tokens::with_room_for(tree.tokens);
    write(tree, 0, drop, &mut out);
    out
}

/// A node without some elements in it, however deep it is.
fn write(tree: &Tree<'_>, node: usize, drop: &HashSet<usize>, out: &mut Tokens) {
    let mut left: Vec<Result<Child, usize>> = vec![Ok(Child::Element(node))];
    while let Some(next) = left.pop() {
        match next {
            Ok(Child::Element(node)) if drop.contains(&node) => {}
            Ok(Child::Element(node)) => {
                let node = &tree.nodes[node];
                node.open.and_then(|at| tree.tokens.get(at)).into_iter().for_each(|token| out.push(token));
                left.extend(node.close.map(Err));
                left.extend(node.children.iter().rev().map(|child| Ok(*child)));
            }
            Ok(Child::Text(at) | Child::Other(at)) | Err(at) => {
                tree.tokens.get(at).into_iter().for_each(|token| out.push(token));
            }
        }
    }
}
