//! Which part of a value varies: what stands before it, what it looks like, what stands after it.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use imara_diff::{Algorithm, Diff, InternedInput};

use super::atoms::{Class, atoms, dates, is_ago, is_of_token, moments_ago, numbers};
use super::date_form::in_form_of;
use crate::noise::STAND_IN;

/// More places than these in one value are no places any more.
const MANY: usize = 8;
/// How many atoms of what stands around a part are looked at.
const AROUND: usize = 4;

/// The part of a value that varies: `took {number} ms`. What stands around it stays.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Pattern {
    pub(crate) before: String,
    pub(crate) class: Class,
    pub(crate) after: String,
    /// Which of several that fit, from 1; all where it does not say.
    pub(crate) nth: Option<usize>,
}

impl Pattern {
    /// Covers a whole value.
    pub(crate) fn whole() -> Self {
        Self::bare(Class::Text)
    }

    /// Covers all of a class, wherever it stands.
    pub(crate) fn bare(class: Class) -> Self {
        Self { before: String::new(), class, after: String::new(), nth: None }
    }

    pub(crate) fn is_whole(&self) -> bool {
        *self == Self::whole()
    }

    /// Where it is found in a value.
    pub(crate) fn find(&self, value: &str) -> Vec<Range<usize>> {
        let found = self.find_all(value);
        match self.nth {
            Some(nth) => found.into_iter().skip(nth.saturating_sub(1)).take(1).collect(),
            None => found,
        }
    }

    fn find_all(&self, value: &str) -> Vec<Range<usize>> {
        match self.class {
            _ if self.is_whole() => std::iter::once(0..value.len()).collect(),
            Class::Ago => self.around(value, moments_ago(value)),
            Class::Day | Class::Date => self.around(value, dates(value)),
            Class::Number => self.around(value, numbers(value)),
            Class::Token => self.runs(value, is_of_token),
            Class::Word => self.runs(value, |c| !c.is_whitespace()),
            Class::Text => self.runs(value, |_| true),
        }
    }

    /// A value with the part covered; the parts that were.
    pub(crate) fn cover(&self, value: &str) -> Option<(String, Vec<String>)> {
        let found = self.find(value);
        if found.is_empty() {
            return None;
        }
        let (mut out, mut covered, mut at) = (String::new(), Vec::new(), 0);
        for range in found {
            out.push_str(&value[at..range.start]);
            let form = (self.class == Class::Day).then(|| in_form_of(&value[range.clone()])).flatten();
            out.push_str(form.as_deref().unwrap_or(STAND_IN));
            at = range.end;
            if let Some((word, length)) = self.counted_otherwise(&value[range.end..]) {
                // One item, two items: the word goes with the number.
                out.push(' ');
                out.push_str(word);
                at += length;
            }
            covered.push(value[range.start..at].to_owned());
        }
        out.push_str(&value[at..]);
        Some((out, covered))
    }

    fn around(&self, value: &str, found: Vec<Range<usize>>) -> Vec<Range<usize>> {
        let fits = |range: &Range<usize>| {
            let rest = &value[range.end..];
            ends_with(&value[..range.start], &self.before)
                && (starts_with(rest, &self.after) || self.counted_otherwise(rest).is_some())
        };
        found.into_iter().filter(fits).collect()
    }

