//! `DATABASES` in the settings of Django.
//!
//! Nothing is run. A file is cut into tokens, and what the expressions of usual settings mean is told by the names and texts in
//! them: `os.environ.get("DB_HOST", "localhost")`, `env("DB_HOST", default="localhost")`, `BASE_DIR / "db.sqlite3"`,
//! `dj_database_url.config(default="sqlite:///db.sqlite3")`, `env.db()`.

use super::setting::{Named, Setting};

const LONGEST: usize = 1 << 20;
/// Dictionaries in dictionaries are not followed further.
const DEEPEST: usize = 20;

/// A token of Python.
#[derive(Clone, Debug, PartialEq)]
enum Token<'t> {
    /// A text that is known before it runs.
    Text(String),
    /// A name or a number.
    Word(&'t str),
    Sign(char),
    /// A text with something filled in.
    Unknown,
}

/// A database of the settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DjangoDatabase {
    /// What it is called: `default`.
    pub(crate) alias: String,
    /// Its address in one, where it has one.
    pub(crate) address: Option<Setting>,
    /// `ENGINE`, `NAME`, `USER` and so on.
    pub(crate) settings: Vec<Named>,
}

/// The module that `manage.py` names.
pub(crate) fn settings_module(manage: &str) -> Option<String> {
    let tokens = tokens(manage);
    tokens.windows(3).find_map(|three| match three {
        [Token::Text(name), Token::Sign(','), Token::Text(module)] if name == "DJANGO_SETTINGS_MODULE" => {
            Some(module.clone())
        }
        _ => None,
    })
}

/// Every database that a file of settings tells of.
pub(crate) fn databases(text: &str) -> Vec<DjangoDatabase> {
    let tokens = tokens(text);
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        match &tokens[at..] {
            [Token::Word("DATABASES"), Token::Sign('='), Token::Sign('{'), rest @ ..] => {
                for (alias, value) in members(rest) {
                    found.push(database(alias, value));
                }
            }
            [
                Token::Word("DATABASES"),
                Token::Sign('['),
                Token::Text(alias),
                Token::Sign(']'),
                Token::Sign('='),
                rest @ ..,
            ] => {
                found.push(database(alias.clone(), expression(rest)));
            }
            _ => {}
        }
    }
    found
}

/// The text that a key has in a file: `PASSWORD`.
pub(crate) fn value_of(text: &str, name: &str) -> Option<String> {
    let all = databases(text).into_iter().flat_map(|database| database.settings);
    all.into_iter().find(|named| named.name == name).and_then(|named| named.setting.literal())
}

fn database(alias: String, value: &[Token<'_>]) -> DjangoDatabase {
    let settings = match value {
        [Token::Sign('{'), rest @ ..] => members(rest)
            .into_iter()
            .filter_map(|(name, value)| Some(Named { name, setting: setting(value)? }))
            .collect(),
        _ => Vec::new(),
    };
    let address = if settings.is_empty() { address(value) } else { None };
    DjangoDatabase { alias, address, settings }
}

/// The members of a dictionary whose opening brace is behind.
fn members<'a, 't>(mut tokens: &'a [Token<'t>]) -> Vec<(String, &'a [Token<'t>])> {
    let mut found = Vec::new();
    while let [Token::Text(name), Token::Sign(':'), rest @ ..] = tokens {
        let value = expression(rest);
        found.push((name.clone(), value));
        tokens = rest.get(value.len()..).unwrap_or_default();
        if let [Token::Sign(','), rest @ ..] = tokens {
            tokens = rest;
        }
    }
    found
}

/// The tokens up to the end of an expression: a comma or a closing bracket that is not its own, or the next assignment.
fn expression<'a, 't>(tokens: &'a [Token<'t>]) -> &'a [Token<'t>] {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') if depth == 0 => return &tokens[..at],
            Token::Sign(')' | ']' | '}') => depth -= 1,
            Token::Sign(',' | ';') if depth == 0 => return &tokens[..at],
            // A line that is complete.
            Token::Sign('\n') if depth == 0 && at > 0 => return &tokens[..at],
            _ => {}
        }
        if depth > DEEPEST {
            return &tokens[..at];
        }
    }
    tokens
}

