//! `restage.accepted.toml`: the changes that are intended, for version control.

use std::path::{Path, PathBuf};

use restage_model::{Change, ChangeId, Difference, Moment, Place};
use restage_oracle::Accepted;
use serde::{Deserialize, Serialize};
use toml_edit::{Datetime, DocumentMut, Item, Table, value};

use crate::error::{ProjectError, SettingError};
use crate::toml_text;

/// The file's name.
pub const FILE: &str = "restage.accepted.toml";

/// The format of what is written.
const FORMAT: u32 = 2;
/// Longer parts are not written: the id stands for them.
const KEPT: usize = 400;

/// The array of entries.
const ENTRIES: &str = "accepted";

const HEADING: &str = "\
# Changes that are intended: no test fails on them, on any page. `restage accept` writes this file; keep it under
# version control. A change is known by its id: a hash of its place, what was there and what is. The summary is for
# readers. To take an entry back, remove it here or with `restage accept --remove ID`; after a new baseline, those that
# are not seen any more can go.

";

/// The file, as it is and as it is going to be.
pub struct AcceptedFile {
    path: PathBuf,
    document: DocumentMut,
    entries: Vec<Entry>,
}

/// A change that was accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Entry {
    /// The change.
    #[serde(deserialize_with = "read_id")]
    pub id: ChangeId,
    /// The format of the entry: 2; none for the first one, whose ids are hashes of sentences.
    pub format: Option<u32>,
    /// What a person would say changed.
    pub summary: String,
    /// The comparators that saw it.
    pub seen_by: Option<String>,
    /// Where it is.
    pub place: Option<Place>,
    /// The part as expected, where it is short enough to be kept here.
    pub was: Option<String>,
    /// The part as it is now, likewise.
    pub is: Option<String>,
    /// A page it showed on.
    pub page: Option<String>,
    /// Why it was accepted.
    pub reason: Option<String>,
    /// When it was accepted.
    #[serde(default, deserialize_with = "read_date")]
    pub date: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entries {
    #[serde(default)]
    accepted: Vec<Entry>,
}

impl Entry {
    /// An entry for a change, of today.
    pub fn of(change: &Change, reason: Option<&str>) -> Self {
        let difference = &change.difference;
        let is_short = [&difference.was, &difference.is]
            .iter()
            .all(|side| side.as_ref().is_none_or(|text| text.len() <= KEPT));
        let kept = |side: &Option<String>| side.clone().filter(|_| is_short);
        Self {
            id: change.id.clone(),
            format: Some(FORMAT),
            summary: change.summary(),
            seen_by: Some(difference.seen_by_all()),
            place: Some(difference.place.clone()),
            was: kept(&difference.was),
            is: kept(&difference.is),
            page: change.keys.first().map(ToString::to_string),
            reason: reason.map(str::to_owned),
            date: Moment::now().to_string().split(' ').next().map(str::to_owned),
        }
    }

    /// Whether the change that is written down is that of the id; it is not when one of the two was edited.
    fn agrees(&self) -> bool {
        let Some(place) = &self.place else {
            // The first format left the values of rows and files out of the sentence that it hashed.
            let whole = self.seen_by.as_deref() == Some("State") || !self.is_of_format_1();
            return whole || self.id.is_of_sentence(&self.summary);
        };
        let difference = Difference {
            seen_by: Vec::new(),
            place: place.clone(),
            was: self.was.clone(),
            is: self.is.clone(),
        };
        let is_left_out = self.was.is_none() && self.is.is_none();
        is_left_out || difference.change_id() == self.id
    }

    /// Whether the entry is of the first format, whose ids are short.
    pub fn is_of_format_1(&self) -> bool {
        self.id.0.len() == 6
    }

    fn table(&self) -> Table {
        let mut table = Table::new();
        table.insert("id", value(&self.id.0));
        if let Some(format) = self.format {
            table.insert("format", value(i64::from(format)));
        }
        table.insert("summary", value(&self.summary));
        if let Some(place) = self.place.as_ref().and_then(toml_text::inline) {
            table.insert("place", value(place));
        }
        let texts = [
            ("was", &self.was),
            ("is", &self.is),
            ("seen-by", &self.seen_by),
            ("page", &self.page),
            ("reason", &self.reason),
        ];
        for (name, text) in texts {
            if let Some(text) = text {
                table.insert(name, value(text));
            }
        }
        if let Some(date) = self.date.as_ref().and_then(|date| date.parse::<Datetime>().ok()) {
            table.insert("date", value(date));
        }
        table
    }
}

