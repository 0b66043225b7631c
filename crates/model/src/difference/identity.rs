//! Which change a difference is of.
//!
//! A change's id is a hash of where the difference is and what became what, not of a sentence: other words change no id,
//! and neither does another comparator that sees the same edit. Numbers are left out, so that a total that is wrong on
//! every page is one change; so are the values of rows, and lines and folders of errors.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::excerpt::{shortened, shown_apart};
use super::{CellChange, Difference, FileAspect, Place, StoredThing, wording};

/// Names a change; the same change has the same name in every run. Shown as a prefix that tells it from others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ChangeId(pub String);

impl ChangeId {
    /// Shorter prefixes are not shown.
    pub const SHORTEST: usize = 7;

    /// The name that the first format of `restage.accepted.toml` gave to what it told in these words.
    pub fn of_format_1(sentence: &str) -> Self {
        Self(blake3::hash(number_free(sentence).as_bytes()).to_hex()[..6].to_owned())
    }

    /// Whether the first format gave this name to what it told in these words; of statuses, their numbers counted.
    pub fn is_of_sentence(&self, sentence: &str) -> bool {
        *self == Self::of_format_1(sentence) || self.0 == blake3::hash(sentence.as_bytes()).to_hex()[..6]
    }

    /// As many characters as it takes to tell these from each other.
    pub fn telling_length<'a>(ids: impl IntoIterator<Item = &'a Self>) -> usize {
        let mut ids: Vec<&str> = ids.into_iter().map(|id| id.0.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        let common = |a: &str, b: &str| a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
        let longest = ids.windows(2).map(|pair| common(pair[0], pair[1]) + 1).max().unwrap_or(0);
        longest.max(Self::SHORTEST)
    }

    /// Its first characters.
    pub fn prefix(&self, length: usize) -> &str {
        self.0.get(..length).unwrap_or(&self.0)
    }
}

impl fmt::Display for ChangeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.prefix(Self::SHORTEST))
    }
}

impl Difference {
    /// The name of the change that it is of.
    pub fn change_id(&self) -> ChangeId {
        let mut hasher = blake3::Hasher::new();
        for field in self.identity() {
            hasher.update(&(field.len() as u64).to_le_bytes()).update(field.as_bytes());
        }
        ChangeId(hasher.finalize().to_hex().to_string())
    }

    /// The name that the first format of `restage.accepted.toml` gave to the change: a hash of its sentence in that
    /// format's words, so that what was accepted then holds.
    pub fn change_id_of_format_1(&self) -> ChangeId {
        let sentence = match &self.place {
            Place::Row { .. } | Place::File { .. } => wording::sentence(&without_values(self)),
            _ => self.to_string(),
        };
        if self.place == Place::Status {
            return ChangeId(blake3::hash(sentence.as_bytes()).to_hex()[..6].to_owned());
        }
        ChangeId::of_format_1(&sentence)
    }

    /// What all differences of a change have in common.
    fn identity(&self) -> Vec<String> {
        let mut fields = self.place.identity();
        match &self.place {
            // Who accepts a page that is gone does not accept one that crashes.
            Place::Status => fields.extend([self.expected().to_owned(), self.actual().to_owned()]),
            Place::NoAnswer => fields.push(number_free(self.actual())),
            _ => {}
        }
        fields.push(match (&self.was, &self.is) {
            (Some(_), Some(_)) => "changed".to_owned(),
            (Some(_), None) => "gone".to_owned(),
            (None, Some(_)) => "appeared".to_owned(),
            (None, None) => String::new(),
        });
        if self.place.has_values() {
            fields.extend(self.values());
        }
        fields
    }

    /// What became what, without its numbers; of long texts, the part that differs.
    fn values(&self) -> [String; 2] {
        let (was, is) = match (&self.was, &self.is) {
            (Some(was), Some(is)) => shown_apart(was, is),
            (was, is) => {
                let shown = |side: &Option<String>| side.as_deref().map(shortened).unwrap_or_default();
                (shown(was), shown(is))
            }
        };
        [number_free(&was), number_free(&is)]
    }
}

impl Place {
    /// Whether both are the same place, whatever the numbers in them.
    pub fn is_like(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }

    /// Whether what was and what is there belong to a change's identity.
    pub fn has_values(&self) -> bool {
        match self {
            Self::WhiteSpace { .. }
            | Self::Content
            | Self::Validity { .. }
            | Self::Binary { .. }
            | Self::NoAnswer
            | Self::Answered
            | Self::Error { .. }
            | Self::Row { .. }
            | Self::Unreadable { .. }
            | Self::WholeFile
            | Self::More { .. } => false,
            Self::File { aspect, .. } => matches!(aspect, FileAspect::Permissions | FileAspect::Thing),
            _ => true,
        }
    }

    /// What tells it from other places.
    fn identity(&self) -> Vec<String> {
        let own = |texts: &[&str]| texts.iter().map(|text| number_free(text)).collect::<Vec<_>>();
        let option = |text: &Option<String>| text.clone().unwrap_or_default();
        match self {
            Self::Text { after } => own(&["text", &option(after)]),
            Self::WhiteSpace { after } => own(&["white space", &option(after)]),
            Self::Attribute { element, named, attribute } => {
                own(&["attribute", element, &option(named), attribute])
            }
            Self::Tags { .. } => own(&["tags"]),
            Self::Entry { choice_of: None } => own(&["tags"]),
            Self::Entry { choice_of: Some(select) } => own(&["choice", select]),
            Self::StyleSheet => own(&["style sheet"]),
            Self::Markup => own(&["markup"]),
            Self::Source => own(&["source"]),
            Self::Content => own(&["content"]),
            Self::Json { path } => own(&["JSON", path]),
            Self::Xml { path, attribute, text } => {
                own(&["XML", path, &option(attribute), if *text { "text" } else { "" }])
            }
            Self::Validity { format, now_valid, why } => {
                own(&["validity", format, if *now_valid { "now" } else { "no longer" }, why])
            }
            Self::Lines { .. } => own(&["lines"]),
            Self::Binary { was, is } => {
                let kind =
                    |side: &Option<(String, usize)>| side.as_ref().map_or("", |(kind, _)| kind).to_owned();
                own(&["binary", &kind(was), &kind(is)])
            }
            Self::Header { name, part } => own(&["header", name, &option(part)]),
            Self::Cookie { name, attribute } => own(&["cookie", name, &option(attribute)]),
            Self::Address { via } => own(&["address", &option(via)]),
            Self::NoAnswer => own(&["no answer"]),
            Self::Answered => own(&["answered"]),
            Self::Status => own(&["status"]),
            Self::Redirect => own(&["redirect"]),
            Self::ContentType => own(&["content type"]),
            Self::Error { language, message, file, .. } => {
                let file = file.as_deref().and_then(|file| file.rsplit(['/', '\\']).next());
                own(&["error", language, message, file.unwrap_or_default()])
            }
            Self::Row { database, table, cells, .. } => {
                let mut fields = own(&["row", database, table]);
                // Of a row that is there or not, any column says the same.
                let changed = cells.iter().filter(|cell| cell.was.is_some() && cell.is.is_some());
                fields.extend(changed.map(|cell| cell.column.clone()));
                fields
            }
            Self::Stored { thing, name, table, database } => {
                let thing = match thing {
                    StoredThing::Table => "table",
                    StoredThing::Column => "column",
                    StoredThing::Object(kind) => kind,
                    StoredThing::HighestId => "highest id",
                    StoredThing::NextId => "next id",
                    StoredThing::Setting => "setting",
                };
                own(&["stored", thing, name, &option(table), database])
            }
            Self::File { path, thing, aspect, .. } => {
                let aspect = match aspect {
                    FileAspect::Presence => "presence",
                    FileAspect::Content { .. } => "content",
                    FileAspect::Permissions => "permissions",
                    FileAspect::Target => "target",
                    FileAspect::Thing => "thing",
                };
                own(&["file", path, thing, aspect])
            }
            Self::Unreadable { path } => own(&["unreadable", path]),
            Self::WholeFile => own(&["whole file"]),
            Self::More { of, .. } => own(&["more", &option(of)]),
        }
    }
}

/// A text with its numbers left out.
pub fn number_free(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if !c.is_ascii_digit() {
            out.push(c);
        } else if !out.ends_with('#') {
            out.push('#');
        }
    }
    out
}

