//! The space that comparators are points of.
//!
//! Each feature is ordered from seeing less to seeing more, so the partial order of paper 2's figure 3
//! is not a table but a consequence: one comparator is below another when it sees less or the same in
//! every feature.

/// How much of the text is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextDetail {
    /// None of it.
    Nothing,
    /// Its words, with dates and times masked.
    WordsWithoutDates,
    /// Its words: white space collapsed, as browsers do.
    Words,
    /// Its characters.
    Exact,
}

/// How much of the tags is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TagDetail {
    /// None of them.
    Nothing,
    /// Their names.
    Names,
    /// Their names and important attributes, with defaults filled in.
    Important,
    /// Their names and all attributes.
    All,
}

/// How much of the forms' inputs and choices is seen beside the tags, in any order (paper 2's P6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FormDetail {
    /// Nothing.
    Nothing,
    /// Inputs and choices, but not what is chosen at first (P7).
    Offered,
    /// What is chosen at first, too.
    Selected,
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
