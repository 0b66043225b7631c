//! What is known of the statements of an effect: resolved, open to callers, or unknown.

use crate::interpret::{Effect, EffectKind};
use crate::sql::{Dialect, Operation, Statement, UNKNOWN, classify};
use crate::value::{Hole, Piece, Template};

/// As many functions may pass on the name of what is called.
const MOST_DISPATCHES: usize = 2;

/// As many functions may pass on what is computed of their arguments.
const MOST_LAYERS: usize = 4;

/// Who may know more of a statement than the function that sends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Callers {
    /// Anyone who calls it.
    All,
    /// Those who say it by an argument.
    ByArgument,
    /// Nobody.
    None,
}

impl Callers {
    /// Whether a caller may know what a hole is.
    fn know(self, hole: &Hole) -> bool {
        match self {
            Self::All => hole.open,
            Self::ByArgument => hole.is_argument(),
            Self::None => false,
        }
    }
}

/// What is known of one statement that a call may send.
#[derive(Clone, Debug)]
pub(super) enum Outcome {
    /// Its text, what it does, and whether its table is only what the name was computed from.
    Resolved { text: String, statements: Vec<Statement>, derived: bool },
    /// Callers may know more.
    Open,
    /// The table, or all of the statement, comes from outside of the program: only a run can tell.
    Dynamic(String),
    /// No caller knows more.
    Unknown(String),
}

/// Whether a function's callers may know more of what it does.
pub(super) fn is_open(effect: &Effect) -> bool {
    match &effect.kind {
        EffectKind::Sql(all) | EffectKind::Table(all, _) => {
            let names = all.iter().any(|template| names_tables(template, &effect.kind));
            // What is computed of arguments is followed through a few functions, arguments themselves through any number.
            let callers = if names || is_far(effect) { Callers::ByArgument } else { Callers::All };
            all.iter().any(|template| is_open_to(template, &effect.kind, callers))
        }
        EffectKind::Define(path) | EffectKind::Use(path) => path.first().is_some_and(Template::is_open),
        EffectKind::Function(..) => false,
        // Names that are passed on and on are not followed.
        EffectKind::Dispatch => effect.chain.len() <= MOST_DISPATCHES,
    }
}

/// Whether a statement was passed on by so many functions that only arguments are still followed.
pub(super) fn is_far(effect: &Effect) -> bool {
    effect.layers as usize + effect.chain.len() > MOST_LAYERS
}

/// Whether nothing is left to be known of what happens.
pub(crate) fn is_settled(kind: &EffectKind) -> bool {
    match kind {
        EffectKind::Sql(all) | EffectKind::Table(all, _) => {
            all.iter().all(|template| names_tables(template, kind))
        }
        EffectKind::Define(path) | EffectKind::Use(path) => {
            path.first().is_none_or(|first| first.known().is_some())
        }
        EffectKind::Function(..) => true,
        EffectKind::Dispatch => false,
    }
}

/// Whether a caller may know the tables of a statement. What is open elsewhere, in a condition for instance, is of no
/// interest.
fn is_open_to(template: &Template, kind: &EffectKind, callers: Callers) -> bool {
    let is_open = |hole: &Hole| callers.know(hole);
    if !template.pieces().iter().any(|piece| matches!(piece, Piece::Hole(hole) if is_open(hole))) {
        return false;
    }
    if is_known(template, kind) {
        return false;
    }
    let first =
        template.pieces().iter().find(|piece| !matches!(piece, Piece::Text(text) if text.trim().is_empty()));
    if matches!(first, Some(Piece::Hole(hole)) if is_open(hole)) {
        return true;
    }
    // With a name for what is open, the tables are known where it is a table's name that is open.
    is_known(&template.named(OPEN_NAME, is_open), kind)
}

/// Stands for what is open.
const OPEN_NAME: &str = "open_name";

fn is_known(template: &Template, kind: &EffectKind) -> bool {
    let statements = statements(template, kind);
    !statements.is_empty() && statements.iter().all(told(template)) && !may_hide_tables(template, &statements)
}

