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
    /// Its words.
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

/// What a comparator looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features {
    /// The response's bytes, whatever they mean; all else is contained in them.
    pub bytes: bool,
    /// How much of the text.
    pub text: TextDetail,
    /// How much of the tags.
    pub tags: TagDetail,
    /// Whether closing tags count.
    pub closing: bool,
    /// Whether style tags and attributes count.
    pub style: bool,
    /// Whether layout tags and attributes count.
    pub layout: bool,
}

impl Features {
    /// The bytes.
    pub const BYTES: Self = Self { bytes: true, ..Self::tags(TagDetail::All) };

    /// Text alone.
    pub const fn text(text: TextDetail) -> Self {
        Self { bytes: false, text, tags: TagDetail::Nothing, closing: false, style: false, layout: false }
    }

    /// Tags alone. Closing tags count only where all attributes do (paper 2's P1).
    pub const fn tags(tags: TagDetail) -> Self {
        let closing = matches!(tags, TagDetail::All);
        Self { bytes: false, text: TextDetail::Nothing, tags, closing, style: true, layout: true }
    }

    /// Whether all that this sees, `other` sees too: `self` is below `other`, or is it.
    pub fn is_within(self, other: Self) -> bool {
        if other.bytes || self.bytes {
            return other.bytes;
        }
        self.text <= other.text
            && self.tags <= other.tags
            && self.closing <= other.closing
            && self.style <= other.style
            && self.layout <= other.layout
    }
}
