//! What comments before functions and properties say of classes: `@param`, `@return`, `@var`.

use super::ir::Name;
use super::names::Names;

/// The classes that a type of a comment or of the code names.
pub(crate) fn classes(names: &Names, text: &str) -> Vec<Name> {
    text.split(['|', '&', '(', ')', '?'])
        .map(str::trim)
        .filter(|name| !name.is_empty() && !name.ends_with("[]") && !name.contains(['<', '{', '$', '>']))
        .filter(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '\\'))
        .filter(|name| !NO_CLASSES.contains(&name.to_lowercase().as_str()))
        .map(|name| names.class(name))
        .collect()
}

const NO_CLASSES: &[&str] = &[
    "array", "bool", "boolean", "callable", "false", "float", "double", "int", "integer", "iterable",
    "mixed", "never", "null", "object", "parent", "resource", "scalar", "self", "static", "string", "this",
    "true", "void", "list",
];

/// The type that a tag of a comment gives, for a parameter the one of this name.
pub(crate) fn tag<'a>(comment: &'a str, tag: &str, parameter: Option<&str>) -> Option<&'a str> {
    comment.lines().find_map(|line| {
        let line = line.trim_start_matches([' ', '\t', '*', '/']);
        let rest = line.strip_prefix(tag)?.strip_prefix([' ', '\t'])?.trim_start();
        let (kind, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        match parameter {
            Some(name) => {
                let named = rest.trim_start().trim_start_matches(['&', '.']).strip_prefix('$')?;
                let end = named.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(named.len());
                (&named[..end] == name).then_some(kind)
            }
            None => Some(kind),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags() {
        let comment =
            "/**\n * @param Db|null $db The database\n * @param string $x\n * @return \\Lib\\Row[]|Page\n */";
        assert_eq!(tag(comment, "@param", Some("db")), Some("Db|null"));
        assert_eq!(tag(comment, "@param", Some("d")), None);
        let names = Names::default();
        assert_eq!(classes(&names, "Db|null"), ["db".into()]);
        assert_eq!(classes(&names, tag(comment, "@return", None).unwrap()), ["page".into()]);
    }
}
