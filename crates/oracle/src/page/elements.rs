//! What tags and attributes are for (paper 2, section 2).

use crate::page::lookup::Lookup;

/// Attributes that count, each with what stands for it where it is missing.
pub(crate) type Counting = &'static [(&'static str, Option<&'static str>)];

/// What is known of an element: looked up once a tag.
#[derive(Clone, Copy)]
pub(crate) struct Element(u32);

impl Element {
    /// What is known of the element of a name.
    pub(crate) fn of(name: &[u8]) -> Self {
        Self(ELEMENTS.get(name))
    }

    /// Whether DocumentBase drops it with all it holds: programming and special directives. A user does not see
    /// them, or other testing techniques suit them better.
    pub(crate) fn is_dropped(self) -> bool {
        self.0 & DROPPED != 0
    }

    /// Whether it holds nothing, so that no closing tag is waited for.
    pub(crate) fn is_void(self) -> bool {
        self.0 & VOID != 0
    }

    /// Whether its text is not read by a user.
    pub(crate) fn is_silent(self) -> bool {
        self.0 & SILENT != 0
    }

    /// Whether it stands in a line of text: a word goes on across its tags.
    pub(crate) fn is_inline(self) -> bool {
        self.0 & INLINE != 0
    }

    /// Whether its tags are of style (P3): they change how text looks.
    pub(crate) fn is_style(self) -> bool {
        self.0 & STYLE != 0
    }

    /// Whether its tags are of layout (P2): they change where things stand.
    pub(crate) fn is_layout(self) -> bool {
        self.0 & LAYOUT != 0
    }

    /// Its important attributes: those that the HTML specification requires, and those that decide what a click or a
    /// submission does. With what stands for one that is missing.
    pub(crate) fn important(self) -> Counting {
        match self.0 >> PLACE {
            0 => &[],
            place => IMPORTANT[place as usize - 1].1,
        }
    }
}

/// Whether an attribute is one of style (P3), and whether it is one of layout (P2).
pub(crate) fn is_style_or_layout_attribute(name: &[u8]) -> (bool, bool) {
    let known = ATTRIBUTES.get(name);
    (known & STYLE != 0, known & LAYOUT != 0)
}

/// The attributes that count in a list of links and images, or of inputs and choices (paper 2, section 2); none where
/// they are the important ones.
pub(crate) fn listed(element: &[u8]) -> Option<Counting> {
    match element {
        b"area" => Some(&[("href", None), ("target", None)]),
        b"img" => Some(&[("src", None)]),
        _ => None,
    }
}

/// Whether an attribute is an event handler: what it does when clicked, sent or left is important on any element.
pub(crate) fn is_event(attribute: &[u8]) -> bool {
    attribute.len() > 2 && attribute[..2].eq_ignore_ascii_case(b"on")
}

/// Attributes whose values are words of the specification, in any case.
pub(crate) fn is_keyword(attribute: &str) -> bool {
    matches!(attribute, "method" | "type" | "rel" | "dir" | "target")
}

const DROPPED: u32 = 1;
const VOID: u32 = 2;
const INLINE: u32 = 4;
const STYLE: u32 = 8;
const LAYOUT: u32 = 16;
const SILENT: u32 = 32;
/// From here on, the place of an element's important attributes in [`IMPORTANT`].
const PLACE: u32 = 8;

static ELEMENTS: Lookup = important_places(
    Lookup::new()
        .with(DROPPED_NAMES, DROPPED)
        .with(VOID_NAMES, VOID)
        .with(INLINE_NAMES, INLINE)
        .with(STYLE_NAMES, STYLE)
        .with(LAYOUT_NAMES, LAYOUT)
        .with(&["style"], SILENT),
);
static ATTRIBUTES: Lookup = Lookup::new().with(STYLE_ATTRIBUTES, STYLE).with(LAYOUT_ATTRIBUTES, LAYOUT);

const DROPPED_NAMES: &[&str] =
    &["script", "noscript", "applet", "object", "embed", "noframes", "noembed", "meta", "template"];
const VOID_NAMES: &[&str] = &[
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track",
    "wbr",
];
const INLINE_NAMES: &[&str] = &[
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font",
    "i", "ins", "kbd", "label", "mark", "nobr", "q", "s", "samp", "small", "span", "strike", "strong", "sub",
    "sup", "time", "tt", "u", "var", "wbr", "blink",
];
const STYLE_NAMES: &[&str] = &[
    "b", "basefont", "big", "blink", "em", "font", "i", "marquee", "nobr", "pre", "s", "small", "strike",
    "strong", "style", "sub", "sup", "tt", "u",
];
const LAYOUT_NAMES: &[&str] = &[
    "article", "aside", "br", "caption", "center", "col", "colgroup", "div", "figure", "footer", "header",
    "hr", "ilayer", "layer", "main", "multicol", "nav", "section", "spacer", "span", "table", "tbody", "td",
    "tfoot", "th", "thead", "tr", "wbr",
];
#[rustfmt::skip]
const STYLE_ATTRIBUTES: &[&str] = &[
    "alink", "background", "bgcolor", "bordercolor", "class", "color", "face", "link", "style", "text",
    "vlink",
];
#[rustfmt::skip]
const LAYOUT_ATTRIBUTES: &[&str] = &[
    "align", "border", "cellpadding", "cellspacing", "char", "charoff", "clear", "cols", "colspan",
    "compact", "frame", "frameborder", "height", "hspace", "marginheight", "marginwidth", "noresize",
    "noshade", "nowrap", "rows", "rowspan", "rules", "scrolling", "size", "valign", "vspace", "width",
];

/// The important attributes of elements.
#[rustfmt::skip]
const IMPORTANT: &[(&[&str], Counting)] = &[
    (&["a"], &[("href", None), ("name", None), ("target", None)]),
    (&["area"], &[("alt", None), ("href", None), ("target", None)]),
    (&["base"], &[("href", None), ("target", None)]),
    (&["bdo"], &[("dir", None)]),
    (&["button"], &[("name", None), ("type", Some("submit")), ("value", None)]),
    (&["form"], &[("action", None), ("method", Some("get"))]),
    (&["frame", "iframe"], &[("name", None), ("src", None)]),
    (&["img"], &[("alt", None), ("src", None)]),
    (&["input"], &[("name", None), ("type", Some("text")), ("value", None)]),
    (&["link"], &[("href", None), ("rel", None)]),
    (&["map"], &[("name", None)]),
    (&["optgroup"], &[("label", None)]),
    (&["option"], &[("value", None)]),
    (&["param"], &[("name", None), ("value", None)]),
    (&["select"], &[("name", None)]),
    (&["source", "audio", "video", "track"], &[("src", None)]),
    (&["textarea"], &[("name", None)]),
];

const fn important_places(mut lookup: Lookup) -> Lookup {
    let mut at = 0;
    while at < IMPORTANT.len() {
        lookup = lookup.with(IMPORTANT[at].0, (at as u32 + 1) << PLACE);
        at += 1;
    }
    lookup
}