/// Whether a statement's tables are known, and it has some.
fn names_tables(template: &Template, kind: &EffectKind) -> bool {
    let statements = statements(template, kind);
    !statements.is_empty()
        && statements.iter().all(|s| told(template)(s) && (s.is_definition() || s.is_use()))
}

/// Words of SQL that are no names of tables, where they stand in the place of one or in what its name was computed from.
const NO_NAMES: &[&str] = &[
    "all",
    "and",
    "as",
    "asc",
    "between",
    "by",
    "case",
    "cross",
    "default",
    "delete",
    "desc",
    "distinct",
    "else",
    "end",
    "escape",
    "exists",
    "for",
    "force",
    "from",
    "group",
    "having",
    "ignore",
    "in",
    "inner",
    "insert",
    "into",
    "is",
    "join",
    "left",
    "like",
    "limit",
    "lock",
    "natural",
    "not",
    "null",
    "offset",
    "on",
    "or",
    "order",
    "outer",
    "right",
    "select",
    "set",
    "share",
    "straight_join",
    "table",
    "then",
    "union",
    "update",
    "use",
    "using",
    "values",
    "when",
    "where",
];

/// As many names that a table's name was computed from say something about it.
const MOST_WORDS: usize = 3;

fn is_word_of_sql(word: &str) -> bool {
    NO_NAMES.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Whether the tables of a statement are known, and look like names: a part of a statement that was not followed may put
/// anything in their place.
fn told(template: &Template) -> impl Fn(&Statement) -> bool {
    // A statement that is known may have names of any kind, between quotes.
    let exact = template.known().is_some();
    let looks_like_name = |name: &str| {
        let known: String = name.chars().filter(|c| *c != UNKNOWN).collect();
        known.chars().all(|c| c.is_alphanumeric() || "_$-.#@".contains(c)) && !is_word_of_sql(&known)
    };
    move |statement| {
        let mut tables = statement.reads.iter().chain(&statement.writes);
        // A statement that changes rows changes those of some table.
        let changes = matches!(
            statement.operation,
            Operation::Insert | Operation::Replace | Operation::Update | Operation::Delete
        );
        statement.is_known()
            && !(changes && statement.writes.is_empty())
            && (exact || tables.all(|table| looks_like_name(&table.name)))
    }
}

/// Whether a question that names no table may have one in a part of it that is not known: `SELECT a *`.
fn may_hide_tables(template: &Template, statements: &[Statement]) -> bool {
    let asks = |s: &Statement| matches!(s.operation, Operation::Select | Operation::Describe);
    if !statements.iter().any(|s| asks(s) && !s.is_use() && !s.is_definition()) {
        return false;
    }
    let (mut depth, mut quote) = (0, None);
    for piece in template.pieces() {
        match piece {
            Piece::Hole(_) if depth == 0 && quote.is_none() => return true,
            Piece::Hole(_) => {}
            Piece::Text(text) => {
                for c in text.chars() {
                    match (quote, c) {
                        (Some(open), c) if c == open => quote = None,
                        (None, '\'' | '"' | '`') => quote = Some(c),
                        (None, '(') => depth += 1,
                        (None, ')') => depth -= 1,
                        _ => {}
                    }
                }
            }
        }
    }
    false
}

fn statements(template: &Template, kind: &EffectKind) -> Vec<Statement> {
    let (sql, dialect) = match kind {
        EffectKind::Table(_, writes) => (of_table(template, *writes), Dialect::Postgres),
        _ => (text_of(template), Dialect::MySql),
    };
    classify(&sql, dialect)
}

/// What is known of a statement.
pub(super) fn outcome(template: &Template, kind: &EffectKind, dialect: Dialect, callers: Callers) -> Outcome {
    if let EffectKind::Table(_, writes) = kind {
        return table(template, *writes, callers);
    }
    let text = text_of(template);
    if has_empty_name(&text) {
        return Outcome::Unknown(text);
    }
    let statements = classify(&text, dialect);
    if !statements.is_empty()
        && statements.iter().all(told(template))
        && !may_hide_tables(template, &statements)
    {
        return Outcome::Resolved { text, statements, derived: false };
    }
    if is_open_to(template, kind, callers) {
        return Outcome::Open;
    }
    if let Some(text) = derived(template) {
        let statements = classify(&text, dialect);
        if !statements.is_empty() && statements.iter().all(told(template)) {
            return Outcome::Resolved { text, statements, derived: true };
        }
    }
    // Several statements, of which some are known.
    let known: Vec<Statement> = statements.into_iter().filter(told(template)).collect();
    if known.iter().any(|s| s.is_definition() || s.is_use()) {
        return Outcome::Resolved { text, statements: known, derived: false };
    }
    if is_dynamic(template, kind) { Outcome::Dynamic(text) } else { Outcome::Unknown(text) }
}

/// Whether all that is missing comes from outside of the program.
fn is_dynamic(template: &Template, kind: &EffectKind) -> bool {
    let first =
        template.pieces().iter().find(|piece| !matches!(piece, Piece::Text(text) if text.trim().is_empty()));
    matches!(first, Some(Piece::Hole(hole)) if hole.outside)
        || names_tables(&template.named(OPEN_NAME, |hole| hole.outside), kind)
}

fn table(template: &Template, writes: bool, callers: Callers) -> Outcome {
    let sql = of_table(template, writes);
    let statements = classify(&sql, Dialect::Postgres);
    if statements.iter().all(|s| told(template)(s) && s.operation != Operation::Other)
        && !statements.is_empty()
    {
        Outcome::Resolved { text: sql, statements, derived: false }
    } else if is_open_to(template, &EffectKind::Table(Vec::new(), writes), callers) {
        Outcome::Open
    } else if template.as_hole().outside {
        Outcome::Dynamic(template.marked(UNKNOWN))
    } else {
        Outcome::Unknown(template.marked(UNKNOWN))
    }
}

/// The statement that is made of a table's name.
fn of_table(template: &Template, writes: bool) -> String {
    let name = template.marked(UNKNOWN);
    if writes { format!("UPDATE {name} SET {UNKNOWN} = 1") } else { format!("SELECT 1 FROM {name}") }
}

/// A statement with the names that its tables were computed from in the tables' places.
fn derived(template: &Template) -> Option<String> {
    let mut text = String::new();
    let (mut found, mut names_end) = (false, false);
    for piece in template.pieces() {
        match piece {
            Piece::Text(piece) => {
                // The names stand for more than the table: what comes next is a word of its own.
                if names_end && piece.starts_with(|c: char| c.is_alphanumeric()) {
                    text.push(' ');
                }
                names_end = false;
                text.push_str(piece);
            }
            Piece::Hole(hole) => match &hole.from {
                Some(words) if expects_table(&text) => {
                    let names: Vec<&str> =
                        words.iter().map(|word| &**word).filter(|word| !is_word_of_sql(word)).collect();
                    if names.is_empty() || names.len() > MOST_WORDS {
                        return None;
                    }
                    text.push_str(&names.join(", "));
                    (found, names_end) = (true, true);
                }
                _ => text.push(UNKNOWN),
            },
        }
    }
    found.then_some(text)
}

/// A statement as a text, without the names of schemas that are empty: those a variable began with.
fn text_of(template: &Template) -> String {
    let text = template.marked(UNKNOWN);
    if text.contains("``.") { text.replace("``.", "") } else { text }
}

/// Whether an empty name stands in a table's place: what a variable began with.
fn has_empty_name(text: &str) -> bool {
    let is_of_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let last = text.trim_end().rsplit(|c| !is_of_word(c)).next().unwrap_or_default();
    ["from", "join", "into"].iter().any(|word| last.eq_ignore_ascii_case(word))
        || text.match_indices("``").any(|(at, _)| expects_table(&text[..at]) && !text[..at].ends_with('`'))
}

/// Whether a table's name comes next.
fn expects_table(text: &str) -> bool {
    let text = text.trim_end_matches(|c: char| c.is_whitespace() || "`\"([".contains(c));
    let word = text.rsplit(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    ["from", "join", "into", "update", "table", "ignore", "exists"]
        .iter()
        .any(|k| word.eq_ignore_ascii_case(k))
}