impl AcceptedFile {
    /// Reads the file in a project's folder; where there is none, nothing is accepted.
    pub fn read(folder: &Path) -> Result<Self, ProjectError> {
        let path = folder.join(FILE);
        let text = toml_text::read(&path)?;
        let bad = |e: String| {
            let hint = "an entry is [[accepted]] with id and summary, as `restage accept` writes it";
            SettingError::new(e).or_hint(hint).in_file(&path)
        };
        let Entries { accepted: entries } = toml::from_str(&text).map_err(|e| bad(e.to_string()))?;
        let document: DocumentMut = text.parse().map_err(|e: toml_edit::TomlError| bad(e.to_string()))?;
        if !document.get(ENTRIES).is_none_or(Item::is_array_of_tables) {
            return Err(bad(format!("`{ENTRIES}` is not written as [[{ENTRIES}]]")));
        }
        Ok(Self { path, document, entries })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The entries, as they stand.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// What is accepted.
    pub fn accepted(&self) -> Accepted {
        let mut accepted = Accepted::default();
        for entry in &self.entries {
            let (id, reason) = (entry.id.clone(), entry.reason.clone().unwrap_or_default());
            if entry.is_of_format_1() {
                accepted.add_of_format_1(id, reason)
            } else {
                accepted.add(id, reason)
            }
        }
        accepted
    }

    /// Writes an entry of the first format anew, as the change that it was found to be of; what people wrote in it stays.
    pub fn convert(&mut self, id: &ChangeId, change: &Change) {
        let Some(place) = self.entries.iter().position(|e| e.id == *id && e.is_of_format_1()) else { return };
        let old = self.entries[place].clone();
        let new = Entry {
            page: old.page.clone(),
            date: old.date.clone(),
            ..Entry::of(change, old.reason.as_deref())
        };
        self.remove(id);
        self.add(new);
    }

    /// The entries whose summary is not that of their change.
    pub fn disagreeing(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| !entry.agrees())
    }

    /// Adds an entry where its id belongs; whether it was not there yet.
    pub fn add(&mut self, entry: Entry) -> bool {
        if self.entries.iter().any(|e| e.id == entry.id) {
            return false;
        }
        let place = self.entries.iter().position(|e| e.id > entry.id).unwrap_or(self.entries.len());
        let mut table = entry.table();
        if self.entries.is_empty() {
            // A file that was emptied has its heading still.
            let headed = self.document.trailing().as_str().is_some_and(|text| text.contains('#'));
            if !headed {
                self.document.set_trailing(HEADING);
            }
            toml_text::push(&mut self.document, ENTRIES, table);
        } else if let Some(tables) = toml_text::tables(&mut self.document, ENTRIES) {
            if let Some(next) = tables.get_mut(0).filter(|_| place == 0) {
                table.decor_mut().set_prefix(toml_text::take_heading(next));
                table.set_position(next.position());
                toml_text::put_before(next, "\n");
            }
            tables.insert(place, table);
        }
        self.entries.insert(place, entry);
        true
    }

    /// Removes the entries of a change.
    pub fn remove(&mut self, id: &ChangeId) {
        while let Some(place) = self.entries.iter().position(|e| e.id == *id) {
            self.entries.remove(place);
            let Some(tables) = toml_text::tables(&mut self.document, ENTRIES) else { return };
            let heading = if place == 0 { tables.get_mut(0).map(toml_text::take_heading) } else { None };
            tables.remove(place);
            let Some(heading) = heading else { continue };
            match tables.get_mut(0) {
                Some(first) => toml_text::put_before(first, &heading),
                None => {
                    self.document.remove(ENTRIES);
                    self.document.set_trailing(heading);
                }
            }
        }
    }

    /// Writes it.
    pub fn write(&self) -> Result<(), ProjectError> {
        toml_text::write(&self.path, &self.document.to_string())
    }
}

fn read_id<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<ChangeId, D::Error> {
    let id = String::deserialize(deserializer)?;
    let hex = |b: u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
    if matches!(id.len(), 6 | 64) && id.bytes().all(hex) {
        return Ok(ChangeId(id));
    }
    Err(serde::de::Error::custom(format!("`{id}` is no change's id: 64 digits or letters a to f")))
}

