//! What a person reads: one line a difference.
//!
//! These are also the words of the first format of `restage.accepted.toml` and `[[ignore]]`, by which files of that format
//! are still understood. Whoever wants other words for people adds them beside these.

use std::collections::BTreeSet;
use std::fmt;

use super::excerpt::{counted, quoted, quoted_apart, shortened};
use super::{CellChange, Difference, FileAspect, Place, StoredThing};

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&sentence(self))
    }
}

/// `text "Total $42.00" became "Total $21.00"`.
pub(super) fn sentence(difference: &Difference) -> String {
    let (was, is) = (difference.expected(), difference.actual());
    let sides = (difference.was.as_deref(), difference.is.as_deref());
    match &difference.place {
        Place::Text { after } => format!("text {}{}", quoted_sides(sides), behind(after.as_deref())),
        Place::WhiteSpace { after } => format!("white space changed{}", behind(after.as_deref())),
        Place::Attribute { element, named, attribute } => {
            let named = named.as_ref().map(|named| format!(" \"{}\"", shortened(named))).unwrap_or_default();
            attribute_sentence(attribute, &format!("of <{element}>{named}"), sides)
        }
        Place::Tags { removed, added } => match (removed, added) {
            (0, 1) => format!("{} appeared", shortened(is)),
            (1, 0) => format!("{} is gone", shortened(was)),
            (0, n) => format!("{n} tags appeared: {}", shortened(is)),
            (n, 0) => format!("{n} tags are gone: {}", shortened(was)),
            _ => format!("{} became {}", shortened(was), shortened(is)),
        },
        Place::Entry { choice_of } => {
            let of =
                choice_of.as_ref().map(|name| format!(" of <select name=\"{name}\">")).unwrap_or_default();
            let shown = |entry: &str| shortened(&format!("{entry}{of}"));
            match sides {
                (Some(was), None) => format!("{} is gone", shown(was)),
                (None, _) => format!("{} appeared", shown(is)),
                _ => format!("{} became {}", shown(was), shown(is)),
            }
        }
        Place::StyleSheet => became("a style sheet", &ticked(is), sides),
        Place::Markup => became(&ticked(was), &ticked(is), sides),
        Place::Source => {
            if was.split_whitespace().eq(is.split_whitespace()) {
                return "white space changed in the source".to_owned();
            }
            let (shown_was, shown_is) = quoted_apart(was.trim(), is.trim());
            became(&shown_was, &shown_is, sides)
        }
        Place::Content if was == is => format!("the content is not the same, though both are {was}"),
        Place::Content => format!("the content is not the same: {was} became {is}"),
        Place::Json { path } => json_sentence(path, sides),
        Place::Xml { path, attribute: Some(name), .. } => xml_attribute(path, name, sides),
        Place::Xml { path, text: true, .. } => format!("{path} text {}", quoted_sides(sides)),
        Place::Xml { path, .. } => became(path, path, sides),
        Place::Validity { format, now_valid, why } => {
            let valid = if format == "XML" { "well-formed XML" } else { "valid JSON" };
            if *now_valid {
                format!("now {valid}; was not: {why}")
            } else {
                format!("no longer {valid}: {why}")
            }
        }
        Place::Lines { first, count } => lines_sentence(*first, *count, sides),
        Place::Binary { was, is } => binary_sentence(was.as_ref(), is.as_ref()),
        Place::Header { name, part } => header_sentence(name, part.as_deref(), sides),
        Place::Cookie { name, attribute } => {
            format!("cookie {} {}", shortened(name), cookie_change(attribute.as_deref(), sides))
        }
        Place::Address { via } => {
            format!("{} leads to {is} instead of {was}", via.as_deref().unwrap_or("the way"))
        }
        Place::NoAnswer => format!("no answer: {is}"),
        Place::Answered => "an answer where there was none".to_owned(),
        Place::Status => format!("status {was} became {is}"),
        Place::Redirect => {
            let shown = |side: Option<&str>| side.unwrap_or("none").to_owned();
            format!("the redirect to {} now leads to {}", shown(sides.0), shown(sides.1))
        }
        Place::ContentType => {
            format!("content type {} became {}", sides.0.unwrap_or("none"), sides.1.unwrap_or("none"))
        }
        Place::Error { language, message, file, line } => {
            let file = file.as_ref().map(|file| format!(" in {file}")).unwrap_or_default();
            let line = line.map(|line| format!(" line {line}")).unwrap_or_default();
            format!("{language} {message}{file}{line}")
        }
        Place::Row { .. } => row_sentence(difference),
        Place::Stored { thing, name, table, database } => {
            stored_sentence(thing, name, table.as_deref(), database, sides)
        }
        Place::File { path, now, thing, aspect } => {
            file_sentence(path, now.as_deref(), thing, *aspect, sides)
        }
        Place::Unreadable { path } => format!("{path} cannot be compared: {is}"),
        Place::WholeFile if difference.is.is_none() => "the file is gone".to_owned(),
        Place::WholeFile => "the file appeared".to_owned(),
        Place::More { count, of: None } => format!("and {count} more"),
        Place::More { count, of: Some(of) } => format!("and {count} more {of} differ"),
    }
}

