//! How far a mask reaches: as far as what it covers was seen to vary.
//!
//! A mask is learnt from single places and made wider, so that one mask does for a list or for a page. What is wide may cover
//! what never varied: a total beside a time, the table of all sessions for one noisy step. So each mask is tried on the
//! answers: where most of what it covers varied, it stays as it is; else it is narrowed to the places, and to the sessions,
//! that did vary.

use std::collections::{BTreeMap, BTreeSet};

use restage_html::{Token, Tokens};

use super::apply::identity;
use super::mask::{Mask, Part};
use super::selector::Level;
use super::tree::{Child, Tree};

/// A mask of more places than these stays one mask.
const MOST_PLACES: usize = 12;

/// The numbers on the way to an element.
type Place = Vec<Option<u32>>;

/// What a mask covers, place by place.
#[derive(Clone, Debug, Default)]
struct Seen {
    places: BTreeMap<Place, Extent>,
    steps: Extent,
    /// The sessions in which it varied.
    sessions: BTreeSet<u32>,
}

/// How often something was there, and how often it varied.
#[derive(Clone, Copy, Debug, Default)]
struct Extent {
    there: usize,
    varied: usize,
}

impl Extent {
    /// Whether it varies by nature: two answers may be the same by chance, and many are not.
    pub(crate) fn is_enough(self, others: usize) -> bool {
        let (least, of) = match others {
            0 | 1 => (1, 4),
            2 => (1, 2),
            _ => (3, 4),
        };
        self.varied == self.there || (self.varied > 1 && self.varied * of >= self.there * least)
    }
}

/// What masks cover in the answers to some steps, as it is read.
#[derive(Debug)]
pub(crate) struct Evidence<'m> {
    masks: &'m [Mask],
    seen: Vec<Seen>,
    /// The most other answers that a step had.
    others: usize,
}

impl<'m> Evidence<'m> {
    pub(crate) fn of(masks: &'m [Mask]) -> Self {
        Self { masks, seen: vec![Seen::default(); masks.len()], others: 1 }
    }

    /// Takes a step of a session: its first answer and others. `others` is how many there were, those aside that are equal.
    pub(crate) fn add(&mut self, session: u32, answers: &[Tokens], others: usize) {
        self.others = self.others.max(others);
        let Some((first, again)) = answers.split_first() else { return };
        let first = Tree::of(first);
        let again: Vec<Tree<'_>> = again.iter().map(Tree::of).collect();
        for (mask, seen) in self.masks.iter().zip(&mut self.seen) {
            let was = covered(&first, mask);
            let is: Vec<BTreeMap<Place, Vec<String>>> =
                again.iter().map(|tree| covered(tree, mask)).collect();
            let places: BTreeSet<&Place> = is.iter().flat_map(BTreeMap::keys).chain(was.keys()).collect();
            let mut varied = false;
            for place in &places {
                let extent = seen.places.entry((*place).clone()).or_default();
                extent.there += 1;
                let varies = is.iter().any(|is| is.get(*place) != was.get(*place));
                extent.varied += usize::from(varies);
                varied |= varies;
            }
            seen.steps.there += usize::from(!places.is_empty());
            seen.steps.varied += usize::from(varied);
            if varied {
                seen.sessions.insert(session);
            }
        }
    }

    /// The masks, each as wide as what was seen, with the sessions in which it holds; none where it holds in all.
    pub(crate) fn narrowed(&self) -> Vec<(Mask, Option<BTreeSet<u32>>)> {
        let structural: Vec<&Mask> = self.masks.iter().filter(|mask| mask.part.is_structural()).collect();
        let mut out = Vec::new();
        for (mask, seen) in self.masks.iter().zip(&self.seen) {
            let sessions = (!seen.steps.is_enough(self.others) && !seen.sessions.is_empty())
                .then(|| seen.sessions.clone());
            // Where items come, go and change places, their numbers say nothing.
            let loose = structural.iter().any(|list| reaches(list, mask));
            let varied: Vec<&Place> =
                seen.places.iter().filter(|(_, extent)| extent.varied > 0).map(|(place, _)| place).collect();
            let places = Extent { there: seen.places.len(), varied: varied.len() };
            if loose
                || mask.part.is_structural()
                || varied.is_empty()
                || varied.len() > MOST_PLACES
                || places.is_enough(self.others)
            {
                out.push((mask.clone(), sessions));
                continue;
            }
            for place in varied {
                let mut narrow = mask.clone();
                let level = |(level, nth): (&Level, &Option<u32>)| Level {
                    element: level.element.clone(),
                    nth: level.nth.or(*nth),
                };
                narrow.at.0 = mask.at.0.iter().zip(place).map(level).collect();
                out.push((narrow, sessions.clone()));
            }
        }
        out
    }

    /// Of each mask, whether it covers anything.
    pub(crate) fn covers(&self) -> impl Iterator<Item = bool> {
        self.seen.iter().map(|seen| seen.steps.there > 0)
    }
}

/// Whether so many that varied are enough to take all for varying, by so many answers beside the first.
pub(crate) fn is_enough(there: usize, varied: usize, others: usize) -> bool {
    Extent { there, varied }.is_enough(others)
}

