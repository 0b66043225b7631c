//! Settings in PHP: constants, variables, members of arrays and objects that are given a text or a value of the environment.
//!
//! Nothing is run. A file is cut into tokens, comments left out, and looked through for what gives a name a value.

use super::setting::{Named, Setting};

/// The most that is read of a file: settings are not longer.
const LONGEST: usize = 1 << 20;

/// A token of PHP.
#[derive(Clone, Debug, PartialEq)]
enum Token<'t> {
    /// A text in quotation marks, unless a variable is filled into it.
    Text(String),
    /// A name, or a number.
    Word(&'t str),
    /// `$name`, without its sign.
    Variable(&'t str),
    /// `=>`, `->`, `??`, `?:`, or any other character.
    Sign(&'t str),
    /// A text that is not known before it runs.
    Unknown,
}

/// Everything that is given a value, in order.
pub(crate) fn settings(text: &str) -> Vec<Named> {
    let tokens = tokens(text);
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        let named = match &tokens[at..] {
            [Token::Word(define), Token::Sign("("), Token::Text(name), Token::Sign(","), ..]
                if define.eq_ignore_ascii_case("define") =>
            {
                Some((name.clone(), at + 4))
            }
            [Token::Text(name), Token::Sign("=>"), ..] => Some((name.clone(), at + 2)),
            [Token::Text(name), Token::Sign("]"), Token::Sign("="), ..] => Some((name.clone(), at + 3)),
            [Token::Variable(name), Token::Sign("="), ..] => Some(((*name).to_owned(), at + 2)),
            [Token::Sign("->"), Token::Word(name), Token::Sign("="), ..] => {
                Some(((*name).to_owned(), at + 3))
            }
            [Token::Word("const"), Token::Word(name), Token::Sign("="), ..] => {
                Some(((*name).to_owned(), at + 3))
            }
            _ => None,
        };
        if let Some((name, from)) = named
            && let Some(setting) = value(&tokens[from..])
        {
            found.push(Named { name, setting });
        }
    }
    found
}

/// The text that a name is given in the end.
pub(crate) fn value_of(text: &str, name: &str) -> Option<String> {
    settings(text)
        .into_iter()
        .rev()
        .find(|named| named.name == name)
        .and_then(|named| named.setting.literal())
}

/// All texts of a file.
pub(crate) fn texts(text: &str) -> Vec<String> {
    let texts = tokens(text).into_iter();
    texts.filter_map(|token| if let Token::Text(text) = token { Some(text) } else { None }).collect()
}

/// Whether a function is called somewhere.
pub(crate) fn calls(text: &str, function: &str) -> bool {
    // Most files have nothing of it, and are not cut into tokens.
    if !text
        .as_bytes()
        .windows(function.len().max(1))
        .any(|piece| piece.eq_ignore_ascii_case(function.as_bytes()))
    {
        return false;
    }
    let is_call = |pair: &[Token<'_>]| matches!(pair, [Token::Word(word), Token::Sign("(")] if word.eq_ignore_ascii_case(function));
    tokens(text).windows(2).any(is_call)
}

/// What a name is given: a text or a number by itself, or a value of the environment, with another where there is none.
fn value(tokens: &[Token<'_>]) -> Option<Setting> {
    let ends = |at: usize| matches!(tokens.get(at), None | Some(Token::Sign(")" | "," | ";" | "]")));
    let other = |at: usize| match tokens.get(at..at + 2) {
        Some([Token::Sign("??" | "?:"), Token::Text(other)]) => Some(other.clone()),
        _ => None,
    };
    match tokens {
        [Token::Text(text), ..] if ends(1) => Some(Setting::Literal(text.clone())),
        [Token::Word(number), ..] if ends(1) && number.bytes().all(|b| b.is_ascii_digit()) => {
            Some(Setting::Literal((*number).to_owned()))
        }
        [Token::Word(function), Token::Sign("("), Token::Text(name), rest @ ..]
            if is_environment(function) =>
        {
            let (default, end) = match rest {
                [Token::Sign(","), Token::Text(default), Token::Sign(")"), ..] => (Some(default.clone()), 6),
                _ => (None, 4),
            };
            Some(Setting::Environment { name: name.clone(), default: default.or_else(|| other(end)) })
        }
        [Token::Variable("_ENV" | "_SERVER"), Token::Sign("["), Token::Text(name), Token::Sign("]"), ..] => {
            Some(Setting::Environment { name: name.clone(), default: other(4) })
        }
        _ => None,
    }
}

fn is_environment(function: &str) -> bool {
    ["getenv", "env", "getenv_docker"].iter().any(|name| function.eq_ignore_ascii_case(name))
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut end = text.len().min(LONGEST);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let text = &text[..end];
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let word = |from: usize| {
            let more = rest[from..].find(|c: char| !c.is_alphanumeric() && c != '_' && c != '\\');
            from + more.unwrap_or(rest.len() - from)
        };
        let length = match c {
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            // `#[Attribute]` is none.
            '#' if !rest.starts_with("#[") => rest.find('\n').unwrap_or(rest.len()),
            '\'' | '"' => {
                let (token, length) = quoted(rest, c);
                tokens.push(token);
                length
            }
            '$' => {
                let length = word(1);
                tokens.push(Token::Variable(&rest[1..length]));
                length
            }
            c if c.is_alphanumeric() || c == '_' => {
                let length = word(0);
                tokens.push(Token::Word(&rest[..length]));
                length
            }
            c if c.is_whitespace() => c.len_utf8(),
            _ => {
                let signs = ["=>", "->", "??", "?:", "==", "!=", ".="];
                let length =
                    signs.iter().find(|sign| rest.starts_with(**sign)).map_or(c.len_utf8(), |s| s.len());
                tokens.push(Token::Sign(&rest[..length]));
                length
            }
        };
        at += length;
    }
    tokens
}

/// A text, and how long it is with its quotation marks.
fn quoted<'t>(text: &'t str, quote: char) -> (Token<'t>, usize) {
    let mut value = String::new();
    let mut known = true;
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            c if c == quote => return (if known { Token::Text(value) } else { Token::Unknown }, at + 1),
            '\\' => match chars.next() {
                Some((_, c)) if c == quote || c == '\\' || (c == '$' && quote == '"') => value.push(c),
                Some((_, c)) => {
                    value.push('\\');
                    value.push(c);
                }
                None => break,
            },
            '$' if quote == '"' => {
                known = false;
            }
            c => value.push(c),
        }
    }
    (Token::Unknown, text.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Catches: a setting in a comment, a value that is only known when it runs, another way to write it.
    #[test]
    fn values_by_name() {
        let text = r#"<?php
            // define('DB_NAME', 'no');
            /* $dbhost = 'no'; */ # define('DB_NAME', 'no');
            define( 'DB_NAME', 'it\'s' );
            define("DB_HOST", getenv('HOST') ?: 'localhost');
            define('DB_USER', getenv_docker('WORDPRESS_DB_USER', 'example username'));
            define('DB_URL', "mysql://$host/x");
            $db['default']['password'] = "s3cret";
            $CFG->dbtype = 'pgsql';
            $CONFIG = array('dbport' => 3307, 'key' => SOME . 'x', 'salt' => 'a' . 'b');
            class JConfig { public $user = 'joomla'; const TABLE = 't'; }
            $pass = $_ENV['PASS'] ?? 'none';"#;
        let found = settings(text);
        let of =
            |name: &str| found.iter().find(|named| named.name == name).map(|named| named.setting.clone());
        let literal = |text: &str| Some(Setting::Literal(text.to_owned()));
        let variable = |name: &str, default: &str| {
            Some(Setting::Environment { name: name.to_owned(), default: Some(default.to_owned()) })
        };
        assert_eq!(of("DB_NAME"), literal("it's"));
        assert_eq!(of("DB_HOST"), variable("HOST", "localhost"));
        assert_eq!(of("DB_USER"), variable("WORDPRESS_DB_USER", "example username"));
        assert_eq!((of("password"), of("dbtype")), (literal("s3cret"), literal("pgsql")));
        assert_eq!(
            (of("dbport"), of("user"), of("TABLE")),
            (literal("3307"), literal("joomla"), literal("t"))
        );
        assert_eq!(of("pass"), variable("PASS", "none"));
        assert_eq!((of("DB_URL"), of("key"), of("salt"), of("dbhost")), (None, None, None, None));
        assert!(
            calls("<?php Session_Start ();", "session_start")
                && !calls("// session_start()", "session_start")
        );
    }

    proptest! {
        #[test]
        fn anything_is_read(text in "(define\\(|=>|\\$[a-z]|['\"\\\\/*#$é;,\\[\\]()\n]|[a-z ]){0,80}") {
            settings(&text);
        }
    }
}
