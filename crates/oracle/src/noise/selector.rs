//! Names elements of a page: `ul.news > li > a`, `form[action="/cart"] > p:nth(2)`.
//!
//! Numbers in ids, classes and addresses are left out (`#post-*`), so that a name is good for all pages of a key.

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
        self.0.len() == path.len()
            && self.0.iter().zip(path).all(|(level, at)| {
                level.element == at.element && (level.nth.is_none() || level.nth == at.nth.or(Some(1)))
            })
    }

    /// The name of its last element.
    pub(crate) fn last(&self) -> &str {
        self.0.last().map_or("", |level| &level.element)
    }
}

/// An element's tag with what tells it from its siblings; and whether that tells it from all others of the page.
pub(crate) fn element(name: &[u8], attrs: Attrs<'_>) -> (String, bool) {
    let tag = String::from_utf8_lossy(name).into_owned();
    let usable = |value: Option<String>| {
        let value = steady(&value?);
        let fits = !value.is_empty()
            && value.len() <= 60
            && value.contains(char::is_alphabetic)
            && !value.contains(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '"' | '>'));
        fits.then_some(value)
    };
    if matches!(tag.as_str(), "input" | "select" | "textarea" | "button" | "meta" | "iframe")
        && let Some(name) = usable(attrs.text("name"))
    {
        return (format!("{tag}[name=\"{name}\"]"), true);
    }
    if let Some(id) = usable(attrs.text("id")).filter(|id| !id.contains(':')) {
        return (format!("{tag}#{id}"), true);
    }
    if tag == "form"
        && let Some(action) =
            usable(attrs.text("action").map(|a| a.split(['?', '#']).next().unwrap_or("").to_owned()))
    {
        return (format!("form[action=\"{action}\"]"), false);
    }
    let classes = attrs.text("class").unwrap_or_default();
    let class =
        classes.split_ascii_whitespace().find(|c| !c.contains(|c: char| c.is_ascii_digit() || c == ':'));
    match usable(class.map(str::to_owned)) {
        Some(class) => (format!("{tag}.{class}"), false),
        None => (tag, false),
    }
}

/// A name with its numbers, and words that numbers are mixed into, left out.
fn steady(name: &str) -> String {
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
    out
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
