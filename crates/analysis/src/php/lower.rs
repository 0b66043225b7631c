//! From the parser's tree to the analysis' own, file by file.

use std::collections::HashMap;
use std::sync::Arc;

use bumpalo::Bump;
use mago_database::file::FileId;
use mago_span::{HasSpan, Span};
use mago_syntax::ast::{Block, FunctionLikeParameterList, Hint, Identifier, Sequence, Statement, Trivia};
use mago_syntax::parser::parse_file_content;

use super::doc_comment;
use super::ir::{Class, Expr, Function, LocalFunction, Name, Parameter, Position, Slot, Stmt, Unit};
use super::lines::Lines;
use super::names::Names;

/// Deeper nesting is not followed.
pub(super) const DEEPEST: u32 = 700;
/// As many errors of a file are told.
const MOST_ERRORS: usize = 10;

/// Reads a file.
pub(crate) fn lower(source: &[u8]) -> Unit {
    let arena = Bump::new();
    let program = parse_file_content(&arena, FileId::zero(), source);
    let lines = Lines::of(source);
    let mut errors: Vec<(Position, String)> = program
        .errors
        .iter()
        .take(MOST_ERRORS)
        .map(|error| (lines.position(error.span().start.offset), error.to_string()))
        .collect();
    let mut lower = Lower {
        lines,
        source,
        comments: program.trivia.iter().filter(|trivia| trivia.kind.is_docblock()).collect(),
        names: Names::default(),
        functions: vec![None],
        classes: Vec::new(),
        scopes: vec![Scope::default()],
        depth: 0,
        too_deep: None,
    };
    let body = lower.statements(&program.statements);
    if let Some(position) = lower.too_deep {
        errors.push((
            position,
            format!("nested deeper than {DEEPEST} levels; what is further inside is not read"),
        ));
    }
    let scope = lower.scopes.pop().unwrap_or_default();
    lower.functions[0] = Some(Function {
        name: Arc::from("{file}"),
        position: Position { line: 1, column: 1 },
        parameters: Vec::new(),
        variables: scope.variables,
        body,
        class: None,
        is_static: true,
        is_abstract: false,
        is_closure: false,
        returns: Vec::new(),
        size: scope.size,
        includes: true,
    });
    Unit { functions: lower.functions.into_iter().flatten().collect(), classes: lower.classes, errors }
}

/// The variables of a function while it is read.
#[derive(Debug, Default)]
pub(super) struct Scope {
    pub(super) variables: Vec<Arc<str>>,
    by_name: HashMap<Vec<u8>, Slot>,
    pub(super) size: u32,
    pub(super) includes: bool,
}

/// What is known while a file is read.
pub(super) struct Lower<'a> {
    pub(super) lines: Lines,
    source: &'a [u8],
    comments: Vec<&'a Trivia<'a>>,
    pub(super) names: Names,
    functions: Vec<Option<Function>>,
    pub(super) classes: Vec<Class>,
    pub(super) scopes: Vec<Scope>,
    pub(super) depth: u32,
    pub(super) too_deep: Option<Position>,
}

/// A function as it stands in the source.
pub(super) struct FunctionSource<'b, 'a> {
    pub(super) name: Arc<str>,
    pub(super) span: Span,
    pub(super) parameters: Option<&'b FunctionLikeParameterList<'a>>,
    pub(super) returns: Option<&'b Hint<'a>>,
    pub(super) body: Body<'b, 'a>,
    pub(super) class: Option<u32>,
    pub(super) is_static: bool,
    pub(super) is_closure: bool,
}

/// What a function consists of.
pub(super) enum Body<'b, 'a> {
    Block(&'b Block<'a>),
    Expression(&'b mago_syntax::ast::Expression<'a>),
    Abstract,
}

impl<'a> Lower<'a> {
    pub(super) fn at(&self, span: Span) -> Position {
        self.lines.position(span.start.offset)
    }

    pub(super) fn scope(&mut self) -> &mut Scope {
        if self.scopes.is_empty() {
            self.scopes.push(Scope::default());
        }
        let last = self.scopes.len() - 1;
        &mut self.scopes[last]
    }

    /// The slot of a variable, whose name is without the dollar sign.
    pub(super) fn slot(&mut self, name: &[u8]) -> Slot {
        let scope = self.scope();
        if let Some(slot) = scope.by_name.get(name) {
            return *slot;
        }
        // A function with more variables than that is generated; the last slot is then shared by the rest.
        let slot = Slot::try_from(scope.variables.len()).unwrap_or(Slot::MAX);
        if slot < Slot::MAX {
            scope.variables.push(Arc::from(text(name)));
        }
        scope.by_name.insert(name.to_owned(), slot);
        slot
    }