/// A date, or what a person wrote in its place.
fn read_date<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(match toml::Value::deserialize(deserializer)? {
        toml::Value::String(text) => Some(text),
        other => Some(other.to_string()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(id: &str, summary: &str) -> Entry {
        Entry {
            id: ChangeId(id.to_owned()),
            format: None,
            summary: summary.to_owned(),
            seen_by: Some("C-WD".to_owned()),
            place: None,
            was: None,
            is: None,
            page: Some("GET /".to_owned()),
            reason: None,
            date: Some("2026-11-15".to_owned()),
        }
    }

    fn read(text: &str) -> Result<AcceptedFile, ProjectError> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(FILE), text).unwrap();
        AcceptedFile::read(folder.path())
    }

    fn ids(file: &AcceptedFile) -> Vec<&str> {
        file.entries.iter().map(|e| e.id.0.as_str()).collect()
    }

    #[test]
    fn entries_are_sorted_and_read_back() {
        let mut file = read("").unwrap();
        for id in ["bbbbbb", "dddddd", "aaaaaa", "cccccc"] {
            assert!(file.add(entry(id, "text \"a\\b\" became 'c'\n\"")));
        }
        assert!(!file.add(entry("cccccc", "again")), "accepting twice changes nothing");
        let text = file.document.to_string();
        assert!(text.starts_with(HEADING), "{text}");
        let again = read(&text).unwrap();
        assert_eq!(again.entries, file.entries);
        assert_eq!(ids(&again), ["aaaaaa", "bbbbbb", "cccccc", "dddddd"]);
        // One empty line between entries, and none at the end.
        assert_eq!(text.matches("\n\n[[accepted]]").count(), 4, "{text}");
        assert!(!text.contains("\n\n\n") && text.ends_with("date = 2026-11-15\n"), "{text}");
    }

    #[test]
    fn what_people_wrote_stays_as_they_wrote_it() {
        let mine = "# our own words\n\n# the new buttons\n[[accepted]]\nid    = 'bbbbbb'   # see the wiki\nsummary = \"x\"\n\n\
                    [[accepted]]\nsummary = 'y'\nid = \"eeeeee\"\nreason = '''why\nnot'''\n";
        let mut file = read(mine).unwrap();
        for id in ["aaaaaa", "cccccc", "ffffff"] {
            file.add(entry(id, "new"));
        }
        let text = file.document.to_string();
        assert_eq!(ids(&read(&text).unwrap()), ["aaaaaa", "bbbbbb", "cccccc", "eeeeee", "ffffff"]);
        assert!(text.starts_with("# our own words\n\n[[accepted]]\nid = \"aaaaaa\""), "{text}");
        assert!(text.contains(
            "\n\n# the new buttons\n[[accepted]]\nid    = 'bbbbbb'   # see the wiki\nsummary = \"x\"\n"
        ));
        for id in ["aaaaaa", "cccccc", "ffffff"] {
            file.remove(&ChangeId(id.to_owned()));
        }
        assert_eq!(file.document.to_string(), mine, "adding and removing leaves no trace");
    }

    #[test]
    fn a_file_that_was_emptied_keeps_its_heading() {
        let mut file = read("").unwrap();
        file.add(entry("aaaaaa", "x"));
        let full = file.document.to_string();
        file.remove(&ChangeId("aaaaaa".to_owned()));
        assert_eq!(file.document.to_string(), HEADING);
        let mut file = read(HEADING).unwrap();
        file.add(entry("aaaaaa", "x"));
        assert_eq!(file.document.to_string(), full);
    }

    fn change(difference: Difference) -> Change {
        let (keys, steps, sessions) = (Vec::new(), Vec::new(), Vec::new());
        Change { id: difference.change_id(), difference, keys, steps, sessions, at_once: 1 }
    }

    #[test]
    fn an_entry_that_was_edited_is_noticed() {
        let told = r#"text "a" became "b 7""#;
        let mut old = entry(&ChangeId::of_format_1(told).0, told);
        assert!(old.agrees());
        old.summary = r#"text "a" became "c 7""#.to_owned();
        assert!(!old.agrees());
        old.seen_by = Some("State".to_owned());
        assert!(old.agrees(), "the first format left values out of what it hashed");
        let text = Difference::changed("C-WD", Place::Text { after: None }, "a", "b 7");
        let mut new = Entry::of(&change(text), None);
        assert!(new.agrees());
        new.summary = "in other words".to_owned();
        assert!(new.agrees(), "the words are for readers");
        new.is = Some("c 7".to_owned());
        assert!(!new.agrees());
    }

    /// Catches a place that is not read back as it was written, or an entry that loses what people wrote when it is converted.
    #[test]
    fn an_entry_of_the_first_format_is_converted_with_its_reason() {
        let mut file = read(
            "[[accepted]]\nid = \"aaaaaa\"\nsummary = \"x\"\nreason = \"the new design\"\ndate = 2026-11-15\n",
        )
        .unwrap();
        let place = Place::Attribute {
            element: "a".to_owned(),
            named: Some("it's \"home\"".to_owned()),
            attribute: "href".to_owned(),
        };
        let change = change(Difference::changed("N+I", place, "/x", "/y"));
        file.convert(&ChangeId("aaaaaa".to_owned()), &change);
        let again = read(&file.document.to_string()).unwrap();
        assert_eq!(again.entries, file.entries);
        let entry = &again.entries[0];
        assert_eq!((&entry.id, entry.reason.as_deref()), (&change.id, Some("the new design")));
        assert_eq!(entry.date.as_deref(), Some("2026-11-15"));
        assert!(entry.agrees() && again.accepted().of(&change.difference) == Some(&change.id));
    }
}
