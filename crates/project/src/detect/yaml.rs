//! `config/database.yml` of Rails: as much of YAML as such files have, with ERB in it.
//!
//! Mappings by indentation, anchors (`&default`), merges (`<<: *default`), quoted and plain scalars. Lists and blocks of text are
//! passed over.

use super::setting::Setting;

const LONGEST: usize = 1 << 20;
/// A merge may name one that merges itself.
const DEEPEST: usize = 20;

/// What stands under a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    Scalar(String),
    Mapping(Vec<(String, Node)>),
}

impl Node {
    /// What is under a key.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        match self {
            Self::Mapping(members) => members.iter().rev().find(|(k, _)| k == key).map(|(_, node)| node),
            Self::Scalar(_) => None,
        }
    }

    /// What is at a path: `development.password`.
    pub(crate) fn at(&self, path: &str) -> Option<&Node> {
        path.split('.').try_fold(self, |node, key| node.get(key))
    }

    /// Its members, where it is a mapping.
    pub(crate) fn members(&self) -> &[(String, Node)] {
        match self {
            Self::Mapping(members) => members,
            Self::Scalar(_) => &[],
        }
    }

    /// What a scalar is given.
    pub(crate) fn setting(&self) -> Option<Setting> {
        match self {
            Self::Scalar(text) => erb(text),
            Self::Mapping(_) => None,
        }
    }
}

/// A line with something on it.
struct Line<'t> {
    indent: usize,
    key: String,
    value: &'t str,
}

/// Reads a file.
pub(crate) fn parse(text: &str) -> Node {
    let lines: Vec<Line<'_>> = text.lines().take(LONGEST / 8).filter_map(line).collect();
    let mut anchors: Vec<(String, Node)> = Vec::new();
    let mut at = 0;
    mapping(&lines, &mut at, 0, &mut anchors, 0)
}

fn line(text: &str) -> Option<Line<'_>> {
    let trimmed = text.trim_start();
    if trimmed.starts_with(['#', '-', '%', '<']) && !trimmed.starts_with("<<") {
        return None;
    }
    let (key, value) = match trimmed.chars().next()? {
        quote @ ('"' | '\'') => {
            let (key, rest) = trimmed[1..].split_once(quote)?;
            (key, rest.trim_start().strip_prefix(':')?)
        }
        _ => {
            let colon = trimmed
                .find(": ")
                .or_else(|| trimmed.trim_end().ends_with(':').then(|| trimmed.trim_end().len() - 1))?;
            (&trimmed[..colon], &trimmed[colon + 1..])
        }
    };
    let indent = text.len() - trimmed.len();
    Some(Line { indent, key: key.trim().to_owned(), value: value.trim() })
}

