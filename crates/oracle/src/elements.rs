//! What tags and attributes are for (paper 2, section 2).

/// Elements that DocumentBase drops with all they hold: programming and special directives. A user
/// does not see them, or other testing techniques suit them better.
pub(crate) fn is_dropped(name: &[u8]) -> bool {
    matches!(
        name,
        b"script"
            | b"noscript"
            | b"applet"
            | b"object"
            | b"embed"
            | b"noframes"
            | b"noembed"
            | b"meta"
            | b"template"
    )
}

/// Elements that hold nothing, so that no closing tag is waited for.
pub(crate) fn is_void(name: &[u8]) -> bool {
    matches!(
        name,
        b"area"
            | b"base"
            | b"br"
            | b"col"
            | b"embed"
            | b"hr"
            | b"img"
            | b"input"
            | b"link"
            | b"meta"
            | b"param"
            | b"source"
            | b"track"
            | b"wbr"
    )
}

/// Elements whose text is not read by a user.
pub(crate) fn is_silent(name: &[u8]) -> bool {
    name == b"style"
}

/// Elements that stand in a line of text: a word goes on across their tags.
pub(crate) fn is_inline(name: &[u8]) -> bool {
    matches!(
        name,
        b"a" | b"abbr"
            | b"acronym"
            | b"b"
            | b"bdi"
            | b"bdo"
            | b"big"
            | b"cite"
            | b"code"
            | b"data"
            | b"del"
            | b"dfn"
            | b"em"
            | b"font"
            | b"i"
            | b"ins"
            | b"kbd"
            | b"label"
            | b"mark"
            | b"nobr"
            | b"q"
            | b"s"
            | b"samp"
            | b"small"
            | b"span"
            | b"strike"
            | b"strong"
            | b"sub"
            | b"sup"
            | b"time"
            | b"tt"
            | b"u"
            | b"var"
            | b"wbr"
            | b"blink"
    )
}

/// Style tags (P3): they change how text looks.
pub(crate) fn is_style(name: &[u8]) -> bool {
    matches!(
        name,
        b"b" | b"basefont"
            | b"big"
            | b"blink"
            | b"em"
            | b"font"
            | b"i"
            | b"marquee"
            | b"nobr"
            | b"pre"
            | b"s"
            | b"small"
            | b"strike"
            | b"strong"
            | b"style"
            | b"sub"
            | b"sup"
            | b"tt"
            | b"u"
    )
}

/// Layout tags (P2): they change where things stand.
pub(crate) fn is_layout(name: &[u8]) -> bool {
    matches!(
        name,
        b"article"
            | b"aside"
            | b"br"
            | b"caption"
            | b"center"
            | b"col"
            | b"colgroup"
            | b"div"
            | b"figure"
            | b"footer"
            | b"header"
            | b"hr"
            | b"ilayer"
            | b"layer"
            | b"main"
            | b"multicol"
            | b"nav"
            | b"section"
            | b"spacer"
            | b"span"
            | b"table"
            | b"tbody"
            | b"td"
            | b"tfoot"
            | b"th"
            | b"thead"
            | b"tr"
            | b"wbr"
    )
}

/// Style attributes (P3).
pub(crate) fn is_style_attribute(name: &[u8]) -> bool {
    matches!(
        name,
        b"alink"
            | b"background"
            | b"bgcolor"
            | b"bordercolor"
            | b"class"
            | b"color"
            | b"face"
            | b"link"
            | b"style"
            | b"text"
            | b"vlink"
    )
}

/// Layout attributes (P2).
pub(crate) fn is_layout_attribute(name: &[u8]) -> bool {
    matches!(
        name,
        b"align"
            | b"border"
            | b"cellpadding"
            | b"cellspacing"
            | b"char"
            | b"charoff"
            | b"clear"
            | b"cols"
            | b"colspan"
            | b"compact"
            | b"frame"
            | b"frameborder"
            | b"height"
            | b"hspace"
            | b"marginheight"
            | b"marginwidth"
            | b"noresize"
            | b"noshade"
            | b"nowrap"
            | b"rows"
            | b"rowspan"
            | b"rules"
            | b"scrolling"
            | b"size"
            | b"valign"
            | b"vspace"
            | b"width"
    )
}

/// The important attributes of an element: those that the HTML specification requires, and those that
/// decide what a click or a submission does. With what stands for one that is missing.
pub(crate) fn important(element: &[u8]) -> &'static [(&'static str, Option<&'static str>)] {
    match element {
        b"a" => &[("href", None), ("name", None), ("target", None)],
        b"area" => &[("alt", None), ("href", None), ("target", None)],
        b"base" => &[("href", None), ("target", None)],
        b"bdo" => &[("dir", None)],
        b"button" => &[("name", None), ("type", Some("submit")), ("value", None)],
        b"form" => &[("action", None), ("method", Some("get"))],
        b"frame" | b"iframe" => &[("name", None), ("src", None)],
        b"img" => &[("alt", None), ("src", None)],
        b"input" => &[("name", None), ("type", Some("text")), ("value", None)],
        b"link" => &[("href", None), ("rel", None)],
        b"map" => &[("name", None)],
        b"optgroup" => &[("label", None)],
        b"option" => &[("value", None)],
        b"param" => &[("name", None), ("value", None)],
        b"select" => &[("name", None)],
        b"source" | b"audio" | b"video" | b"track" => &[("src", None)],
        b"textarea" => &[("name", None)],
        _ => &[],
    }
}

/// The attributes that count in a list of links and images, or of inputs and choices (paper 2, section 2).
pub(crate) fn listed(element: &[u8]) -> &'static [(&'static str, Option<&'static str>)] {
    match element {
        b"area" => &[("href", None), ("target", None)],
        b"img" => &[("src", None)],
        _ => important(element),
    }
}

/// Attributes whose values are words of the specification, in any case.
pub(crate) fn is_keyword(attribute: &str) -> bool {
    matches!(attribute, "method" | "type" | "rel" | "dir" | "target")
}