/// The part as expected and the part as it is.
type Sides<'a> = (Option<&'a str>, Option<&'a str>);

/// What a person says of two parts, of which one may be missing.
fn became(shown_was: &str, shown_is: &str, sides: Sides<'_>) -> String {
    match sides {
        (None, _) => format!("{shown_is} appeared"),
        (_, None) => format!("{shown_was} is gone"),
        _ => format!("{shown_was} became {shown_is}"),
    }
}

/// The same of texts in quotation marks.
fn quoted_sides(sides: Sides<'_>) -> String {
    match sides {
        (Some(was), Some(is)) => {
            let (was, is) = quoted_apart(was, is);
            format!("{was} became {is}")
        }
        (was, is) => became(&quoted(was.unwrap_or_default()), &quoted(is.unwrap_or_default()), (was, is)),
    }
}

fn behind(line: Option<&str>) -> String {
    line.map(|line| format!(" (after \"{}\")", shortened(line))).unwrap_or_default()
}

fn ticked(text: &str) -> String {
    format!("`{}`", shortened(text))
}

fn attribute_sentence(attribute: &str, of: &str, sides: Sides<'_>) -> String {
    match sides {
        (Some(old), Some(new)) => {
            format!("{attribute} {of} became \"{}\", was \"{}\"", shortened(new), shortened(old))
        }
        (Some(""), None) => format!("{attribute} {of} is gone"),
        (Some(old), None) => format!("{attribute}=\"{}\" {of} is gone", shortened(old)),
        (None, Some("")) => format!("{attribute} {of} appeared"),
        (None, new) => format!("{attribute}=\"{}\" {of} appeared", shortened(new.unwrap_or_default())),
    }
}

fn json_sentence(path: &str, sides: Sides<'_>) -> String {
    let (was, is) = match sides {
        (Some(was), Some(is)) => (was, is),
        (None, _) => return format!("{path} appeared"),
        (_, None) => return format!("{path} is gone"),
    };
    let text = |json: &str| serde_json::from_str::<String>(json).ok();
    if let (Some(was), Some(is)) = (text(was), text(is)) {
        let (was, is) = quoted_apart(&was, &is);
        return format!("{path} was {was}, is {is}");
    }
    let (before, after) = (json_kind(was), json_kind(is));
    let (was, is) = (shortened(was), shortened(is));
    if before == after || before == "null" || after == "null" {
        format!("{path} was {was}, is {is}")
    } else {
        format!("{path} was the {before} {was}, is the {after} {is}")
    }
}

/// What kind of value a piece of JSON is, in a word.
fn json_kind(json: &str) -> &'static str {
    match json.as_bytes().first() {
        Some(b'"') => "text",
        Some(b'[') => "array",
        Some(b'{') => "object",
        Some(b't' | b'f') => "boolean",
        Some(b'n') => "null",
        _ => "number",
    }
}

fn xml_attribute(path: &str, name: &str, sides: Sides<'_>) -> String {
    match sides {
        (Some(_), Some(_)) => format!("{path} attribute {name} {}", quoted_sides(sides)),
        (Some(was), None) => format!("{path} attribute {name}={} is gone", quoted(was)),
        (None, is) => format!("{path} attribute {name}={} appeared", quoted(is.unwrap_or_default())),
    }
}