/// Whether a list's items hold what a mask covers.
fn reaches(list: &Mask, mask: &Mask) -> bool {
    let (above, below) = (&list.at.0, &mask.at.0);
    above.len() <= below.len() && above.iter().zip(below).all(|(a, b)| a.element == b.element)
}

/// What a mask covers, by where.
fn covered(tree: &Tree<'_>, mask: &Mask) -> BTreeMap<Place, Vec<String>> {
    let mut out: BTreeMap<Place, Vec<String>> = BTreeMap::new();
    let mut add = |node: usize, values: Vec<String>| {
        if !values.is_empty() {
            let place = tree.path(node).iter().map(|level| level.nth).collect();
            out.entry(place).or_default().extend(values);
        }
    };
    for node in 0..tree.nodes.len() {
        let at = &tree.nodes[node];
        if at.element != mask.at.last() || !tree.is_at(node, &mask.at) {
            continue;
        }
        match &mask.part {
            Part::Text { like } => {
                let texts = at.children.iter().filter_map(|child| match child {
                    Child::Text(at) => tree.tokens.get(*at),
                    _ => None,
                });
                let pieces = texts.filter_map(|token| match token {
                    Token::Text(text) => {
                        let text = String::from_utf8_lossy(text);
                        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                        like.cover(&text).map(|(_, pieces)| pieces).filter(|_| !text.is_empty())
                    }
                    _ => None,
                });
                add(node, pieces.flatten().collect());
            }
            Part::Attribute { name, like } => {
                if let Some(Token::Open { attrs, .. }) = at.open.and_then(|open| tree.tokens.get(open))
                    && let Some(value) = attrs.get(name)
                    && let Some((_, pieces)) = like.cover(&String::from_utf8_lossy(value))
                {
                    add(node, pieces);
                }
            }
            Part::Order(_) => add(at.parent, vec![identity(tree, node)]),
            Part::Length | Part::Presence => add(at.parent, vec![String::new()]),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::learn::Learner;

    /// Learns of steps, each of a session of its own, and narrows what was learnt.
    fn narrowed(steps: &[Vec<String>]) -> Vec<(String, Option<Vec<u32>>)> {
        let tokens = |html: &String| Tokens::of(html.as_bytes());
        let steps: Vec<Vec<Tokens>> = steps.iter().map(|s| s.iter().map(tokens).collect()).collect();
        let masks = Learner::default().masks(&steps);
        let mut evidence = Evidence::of(&masks);
        for (session, answers) in steps.iter().enumerate() {
            evidence.add(session as u32, answers, answers.len() - 1);
        }
        let told = |(mask, sessions): (Mask, Option<BTreeSet<u32>>)| {
            (mask.to_string(), sessions.map(|s| s.into_iter().collect()))
        };
        evidence.narrowed().into_iter().map(told).collect()
    }

    fn rows(of: [&str; 5]) -> String {
        let rows: Vec<String> = of.iter().map(|cell| format!("<tr><td>{cell}</td></tr>")).collect();
        format!("<table class=log>{}</table>", rows.concat())
    }

    /// Catches: one row that varies makes the whole table go unseen.
    #[test]
    fn one_noisy_row_does_not_mask_the_table() {
        let page = |load: &str| rows(["4", "17", load, "9", "8"]);
        let learnt = narrowed(&[vec![page("3"), page("5"), page("6")]]);
        assert_eq!(
            learnt,
            [("text of table.log > tr:nth(3) > td, where it is like `{number}`".to_owned(), None)]
        );
        // All of them do: then all that come are like them.
        let learnt = narrowed(&[vec![rows(["1", "2", "3", "4", "5"]), rows(["6", "7", "8", "9", "0"])]]);
        assert_eq!(learnt, [("text of table.log > tr > td, where it is like `{number}`".to_owned(), None)]);
    }

    /// Catches: one noisy step of one session masks the page for all of them.
    #[test]
    fn one_noisy_session_does_not_mask_the_page_of_the_others() {
        let page = |n: u32| format!("<p class=sum>Total {n}</p>");
        let mut steps: Vec<Vec<String>> = (1..9).map(|n| vec![page(n), page(n)]).collect();
        steps[3][1] = page(77);
        let learnt = narrowed(&steps);
        assert_eq!(learnt.len(), 1);
        assert_eq!(learnt[0].1, Some(vec![3]), "{learnt:?}");
        for step in &mut steps[4..7] {
            step[1] = page(99);
        }
        assert_eq!(narrowed(&steps)[0].1, None, "half of them do: the others may be chance");
    }

    /// Catches: a duration beside a date that moves is masked with it.
    #[test]
    fn what_never_varied_beside_what_did_is_not_masked() {
        let page =
            |date: &str| format!("<dl class=facts><dd>{date}<dd>09:15<dd>07:30<dd>08:10<dd>01:20</dl>");
        let learnt = narrowed(&[vec![page("2026-11-15"), page("2026-11-16"), page("2026-11-18")]]);
        assert_eq!(learnt, [("text of dl.facts > dd:nth(1), where it is like `{day}`".to_owned(), None)]);
    }
}