fn mapping(
    lines: &[Line<'_>],
    at: &mut usize,
    indent: usize,
    anchors: &mut Vec<(String, Node)>,
    depth: usize,
) -> Node {
    let mut members: Vec<(String, Node)> = Vec::new();
    while let Some(line) = lines.get(*at).filter(|line| line.indent >= indent) {
        *at += 1;
        let (anchor, value) = match line.value.strip_prefix('&') {
            Some(rest) => {
                let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
                (Some(rest[..end].to_owned()), rest[end..].trim())
            }
            None => (None, line.value),
        };
        let value = uncommented(value);
        let node = if let Some(alias) = value.strip_prefix('*') {
            let alias = alias.trim_matches(|c: char| !c.is_alphanumeric() && c != '_' && c != '-');
            let known = anchors.iter().rev().find(|(name, _)| name == alias).map(|(_, node)| node.clone());
            known.unwrap_or_else(|| Node::Mapping(Vec::new()))
        } else if value.is_empty() {
            match lines.get(*at) {
                Some(next) if next.indent > line.indent && depth < DEEPEST => {
                    mapping(lines, at, next.indent, anchors, depth + 1)
                }
                _ => Node::Scalar(String::new()),
            }
        } else {
            Node::Scalar(unquoted(value))
        };
        if let Some(anchor) = anchor {
            anchors.push((anchor, node.clone()));
        }
        match (line.key.as_str(), node) {
            // What is said here goes before what is merged.
            ("<<", Node::Mapping(merged)) => {
                members.splice(0..0, merged);
            }
            (key, node) => members.push((key.to_owned(), node)),
        }
    }
    Node::Mapping(members)
}

fn uncommented(value: &str) -> &str {
    // A `#` in quotation marks or in ERB is no comment.
    if value.starts_with(['"', '\'']) || value.contains("<%") {
        return value;
    }
    if value.starts_with('#') {
        return "";
    }
    value.find(" #").map_or(value, |at| value[..at].trim_end())
}

fn unquoted(value: &str) -> String {
    for quote in ['"', '\''] {
        if let Some(rest) = value.strip_prefix(quote)
            && let Some(end) = rest.find(quote)
        {
            return rest[..end].to_owned();
        }
    }
    value.to_owned()
}

/// What a text with ERB in it is: one of the environment, a path below the application, or not known.
fn erb(text: &str) -> Option<Setting> {
    let Some((before, rest)) = text.split_once("<%=") else {
        return Some(Setting::Literal(text.to_owned()));
    };
    let (code, after) = rest.split_once("%>")?;
    if !before.is_empty() || !after.trim().is_empty() {
        return None;
    }
    let texts: Vec<&str> = code.split(['"', '\'']).skip(1).step_by(2).collect();
    if code.contains("ENV") {
        let name = (*texts.first()?).to_owned();
        let number =
            code.rsplit(['{', ',', '|']).next().map(|n| n.trim_matches(|c: char| !c.is_ascii_digit()));
        let number =
            number.filter(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit())).map(str::to_owned);
        let default = texts.get(1).map(|text| (*text).to_owned()).or(number);
        return Some(Setting::Environment { name, default });
    }
    (code.contains("Rails.root") && !texts.is_empty()).then(|| Setting::Literal(texts.join("/")))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const RAILS: &str = r#"# PostgreSQL. Versions 9.3 and up are supported.
default: &default
  adapter: postgresql
  encoding: unicode
  # For details: guide#database-pooling
  max_connections: <%= ENV.fetch("RAILS_MAX_THREADS") { 5 } %>
  host: <%= ENV.fetch("DB_HOST", "localhost") %>

development:
  <<: *default
  database: "shop_development"   # here
  #username: shop
  password: <%= ENV['SHOP_PASSWORD'] %>

production:
  primary: &primary_production
    <<: *default
    database: shop_production
    encoding: utf8
"#;

    #[test]
    fn as_rails_writes_it() {
        let node = parse(RAILS);
        let of = |path: &str| node.at(path).and_then(Node::setting);
        let literal = |text: &str| Some(Setting::Literal(text.to_owned()));
        let variable = |name: &str, default: Option<&str>| {
            Some(Setting::Environment { name: name.to_owned(), default: default.map(str::to_owned) })
        };
        assert_eq!(of("development.adapter"), literal("postgresql"));
        assert_eq!(of("development.database"), literal("shop_development"));
        assert_eq!(of("development.host"), variable("DB_HOST", Some("localhost")));
        assert_eq!(of("development.password"), variable("SHOP_PASSWORD", None));
        assert_eq!(of("development.max_connections"), variable("RAILS_MAX_THREADS", Some("5")));
        assert_eq!(of("development.username"), None);
        assert_eq!(of("production.primary.encoding"), literal("utf8"));
        assert_eq!(of("production.primary.adapter"), literal("postgresql"));
    }

    proptest! {
        #[test]
        fn anything_is_read(text in "(a|b|&x|\\*x|<<|: |:|<%=|%>|ENV|['\"#\n \\-é]){0,80}") {
            let node = parse(&text);
            for (_, member) in node.members() {
                member.setting();
            }
        }
    }
}