fn lines_sentence(first: usize, count: usize, sides: Sides<'_>) -> String {
    let place = match count {
        1 => format!("line {first}"),
        _ => format!("lines {first}–{}", first + count.saturating_sub(1)),
    };
    match sides {
        (Some(was), None) => {
            format!("{place} {} {} gone", quoted(was), if count == 1 { "is" } else { "are" })
        }
        _ => format!("{place} {}", quoted_sides(sides)),
    }
}

fn binary_sentence(was: Option<&(String, usize)>, is: Option<&(String, usize)>) -> String {
    let bytes = |size: usize| format!("{} {}", counted(size), if size == 1 { "byte" } else { "bytes" });
    let sized = |(kind, size): &(String, usize)| format!("{kind} of {}", bytes(*size));
    match (was, is) {
        (None, is) => format!("{} appeared where there was nothing", is.map(sized).unwrap_or_default()),
        (Some(was), None) => format!("{} became nothing", sized(was)),
        (Some(was), Some(is)) if was.0 != is.0 => format!("{} became {}", sized(was), sized(is)),
        (Some(was), Some(is)) if was.1 == is.1 => format!("{} became another of that size", sized(was)),
        (Some(was), Some(is)) => format!("{} became {}", sized(was), bytes(is.1)),
    }
}

fn header_sentence(name: &str, part: Option<&str>, sides: Sides<'_>) -> String {
    let both = || (sides.0.unwrap_or("none"), sides.1.unwrap_or("none"));
    match (name, part) {
        ("content-type", Some("charset")) => format!("charset {} became {}", both().0, both().1),
        ("content-disposition", Some("filename")) => {
            let shown = |file: Option<&str>| file.map_or("none".to_owned(), quoted);
            format!("the file's name {} became {}", shown(sides.0), shown(sides.1))
        }
        (_, Some(directive)) => format!("header {name}: {}", directive_change(directive, sides)),
        (_, None) => match (name, sides) {
            (_, (Some(_), None)) => format!("header {name} is gone"),
            (_, (None, _)) => format!("header {name} appeared"),
            ("content-type", _) => format!("content type {} became {}", both().0, both().1),
            ("www-authenticate", _) => format!("authentication {} became {}", both().0, both().1),
            ("content-disposition", _) => format!("{name} {} became {}", both().0, both().1),
            _ => format!("header {name}: {} became {}", both().0, both().1),
        },
    }
}

/// What a list of directives lost, gained, or has with other words.
fn directive_change(directive: &str, sides: Sides<'_>) -> String {
    let shown = |words: &str| shortened(format!("{directive} {words}").trim_end());
    let (was, is) = match sides {
        (Some(was), Some(is)) => (was, is),
        (Some(was), None) => return format!("lost {}", shown(was)),
        (None, is) => return format!("gained {}", shown(is.unwrap_or_default())),
    };
    let words = |text: &'_ str| text.split_ascii_whitespace().map(str::to_owned).collect::<BTreeSet<_>>();
    let joined =
        |words: Vec<&String>| shortened(&words.into_iter().map(String::as_str).collect::<Vec<_>>().join(" "));
    let (was, is) = (words(was), words(is));
    let (lost, gained) = (was.difference(&is).collect::<Vec<_>>(), is.difference(&was).collect::<Vec<_>>());
    match (lost.is_empty(), gained.is_empty()) {
        (false, true) => format!("{directive} lost {}", joined(lost)),
        (true, false) => format!("{directive} gained {}", joined(gained)),
        _ if was.len() == 1 && is.len() == 1 => {
            format!("{directive} {} became {}", joined(lost), joined(gained))
        }
        _ => format!("{directive} lost {} and gained {}", joined(lost), joined(gained)),
    }
}

fn cookie_change(attribute: Option<&str>, sides: Sides<'_>) -> String {
    match (attribute, sides) {
        (None, (None, is)) => format!("is now {}", is.unwrap_or_default()),
        (None, (Some(was), None)) => format!("is no longer {was}"),
        (None, (Some(was), Some(is))) => format!("is {is} instead of {was}"),
        (Some(name), (Some(""), None)) => format!("lost {name}"),
        (Some(name), (None, Some(""))) => format!("gained {name}"),
        (Some(name), (Some(was), None)) => format!("lost {name}={was}"),
        (Some(name), (None, is)) => format!("gained {name}={}", is.unwrap_or_default()),
        (Some(name), (Some(was), Some(is))) => format!("{name} {was} became {is}"),
    }
}

