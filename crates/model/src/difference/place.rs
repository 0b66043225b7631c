//! Where a difference is.

use serde::{Deserialize, Serialize};

/// Where a difference is, in the terms of what was compared.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "in", rename_all = "kebab-case")]
pub enum Place {
    /// The text of a page.
    Text {
        /// The line before it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<String>,
    },
    /// White space in the text of a page.
    WhiteSpace {
        /// The line before it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<String>,
    },
    /// An attribute of a tag.
    Attribute {
        /// The tag's name.
        element: String,
        /// What the tag is known by: its `name`, its `id`, a choice's `value`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        named: Option<String>,
        /// The attribute.
        attribute: String,
    },
    /// Tags, in order.
    Tags {
        /// How many were there.
        removed: usize,
        /// How many are there.
        added: usize,
    },
    /// A link, an image or a form's control, wherever on the page it is.
    Entry {
        /// The name of the `select` that it is a choice of.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        choice_of: Option<String>,
    },
    /// A style sheet in the page.
    StyleSheet,
    /// Tags and text together.
    Markup,
    /// Lines of a page's source: comments, scripts, how tags are written.
    Source,
    /// A body as a whole, by its size.
    Content,
    /// A value in JSON.
    Json {
        /// Where: `$.items[2].price`.
        path: String,
    },
    /// An element, a text or an attribute in XML.
    Xml {
        /// The element: `/rss/channel/item[2]`.
        path: String,
        /// Its attribute, where that is meant.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        attribute: Option<String>,
        /// Whether its text is meant.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        text: bool,
    },
    /// Whether a body can be read as what it is said to be.
    Validity {
        /// `JSON`, `XML`.
        format: String,
        /// Whether it can be read now, and could not before.
        now_valid: bool,
        /// Why it cannot, or could not.
        why: String,
    },
    /// Lines of plain text.
    Lines {
        /// The first, from 1.
        first: usize,
        /// How many.
        count: usize,
    },
    /// A body of bytes.
    Binary {
        /// Its type and size as expected.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        was: Option<(String, usize)>,
        /// Its type and size now.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        is: Option<(String, usize)>,
    },
    /// A response header.
    Header {
        /// Its name, in small letters.
        name: String,
        /// Which part of its value: a directive, `charset`, `filename`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        part: Option<String>,
    },
    /// A cookie that is set.
    Cookie {
        /// Its name.
        name: String,
        /// Its attribute, where that is meant.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        attribute: Option<String>,
    },
    /// The address that was asked for.
    Address {
        /// What led there: `a link on /cart`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        via: Option<String>,
    },
    /// There is no answer: what was is the status, what is says why.
    NoAnswer,
    /// There was no answer: what was says why, what is is the status.
    Answered,
    /// The status.
    Status,
    /// Where a redirect leads.
    Redirect,
    /// The content type, as far as it decides what a browser does.
    ContentType,
    /// An error that the server printed.
    Error {
        /// `PHP`, `Python`, …
        language: String,
        /// Its type and message, without the values in it.
        message: String,
        /// The source file, as printed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        file: Option<String>,
        /// The line in it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        line: Option<u32>,
    },
    /// A row of a table.
    Row {
        /// The database: a file or a server's.
        database: String,
        /// The table.
        table: String,
        /// Its key, column by column; empty where it has none.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        row: Vec<(String, String)>,
        /// What it is known by, where it has no key: columns with their values.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        with: Vec<(String, String)>,
        /// The columns that differ; of a row that is gone or appeared, the first ones.
        cells: Vec<CellChange>,
        /// Whether there are more columns than these.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        more: bool,
    },
    /// Something else that a database keeps.
    Stored {
        /// What.
        thing: StoredThing,
        /// Its name.
        name: String,
        /// The table that it is of, where it is of one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        table: Option<String>,
        /// The database.
        database: String,
    },
    /// A file, a folder or a symbolic link.
    File {
        /// Its path.
        path: String,
        /// Where it is now, where that is elsewhere.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        now: Option<String>,
        /// `file`, `folder`, `link`.
        thing: String,
        /// What of it.
        aspect: FileAspect,
    },
    /// A database that cannot be compared.
    Unreadable {
        /// Its path.
        path: String,
    },
    /// One of two folders lacks the file.
    WholeFile,
    /// Differences that are counted and not told.
    More {
        /// How many.
        count: usize,
        /// Of what: `rows of line (shop.db)`; none for parts of a page.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        of: Option<String>,
    },
}

impl Place {
    /// The texts in it that come from what was compared.
    pub(super) fn texts_mut(&mut self) -> Vec<&mut String> {
        match self {
            Self::Text { after } | Self::WhiteSpace { after } => after.iter_mut().collect(),
            Self::Attribute { named, .. } => named.iter_mut().collect(),
            Self::Entry { choice_of } => choice_of.iter_mut().collect(),
            Self::Json { path } | Self::Xml { path, .. } | Self::Unreadable { path } => vec![path],
            Self::Validity { why, .. } => vec![why],
            Self::Header { part, .. } => part.iter_mut().collect(),
            Self::Address { via } => via.iter_mut().collect(),
            Self::Error { message, file, .. } => std::iter::once(message).chain(file).collect(),
            Self::Row { row, with, cells, .. } => {
                let cells = cells.iter_mut().flat_map(|cell| cell.was.iter_mut().chain(&mut cell.is));
                row.iter_mut().chain(with).map(|(_, value)| value).chain(cells).collect()
            }
            Self::Stored { name, .. } => vec![name],
            Self::File { path, now, .. } => std::iter::once(path).chain(now).collect(),
            Self::Cookie { .. }
            | Self::Tags { .. }
            | Self::StyleSheet
            | Self::Markup
            | Self::Source
            | Self::Content
            | Self::Lines { .. }
            | Self::Binary { .. }
            | Self::NoAnswer
            | Self::Answered
            | Self::Status
            | Self::Redirect
            | Self::ContentType
            | Self::WholeFile
            | Self::More { .. } => Vec::new(),
        }
    }
}

/// A column of a row that differs, its values as shown in a line.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CellChange {
    /// The column.
    pub column: String,
    /// Its value as expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
    /// Its value now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is: Option<String>,
}

/// What a database keeps beside rows.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StoredThing {
    /// A table.
    Table,
    /// A column's declaration.
    Column,
    /// A view, an index, a trigger and the like, by its kind.
    Object(String),
    /// The highest id that was given in a table.
    HighestId,
    /// The next id that a counter gives.
    NextId,
    /// A number of the database itself: `user_version`.
    Setting,
}

/// What differs of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileAspect {
    /// Whether it is there.
    Presence,
    /// What is in it.
    Content {
        /// Its size as expected.
        was: u64,
        /// Its size now.
        is: u64,
        /// The first line that differs, from 1; none where it is not text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        line: Option<usize>,
    },
    /// Its permissions.
    Permissions,
    /// Where a link leads.
    Target,
    /// Whether it is a file, a folder or a link.
    Thing,
}
