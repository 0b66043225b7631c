//! A tag, with a hash for each amount of detail.

use restage_html::Attrs;

use crate::digest::{both, hash};
use crate::elements;

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
    /// Of its name and important attributes.
    pub(crate) important: u64,
    /// Of its name and all attributes; without those of style; without those of style and layout.
    pub(crate) all: [u64; 3],
}

impl Tag {
    pub(crate) fn open(token: u32, name: &[u8], attrs: Attrs<'_>) -> Self {
        let name_hash = hash(name);
        // Sums, since the order of attributes means nothing.
        let mut all = [name_hash; 3];
        for (attribute, value) in attrs.iter() {
            let pair = both(hash(attribute), hash(value));
            all[0] = all[0].wrapping_add(pair);
            if !elements::is_style_attribute(attribute) {
                all[1] = all[1].wrapping_add(pair);
                if !elements::is_layout_attribute(attribute) {
                    all[2] = all[2].wrapping_add(pair);
                }
            }
        }
        Self {
            token,
            closing: false,
            style: elements::is_style(name),
            layout: elements::is_layout(name),
            name: name_hash,
            important: important(name_hash, name, attrs),
            all,
        }
    }

    pub(crate) fn close(token: u32, name: &[u8]) -> Self {
        let hash = both(1, hash(name));
        let (style, layout) = (elements::is_style(name), elements::is_layout(name));
        Self { token, closing: true, style, layout, name: hash, important: hash, all: [hash; 3] }
    }
}

/// The hash of a name with its important attributes, missing ones as their defaults.
pub(crate) fn important(name_hash: u64, name: &[u8], attrs: Attrs<'_>) -> u64 {
    let mut out = name_hash;
    for (attribute, default) in elements::important(name) {
        let value = attrs.get(attribute).or(default.map(str::as_bytes));
        let value = match value {
            None => 0,
            Some(value) if elements::is_keyword(attribute) => hash(&value.to_ascii_lowercase()),
            // What a script does is not looked at (P4).
            Some(value) if value.len() > 11 && value[..11].eq_ignore_ascii_case(b"javascript:") => hash(b"javascript:"),
            Some(value) => hash(value),
        };
        out = both(out, value);
    }
    out
}
