//! Which part of a value varies: what stands before it, what it looks like, what stands after it.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use imara_diff::{Algorithm, Diff, InternedInput};

use super::STAND_IN;
use super::atoms::{Class, atoms, dates, is_of_token, numbers};
use super::date_form::in_form_of;

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
}

impl Pattern {
    /// Covers a whole value.
    pub(crate) fn whole() -> Self {
        Self { before: String::new(), class: Class::Text, after: String::new() }
    }

    pub(crate) fn is_whole(&self) -> bool {
        *self == Self::whole()
    }

    /// Where it is found in a value.
    pub(crate) fn find(&self, value: &str) -> Vec<Range<usize>> {
        match self.class {
            _ if self.is_whole() => std::iter::once(0..value.len()).collect(),
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
            covered.push(value[range].to_owned());
        }
        out.push_str(&value[at..]);
        Some((out, covered))
    }

    fn around(&self, value: &str, found: Vec<Range<usize>>) -> Vec<Range<usize>> {
        let fits = |range: &Range<usize>| {
            ends_with(&value[..range.start], &self.before) && starts_with(&value[range.end..], &self.after)
        };
        found.into_iter().filter(fits).collect()
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

/// The parts in which two values differ, as patterns that cover them in both.
pub(crate) fn varying(a: &str, b: &str) -> Vec<Pattern> {
    let (atoms_a, atoms_b) = (atoms(a), atoms(b));
    let holes = holes(a, &atoms_a, b, &atoms_b);
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
        let pattern = Pattern {
            before: before(a, &atoms_a[..in_a.start]),
            class,
            after: after(a, &atoms_a[in_a.end..]),
        };
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
        write!(f, "{}{{{}}}{}", self.before, self.class.name(), self.after)
    }
}

impl FromStr for Pattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "`{text}` is no pattern\n  hint: the part that varies once, as {{day}}, {{date}}, {{number}}, {{token}}, {{word}} or {{text}}, and what stands around it: `took {{number}} ms`"
            )
        };
        let (before, rest) = text.split_once('{').ok_or_else(wrong)?;
        let (class, after) = rest.split_once('}').ok_or_else(wrong)?;
        if after.contains(['{', '}']) || before.contains('}') {
            return Err(wrong());
        }
        let class = Class::named(class).ok_or_else(wrong)?;
        Ok(Self { before: before.to_owned(), class, after: after.to_owned() })
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
