//! Which field of a form became which.

use std::collections::{BTreeSet, HashMap};

use serde::Serialize;

use crate::correspondence::field_gaps::{Gaps, Stand};
use crate::correspondence::words::name_likeness;
use crate::site::SiteField;

/// Where more fields are left without a partner of the same name, they are not compared.
const LEFT: usize = 80;
/// A pair below this is none.
const ACCEPTED: f64 = 0.55;

/// Why two fields are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FieldReason {
    /// They have the same name.
    SameName,
    /// Their names are alike.
    SimilarName,
    /// They are controls of the same type.
    SameType,
    /// They offer the same, or nearly the same, values.
    SameChoices,
    /// They stand between the same fields.
    SamePlace,
    /// No other field was left, on either side.
    OnlyOneLeft,
}

/// Two fields that are the same.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FieldPair {
    pub(crate) old: usize,
    pub(crate) new: usize,
    pub(crate) confidence: f64,
    pub(crate) reasons: Vec<FieldReason>,
}

/// Which field became which, one to one, in the order of the old ones: those of the same name, then those that look most alike.
pub(crate) fn pair_fields(old: &[SiteField], new: &[SiteField]) -> Vec<FieldPair> {
    // Of fields of one name, the first is paired with the first.
    let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
    for (place, field) in new.iter().enumerate().rev() {
        by_name.entry(&field.name).or_default().push(place);
    }
    let mut partner: Vec<Option<usize>> = vec![None; old.len()];
    let mut is_taken = vec![false; new.len()];
    let mut pairs = Vec::new();
    for (place, field) in old.iter().enumerate() {
        let Some(same) = by_name.get_mut(field.name.as_str()).and_then(Vec::pop) else { continue };
        is_taken[same] = true;
        partner[place] = Some(same);
        let confidence = if control(&field.control, &new[same].control) < 0.0 { 0.9 } else { 1.0 };
        pairs.push(FieldPair { old: place, new: same, confidence, reasons: vec![FieldReason::SameName] });
    }
    let old_left: Vec<usize> = (0..old.len()).filter(|&place| partner[place].is_none()).collect();
    let new_left: Vec<usize> = (0..new.len()).filter(|&place| !is_taken[place]).collect();
    if !old_left.is_empty() && !new_left.is_empty() && old_left.len() <= LEFT && new_left.len() <= LEFT {
        pair_left(old, new, &mut partner, &mut is_taken, &mut pairs);
    }
    pairs.sort_by_key(|pair| pair.old);
    pairs
}

/// Pairs fields of different names, the surest first. Each pair that is taken tells more about its neighbours, and about who is left.
fn pair_left(
    old: &[SiteField],
    new: &[SiteField],
    partner: &mut [Option<usize>],
    is_taken: &mut [bool],
    pairs: &mut Vec<FieldPair>,
) {
    let old_left = (0..old.len()).filter(|&place| partner[place].is_none());
    let new_left: Vec<usize> = (0..new.len()).filter(|&place| !is_taken[place]).collect();
    let mut looks: Vec<Look> =
        old_left.flat_map(|a| new_left.iter().map(move |&b| Look::of((a, &old[a]), (b, &new[b])))).collect();
    loop {
        looks.retain(|look| partner[look.old].is_none() && !is_taken[look.new]);
        let gaps = Gaps::of(partner, new.len());
        let scored = looks.iter().map(|look| {
            let stand = gaps.stand(look.old, look.new);
            let odds = match stand {
                // All that is left between two neighbours, and each of the same type: it is the same, called otherwise.
                Stand::SamePlace if gaps.are_alike(look.old, look.new, old, new) => 2.0,
                Stand::SamePlace => 1.2,
                Stand::SameGap => 0.4,
                Stand::Elsewhere => -0.5,
            };
            (look.odds + odds, stand, look)
        });
        // Of equals, the first counts.
        let best = scored.reduce(|best, next| if next.0 > best.0 { next } else { best });
        let Some((odds, stand, look)) = best else { return };
        let confidence = (1.0 / (1.0 + (-odds).exp())).min(0.98);
        if confidence < ACCEPTED {
            return;
        }
        let mut reasons = look.reasons.clone();
        reasons.extend((stand == Stand::SamePlace).then_some(FieldReason::SamePlace));
        reasons.extend((looks.len() == 1).then_some(FieldReason::OnlyOneLeft));
        let pair = FieldPair { old: look.old, new: look.new, confidence, reasons };
        partner[pair.old] = Some(pair.new);
        is_taken[pair.new] = true;
        pairs.push(pair);
    }
}

/// Two fields, and what they look like by themselves.
struct Look {
    old: usize,
    new: usize,
    odds: f64,
    reasons: Vec<FieldReason>,
}