    /// The word that is counted, where what follows a number has it in the other of singular and plural; and how long that is, with
    /// the white space before it.
    fn counted_otherwise(&self, rest: &str) -> Option<(&str, usize)> {
        let word = self.after.strip_prefix(' ').filter(|_| self.class == Class::Number)?;
        let from = rest.find(|c: char| !c.is_whitespace()).filter(|from| *from > 0)?;
        let length = rest[from..].find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len() - from);
        let found = &rest[from..from + length];
        (found != word && is_plural_of(found, word)).then_some((word, from + length))
    }

    /// Runs of such characters: from what stands before to what stands after, or as long as they go.
    fn runs(&self, value: &str, of: impl Fn(char) -> bool) -> Vec<Range<usize>> {
        let mut out: Vec<Range<usize>> = Vec::new();
        for start in self.starts(value, &of) {
            if out.last().is_some_and(|last| start < last.end) {
                continue;
            }
            let rest = &value[start..];
            let mut end = start + rest.find(|c| !of(c)).unwrap_or(rest.len());
            if !self.after.is_empty() {
                let stop = (start..=end)
                    .filter(|at| value.is_char_boundary(*at))
                    .find(|at| starts_with(&value[*at..], &self.after));
                match stop {
                    Some(at) => end = at,
                    None => continue,
                }
            }
            if end > start || self.class == Class::Text {
                out.push(start..end);
            }
        }
        out
    }

    fn starts(&self, value: &str, of: &impl Fn(char) -> bool) -> Vec<usize> {
        let boundaries = || value.char_indices().map(|(at, _)| at).chain([value.len()]);
        if !self.before.is_empty() {
            return boundaries().filter(|at| ends_with(&value[..*at], &self.before)).collect();
        }
        if self.class == Class::Text {
            return vec![0];
        }
        boundaries().filter(|at| value[*at..].starts_with(of) && !value[..*at].ends_with(of)).collect()
    }
}

/// As `str::ends_with`, any white space standing for any.
fn ends_with(value: &str, end: &str) -> bool {
    let (mut value, mut end) = (value.chars().rev().peekable(), end.chars().rev().peekable());
    same_head(&mut value, &mut end)
}

fn starts_with(value: &str, start: &str) -> bool {
    let (mut value, mut start) = (value.chars().peekable(), start.chars().peekable());
    same_head(&mut value, &mut start)
}

fn same_head(
    value: &mut std::iter::Peekable<impl Iterator<Item = char>>,
    head: &mut std::iter::Peekable<impl Iterator<Item = char>>,
) -> bool {
    while let Some(wanted) = head.next() {
        if wanted.is_whitespace() {
            while head.next_if(|c| c.is_whitespace()).is_some() {}
            if value.next_if(|c| c.is_whitespace()).is_none() {
                return false;
            }
            while value.next_if(|c| c.is_whitespace()).is_some() {}
        } else if value.next() != Some(wanted) {
            return false;
        }
    }
    true
}

/// Whether two words are the singular and the plural of one: item and items, entry and entries, Tag and Tage.
fn is_plural_of(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let ending = long.strip_prefix(short).filter(|ending| (1..=2).contains(&ending.chars().count()));
    let is_stem = |stem: &str| stem.chars().count() >= 3 && stem.chars().all(char::is_alphabetic);
    let in_y = short.strip_suffix('y').zip(long.strip_suffix("ies")).is_some_and(|(one, other)| one == other);
    is_stem(short) && (in_y || ending.is_some_and(|ending| ending.chars().all(char::is_alphabetic)))
}

/// The parts in which two values differ, as patterns that cover them in both.
pub(crate) fn varying(a: &str, b: &str) -> Vec<Pattern> {
    let (atoms_a, atoms_b) = (atoms(a), atoms(b));
    let mut holes = holes(a, &atoms_a, b, &atoms_b);
    join_counted(&mut holes, (a, &atoms_a), (b, &atoms_b));
    let holes = holes;
    if holes.is_empty() || holes.len() > MANY {
        return vec![Pattern::whole()];
    }
    let mut patterns: Vec<Pattern> = Vec::new();
    for (in_a, in_b) in &holes {
        let piece = |value: &str, atoms: &[Range<usize>], range: &Range<usize>| -> String {
            atoms[range.clone()].iter().map(|atom| &value[atom.clone()]).collect()
        };
        let (was, is) = (piece(a, &atoms_a, in_a), piece(b, &atoms_b, in_b));
        let class = match (was.is_empty(), is.is_empty()) {
            (false, false) => Class::of(&was).max(Class::of(&is)),
            _ => Class::Text,
        };
        // A date and a number are both some token.
        let class =
            if class == Class::Number && Class::of(&was) != Class::of(&is) { Class::Token } else { class };
        let keeps_form =
            class == Class::Date && in_form_of(&was).is_some_and(|form| in_form_of(&is) == Some(form));
        let class = if keeps_form { Class::Day } else { class };
        let class = if is_ago(&was) && is_ago(&is) { Class::Ago } else { class };
        let mut pattern = Pattern {
            before: before(a, &atoms_a[..in_a.start]),
            class,
            after: after(a, &atoms_a[in_a.end..]),
            nth: None,
        };
        // What did not vary beside it is not covered with it.
        if let Some(at) = atoms_a.get(in_a.start).zip(atoms_b.get(in_b.start))
            && covers_others(&pattern, a, &atoms_a, holes.iter().map(|(in_a, _)| in_a))
        {
            let place = |value: &str, at: usize| pattern.find(value).iter().position(|r| r.start == at);
            if let (Some(first), Some(second)) = (place(a, at.0.start), place(b, at.1.start))
                && first == second
            {
                pattern.nth = Some(first + 1);
            }
        }
        if !patterns.contains(&pattern) {
            patterns.push(pattern);
        }
    }
    let covers = |value: &str| {
        patterns
            .iter()
            .fold(value.to_owned(), |value, p| p.cover(&value).map_or(value, |(covered, _)| covered))
    };
    // What the parts do not explain is covered whole.
    if covers(a) == covers(b) { patterns } else { vec![Pattern::whole()] }
}