/// A row or a file without what was in it.
fn without_values(difference: &Difference) -> Difference {
    // Texts are in backticks, bytes are x'…'.
    let emptied = |shown: &String| match shown.as_bytes() {
        [b'`', .., b'`'] => "``".to_owned(),
        [b'x', b'\'', ..] => {
            shown.rfind('\'').map_or_else(|| shown.clone(), |end| format!("x''{}", &shown[end + 1..]))
        }
        _ => shown.clone(),
    };
    let mut bare = difference.clone();
    if let Place::File { aspect: FileAspect::Content { .. } | FileAspect::Target, .. } = bare.place {
        (bare.was, bare.is) = (Some(String::new()), Some(String::new()));
    }
    if let Place::Row { row, with, cells, more, .. } = &mut bare.place {
        row.iter_mut().chain(with).for_each(|(_, value)| *value = emptied(value));
        if difference.was.is_some() != difference.is.is_some() {
            (*cells, *more) = (Vec::new(), false);
        }
        for CellChange { was, is, .. } in cells {
            (*was, *is) = (was.as_ref().map(emptied), is.as_ref().map(emptied));
        }
    }
    bare
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(was: &str, is: &str) -> Difference {
        Difference::changed("C-WD", Place::Text { after: None }, was, is)
    }

    #[test]
    fn numbers_are_left_out_but_statuses_are_not() {
        assert_eq!(text("$42.00", "$1").change_id(), text("$7.50", "$300").change_id());
        assert_ne!(text("$42.00", "$1").change_id(), text("€7.50", "$300").change_id());
        let status = |is| Difference::changed("Flist", Place::Status, "200", is).change_id();
        assert_ne!(status("404"), status("500"));
    }

    /// Catches an id that hangs on who saw a difference, or on the order in which fields are joined.
    #[test]
    fn an_id_is_of_the_edit_alone() {
        let mut seen_by_others = text("a", "b");
        seen_by_others.seen_by = vec!["D".to_owned(), "T".to_owned()];
        assert_eq!(seen_by_others.change_id(), text("a", "b").change_id());
        assert_ne!(text("ab", "c").change_id(), text("a", "bc").change_id());
        assert_ne!(
            Difference::gone("N", Place::Tags { removed: 1, added: 0 }, "<hr>").change_id(),
            Difference::appeared("N", Place::Tags { removed: 0, added: 1 }, "<hr>").change_id()
        );
    }

    fn row(row: &str, cells: &[(&str, &str, &str)], gone: bool) -> Difference {
        let cells = cells.iter().map(|(column, was, is)| CellChange {
            column: (*column).to_owned(),
            was: Some((*was).to_owned()),
            is: (!gone).then(|| (*is).to_owned()),
        });
        let place = Place::Row {
            database: "a.db".to_owned(),
            table: "line".to_owned(),
            row: vec![("id".to_owned(), row.to_owned())],
            with: Vec::new(),
            cells: cells.collect(),
            more: false,
        };
        Difference {
            seen_by: vec!["State".to_owned()],
            place,
            was: Some(row.to_owned()),
            is: (!gone).then(|| "now".to_owned()),
        }
    }

    #[test]
    fn a_row_is_its_table_and_columns_whatever_is_in_it() {
        let gone = |id, title| row(id, &[("title", title, "")], true);
        let changed = |id, was, is| row(id, &[("title", was, is)], false);
        assert_eq!(gone("3", "`Emma`").change_id(), gone("17", "`It's`").change_id());
        assert_eq!(changed("`x1`", "`1`", "x'0a'").change_id(), changed("`y2`", "`9`", "x'ff'").change_id());
        assert_ne!(gone("3", "`Emma`").change_id(), changed("3", "`Emma`", "`E`").change_id());
        // As the first format had it.
        assert_eq!(
            gone("3", "`Emma`").change_id_of_format_1().0,
            blake3::hash(b"row # of line (a.db) is gone: ").to_hex()[..6]
        );
        assert_eq!(
            changed("`x1`", "`1`", "x'0a'").change_id_of_format_1().0,
            blake3::hash(b"row `` of line (a.db): title was ``, is x''").to_hex()[..6]
        );
    }

    #[test]
    fn prefixes_are_as_long_as_it_takes() {
        let id = |text: &str| ChangeId(text.to_owned());
        assert_eq!(ChangeId::telling_length(&[id("aaaaaaaaaa"), id("bbbbbbbbbb")]), 7);
        let near = [id("aaaaaaaab0"), id("aaaaaaaac0"), id("aaaaaaaab0")];
        assert_eq!(ChangeId::telling_length(&near), 9);
        assert_eq!(near[0].prefix(9), "aaaaaaaab");
    }
}
