//! The named comparators, and comparing two documents by one.

use std::borrow::Cow;
use std::fmt;

use restage_model::Difference;

use crate::comparators::features::{Features, FormDetail, TagDetail, TextDetail};
use crate::diff::page_diff::differences;
use crate::page::document::Document;

const TAGS: Features = Features::tags(TagDetail::All);
const NAMES: Features = Features::tags(TagDetail::Names);
const IMPORTANT: Features = Features::tags(TagDetail::Important);

/// A named point in the space of features.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparator {
    id: Cow<'static, str>,
    name: Cow<'static, str>,
    features: Features,
}

impl Comparator {
    /// Paper 2's 22 comparators.
    pub const ALL: &'static [Self] = &[
        Self::point("D", "Document", Features::BYTES),
        Self::point("DB", "DocumentBase", Features::document(TextDetail::Exact)),
        Self::point("DB-W", "DocumentBase, white space collapsed", Features::document(TextDetail::Words)),
        Self::point("C", "Content", Features::text(TextDetail::Exact)),
        Self::point("C-W", "Content, white space collapsed", Features::text(TextDetail::Words)),
        Self::point(
            "C-WD",
            "Content, white space collapsed, dates masked",
            Features::text(TextDetail::WordsWithoutDates),
        ),
        Self::point("T", "Tags", TAGS),
        Self::point("T-S", "Tags without style", TAGS.without_style()),
        Self::point("T-SL", "Tags without style and layout", TAGS.without_style_and_layout()),
        Self::point("N", "TagNames", NAMES),
        Self::point("N-S", "TagNames without style", NAMES.without_style()),
        Self::point("N-SL", "TagNames without style and layout", NAMES.without_style_and_layout()),
        Self::point("N+I", "TagNames+ImptAttrs", IMPORTANT),
        Self::point("N+I-S", "TagNames+ImptAttrs without style", IMPORTANT.without_style()),
        Self::point(
            "N+I-SL",
            "TagNames+ImptAttrs without style and layout",
            IMPORTANT.without_style_and_layout(),
        ),
        Self::point("N+U", "TagNames, UnorderedLinks", NAMES.with_links()),
        Self::point("N-S+U", "TagNames without style, UnorderedLinks", NAMES.without_style().with_links()),
        Self::point(
            "N-SL+U",
            "TagNames without style and layout, UnorderedLinks",
            NAMES.without_style_and_layout().with_links(),
        ),
        Self::point("N+F", "TagNames, Forms", NAMES.with_forms(FormDetail::Selected)),
        Self::point("N+F-Sel", "TagNames, Forms without selection", NAMES.with_forms(FormDetail::Offered)),
        Self::point(
            "N-SL+F",
            "TagNames without style and layout, Forms",
            NAMES.without_style_and_layout().with_forms(FormDetail::Selected),
        ),
        Self::point(
            "N-SL+F-Sel",
            "TagNames without style and layout, Forms without selection",
            NAMES.without_style_and_layout().with_forms(FormDetail::Offered),
        ),
    ];

    const fn point(id: &'static str, name: &'static str, features: Features) -> Self {
        Self { id: Cow::Borrowed(id), name: Cow::Borrowed(name), features }
    }

    /// A comparator of one's own. [`Comparators::define`](crate::Comparators::define) checks that its id can be
    /// used in expressions.
    pub fn own(id: &str, features: Features) -> Self {
        Self { id: Cow::Owned(id.to_owned()), name: Cow::Owned(format!("{id}, of this project")), features }
    }

    /// The one of the 22 with this id, in any case.
    pub fn named(id: &str) -> Option<Self> {
        Self::ALL.iter().find(|c| c.is_called(id)).cloned()
    }

    /// Whether this is its id, in any case.
    pub fn is_called(&self, id: &str) -> bool {
        self.id.eq_ignore_ascii_case(id)
    }

    /// Its short name: `C-WD`.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Its long name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it looks at.
    pub fn features(&self) -> Features {
        self.features
    }

    /// Whether it sees strictly less than `other`.
    pub fn is_below(&self, other: &Self) -> bool {
        self.features.is_within(other.features) && !other.features.is_within(self.features)
    }

    /// Whether it sees a difference.
    pub fn differs(&self, expected: &Document<'_>, actual: &Document<'_>) -> bool {
        expected.differs(actual, self.features)
    }
}

impl fmt::Display for Comparator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.id)
    }
}

/// What a comparator says differs between two documents; nothing where, and only where, they are the same to it.
pub fn compare(comparator: &Comparator, expected: &Document<'_>, actual: &Document<'_>) -> Vec<Difference> {
    if !comparator.differs(expected, actual) {
        return Vec::new();
    }
    differences(&[comparator], expected, actual)
}
