//! The space that comparators are points of.
//!
//! Each feature is ordered from seeing less to seeing more, so the partial order of paper 2's figure 3
//! is not a table but a consequence: one comparator is below another when it sees less or the same in
//! every feature.

use serde::Deserialize;

use crate::page::elements::{self, Element};

/// How much of the text is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TextDetail {
    /// None of it.
    #[serde(rename = "none")]
    Nothing,
    /// Its words, with dates and times masked.
    WordsWithoutDates,
    /// Its words: white space collapsed, as browsers do.
    Words,
    /// Its characters.
    Exact,
}

/// How much of the tags is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TagDetail {
    /// None of them.
    #[serde(rename = "none")]
    Nothing,
    /// Their names.
    Names,
    /// Their names and important attributes, with defaults filled in.
    Important,
    /// Their names and all attributes.
    All,
}

/// How much of the forms' inputs and choices is seen beside the tags, in any order (paper 2's P6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FormDetail {
    /// Nothing.
    #[serde(rename = "none")]
    Nothing,
    /// Inputs and choices, but not what is chosen at first (P7).
    Offered,
    /// What is chosen at first, too.
    Selected,
}

/// In which of the four ways style and layout are kept or left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    style: bool,
    layout: bool,
}

impl Way {
    pub(crate) const ALL: [Self; 4] = [
        Self { style: false, layout: false },
        Self { style: false, layout: true },
        Self { style: true, layout: false },
        Self { style: true, layout: true },
    ];

    /// Those that a named comparator sees in: none leaves out layout and keeps style.
    pub(crate) const NAMED: [Self; 3] = [Self::ALL[0], Self::ALL[1], Self::ALL[3]];

    /// Whether a named comparator sees in it.
    pub(crate) fn is_named(self) -> bool {
        self.layout || !self.style
    }

    /// Its place among [`Way::ALL`].
    pub(crate) fn at(self) -> usize {
        usize::from(self.style) * 2 + usize::from(self.layout)
    }

    /// Whether it keeps a tag or an attribute that is one of style, of layout, or neither.
    pub(crate) fn keeps(self, style: bool, layout: bool) -> bool {
        (self.style || !style) && (self.layout || !layout)
    }
}

/// What a comparator looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features {
    /// The response's bytes, whatever they mean; all else is contained in them.
    pub bytes: bool,
    /// How much of the text.
    pub text: TextDetail,
    /// How much of the tags, in order.
    pub tags: TagDetail,
    /// Whether text and tags are seen in their place among each other.
    pub interleaved: bool,
    /// Whether closing tags count (P1).
    pub closing: bool,
    /// Whether style tags and attributes count (P3).
    pub style: bool,
    /// Whether layout tags and attributes count (P2).
    pub layout: bool,
    /// Whether links and images are seen with their important attributes, in any order (P5).
    pub links: bool,
    /// How much of the forms, in any order.
    pub forms: FormDetail,
}

impl Features {
    /// Nothing at all.
    pub const NOTHING: Self = Self {
        bytes: false,
        text: TextDetail::Nothing,
        tags: TagDetail::Nothing,
        interleaved: false,
        closing: false,
        style: true,
        layout: true,
        links: false,
        forms: FormDetail::Nothing,
    };

    /// The bytes.
    pub const BYTES: Self = Self { bytes: true, ..Self::document(TextDetail::Exact) };

    /// The whole document: tags and text, each in its place.
    pub const fn document(text: TextDetail) -> Self {
        Self { text, interleaved: true, ..Self::tags(TagDetail::All) }
    }

    /// Text alone.
    pub const fn text(text: TextDetail) -> Self {
        Self { text, ..Self::NOTHING }
    }

    /// Tags alone. Closing tags count only where all attributes do.
    pub const fn tags(tags: TagDetail) -> Self {
        Self { tags, closing: matches!(tags, TagDetail::All), ..Self::NOTHING }
    }

    /// What is seen of a page beside its very bytes.
    pub(crate) const fn without_bytes(self) -> Self {
        Self { bytes: false, ..self }
    }

    /// The same, without style.
    #[must_use]
    pub const fn without_style(self) -> Self {
        Self { style: false, ..self }
    }

    /// The same, without style and layout.
    #[must_use]
    pub const fn without_style_and_layout(self) -> Self {
        Self { style: false, layout: false, ..self }
    }

    /// The same, and links and images in any order.
    #[must_use]
    pub const fn with_links(self) -> Self {
        Self { links: true, ..self }
    }

    /// The same, and forms in any order.
    #[must_use]
    pub const fn with_forms(self, forms: FormDetail) -> Self {
        Self { forms, ..self }
    }

    /// Whether an attribute of an element counts: to the tags in order or, where `listed`, to a list.
    pub(crate) fn sees_attribute(self, listed: bool, element: &[u8], attribute: &[u8]) -> bool {
        let among =
            |counting: &[(&str, Option<&str>)]| counting.iter().any(|(name, _)| name.as_bytes() == attribute);
        if listed {
            let selection =
                matches!(attribute, b"checked" | b"selected") && self.forms == FormDetail::Selected;
            let counting = elements::listed(element);
            return selection
                || elements::is_event(attribute)
                || among(counting.unwrap_or_else(|| Element::of(element).important()));
        }
        match self.tags {
            TagDetail::Nothing | TagDetail::Names => false,
            TagDetail::Important => elements::is_event(attribute) || among(Element::of(element).important()),
            TagDetail::All => {
                let (style, layout) = elements::is_style_or_layout_attribute(attribute);
                self.way().keeps(style, layout)
            }
        }
    }

    /// In which way style and layout are seen.
    pub(crate) fn way(self) -> Way {
        Way { style: self.style, layout: self.layout }
    }

    /// Whether all that this sees, `other` sees too: `self` is below `other`, or is it.
    pub fn is_within(self, other: Self) -> bool {
        if other.bytes || self.bytes {
            return other.bytes;
        }
        // Style and layout are seen only as far as tags are.
        let tagged = self.tags > TagDetail::Nothing;
        self.text <= other.text
            && self.tags <= other.tags
            && self.interleaved <= other.interleaved
            && self.closing <= other.closing
            && (!tagged || self.style <= other.style)
            && (!tagged || self.layout <= other.layout)
            // What is seen in order, with its attributes, is seen in any order.
            && (!self.links || other.links || other.tags >= TagDetail::Important)
            && (self.forms <= other.forms
                || other.tags == TagDetail::All
                || self.forms == FormDetail::Offered && other.tags >= TagDetail::Important)
    }
}