/// Whether a pattern covers more of a value than what differs.
fn covers_others<'h>(
    pattern: &Pattern,
    value: &str,
    atoms: &[Range<usize>],
    mut holes: impl Iterator<Item = &'h Range<usize>> + Clone,
) -> bool {
    pattern.find(value).into_iter().any(|found| {
        let mut holes = holes.by_ref().collect::<Vec<_>>().into_iter();
        !holes.any(|hole| {
            let inside = &atoms[hole.clone()];
            inside.first().is_some_and(|first| first.start < found.end)
                && inside.last().is_some_and(|last| last.end > found.start)
        })
    })
}

/// A number and the word that it counts, which goes with it, are one place.
fn join_counted(holes: &mut Vec<Hole>, a: (&str, &[Range<usize>]), b: (&str, &[Range<usize>])) {
    let one = |(value, atoms): (&'_ str, &[Range<usize>]), range: &Range<usize>| -> String {
        atoms[range.clone()].iter().map(|atom| &value[atom.clone()]).collect()
    };
    let is_blank = |side: (&str, &[Range<usize>]), range: Range<usize>| {
        range.len() == 1 && one(side, &range).chars().all(char::is_whitespace)
    };
    let mut at = 0;
    while at + 1 < holes.len() {
        let ((number_a, number_b), (word_a, word_b)) = (holes[at].clone(), holes[at + 1].clone());
        let are_numbers =
            [one(a, &number_a), one(b, &number_b)].iter().all(|n| Class::of(n) == Class::Number);
        if are_numbers
            && is_blank(a, number_a.end..word_a.start)
            && is_blank(b, number_b.end..word_b.start)
            && is_plural_of(&one(a, &word_a), &one(b, &word_b))
        {
            holes.remove(at + 1);
        }
        at += 1;
    }
}

/// The pattern of a date that stands there in a value.
pub(crate) fn date_at(value: &str, at: &Range<usize>) -> Pattern {
    let atoms = atoms(value);
    let first = atoms.iter().position(|atom| atom.start >= at.start).unwrap_or(0);
    Pattern { before: before(value, &atoms[..first]), class: Class::Date, after: String::new(), nth: None }
}

type Hole = (Range<usize>, Range<usize>);

/// Where the atoms differ. Places with nothing but a sign between them are one.
fn holes(a: &str, atoms_a: &[Range<usize>], b: &str, atoms_b: &[Range<usize>]) -> Vec<Hole> {
    let mut input = InternedInput::default();
    input.update_before(atoms_a.iter().map(|atom| &a[atom.clone()]));
    input.update_after(atoms_b.iter().map(|atom| &b[atom.clone()]));
    let diff = Diff::compute(Algorithm::Myers, &input);
    let mut holes: Vec<Hole> = Vec::new();
    for hunk in diff.hunks() {
        let range = |r: Range<u32>| r.start as usize..r.end as usize;
        let (in_a, in_b) = (range(hunk.before), range(hunk.after));
        match holes.last_mut() {
            Some((last_a, last_b)) if is_sign(a, &atoms_a[last_a.end..in_a.start]) => {
                last_a.end = in_a.end;
                last_b.end = in_b.end;
            }
            _ => holes.push((in_a, in_b)),
        }
    }
    holes
}

