//! What tags and attributes are for (paper 2, section 2).

/// Elements that DocumentBase drops with all they hold: programming and special directives. A user
/// does not see them, or other testing techniques suit them better.
pub(crate) fn is_dropped(name: &[u8]) -> bool {
    matches!(name, b"script" | b"noscript" | b"applet" | b"object" | b"noframes" | b"meta")
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

/// Attributes that refer to scripts (P4): never compared.
pub(crate) fn is_script_attribute(name: &[u8]) -> bool {
    name.starts_with(b"on") && name.len() > 2
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
        b"frame" | b"iframe" | b"embed" => &[("name", None), ("src", None)],
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

/// Attributes whose values are words of the specification, in any case.
pub(crate) fn is_keyword(attribute: &str) -> bool {
    matches!(attribute, "method" | "type" | "rel" | "dir")
}
