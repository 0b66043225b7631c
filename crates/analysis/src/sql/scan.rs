//! Without a parser: the names after `FROM`, `JOIN`, `INTO` and `UPDATE`, wherever they stand.

use super::statement::{Operation, Statement, TableName, UNKNOWN};
use super::token::Token;

type Found<'a> = (usize, usize, Token<'a>);

/// Never the name of a table where one is expected, unless in quotes.
const KEYWORDS: &[&str] = &[
    "select",
    "where",
    "set",
    "values",
    "value",
    "on",
    "using",
    "join",
    "inner",
    "left",
    "right",
    "outer",
    "cross",
    "natural",
    "full",
    "straight_join",
    "group",
    "order",
    "having",
    "limit",
    "union",
    "from",
    "into",
    "as",
    "and",
    "or",
    "not",
    "for",
    "lateral",
    "unnest",
    "duplicate",
    "key",
    "when",
    "then",
    "else",
    "end",
    "case",
    "exists",
    "in",
    "is",
    "null",
    "intersect",
    "except",
    "returning",
    "offset",
    "fetch",
    "window",
    "partition",
    "distinct",
    "all",
    "use",
    "force",
    "ignore",
];

/// A name that begins at a token, and where it ends.
pub(super) fn name_at(tokens: &[Found<'_>], mut at: usize) -> Option<(TableName, usize)> {
    let mut parts: Vec<String> = Vec::new();
    loop {
        let (begin, mut end, token) = *tokens.get(at)?;
        let mut part = match token {
            Token::Word(word) if parts.is_empty() && token.is_any(KEYWORDS) && !word.contains(UNKNOWN) => {
                return None;
            }
            Token::Word(word) => word.to_owned(),
            Token::Quoted(name) => name.to_owned(),
            // A number or a placeholder after a dot is part of a name that is put together.
            Token::Number(number) if !parts.is_empty() => number.to_owned(),
            // A table's name that is put in later.
            Token::Placeholder if begin < end => UNKNOWN.to_string(),
            _ => return None,
        };
        at += 1;
        // `{$prefix}users` where the prefix is in quotes, or a placeholder right before or after a name.
        while let Some((next, after, token)) = tokens.get(at).copied()
            && next == end
            && let Some(more) = match token {
                Token::Placeholder => Some(UNKNOWN.to_string()),
                token => token.name().map(str::to_owned),
            }
        {
            part.push_str(&more);
            end = after;
            at += 1;
        }
        // Both in one pair of quotes.
        match part.split_once('.') {
            Some((schema, name)) if parts.is_empty() => parts.extend([schema.to_owned(), name.to_owned()]),
            _ => parts.push(part),
        }
        if tokens.get(at).is_some_and(|(_, _, token)| *token == Token::Sign('.')) {
            at += 1;
            if tokens.get(at).is_none_or(|(_, _, token)| *token == Token::Sign('*')) {
                // `DELETE t.* FROM`.
                at = (at + 1).min(tokens.len());
                break;
            }
        } else {
            break;
        }
    }
    let name = parts.pop()?;
    (!name.is_empty())
        .then(|| (TableName { schema: parts.pop().filter(|schema| !schema.is_empty()), name }, at))
}

/// An alias after a name, and where it ends.
fn alias_at<'a>(tokens: &[Found<'a>], mut at: usize) -> (Option<&'a str>, usize) {
    let word = |at: usize| tokens.get(at).map(|(_, _, token)| *token);
    if word(at).is_some_and(|token| token.is("as")) {
        at += 1;
    }
    match word(at) {
        Some(token) if !token.is_any(KEYWORDS) => match token.name() {
            Some(name) => (Some(name), at + 1),
            None => (None, at),
        },
        _ => (None, at),
    }
}

/// A table that stands somewhere, with its alias.
#[derive(Debug)]
struct Named<'a> {
    table: TableName,
    alias: Option<&'a str>,
}

/// What a statement does, by its words.
pub(super) fn scan(tokens: &[Found<'_>], operation: Operation) -> Statement {
    let mut scan = Scan { tokens, ctes: Vec::new(), named: Vec::new(), target: Vec::new(), operation };
    scan.run();
    scan.statement()
}

struct Scan<'t, 'a> {
    tokens: &'t [Found<'a>],
    /// What `WITH` names.
    ctes: Vec<&'a str>,
    named: Vec<Named<'a>>,
    /// What is written: names, or aliases of tables that are named elsewhere.
    target: Vec<Named<'a>>,
    operation: Operation,
}

