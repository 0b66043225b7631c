//! Names elements of a page: `ul.news > li > a`, `form[action="/cart"] > p:nth(2)`.
//!
//! Numbers in ids, classes and addresses are left out (`#post-*`), so that a name is good for all pages of a key.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use restage_html::Attrs;

/// The page itself: what stands outside all elements.
const ROOT: &str = ":root";

/// One level of a path: an element's tag with what tells it from its siblings, and which of those that share that.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Level {
    pub(crate) element: String,
    /// Its number among its siblings of the same name, where there are several; none means any.
    pub(crate) nth: Option<u32>,
}

/// A path to elements, from an element that is known by itself, or from the page's body.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Selector(pub(crate) Vec<Level>);

impl Selector {
    /// Whether it names the element of this exact path.
    pub(crate) fn matches(&self, path: &[Level]) -> bool {
        self.matches_upwards(path.iter().rev().map(|at| (at.element.as_str(), at.nth)))
    }

    /// The same of a path that is walked from its last element up.
    pub(crate) fn matches_upwards<'e>(&self, mut path: impl Iterator<Item = (&'e str, Option<u32>)>) -> bool {
        let matches = |level: &Level, (element, nth): (&str, Option<u32>)| {
            level.element == element && (level.nth.is_none() || level.nth == nth.or(Some(1)))
        };
        self.0.iter().rev().all(|level| path.next().is_some_and(|at| matches(level, at)))
            && path.next().is_none()
    }

    /// The name of its last element.
    pub(crate) fn last(&self) -> &str {
        self.0.last().map_or("", |level| &level.element)
    }
}

/// An element's tag with what tells it from its siblings; and whether that tells it from all others of the page.
pub(crate) fn element<'t>(name: &'t [u8], attrs: Attrs<'t>) -> (Cow<'t, str>, bool) {
    let tag = String::from_utf8_lossy(name);
    if attrs.is_empty() {
        return (tag, false);
    }
    let attribute = |name: &str| attrs.get(name).map(String::from_utf8_lossy);
    if matches!(&*tag, "input" | "select" | "textarea" | "button" | "meta" | "iframe")
        && let Some(name) = attribute("name").as_deref().and_then(usable)
    {
        return (Cow::Owned([&*tag, "[name=\"", &name, "\"]"].concat()), true);
    }
    if let Some(id) = attribute("id").as_deref().and_then(usable).filter(|id| !id.contains(':')) {
        return (Cow::Owned([&*tag, "#", &id].concat()), true);
    }
    if tag == "form"
        && let Some(action) = attribute("action")
        && let Some(action) = usable(action.split(['?', '#']).next().unwrap_or(""))
    {
        return (Cow::Owned(["form[action=\"", &action, "\"]"].concat()), false);
    }
    let classes = attribute("class").unwrap_or_default();
    let class =
        classes.split_ascii_whitespace().find(|c| !c.contains(|c: char| c.is_ascii_digit() || c == ':'));
    match class.and_then(usable) {
        Some(class) => (Cow::Owned([&*tag, ".", &class].concat()), false),
        None => (tag, false),
    }
}

/// A value as it can name an element; none where it cannot.
fn usable(value: &str) -> Option<Cow<'_, str>> {
    let value = steady(value);
    let fits = !value.is_empty()
        && value.len() <= 60
        && value.contains(char::is_alphabetic)
        && !value.contains(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '"' | '>'));
    fits.then_some(value)
}

/// A name with its numbers, and words that numbers are mixed into, left out.
fn steady(name: &str) -> Cow<'_, str> {
    if !name.contains(|c: char| c.is_ascii_digit()) {
        return Cow::Borrowed(name);
    }
    let mut out = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let end = match first.is_alphanumeric() {
            true => rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (piece, next) = rest.split_at(end);
        rest = next;
        if !piece.contains(|c: char| c.is_ascii_digit()) {
            out.push_str(piece);
        } else if !out.ends_with('*') {
            out.push('*');
        }
    }
    Cow::Owned(out)
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str(ROOT);
        }
        for (at, level) in self.0.iter().enumerate() {
            let join = if at > 0 { " > " } else { "" };
            write!(f, "{join}{}", level.element)?;
            if let Some(nth) = level.nth {
                write!(f, ":nth({nth})")?;
            }
        }
        Ok(())
    }
}

impl FromStr for Selector {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = |what: &str| {
            format!(
                "`{text}` names no element: {what}\n  hint: tags, ids, classes and names, joined by ` > `: `ul.news > li:nth(2) > a`"
            )
        };
        let mut levels = Vec::new();
        if text == ROOT {
            return Ok(Self(levels));
        }
        for level in text.split(" > ") {
            let level = level.trim();
            let (element, nth) = match level.strip_suffix(')').and_then(|l| l.rsplit_once(":nth(")) {
                Some((element, nth)) => {
                    let nth = nth.parse().ok().filter(|n| *n > 0);
                    (element, Some(nth.ok_or_else(|| wrong("`:nth(…)` takes a number from 1"))?))
                }
                None => (level, None),
            };
            let begins = |c: char| c.is_alphabetic() || matches!(c, '.' | '[' | '$' | '_');
            if element.contains(' ') || !element.starts_with(begins) {
                return Err(wrong("a tag is missing"));
            }
            levels.push(Level { element: element.to_owned(), nth });
        }
        Ok(Self(levels))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_left_out_of_names() {
        let cases =
            [("post-17", "post-*"), ("a8f3", "*"), ("items[3][qty]", "items[*][qty]"), ("plain", "plain")];
        for (name, left) in cases {
            assert_eq!(steady(name), left);
        }
    }

    #[test]
    fn a_selector_is_read_back_as_it_was_written() {
        for text in
            [r#"form[action="/cart/*"] > p:nth(2) > input"#, r#"input[name="csrf"]"#, "ul#news > li", ":root"]
        {
            assert_eq!(text.parse::<Selector>().unwrap().to_string(), text);
        }
        for wrong in ["", "ul >", "ul li", "li:nth(0)", "#news"] {
            assert!(wrong.parse::<Selector>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn without_a_number_any_sibling_is_meant() {
        let any: Selector = "ul > li".parse().unwrap();
        let second: Selector = "ul > li:nth(2)".parse().unwrap();
        assert!(any.matches(&second.0) && second.matches(&second.0) && !second.matches(&any.0));
        let first: Selector = "ul > li:nth(1)".parse().unwrap();
        assert!(first.matches(&any.0), "an only child is the first");
    }
}
