//! A tester's own comparator, as she writes it: `[comparators.mine]` of `restage.toml`.

use serde::Deserialize;
use thiserror::Error;

use crate::comparators::features::{Features, FormDetail, TagDetail, TextDetail};

/// What a comparator is to look at, as written.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Definition {
    /// How much of the text.
    pub text: TextDetail,
    /// How much of the tags, in order.
    pub tags: TagDetail,
    /// Whether closing tags count; where not said, they do with `tags = "all"`.
    pub closing: Option<bool>,
    /// Whether style tags and attributes count; where not said, they do.
    pub style: Option<bool>,
    /// Whether layout tags and attributes count; where not said, they do.
    pub layout: Option<bool>,
    /// Whether links and images count, in any order.
    pub links: bool,
    /// How much of the forms, in any order.
    pub forms: FormDetail,
    /// Whether text and tags are seen in their place among each other.
    pub in_place: bool,
}

impl Default for Definition {
    fn default() -> Self {
        Self {
            text: TextDetail::Nothing,
            tags: TagDetail::Nothing,
            closing: None,
            style: None,
            layout: None,
            links: false,
            forms: FormDetail::Nothing,
            in_place: false,
        }
    }
}

/// Why a definition makes no sense.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum DefinitionError {
    /// It would never see a difference.
    #[error("it looks at nothing\n  hint: give it `text`, `tags`, `links` or `forms`")]
    Nothing,
    /// A key that says which tags, without tags.
    #[error(
        "`{0}` is about tags, and `tags` is \"none\"\n  hint: add tags = \"names\", \"important\" or \"all\""
    )]
    NoTags(&'static str),
    /// In place among what?
    #[error("`in-place` is about text among tags\n  hint: it needs both `text` and `tags`")]
    NotBoth,
    /// A list in any order of what is seen in order already.
    #[error(
        "`{0}` in any order cannot be asked of a comparator that sees them in order by its `tags`\n  hint: with tags = \"names\", `{0}` adds them in any order"
    )]
    SeenInOrder(&'static str),
}

impl Definition {
    /// What it looks at.
    pub fn features(&self) -> Result<Features, DefinitionError> {
        let tagged = self.tags > TagDetail::Nothing;
        let worded = self.text > TextDetail::Nothing;
        if !tagged && !worded && !self.links && self.forms == FormDetail::Nothing {
            return Err(DefinitionError::Nothing);
        }
        if self.in_place && !(tagged && worded) {
            return Err(DefinitionError::NotBoth);
        }
        let about_tags = [("closing", self.closing), ("style", self.style), ("layout", self.layout)];
        if let Some((key, _)) = about_tags.into_iter().find(|(_, said)| said.is_some() && !tagged) {
            return Err(DefinitionError::NoTags(key));
        }
        if self.links && self.tags >= TagDetail::Important {
            return Err(DefinitionError::SeenInOrder("links"));
        }
        let forms_in_order = match self.forms {
            FormDetail::Nothing => false,
            FormDetail::Offered => self.tags >= TagDetail::Important,
            FormDetail::Selected => self.tags == TagDetail::All,
        };
        if forms_in_order {
            return Err(DefinitionError::SeenInOrder("forms"));
        }
        Ok(Features {
            bytes: false,
            text: self.text,
            tags: self.tags,
            interleaved: self.in_place,
            closing: self.closing.unwrap_or(self.tags == TagDetail::All),
            style: self.style.unwrap_or(true),
            layout: self.layout.unwrap_or(true),
            links: self.links,
            forms: self.forms,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparators::comparator::Comparator;

    #[test]
    fn the_named_ones_can_be_defined() {
        let names = Definition { tags: TagDetail::Names, ..Definition::default() };
        let unordered = Definition { style: Some(false), links: true, ..names.clone() };
        let document = Definition {
            text: TextDetail::Words,
            tags: TagDetail::All,
            in_place: true,
            ..Definition::default()
        };
        for (definition, id) in [(names, "N"), (unordered, "N-S+U"), (document, "DB-W")] {
            assert_eq!(definition.features().unwrap(), Comparator::named(id).unwrap().features(), "{id}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_told() {
        let none = Definition::default();
        assert_eq!(none.features(), Err(DefinitionError::Nothing));
        let text = Definition { text: TextDetail::Words, ..Definition::default() };
        assert_eq!(
            Definition { style: Some(false), ..text.clone() }.features(),
            Err(DefinitionError::NoTags("style"))
        );
        assert_eq!(Definition { in_place: true, ..text }.features(), Err(DefinitionError::NotBoth));
        let tags = Definition { tags: TagDetail::Important, ..Definition::default() };
        assert_eq!(
            Definition { links: true, ..tags.clone() }.features(),
            Err(DefinitionError::SeenInOrder("links"))
        );
        assert!(Definition { forms: FormDetail::Selected, ..tags }.features().is_ok());
    }
}