    /// The comment right before something.
    pub(super) fn comment(&self, span: Span) -> Option<String> {
        let index = self.comments.partition_point(|comment| comment.span.end.offset <= span.start.offset);
        let comment = self.comments.get(index.checked_sub(1)?)?;
        let between = self.source.get(comment.span.end.offset as usize..span.start.offset as usize)?;
        between.iter().all(u8::is_ascii_whitespace).then(|| text(comment.value))
    }

    pub(super) fn function(&mut self, function: FunctionSource<'_, 'a>) -> (LocalFunction, Scope) {
        let id = self.functions.len();
        self.functions.push(None);
        let comment = self.comment(function.span);
        self.scopes.push(Scope::default());
        let parameters =
            function.parameters.map(|list| self.parameters(list, comment.as_deref())).unwrap_or_default();
        let (body, is_abstract) = match function.body {
            Body::Block(block) => (self.statements(&block.statements), false),
            Body::Expression(expression) => {
                let value = self.expression(expression);
                (vec![Stmt::Return(Some(value))], false)
            }
            Body::Abstract => (Vec::new(), true),
        };
        let scope = self.scopes.pop().unwrap_or_default();
        let mut returns = function.returns.map(|hint| self.hint_classes(hint)).unwrap_or_default();
        if returns.is_empty()
            && let Some(said) =
                comment.as_deref().and_then(|comment| doc_comment::tag(comment, "@return", None))
        {
            returns = doc_comment::classes(&self.names, said);
        }
        self.functions[id] = Some(Function {
            name: function.name,
            position: self.at(function.span),
            parameters,
            variables: scope.variables.clone(),
            body,
            class: function.class,
            is_static: function.is_static,
            is_abstract,
            is_closure: function.is_closure,
            returns,
            size: scope.size,
            includes: scope.includes,
        });
        (id as LocalFunction, scope)
    }

    fn parameters(&mut self, list: &FunctionLikeParameterList<'a>, comment: Option<&str>) -> Vec<Parameter> {
        list.parameters
            .iter()
            .map(|parameter| {
                let name = text(variable_name(parameter.variable.name));
                let mut classes =
                    parameter.hint.as_ref().map(|hint| self.hint_classes(hint)).unwrap_or_default();
                if classes.is_empty()
                    && let Some(said) = comment.and_then(|c| doc_comment::tag(c, "@param", Some(&name)))
                {
                    classes = doc_comment::classes(&self.names, said);
                }
                let default = parameter.default_value.as_ref().map(|default| self.expression(default.value));
                Parameter {
                    slot: self.slot(name.as_bytes()),
                    name: Arc::from(name),
                    default,
                    by_reference: parameter.ampersand.is_some(),
                    variadic: parameter.ellipsis.is_some(),
                    classes,
                    promoted: parameter.modifiers.iter().next().is_some(),
                }
            })
            .collect()
    }

    pub(super) fn hint_classes(&self, hint: &Hint<'a>) -> Vec<Name> {
        match hint {
            Hint::Identifier(identifier) => {
                doc_comment::classes(&self.names, &text(identifier_value(identifier)))
            }
            Hint::Parenthesized(inner) => self.hint_classes(inner.hint),
            Hint::Nullable(inner) => self.hint_classes(inner.hint),
            Hint::Union(union) => {
                let mut classes = self.hint_classes(union.left);
                classes.extend(self.hint_classes(union.right));
                classes
            }
            _ => Vec::new(),
        }
    }

    pub(super) fn statements(&mut self, statements: &Sequence<'a, Statement<'a>>) -> Vec<Stmt> {
        let mut lowered = Vec::with_capacity(statements.len());
        for statement in statements.iter() {
            self.statement(statement, &mut lowered);
        }
        lowered
    }

    /// Goes one level deeper, unless that is too deep.
    pub(super) fn deeper<T>(&mut self, span: Span, other: T, inside: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth >= DEEPEST {
            let position = self.at(span);
            self.too_deep.get_or_insert(position);
            return other;
        }
        self.depth += 1;
        self.scope().size += 1;
        let result = inside(self);
        self.depth -= 1;
        result
    }

    /// A constant's value in a class has no variables.
    pub(super) fn apart<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(Scope::default());
        let result = inside(self);
        self.scopes.pop();
        result
    }
}

pub(super) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

pub(super) fn variable_name(name: &[u8]) -> &[u8] {
    name.strip_prefix(b"$").unwrap_or(name)
}

pub(super) fn identifier_value<'a>(identifier: &Identifier<'a>) -> &'a [u8] {
    match identifier {
        Identifier::Local(identifier) => identifier.value,
        Identifier::Qualified(identifier) => identifier.value,
        Identifier::FullyQualified(identifier) => identifier.value,
    }
}

/// Something that is not followed.
pub(super) fn nothing() -> Expr {
    Expr::Other(Vec::new())
}