fn row_sentence(difference: &Difference) -> String {
    let Place::Row { database, table, row, with, cells, more } = &difference.place else {
        return String::new();
    };
    let named = match row.as_slice() {
        [] => "a row".to_owned(),
        [(_, only)] => format!("row {only}"),
        several => {
            let parts: Vec<String> =
                several.iter().map(|(column, value)| format!("{column} {value}")).collect();
            format!("row ({})", parts.join(", "))
        }
    };
    let place = format!("{named} of {table} ({database})");
    let none = || "none".to_owned();
    let list = |side: fn(&CellChange) -> &Option<String>| {
        let shown = cells.iter().map(|c| format!("{} {}", c.column, side(c).clone().unwrap_or_else(none)));
        format!("{}{}", shown.collect::<Vec<_>>().join(", "), if *more { ", …" } else { "" })
    };
    match (&difference.was, &difference.is) {
        (Some(_), None) => format!("{place} is gone: {}", list(|cell| &cell.was)),
        (None, _) => format!("{place} appeared: {}", list(|cell| &cell.is)),
        _ => {
            let with: Vec<String> = with.iter().map(|(column, value)| format!("{column} {value}")).collect();
            let with = if with.is_empty() { String::new() } else { format!(" with {}", with.join(", ")) };
            let changes = cells.iter().map(|CellChange { column, was, is }| {
                let (was, is) = (was.clone().unwrap_or_else(none), is.clone().unwrap_or_else(none));
                format!("{column} was {was}, is {is}")
            });
            format!("{place}{with}: {}", changes.collect::<Vec<_>>().join("; "))
        }
    }
}

fn stored_sentence(
    thing: &StoredThing,
    name: &str,
    table: Option<&str>,
    database: &str,
    sides: Sides<'_>,
) -> String {
    let (was, is) = (sides.0.unwrap_or_default(), sides.1.unwrap_or_default());
    match thing {
        StoredThing::Table => {
            let place = format!("table {name} ({database})");
            became(&place, &place, sides)
        }
        StoredThing::Column => {
            let place = format!("column {name} of {} ({database})", table.unwrap_or_default());
            match sides {
                (Some(_), Some(_)) => format!("{place} is declared as {is}, was {was}"),
                _ => became(&place, &place, sides),
            }
        }
        StoredThing::Object(kind) => {
            let place = format!("{kind} {name} ({database})");
            match sides {
                (Some(_), Some(_)) => format!("{place} is declared otherwise"),
                _ => became(&place, &place, sides),
            }
        }
        StoredThing::HighestId => format!("the highest id given in {name} ({database}) was {was}, is {is}"),
        StoredThing::NextId => format!("the next id of {name} ({database}) was {was}, is {is}"),
        StoredThing::Setting => format!("{name} of {database} was {was}, is {is}"),
    }
}

fn file_sentence(path: &str, now: Option<&str>, thing: &str, aspect: FileAspect, sides: Sides<'_>) -> String {
    let path = now.map_or_else(|| path.to_owned(), |now| format!("{path} (now {now})"));
    let (was, is) = (sides.0.unwrap_or_default(), sides.1.unwrap_or_default());
    let ticked = |text: &str| format!("`{text}`");
    match aspect {
        FileAspect::Presence => {
            let place = format!("{thing} {path}");
            became(&place, &place, sides)
        }
        FileAspect::Content { was: size, is: now, line } => {
            let line =
                line.map(|line| format!("; line {line} was {}, is {}", ticked(&cut(was)), ticked(&cut(is))));
            format!("file {path} changed: {size} bytes became {now}{}", line.unwrap_or_default())
        }
        FileAspect::Permissions => format!("permissions of {thing} {path} were {was}, are {is}"),
        FileAspect::Target => {
            format!("link {path} led to {}, leads to {}", ticked(&cut(was)), ticked(&cut(is)))
        }
        FileAspect::Thing => format!("{path} was a {was}, is a {is}"),
    }
}

/// A text on one line, its end left out where it is long.
fn cut(text: &str) -> String {
    const SHOWN: usize = 60;
    let clean = |c: char| if c.is_control() || c == '`' { ' ' } else { c };
    let mut shown: String = text.chars().take(SHOWN).map(clean).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}