fn is_sign(value: &str, between: &[Range<usize>]) -> bool {
    match between {
        [one] => value[one.clone()].chars().all(|c| !c.is_alphanumeric() && !c.is_whitespace() && c != '&'),
        _ => between.is_empty(),
    }
}

/// What stands before a part: back to the nearest word. Nothing where that holds a number, which is other on
/// another page.
fn before(value: &str, atoms: &[Range<usize>]) -> String {
    let near: Vec<&str> = atoms.iter().rev().take(AROUND).map(|atom| &value[atom.clone()]).collect();
    let Some(word) = near.iter().position(|atom| atom.contains(char::is_alphabetic)) else {
        return String::new();
    };
    let mut context: Vec<&str> = near[..=word].to_vec();
    context.reverse();
    plain(context.concat())
}

fn after(value: &str, atoms: &[Range<usize>]) -> String {
    let near: Vec<&str> = atoms.iter().take(AROUND).map(|atom| &value[atom.clone()]).collect();
    let Some(word) = near.iter().position(|atom| atom.contains(char::is_alphabetic)) else {
        return String::new();
    };
    plain(near[..=word].concat())
}

fn plain(context: String) -> String {
    let usable =
        !context.contains(|c: char| c.is_ascii_digit() || matches!(c, '{' | '}')) && context.len() <= 40;
    if usable { blanks(&context) } else { String::new() }
}

/// White space as one blank.
fn blanks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if !c.is_whitespace() {
            out.push(c);
        } else if !out.ends_with(' ') {
            out.push(' ');
        }
    }
    out
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nth = self.nth.map(|nth| format!(":{nth}")).unwrap_or_default();
        write!(f, "{}{{{}{nth}}}{}", self.before, self.class.name(), self.after)
    }
}