/// What an expression is, where that can be told.
fn setting(tokens: &[Token<'_>]) -> Option<Setting> {
    let words = |word: &str| tokens.iter().any(|token| matches!(token, Token::Word(w) if *w == word));
    let texts: Vec<&String> = tokens
        .iter()
        .filter_map(|token| if let Token::Text(text) = token { Some(text) } else { None })
        .collect();
    if tokens.contains(&Token::Unknown) {
        return None;
    }
    match tokens {
        [Token::Text(text)] => return Some(Setting::Literal(text.clone())),
        [Token::Word(number)] if number.bytes().all(|b| b.is_ascii_digit()) => {
            return Some(Setting::Literal((*number).to_owned()));
        }
        _ => {}
    }
    let name = texts.first().filter(|name| is_variable(name));
    if let Some(name) = name
        && ["environ", "getenv", "env", "config", "get_env", "ENV"].iter().any(|word| words(word))
    {
        let number = tokens.iter().rev().find_map(|token| match token {
            Token::Word(number) if number.bytes().all(|b| b.is_ascii_digit()) => Some((*number).to_owned()),
            _ => None,
        });
        let default = texts.get(1).map(|text| (*text).clone()).or(number);
        return Some(Setting::Environment { name: (*name).clone(), default });
    }
    // A path below the project: `BASE_DIR / "data" / "db.sqlite3"`.
    if !texts.is_empty()
        && ["BASE_DIR", "PROJECT_ROOT", "ROOT_DIR", "join", "Path"].iter().any(|word| words(word))
    {
        let parts: Vec<&str> = texts.iter().map(|text| text.as_str()).collect();
        return Some(Setting::Literal(parts.join("/")));
    }
    None
}

/// What an expression that gives the whole of a database takes its address from.
fn address(tokens: &[Token<'_>]) -> Option<Setting> {
    let known = ["dj_database_url", "db", "db_url", "database_url", "dburl", "parse"];
    let reads = tokens.iter().any(|token| matches!(token, Token::Word(word) if known.contains(word)));
    if !reads {
        return None;
    }
    let texts =
        || tokens.iter().filter_map(|token| if let Token::Text(text) = token { Some(text) } else { None });
    let name = texts().find(|text| is_variable(text)).map_or("DATABASE_URL", String::as_str);
    let default = texts().find(|text| text.contains("://") || text.starts_with("sqlite:")).cloned();
    Some(Setting::Environment { name: name.to_owned(), default })
}

fn is_variable(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut end = text.len().min(LONGEST);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let text = &text[..end];
    let mut tokens: Vec<Token<'_>> = Vec::new();
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = match c {
            '#' => rest.find('\n').unwrap_or(rest.len()),
            '\'' | '"' => {
                let prefixed = matches!(tokens.last(), Some(Token::Word(word)) if is_prefix(word)) && {
                    let before = text[..at].chars().next_back();
                    before.is_some_and(char::is_alphabetic)
                };
                let filled = prefixed
                    && matches!(tokens.pop(), Some(Token::Word(word)) if word.to_ascii_lowercase().contains('f'));
                let (value, length) = quoted(rest, c);
                let token = if filled && value.contains('{') { Token::Unknown } else { Token::Text(value) };
                // Two texts side by side are one.
                match (tokens.last_mut(), token) {
                    (Some(Token::Text(before)), Token::Text(more)) => before.push_str(&more),
                    (_, token) => tokens.push(token),
                }
                length
            }
            c if c.is_alphanumeric() || c == '_' => {
                let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                tokens.push(Token::Word(&rest[..length]));
                length
            }
            '\\' if rest.starts_with("\\\n") => 2,
            '\n' => {
                if depth == 0 {
                    tokens.push(Token::Sign('\n'));
                }
                1
            }
            c if c.is_whitespace() => c.len_utf8(),
            c => {
                match c {
                    '(' | '[' | '{' => depth += 1,
                    ')' | ']' | '}' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                tokens.push(Token::Sign(c));
                c.len_utf8()
            }
        };
        at += length;
    }
    tokens
}

fn is_prefix(word: &str) -> bool {
    ["r", "b", "u", "f", "rb", "br", "fr", "rf"].iter().any(|prefix| word.eq_ignore_ascii_case(prefix))
}

/// A text, and how long it is with its quotation marks.
fn quoted(text: &str, quote: char) -> (String, usize) {
    let three: String = [quote; 3].iter().collect();
    if text.starts_with(&three) {
        let end = text[3..].find(&three).map_or(text.len(), |end| end + 3);
        return (text[3..end].to_owned(), (end + 3).min(text.len()));
    }
    let mut value = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            c if c == quote => return (value, at + 1),
            '\n' => return (value, at),
            '\\' => match chars.next() {
                Some((_, c)) if c == quote || c == '\\' => value.push(c),
                Some((_, c)) => value.extend(['\\', c]),
                None => break,
            },
            c => value.push(c),
        }
    }
    (value, text.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn literal(text: &str) -> Option<Setting> {
        Some(Setting::Literal(text.to_owned()))
    }

    fn variable(name: &str, default: Option<&str>) -> Option<Setting> {
        Some(Setting::Environment { name: name.to_owned(), default: default.map(str::to_owned) })
    }

    /// Catches: settings as people write them that are not understood.
    #[test]
    fn databases_as_people_write_them() {
        let text = r#"
import os
# DATABASES = {'default': {'ENGINE': 'no'}}
DATABASES = {
    'default': {
        'ENGINE': 'django.db.backends.postgresql',  # not psycopg2
        "NAME": os.environ.get('DB_NAME', 'shop'),
        'USER': env("DB_USER", default="shop"),
        'PASSWORD': os.environ['DB_PASSWORD'],
        'HOST': config('DB_HOST'),
        'PORT': 5433,
        'OPTIONS': {'sslmode': 'disable'},
        'TEST': {'NAME': f"test_{x}"},
    },
    'old': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': BASE_DIR / 'data' / 'old.sqlite3'},
}
"#;
        let found = databases(text);
        let of = |at: usize, name: &str| {
            found[at].settings.iter().find(|named| named.name == name).map(|named| named.setting.clone())
        };
        assert_eq!((found.len(), found[0].alias.as_str(), found[1].alias.as_str()), (2, "default", "old"));
        assert_eq!(of(0, "ENGINE"), literal("django.db.backends.postgresql"));
        assert_eq!(of(0, "NAME"), variable("DB_NAME", Some("shop")));
        assert_eq!(of(0, "USER"), variable("DB_USER", Some("shop")));
        assert_eq!(of(0, "PASSWORD"), variable("DB_PASSWORD", None));
        assert_eq!((of(0, "HOST"), of(0, "PORT")), (variable("DB_HOST", None), literal("5433")));
        assert_eq!(of(1, "NAME"), literal("data/old.sqlite3"));
    }

    #[test]
    fn addresses_in_one() {
        for (text, expected) in [
            (
                "DATABASES = {'default': dj_database_url.config(default='sqlite:///db.sqlite3', conn_max_age=600)}",
                variable("DATABASE_URL", Some("sqlite:///db.sqlite3")),
            ),
            ("DATABASES = {\"default\": env.db()}", variable("DATABASE_URL", None)),
            (
                "DATABASES = {\"default\": env.db(\"SHOP_URL\", default=\"postgres:///shop\")}\n",
                variable("SHOP_URL", Some("postgres:///shop")),
            ),
            (
                "DATABASES['default'] = dj_database_url.parse(os.environ['DATABASE_URL'])\nX = 'A'",
                variable("DATABASE_URL", None),
            ),
            ("DATABASES = {'default': make()}", None),
        ] {
            assert_eq!(databases(text)[0].address, expected, "{text}");
        }
        assert!(databases("DATABASES = build()").is_empty());
        let manage = "os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'mysite.settings')";
        assert_eq!(settings_module(manage).as_deref(), Some("mysite.settings"));
    }

    proptest! {
        #[test]
        fn anything_is_read(text in "(DATABASES|=|\\{|\\}|['\":,\\[\\]()#f\\\\]|[a-zé \n]){0,80}") {
            databases(&text);
        }
    }
}
