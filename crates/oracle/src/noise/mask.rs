//! One part of a page that varies.

use std::collections::BTreeSet;
use std::fmt;

use foldhash::{HashMap, HashMapExt};

use super::selector::Selector;
use super::values::pattern::Pattern;

/// One part of a page that varies, and is covered before pages are compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Mask {
    pub(crate) at: Selector,
    pub(crate) part: Part,
    /// Some of what was seen there, for whoever reads the profile.
    pub(crate) seen: BTreeSet<String>,
    /// The sessions in which it holds, by name: in the others it was not seen to vary. None means all.
    pub(crate) sessions: BTreeSet<String>,
}

/// Which part of an element.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Part {
    /// A part of an attribute's value.
    Attribute { name: String, like: Pattern },
    /// A part of the text right inside.
    Text { like: Pattern },
    /// Its place among its siblings of the same name.
    Order(Ties),
    /// How many of it there are: those that look the same under the other masks count once.
    Length,
    /// Whether it is there.
    Presence,
}

/// Which items of a list have no order among each other.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ties {
    /// None of them has.
    All,
    /// Those of one group, known by their first link, or their text.
    Groups(Vec<Group>),
}

/// Items that tie.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Group {
    pub(crate) items: BTreeSet<String>,
    /// Whether some are left out for others of the group, as where a list ends among equals.
    pub(crate) substitutes: bool,
}

impl Mask {
    /// The sessions it is limited to; none where it holds in all.
    pub fn sessions(&self) -> impl Iterator<Item = &str> {
        self.sessions.iter().map(String::as_str)
    }

    /// Whether it holds in a session.
    pub(crate) fn is_of(&self, session: &str) -> bool {
        self.sessions.is_empty() || self.sessions.contains(session)
    }

    /// Whether it tells so exactly what varies that it is good for other pages, too: a part of a value, of an element that has a
    /// name.
    pub(crate) fn is_good_anywhere(&self) -> bool {
        let (Part::Attribute { like, .. } | Part::Text { like }) = &self.part else { return false };
        !like.is_whole() && self.at.last().contains(['.', '#', '['])
    }
}

impl Part {
    /// Whether it says which items of a list count, and in which order.
    pub(crate) fn is_of_lists(&self) -> bool {
        matches!(self, Self::Order(_) | Self::Length)
    }

    /// Whether it says which elements there are, or in which order.
    pub(crate) fn is_structural(&self) -> bool {
        self.is_of_lists() || matches!(self, Self::Presence)
    }
}

impl Ties {
    /// The group that an item is of, by its place.
    pub(crate) fn group(&self, item: &str) -> Option<usize> {
        match self {
            Self::All => Some(0),
            Self::Groups(groups) => groups.iter().position(|group| group.items.contains(item)),
        }
    }
}

impl fmt::Display for Mask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = &self.at;
        match &self.part {
            Part::Attribute { name, like } if like.is_whole() => write!(f, "{name} of {at}"),
            Part::Attribute { name, like } => write!(f, "{name} of {at}, where it is like `{like}`"),
            Part::Text { like } if like.is_whole() => write!(f, "text of {at}"),
            Part::Text { like } => write!(f, "text of {at}, where it is like `{like}`"),
            Part::Order(Ties::All) => write!(f, "order of {at}"),
            Part::Order(Ties::Groups(_)) => write!(f, "order of {at} among those that tie"),
            Part::Length => write!(f, "number of {at}"),
            Part::Presence => write!(f, "presence of {at}"),
        }
    }
}

/// The masks of a page, by the last element of their selectors.
#[derive(Debug, Default)]
pub(crate) struct Masks<'m> {
    all: Vec<&'m Mask>,
    by_element: HashMap<&'m str, Vec<usize>>,
    /// Whether some say which items of a list count.
    of_lists: bool,
}

impl<'m> Masks<'m> {
    pub(crate) fn of(masks: impl IntoIterator<Item = &'m Mask>) -> Self {
        let all: Vec<&Mask> = masks.into_iter().collect();
        let mut by_element: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, mask) in all.iter().enumerate() {
            by_element.entry(mask.at.last()).or_default().push(index);
        }
        let of_lists = all.iter().any(|mask| mask.part.is_of_lists());
        Self { all, by_element, of_lists }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether some say which items of a list count.
    pub(crate) fn are_of_lists(&self) -> bool {
        self.of_lists
    }

    /// Those that say that the number of items varies.
    pub(crate) fn lengths(&self) -> impl Iterator<Item = &'m Mask> {
        self.all.iter().copied().filter(|mask| mask.part == Part::Length)
    }

    /// The masks of an element, by their numbers. Where it stands is looked at only where one may match.
    pub(crate) fn on(&self, element: &str, is_at: impl Fn(&Selector) -> bool) -> Vec<usize> {
        let Some(candidates) = self.by_element.get(element) else { return Vec::new() };
        candidates.iter().copied().filter(|index| is_at(&self.all[*index].at)).collect()
    }

    pub(crate) fn get(&self, index: usize) -> &'m Mask {
        self.all[index]
    }
}
