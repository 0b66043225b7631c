//! The same part of a page in other words: a name on the page of each user, a link that leads elsewhere on each.

use std::collections::HashMap;

use restage_model::{Change, Place, number_free};

use super::Clusters;

pub(super) fn join(changes: &[Change], clusters: &mut Clusters) {
    let mut first: HashMap<String, usize> = HashMap::new();
    for (at, change) in changes.iter().enumerate() {
        let direction = (change.difference.was.is_some(), change.difference.is.is_some());
        for part in parts(&change.difference.place) {
            let pages = change.keys.iter().map(|key| key.as_str());
            // What only data shows has no page.
            for page in pages.chain(change.keys.is_empty().then_some("")) {
                let earlier = *first.entry(format!("{page}\n{part}\n{direction:?}")).or_insert(at);
                clusters.join(earlier, at);
            }
        }
    }
}

/// Names what a person would call the same sort of thing: rows of a table, texts behind the same words.
pub(super) fn sort_of(place: &Place) -> String {
    match place {
        Place::Row { database, table, .. } => format!("row {database} {table}"),
        place => parts(place).pop().unwrap_or_else(|| format!("{:?}", std::mem::discriminant(place))),
    }
}

/// Names of the parts that are one thing whatever is in them; none where the place says too little.
fn parts(place: &Place) -> Vec<String> {
    let option = |text: &Option<String>| text.clone().unwrap_or_default();
    let part = match place {
        Place::Text { after: Some(after) } => format!("text {}", number_free(after)),
        Place::Attribute { element, named, attribute } => {
            format!("attribute {element} {} {attribute}", option(named))
        }
        Place::Entry { choice_of: Some(select) } => format!("choice {select}"),
        Place::Json { path } => format!("JSON {path}"),
        Place::Xml { path, attribute, .. } => format!("XML {path} {}", option(attribute)),
        Place::Header { name, .. } => format!("header {name}"),
        Place::Cookie { name, .. } => format!("cookie {name}"),
        Place::Row { database, table, cells, .. } => {
            let changed = cells.iter().filter(|cell| cell.was.is_some() && cell.is.is_some());
            let columns: Vec<String> =
                changed.map(|cell| format!("row {database} {table} {}", cell.column)).collect();
            // Of a row that is gone or came, no column tells more than the others.
            return if columns.is_empty() { vec![format!("row {database} {table}")] } else { columns };
        }
        Place::Stored { table: Some(table), database, .. } => format!("row {database} {table}"),
        _ => return Vec::new(),
    };
    vec![part]
}