impl<'a> Scan<'_, 'a> {
    fn word(&self, at: usize) -> Option<Token<'a>> {
        self.tokens.get(at).map(|(_, _, token)| *token)
    }

    fn is(&self, at: usize, word: &str) -> bool {
        self.word(at).is_some_and(|token| token.is(word))
    }

    fn run(&mut self) {
        // For every open parenthesis, whether it belongs to a function in which FROM names no table.
        let mut inside = Vec::new();
        let mut at = 0;
        let mut verb_seen = false;
        while at < self.tokens.len() {
            let token = self.tokens[at].2;
            match token {
                Token::Sign('(') => {
                    let function = at.checked_sub(1).and_then(|before| self.word(before));
                    inside.push(function.is_some_and(|token| {
                        token.is_any(&[
                            "extract",
                            "trim",
                            "substring",
                            "substr",
                            "position",
                            "overlay",
                            "ltrim",
                            "rtrim",
                        ])
                    }));
                    // `name AS (SELECT`: what WITH names.
                    if self.is(at.wrapping_sub(1), "as")
                        && self.word(at + 1).is_some_and(|t| {
                            t.is_any(&["select", "with", "values", "insert", "update", "delete"])
                        })
                        && let Some(name) = self.cte_before(at - 1)
                    {
                        self.ctes.push(name);
                    }
                    at += 1;
                }
                Token::Sign(')') => {
                    inside.pop();
                    at += 1;
                }
                _ if token.is("from")
                    && inside.last() != Some(&true)
                    && !self.is(at.wrapping_sub(1), "distinct") =>
                {
                    at = self.list(at + 1);
                }
                _ if token.is_any(&["join", "straight_join"]) => at = self.list(at + 1),
                _ if token.is("using")
                    && self.operation == Operation::Delete
                    && self.word(at + 1) != Some(Token::Sign('(')) =>
                {
                    at = self.list(at + 1);
                }
                _ if token.is("into") && !self.is(at + 1, "outfile") && !self.is(at + 1, "dumpfile") => {
                    let table = if self.is(at + 1, "table") { at + 2 } else { at + 1 };
                    at = self.one_target(table);
                    verb_seen = true;
                    if matches!(self.operation, Operation::Select | Operation::Unknown)
                        && !self.target.is_empty()
                    {
                        self.operation = Operation::Insert;
                    }
                }
                _ if token.is("update")
                    && !self.is(at.wrapping_sub(1), "for")
                    && !self.is(at.wrapping_sub(1), "key")
                    && !self.is(at.wrapping_sub(1), "do")
                    && !self.is(at.wrapping_sub(1), "on") =>
                {
                    verb_seen = true;
                    at = self.update(at + 1);
                }
                _ if token.is("delete") && !self.is(at.wrapping_sub(1), "on") => {
                    verb_seen = true;
                    at = self.delete(at + 1);
                }
                _ if token.is_any(&["insert", "replace"])
                    && self.word(at + 1) != Some(Token::Sign('('))
                    && !verb_seen =>
                {
                    verb_seen = true;
                    if self.operation == Operation::Select {
                        self.operation = Operation::Insert;
                    }
                    at += 1;
                    if self.is(at, "or") {
                        at += 2;
                    }
                    if !self.is(at, "into") {
                        at = self.one_target(at);
                    }
                }
                _ => at += 1,
            }
        }
    }

    fn cte_before(&self, mut at: usize) -> Option<&'a str> {
        // `name (a, b) AS (`.
        at = at.checked_sub(1)?;
        if self.word(at) == Some(Token::Sign(')')) {
            while self.word(at) != Some(Token::Sign('(')) {
                at = at.checked_sub(1)?;
            }
            at = at.checked_sub(1)?;
        }
        let before = at.checked_sub(1).and_then(|before| self.word(before))?;
        (before.is_any(&["with", "recursive"]) || before == Token::Sign(','))
            .then(|| self.word(at)?.name())
            .flatten()
    }

    /// Tables with commas between them.
    fn list(&mut self, mut at: usize) -> usize {
        loop {
            while self.word(at).is_some_and(|t| t == Token::Sign('(') || t.is_any(&["only", "lateral"])) {
                // A subquery has a FROM of its own.
                if self.word(at + 1).is_some_and(|t| t.is_any(&["select", "with", "values"])) {
                    return at;
                }
                at += 1;
            }
            let Some((table, after)) = name_at(self.tokens, at) else { return at };
            // A function that gives rows.
            if self.word(after) == Some(Token::Sign('('))
                && !self.tokens[at].2.name().is_some_and(|n| n.contains(UNKNOWN))
            {
                return after;
            }
            let (alias, after) = alias_at(self.tokens, after);
            self.named.push(Named { table, alias });
            at = after;
            if self.word(at) != Some(Token::Sign(',')) {
                return at;
            }
            at += 1;
        }
    }

    fn one_target(&mut self, at: usize) -> usize {
        match name_at(self.tokens, at) {
            Some((table, after)) => {
                self.target.push(Named { table, alias: None });
                after
            }
            None => at,
        }
    }

    /// `UPDATE a, b SET`, `UPDATE a JOIN b ON … SET a.x = …`: what is set says which is written.
    fn update(&mut self, at: usize) -> usize {
        if matches!(self.operation, Operation::Select | Operation::Unknown) {
            self.operation = Operation::Update;
        }
        let first = self.named.len();
        let at = if self.is(at, "or") { at + 2 } else { at };
        let mut after = self.list(at);
        let mut depth = 0;
        while after < self.tokens.len() && !(depth == 0 && self.is(after, "set")) {
            match self.tokens[after].2 {
                Token::Sign('(') => depth += 1,
                Token::Sign(')') => depth -= 1,
                token if token.is_any(&["join", "straight_join"]) => {
                    after = self.list(after + 1);
                    continue;
                }
                _ => {}
            }
            after += 1;
        }
        let tables = self.named.split_off(first);
        if tables.len() == 1 {
            self.target.extend(tables);
            return after;
        }
        let mut targets = Vec::new();
        let mut depth = 0;
        for at in after..self.tokens.len() {
            match self.tokens[at].2 {
                Token::Sign('(') => depth += 1,
                Token::Sign(')') => depth -= 1,
                token if depth == 0 && token.is_any(&["where", "order", "limit"]) => break,
                Token::Sign('=') if depth == 0 && self.word(at.wrapping_sub(2)) == Some(Token::Sign('.')) => {
                    targets.extend(self.word(at.wrapping_sub(3)).and_then(Token::name));
                }
                _ => {}
            }
        }
        for (n, named) in tables.into_iter().enumerate() {
            let is_target = if targets.is_empty() {
                n == 0
            } else {
                targets.iter().any(|t| named.alias == Some(t) || named.table.name.eq_ignore_ascii_case(t))
            };
            if is_target { self.target.push(named) } else { self.named.push(named) }
        }
        after
    }

    /// `DELETE FROM a WHERE`, `DELETE a FROM a JOIN b`, `DELETE FROM a USING a JOIN b`.
    fn delete(&mut self, mut at: usize) -> usize {
        if matches!(self.operation, Operation::Select | Operation::Unknown) {
            self.operation = Operation::Delete;
        }
        if self.is(at, "from") {
            at += 1;
            while self.is(at, "only") {
                at += 1;
            }
            loop {
                let Some((table, after)) = name_at(self.tokens, at) else { return at };
                let (alias, after) = alias_at(self.tokens, after);
                self.target.push(Named { table, alias });
                at = after;
                if self.word(at) != Some(Token::Sign(',')) {
                    return at;
                }
                at += 1;
            }
        }
        while let Some((table, after)) = name_at(self.tokens, at) {
            self.target.push(Named { table, alias: None });
            at = after;
            if self.word(at) != Some(Token::Sign(',')) {
                break;
            }
            at += 1;
        }
        at
    }

    fn statement(self) -> Statement {
        let mut statement = Statement::new(self.operation);
        let is_cte = |name: &TableName| {
            name.schema.is_none() && self.ctes.iter().any(|cte| cte.eq_ignore_ascii_case(&name.name))
        };
        let mut written = Vec::new();
        for target in &self.target {
            // A name that stands elsewhere as an alias means that table.
            let meant = self.named.iter().find(|named| {
                named.alias.is_some_and(|alias| alias.eq_ignore_ascii_case(&target.table.name))
                    && target.table.schema.is_none()
            });
            let table = meant.map_or(&target.table, |named| &named.table);
            written.push(table.clone());
            statement.write(table.clone());
        }
        let deletes = self.operation == Operation::Delete;
        for named in &self.named {
            if is_cte(&named.table) || deletes && written.contains(&named.table) {
                continue;
            }
            statement.read(named.table.clone());
        }
        statement
    }
}