impl Look {
    fn of((old, a): (usize, &SiteField), (new, b): (usize, &SiteField)) -> Self {
        let likeness = name_likeness(&a.name, &b.name);
        let mut odds = -2.2 + 4.0 * likeness + control(&a.control, &b.control);
        let mut reasons = Vec::new();
        if likeness >= 0.5 {
            reasons.push(FieldReason::SimilarName);
        }
        if a.control == b.control {
            reasons.push(FieldReason::SameType);
        }
        match (a.choices.is_empty(), b.choices.is_empty()) {
            (true, true) => {}
            (false, false) => {
                let (of_a, of_b): (BTreeSet<&String>, BTreeSet<&String>) =
                    (a.choices.iter().collect(), b.choices.iter().collect());
                let both = of_a.intersection(&of_b).count() as f64;
                let same = both / of_a.union(&of_b).count() as f64;
                // That there are a yes and a no says little.
                let telling = (of_a.len().min(of_b.len()) as f64 / 3.0).min(1.0);
                odds += telling * (3.5 * same - 1.5 * (1.0 - same));
                if same >= 0.5 {
                    reasons.push(FieldReason::SameChoices);
                }
            }
            _ => odds -= 0.8,
        }
        Self { old, new, odds, reasons }
    }
}

/// What two types of controls say for or against two fields being the same.
fn control(a: &str, b: &str) -> f64 {
    let group = |control: &str| match control {
        "hidden" => 0,
        "checkbox" | "radio" | "select" => 1,
        "file" => 2,
        "submit" | "button" | "image" => 3,
        "" => 4,
        _ => 5,
    };
    match (group(a), group(b)) {
        _ if a == b => 0.8,
        (4, _) | (_, 4) => 0.0,
        (a, b) if a == b => 0.2,
        (0, _) | (_, 0) => -1.2,
        // A text that is chosen from a list now, or the other way round.
        (1, 5) | (5, 1) => -0.4,
        _ => -2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(name: &str, control: &str, choices: &[&str]) -> SiteField {
        SiteField {
            name: name.to_owned(),
            control: control.to_owned(),
            choices: choices.iter().map(|&choice| choice.to_owned()).collect(),
        }
    }

    fn named(old: &[SiteField], new: &[SiteField]) -> Vec<(String, String)> {
        let pairs = pair_fields(old, new);
        assert!(pairs.iter().all(|pair| (0.0..=1.0).contains(&pair.confidence)));
        pairs.iter().map(|pair| (old[pair.old].name.clone(), new[pair.new].name.clone())).collect()
    }

    fn pairs(names: &[(&str, &str)]) -> Vec<(String, String)> {
        names.iter().map(|&(a, b)| (a.to_owned(), b.to_owned())).collect()
    }

    /// Catches: a field that is lost because it was renamed, by a little, to a synonym, or to another style of names.
    #[test]
    fn renamed_fields_are_found() {
        let old = [
            field("token", "hidden", &[]),
            field("book", "hidden", &[]),
            field("qty", "number", &[]),
            field("deliver", "select", &["post", "courier", "pick-up"]),
            field("gift", "checkbox", &["on"]),
        ];
        let new = [
            field("token", "hidden", &[]),
            field("book", "hidden", &[]),
            field("amount", "number", &[]),
            field("shipping", "select", &["post", "courier", "pick-up", "drone"]),
            field("gift", "checkbox", &["on"]),
        ];
        assert_eq!(
            named(&old, &new),
            pairs(&[
                ("token", "token"),
                ("book", "book"),
                ("qty", "amount"),
                ("deliver", "shipping"),
                ("gift", "gift")
            ])
        );
        let camel = [field("firstName", "text", &[]), field("lastName", "text", &[])];
        let snake = [field("last_name", "text", &[]), field("first_name", "text", &[])];
        assert_eq!(named(&camel, &snake), pairs(&[("firstName", "first_name"), ("lastName", "last_name")]));
    }

    /// Catches: two fields side by side that were both renamed, while another came elsewhere.
    #[test]
    fn fields_renamed_together_are_found() {
        let names = |names: &[&str]| names.iter().map(|name| field(name, "text", &[])).collect::<Vec<_>>();
        let old = names(&["title", "author", "min", "max", "sort"]);
        let new = names(&["title", "words", "author", "price_from", "price_to", "sort"]);
        assert_eq!(
            named(&old, &new),
            pairs(&[
                ("title", "title"),
                ("author", "author"),
                ("min", "price_from"),
                ("max", "price_to"),
                ("sort", "sort")
            ])
        );
    }

    /// Catches: a new field that takes the values of one that is gone, though they have nothing in common.
    #[test]
    fn what_has_nothing_in_common_is_no_pair() {
        let old =
            [field("name", "text", &[]), field("photo", "file", &[]), field("agree", "checkbox", &["yes"])];
        let new = [field("name", "text", &[]), field("newsletter_interval", "number", &[])];
        assert_eq!(named(&old, &new), pairs(&[("name", "name")]));
        let colours = [field("colour", "select", &["red", "green", "blue"])];
        let sizes = [field("size", "select", &["small", "middle", "large"])];
        assert_eq!(named(&colours, &sizes), pairs(&[]));
    }

    /// Catches: two fields of one name, as hostile pages have them, that are paired with the same one.
    #[test]
    fn no_field_is_paired_twice() {
        let twice = [field("a", "text", &[]), field("a", "text", &[])];
        assert_eq!(pair_fields(&twice, &twice[..1]).len(), 1);
        assert_eq!(named(&twice, &twice), pairs(&[("a", "a"), ("a", "a")]));
        let many: Vec<SiteField> = (0..3000).map(|n| field(&format!("f{n}"), "text", &[])).collect();
        let others: Vec<SiteField> = (0..3000).map(|n| field(&format!("g{n}"), "text", &[])).collect();
        assert_eq!(pair_fields(&many, &many).len(), 3000);
        assert!(pair_fields(&many, &others).is_empty());
    }
}
