//! A tag, with a hash for each amount of detail.

use restage_html::Attrs;

use crate::comparators::features::Way;
use crate::page::digest::{both, hash};
use crate::page::elements::{self, Element};

/// A tag of a page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tag {
    /// Its place among the page's tokens.
    pub(crate) token: u32,
    pub(crate) closing: bool,
    pub(crate) style: bool,
    pub(crate) layout: bool,
    /// Of its name.
    pub(crate) name: u64,
    /// Of its name and important attributes, event handlers among them.
    pub(crate) important: u64,
    /// Of its event handlers; 0 where it has none.
    pub(crate) events: u64,
    /// Of its name and all attributes that count, in each of the [`Way`](crate::comparators::features::Way)s.
    pub(crate) all: [u64; 4],
}

impl Tag {
    pub(crate) fn open(token: u32, name: &[u8], element: Element, attrs: Attrs<'_>) -> Self {
        let name_hash = hash(name);
        // Sums, since the order of attributes means nothing.
        let mut all = [name_hash; 4];
        let mut events = 0_u64;
        for (attribute, value) in attrs.iter() {
            let pair = both(hash(attribute), hash(value));
            events = events.wrapping_add(pair & u64::from(elements::is_event(attribute)).wrapping_neg());
            let (style, layout) = elements::is_style_or_layout_attribute(attribute);
            for way in Way::ALL {
                // Without a jump: which attributes are of style is hard to foresee.
                let kept = pair & u64::from(way.keeps(style, layout)).wrapping_neg();
                all[way.at()] = all[way.at()].wrapping_add(kept);
            }
        }
        Self {
            token,
            closing: false,
            style: element.is_style(),
            layout: element.is_layout(),
            name: name_hash,
            important: with_events(with_attributes(name_hash, element.important(), attrs), events),
            events,
            all,
        }
    }

    pub(crate) fn close(token: u32, name: &[u8], element: Element) -> Self {
        let hash = both(1, hash(name));
        let (style, layout) = (element.is_style(), element.is_layout());
        Self { token, closing: true, style, layout, name: hash, important: hash, events: 0, all: [hash; 4] }
    }
}

/// The hash of a name with some of its attributes, missing ones as their defaults.
pub(crate) fn with_attributes(name: u64, counting: &[(&str, Option<&str>)], attrs: Attrs<'_>) -> u64 {
    let mut out = name;
    for (attribute, default) in counting {
        let value = attrs.get(attribute).or(default.map(str::as_bytes));
        let value = match value {
            None => 0,
            Some(value) if elements::is_keyword(attribute) && value.iter().any(u8::is_ascii_uppercase) => {
                hash(&value.to_ascii_lowercase())
            }
            Some(value) => hash(value),
        };
        out = both(out, value);
    }
    out
}

/// The same, with what a script does when the element is clicked, sent or left: to a user, that is where it leads.
pub(crate) fn with_events(attributes: u64, events: u64) -> u64 {
    if events == 0 { attributes } else { both(attributes, events) }
}
