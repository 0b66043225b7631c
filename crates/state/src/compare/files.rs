//! Files, links and folders that differ.

use std::collections::BTreeMap;

use super::clock::Clock;
use super::contents::{Contents, Item};
use super::finding::Findings;
use super::masks::{FileVaries, StateMasks};
use crate::error::Result;
use crate::folder::bytes;
use crate::manifest::DatabaseRecord;
use crate::snapshot_store::SnapshotStore;

/// A larger file is not looked into.
const READ: u64 = 1 << 20;

/// What differs in files.
#[derive(Default)]
pub(super) struct FilesDiff {
    pub(super) gone: Vec<(String, Item)>,
    pub(super) appeared: Vec<(String, Item)>,
    pub(super) changed: Vec<FileChange>,
}

/// A file that is not what it was.
pub(super) struct FileChange {
    pub(super) path: String,
    /// Its path now, where names vary.
    pub(super) now: String,
    pub(super) expected: Item,
    pub(super) actual: Item,
    /// Both contents, where they are small texts.
    pub(super) texts: Option<(String, String)>,
}

/// Two databases of the same path.
pub(super) struct DatabasePair {
    pub(super) path: String,
    pub(super) expected: DatabaseRecord,
    pub(super) actual: DatabaseRecord,
}

impl FilesDiff {
    pub(super) fn is_empty(&self) -> bool {
        self.gone.is_empty() && self.appeared.is_empty() && self.changed.is_empty()
    }
}

/// Finds the files that differ, and the databases to be looked into.
pub(super) fn files_diff(
    store: &mut SnapshotStore,
    (was, mut is): (Contents, Contents),
    masks: &StateMasks,
    clock: Clock,
    findings: &mut Findings,
) -> Result<Vec<DatabasePair>> {
    let mut databases = Vec::new();
    let mut looked = Looked { store, clock, findings };
    for (path, expected) in was {
        let Some(actual) = is.remove(&path) else {
            looked.findings.files.gone.push((path, expected));
            continue;
        };
        if expected.is_like(&actual) {
            continue;
        }
        let content_varies = masks.of_file(&path).is_some_and(FileVaries::has_content);
        match (as_database(&expected), as_database(&actual)) {
            _ if content_varies => looked.mask("content of", &path, &expected, &actual),
            (Some(expected), Some(actual)) => databases.push(DatabasePair { path, expected, actual }),
            _ => looked.compare((path.clone(), expected), (path, actual))?,
        }
    }
    looked.findings.files.appeared = is.into_iter().collect();
    looked.pair_by_mask(masks)?;
    Ok(databases)
}

/// An empty file is a database that nothing was written to yet, where the other is one.
fn as_database(item: &Item) -> Option<DatabaseRecord> {
    match item {
        Item::Database(record) => Some(record.clone()),
        Item::File { size: 0, .. } => Some(DatabaseRecord::Absent),
        _ => None,
    }
}

struct Looked<'a> {
    store: &'a mut SnapshotStore,
    clock: Clock,
    findings: &'a mut Findings,
}

impl Looked<'_> {
    /// Files whose names vary are paired by what is in them, and then as they come.
    fn pair_by_mask(&mut self, masks: &StateMasks) -> Result<()> {
        let pattern = |path: &str| {
            let varies = masks.of_file(path).filter(|varies| varies.has_name())?;
            let mask = masks.files.iter().find(|m| m.varies.has_name() && m.file.matches(path))?;
            Some((mask.file.to_string(), varies))
        };
        type Group = (Vec<(String, Item)>, Vec<(String, Item)>, FileVaries);
        let mut groups: BTreeMap<String, Group> = BTreeMap::new();
        let files = std::mem::take(&mut self.findings.files);
        self.findings.files.changed = files.changed;
        for (path, item) in files.gone {
            match pattern(&path) {
                Some((pattern, varies)) => {
                    groups.entry(pattern).or_insert((Vec::new(), Vec::new(), varies)).0.push((path, item));
                }
                None => self.findings.files.gone.push((path, item)),
            }
        }
        for (path, item) in files.appeared {
            match pattern(&path) {
                Some((pattern, varies)) => {
                    groups.entry(pattern).or_insert((Vec::new(), Vec::new(), varies)).1.push((path, item));
                }
                None => self.findings.files.appeared.push((path, item)),
            }
        }
        for (pattern, (mut gone, mut appeared, varies)) in groups {
            if varies == FileVaries::Number {
                let count = |list: &[(String, Item)]| list.len().to_string();
                let place = format!("number of {pattern}");
                self.findings.mask(place, count(&gone), count(&appeared));
                continue;
            }
            let mut left = Vec::new();
            for (path, was) in gone {
                match self.same_among(&was, &mut appeared)? {
                    Some(now) => self.findings.mask(format!("name of {pattern}"), path, now),
                    None => left.push((path, was)),
                }
            }
            gone = left;
            let both = gone.len().min(appeared.len());
            for (was, is) in gone.drain(..both).zip(appeared.drain(..both)).collect::<Vec<_>>() {
                self.findings.mask(format!("name of {pattern}"), was.0.clone(), is.0.clone());
                if varies.has_content() {
                    self.mask("content of", &pattern, &was.1, &is.1);
                } else {
                    self.compare(was, is)?;
                }
            }
            self.findings.files.gone.extend(gone);
            self.findings.files.appeared.extend(appeared);
        }
        Ok(())
    }

    /// Takes out the one of `among` that has the same content, but for times; its path.
    fn same_among(&mut self, was: &Item, among: &mut Vec<(String, Item)>) -> Result<Option<String>> {
        for at in 0..among.len() {
            let same = was.is_like(&among[at].1) || self.moved(was, &among[at].1)?;
            if same {
                return Ok(Some(among.remove(at).0));
            }
        }
        Ok(None)
    }

    /// Whether two files differ in nothing but times that move with the clock.
    fn moved(&mut self, was: &Item, is: &Item) -> Result<bool> {
        let texts = self.texts(was, is)?;
        Ok(texts.is_some_and(|(was, is)| self.clock.moves_text(&was, &is)))
    }

    fn compare(&mut self, (path, was): (String, Item), (now, is): (String, Item)) -> Result<()> {
        let texts = self.texts(&was, &is)?;
        if texts.as_ref().is_some_and(|(was, is)| self.clock.moves_text(was, is)) {
            self.mask("times in", &path, &was, &is);
            return Ok(());
        }
        self.findings.files.changed.push(FileChange { path, now, expected: was, actual: is, texts });
        Ok(())
    }

    /// Both contents, where they are small texts of files that differ in nothing else.
    fn texts(&mut self, was: &Item, is: &Item) -> Result<Option<(String, String)>> {
        let (Item::File { mode, size, content }, Item::File { mode: now, size: size_now, content: is }) =
            (was, is)
        else {
            return Ok(None);
        };
        if mode != now || *size > READ || *size_now > READ {
            return Ok(None);
        }
        let mut text = |content| Ok(String::from_utf8(bytes(self.store, content)?).ok());
        let (was, is): (Option<String>, Option<String>) = (text(*content)?, text(*is)?);
        Ok(was.zip(is).filter(|(was, is)| !was.contains('\0') && !is.contains('\0')))
    }

    fn mask(&mut self, what: &str, path: &str, was: &Item, is: &Item) {
        let said = |item: &Item| match item {
            Item::File { size, .. } => format!("{size} bytes"),
            Item::Link { target } => target.clone(),
            other => other.kind().to_owned(),
        };
        self.findings.mask(format!("{what} {path}"), said(was), said(is));
    }
}