impl FromStr for Pattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "`{text}` is no pattern\n  hint: the part that varies once, as {{day}}, {{date}}, {{ago}}, {{number}}, {{token}}, {{word}} or {{text}}, and what stands around it: `took {{number}} ms`"
            )
        };
        let (before, rest) = text.split_once('{').ok_or_else(wrong)?;
        let (class, after) = rest.split_once('}').ok_or_else(wrong)?;
        if after.contains(['{', '}']) || before.contains('}') {
            return Err(wrong());
        }
        let (class, nth) = match class.split_once(':') {
            Some((class, nth)) => (class, Some(nth.parse().ok().filter(|nth| *nth > 0).ok_or_else(wrong)?)),
            None => (class, None),
        };
        let class = Class::named(class).ok_or_else(wrong)?;
        Ok(Self { before: before.to_owned(), class, after: after.to_owned(), nth })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learnt(a: &str, b: &str) -> Vec<String> {
        varying(a, b).iter().map(Pattern::to_string).collect()
    }

    fn covered(pattern: &str, value: &str) -> String {
        pattern.parse::<Pattern>().unwrap().cover(value).map_or(value.to_owned(), |(covered, _)| covered)
    }

    #[test]
    fn the_smallest_part_is_learnt_with_what_stands_around_it() {
        assert_eq!(learnt("took 12 ms, 3 items", "took 7 ms, 3 items"), ["took {number} ms"]);
        assert_eq!(learnt("/go?sectok=ab12&id=7", "/go?sectok=9zz&id=7"), ["sectok={token}&id"]);
        assert_eq!(learnt("Sunday, 15 November 2026", "Monday, 16 November 2026"), ["{day}"]);
        assert_eq!(learnt("15 November 2026", "11/16/2026"), ["{date}"]);
        assert_eq!(learnt("0f3c-77aa-91", "1b2d-88cc-03"), ["{token}"]);
        assert_eq!(learnt("The Quiet Sea", "A Year Without Windows"), ["{text}"]);
        assert_eq!(
            learnt("in 12 ms with 7 queries", "in 9 ms with 11 queries"),
            ["in {number} ms", "with {number} queries"]
        );
    }

    #[test]
    fn only_the_part_is_covered() {
        assert_eq!(covered("took {number} ms", "took 5\n ms, 5 items"), "took ⟨masked⟩\n ms, 5 items");
        assert_eq!(covered("tok={token}&id", "/go?tok=a/b+c=&id=7"), "/go?tok=⟨masked⟩&id=7");
        assert_eq!(covered("{date}", "by Ada on 15 November 2026, 12 books"), "by Ada on ⟨masked⟩, 12 books");
        assert_eq!(covered("on {day}", "on 15 November 2026, 2 left"), "on ⟨01 January⟩, 2 left");
        assert_eq!(covered("{number}", "12 of 30"), "⟨masked⟩ of ⟨masked⟩");
        assert_eq!(covered("{text}", "anything"), "⟨masked⟩");
        assert_eq!(covered("by {text} on", "by Ada L. on Monday"), "by ⟨masked⟩ on Monday");
        assert_eq!(covered("took {number} ms", "took ages"), "took ages");
    }

    /// Catches: the number of pages is masked with the number of milliseconds beside it.
    #[test]
    fn what_did_not_vary_beside_it_is_not_covered() {
        assert_eq!(learnt("3 of 12: 14", "3 of 12: 17"), ["{number:3}"]);
        assert_eq!(covered("{number:3}", "3 of 12: 20"), "3 of 12: ⟨masked⟩");
        assert_eq!(covered("{number:3}", "4 of 12"), "4 of 12");
        assert_eq!(learnt("2026-11-15 2026-11-16", "2026-11-15 2026-11-17"), ["{day:2}"]);
        assert_eq!(learnt("1 of 2", "3 of 4"), ["{number} of", "of {number}"]);
    }

    #[test]
    fn a_number_and_the_word_that_it_counts_are_one_thing() {
        assert_eq!(learnt("in 1 second", "in 2 seconds"), ["{ago}"]);
        assert_eq!(learnt("by 1 user now", "by 2 users now"), ["by {number} user"]);
        assert_eq!(learnt("3 entries", "1 entry"), ["{number} entries"]);
        for pattern in ["by {number} user", "by {number} users"] {
            assert_eq!(covered(pattern, "by 1 user now"), covered(pattern, "by 7 users now"));
        }
        assert_eq!(covered("{number} entries", "1 entry, 2 tags"), "⟨masked⟩ entries, 2 tags");
        assert_eq!(covered("{number} users", "7 guests"), "7 guests");
    }

    #[test]
    fn moments_told_from_now_are_one_thing() {
        for [a, b] in [
            ["posted 1 minute ago by Ann", "posted 2 minutes ago by Ann"],
            ["posted just now by Ann", "posted an hour ago by Ann"],
            ["posted yesterday by Ann", "posted 2 days ago by Ann"],
            ["posted now by Ann", "posted 5 seconds ago by Ann"],
        ] {
            assert_eq!(learnt(a, b), ["posted {ago} by"], "{a} {b}");
        }
        let like = "posted {ago} by";
        assert_eq!(covered(like, "posted an hour ago by Ann"), "posted ⟨masked⟩ by Ann");
        assert_eq!(covered(like, "posted 15 November 2026 by Ann"), "posted 15 November 2026 by Ann");
    }

    proptest::proptest! {
        #[test]
        fn what_is_learnt_of_two_values_makes_them_equal(a in "[a-c1-3 =&:./-]{0,16}", b in "[a-c1-3 =&:./-]{0,16}") {
            let cover = |value: &str| varying(&a, &b).iter().fold(value.to_owned(), |value, p| {
                p.cover(&value).map_or(value, |(covered, _)| covered)
            });
            proptest::prop_assert_eq!(cover(&a), cover(&b));
        }

        #[test]
        fn a_pattern_is_read_back_as_it_was_written(a in "\\PC{0,12}", b in "\\PC{0,12}") {
            for pattern in varying(&a, &b) {
                proptest::prop_assert_eq!(pattern.to_string().parse::<Pattern>().unwrap(), pattern);
            }
        }
    }
}
