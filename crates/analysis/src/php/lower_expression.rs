//! Expressions.

use std::sync::Arc;

use mago_span::HasSpan;
use mago_syntax::ast::{
    Access, Argument as ArgumentSource, ArgumentList, ArrayElement, AssignmentOperator, Binary,
    BinaryOperator, Call as CallSource, ClassLikeConstantSelector, ClassLikeMemberSelector, CompositeString,
    Construct, Expression, Literal, MagicConstant, MatchArm, StringPart, TokenSeparatedSequence,
    UnaryPrefixOperator, Variable, Yield,
};

use super::escapes::unescaped;
use super::ir::{Argument, Call, Callee, Cast, ClassName, Expr, Item, Member, Slot};
use super::lower::{Body, FunctionSource, Lower, identifier_value, nothing, text, variable_name};

impl<'a> Lower<'a> {
    pub(super) fn expression(&mut self, expression: &Expression<'a>) -> Expr {
        self.deeper(expression.span(), nothing(), |this| this.lower_expression(expression))
    }

    fn boxed(&mut self, expression: &Expression<'a>) -> Box<Expr> {
        Box::new(self.expression(expression))
    }

    /// An expression that may be written as a reference, and whether it is.
    pub(super) fn referable(&mut self, expression: &Expression<'a>) -> (Expr, bool) {
        if let Expression::UnaryPrefix(unary) = expression
            && let UnaryPrefixOperator::Reference(_) = unary.operator
        {
            return (self.expression(unary.operand), true);
        }
        (self.expression(expression), false)
    }

    fn lower_expression(&mut self, expression: &Expression<'a>) -> Expr {
        match expression {
            Expression::Parenthesized(inner) => self.expression(inner.expression),
            Expression::Literal(literal) => lower_literal(literal),
            Expression::CompositeString(string) => self.lower_string(string),
            Expression::Variable(variable) => self.variable(variable),
            Expression::Binary(binary) => self.lower_binary(binary),
            Expression::Assignment(assignment) => {
                let target = self.boxed(assignment.lhs);
                match assignment.operator {
                    AssignmentOperator::Assign(_) => {
                        let (value, by_reference) = self.referable(assignment.rhs);
                        if by_reference {
                            Expr::AssignReference(target, Box::new(value))
                        } else {
                            Expr::Assign(target, Box::new(value))
                        }
                    }
                    AssignmentOperator::Concat(_) => Expr::AssignConcat(target, self.boxed(assignment.rhs)),
                    AssignmentOperator::Coalesce(_) => {
                        Expr::AssignCoalesce(target, self.boxed(assignment.rhs))
                    }
                    _ => Expr::Modify(target, Some(self.boxed(assignment.rhs))),
                }
            }
            Expression::UnaryPostfix(unary) => Expr::Modify(self.boxed(unary.operand), None),
            Expression::UnaryPrefix(unary) => {
                let operand = self.boxed(unary.operand);
                match unary.operator {
                    UnaryPrefixOperator::ErrorControl(_) | UnaryPrefixOperator::Reference(_) => *operand,
                    UnaryPrefixOperator::PreIncrement(_) | UnaryPrefixOperator::PreDecrement(_) => {
                        Expr::Modify(operand, None)
                    }
                    UnaryPrefixOperator::Not(_) => Expr::Not(operand),
                    UnaryPrefixOperator::StringCast(..) | UnaryPrefixOperator::BinaryCast(..) => {
                        Expr::Cast(Cast::Text, operand)
                    }
                    UnaryPrefixOperator::ArrayCast(..) => Expr::Cast(Cast::Array, operand),
                    UnaryPrefixOperator::BoolCast(..) | UnaryPrefixOperator::BooleanCast(..) => {
                        Expr::Cast(Cast::Bool, operand)
                    }
                    UnaryPrefixOperator::ObjectCast(..) => Expr::Other(vec![*operand]),
                    _ => Expr::Cast(Cast::Number, operand),
                }
            }
            Expression::Conditional(conditional) => Expr::Conditional(
                self.boxed(conditional.condition),
                conditional.then.map(|then| self.boxed(then)),
                self.boxed(conditional.r#else),
            ),
            Expression::Array(array) => Expr::Array(self.items(&array.elements)),
            Expression::LegacyArray(array) => Expr::Array(self.items(&array.elements)),
            Expression::List(list) => Expr::Array(self.items(&list.elements)),
            Expression::ArrayAccess(access) => {
                Expr::Index(self.boxed(access.array), Some(self.boxed(access.index)))
            }
            Expression::ArrayAppend(append) => Expr::Index(self.boxed(append.array), None),
            Expression::AnonymousClass(class) => {
                let position = self.at(class.span());
                let name = format!("class@{}:{}", position.line, position.column);
                let name =
                    self.class(&name, class.extends.as_ref(), class.implements.as_ref(), &class.members);
                let arguments =
                    class.argument_list.as_ref().map(|list| self.arguments(list)).unwrap_or_default();
                Expr::Call(Box::new(Call {
                    position,
                    callee: Callee::New(ClassName::Named(name)),
                    arguments,
                }))
            }
            Expression::Closure(closure) => {
                let source = FunctionSource {
                    name: Arc::from("{closure}"),
                    span: closure.span(),
                    parameters: Some(&closure.parameter_list),
                    returns: closure.return_type_hint.as_ref().map(|returns| &returns.hint),
                    body: Body::Block(&closure.body),
                    class: None,
                    is_static: closure.r#static.is_some(),
                    is_closure: true,
                };
                let (id, inner) = self.function(source);
                let uses: Vec<(&'a [u8], bool)> = closure
                    .use_clause
                    .iter()
                    .flat_map(|clause| clause.variables.iter())
                    .map(|v| (variable_name(v.variable.name), v.ampersand.is_some()))
                    .collect();
                let uses = uses
                    .into_iter()
                    .filter_map(|(name, by_reference)| {
                        let inside = inner.variables.iter().position(|known| known.as_bytes() == name)?;
                        Some((self.slot(name), inside as Slot, by_reference))
                    })
                    .collect();
                Expr::Closure(id, uses)
            }
            Expression::ArrowFunction(function) => {
                let source = FunctionSource {
                    name: Arc::from("{closure}"),
                    span: function.span(),
                    parameters: Some(&function.parameter_list),
                    returns: function.return_type_hint.as_ref().map(|returns| &returns.hint),
                    body: Body::Expression(function.expression),
                    class: None,
                    is_static: function.r#static.is_some(),
                    is_closure: true,
                };
                let parameters = function.parameter_list.parameters.len();
                let (id, inner) = self.function(source);
                let uses = inner
                    .variables
                    .iter()
                    .enumerate()
                    .skip(parameters)
                    .map(|(inside, name)| (self.slot(name.as_bytes()), inside as Slot, false))
                    .collect();
                Expr::Closure(id, uses)
            }
            Expression::ConstantAccess(access) => {
                let (full, other) = self.names.constant(&text(identifier_value(&access.name)));
                Expr::Constant(full, other)
            }
            Expression::Identifier(identifier) => {
                Expr::Text(Arc::from(self.names.class_shown(&text(identifier_value(identifier)))))
            }
            Expression::Match(m) => {
                let subject = self.boxed(m.expression);
                let arms = m
                    .arms
                    .iter()
                    .map(|arm| match arm {
                        MatchArm::Expression(arm) => (
                            arm.conditions.iter().map(|c| self.expression(c)).collect(),
                            self.expression(arm.expression),
                        ),
                        MatchArm::Default(arm) => (Vec::new(), self.expression(arm.expression)),
                    })
                    .collect();
                Expr::Match(subject, arms)
            }
            Expression::Yield(y) => Expr::Other(match y {
                Yield::Value(y) => y.value.map(|value| self.expression(value)).into_iter().collect(),
                Yield::Pair(y) => vec![self.expression(y.key), self.expression(y.value)],
                Yield::From(y) => vec![self.expression(y.iterator)],
            }),
            Expression::Construct(construct) => self.lower_construct(construct),
            Expression::Throw(throw) => Expr::Leave(vec![self.expression(throw.exception)]),
            Expression::Clone(clone) => self.expression(clone.object),
            Expression::Call(call) => self.lower_call(call),
            Expression::PartialApplication(_) => nothing(),
            Expression::Access(access) => self.lower_access(access),
            Expression::Instantiation(new) => {
                let position = self.at(new.span());
                let callee = Callee::New(self.class_name(new.class));
                let arguments =
                    new.argument_list.as_ref().map(|list| self.arguments(list)).unwrap_or_default();
                Expr::Call(Box::new(Call { position, callee, arguments }))
            }
            Expression::MagicConstant(MagicConstant::Function(_) | MagicConstant::Method(_)) => {
                Expr::Text(Arc::from("{function}"))
            }
            Expression::MagicConstant(_) => nothing(),
            Expression::Pipe(pipe) => {
                let position = self.at(pipe.span());
                let input = self.expression(pipe.input);
                let callee = Callee::Computed(self.expression(pipe.callable));
                let arguments = vec![Argument { value: input, spread: false, name: None }];
                Expr::Call(Box::new(Call { position, callee, arguments }))
            }
            Expression::Parent(_) | Expression::Static(_) | Expression::Self_(_) | Expression::Error(_) => {
                nothing()
            }
            // The parser's tree may grow.
            _ => nothing(),
        }
    }

    pub(super) fn variable(&mut self, variable: &Variable<'a>) -> Expr {
        match variable {
            Variable::Direct(direct) => {
                let position = self.at(direct.span);
                match variable_name(direct.name) {
                    b"_SESSION" | b"HTTP_SESSION_VARS" => Expr::Session(position),
                    b"GLOBALS" => Expr::Globals,
                    b"this" => Expr::This,
                    name => Expr::Var(self.slot(name), position),
                }
            }
            Variable::Indirect(indirect) => Expr::VarNamed(self.boxed(indirect.expression)),
            Variable::Nested(nested) => {
                let inner = self.deeper(nested.span(), nothing(), |this| this.variable(nested.variable));
                Expr::VarNamed(Box::new(inner))
            }
        }
    }

    /// Operators of the same kind stand to the left of each other in the tree: a long sum is as deep as it is long.
    fn lower_binary(&mut self, binary: &Binary<'a>) -> Expr {
        let mut chain = vec![binary];
        let mut first = binary.lhs;
        loop {
            match first {
                Expression::Binary(inner) => {
                    chain.push(inner);
                    first = inner.lhs;
                }
                Expression::Parenthesized(inner) if matches!(inner.expression, Expression::Binary(_)) => {
                    first = inner.expression;
                }
                _ => break,
            }
        }
        let mut left = self.expression(first);
        for binary in chain.into_iter().rev() {
            let right = self.expression(binary.rhs);
            left = self.joined(left, binary, right);
        }
        left
    }

    fn joined(&mut self, left: Expr, binary: &Binary<'a>, right: Expr) -> Expr {
        let (a, b) = (Box::new(left), Box::new(right));
        match &binary.operator {
            BinaryOperator::StringConcat(_) => match *a {
                Expr::Concat(mut parts) => {
                    parts.push(*b);
                    Expr::Concat(parts)
                }
                left => Expr::Concat(vec![left, *b]),
            },
            BinaryOperator::NullCoalesce(_) => Expr::Coalesce(a, b),
            BinaryOperator::Equal(_) | BinaryOperator::Identical(_) => Expr::Equal(a, b, true),
            BinaryOperator::NotEqual(_)
            | BinaryOperator::NotIdentical(_)
            | BinaryOperator::AngledNotEqual(_) => Expr::Equal(a, b, false),
            BinaryOperator::And(_) | BinaryOperator::LowAnd(_) => Expr::And(a, b),
            BinaryOperator::Or(_) | BinaryOperator::LowOr(_) => Expr::Or(a, b),
            BinaryOperator::Addition(_) => Expr::Add(a, b),
            BinaryOperator::Instanceof(_) => {
                let class = match *b {
                    Expr::Text(name) => ClassName::Named(Arc::from(name.to_lowercase())),
                    other => ClassName::Computed(Box::new(other)),
                };
                Expr::InstanceOf(a, class)
            }
            _ => match *a {
                // Other operators make a flat list of what they are made of.
                Expr::Other(mut parts) if !parts.is_empty() => {
                    parts.push(*b);
                    Expr::Other(parts)
                }
                left => Expr::Other(vec![left, *b]),
            },
        }
    }

    fn lower_string(&mut self, string: &CompositeString<'a>) -> Expr {
        let (parts, quoted) = match string {
            CompositeString::ShellExecute(string) => {
                return Expr::Other(string.parts.iter().filter_map(|part| self.part(part, false)).collect());
            }
            CompositeString::Interpolated(string) => (&string.parts, true),
            CompositeString::Document(document) => (&document.parts, false),
        };
        let raw = matches!(string, CompositeString::Document(document)
            if document.kind == mago_syntax::ast::DocumentKind::Nowdoc);
        let mut lowered = Vec::with_capacity(parts.len());
        for part in parts.iter() {
            match part {
                StringPart::Literal(literal) if raw => {
                    lowered.push(Expr::Text(Arc::from(text(literal.value))));
                }
                part => lowered.extend(self.part(part, quoted)),
            }
        }
        match lowered.len() {
            1 if matches!(lowered[0], Expr::Text(_)) => lowered.remove(0),
            _ => Expr::Concat(lowered),
        }
    }

    fn part(&mut self, part: &StringPart<'a>, quoted: bool) -> Option<Expr> {
        Some(match part {
            StringPart::Literal(literal) => Expr::Text(Arc::from(unescaped(literal.value, quoted))),
            StringPart::Expression(expression) => self.in_string(expression),
            StringPart::BracedExpression(braced) => self.expression(braced.expression),
        })
    }

    /// `"$a[key]"`: a bare word between the brackets is a string, not a constant.
    fn in_string(&mut self, expression: &Expression<'a>) -> Expr {
        if let Expression::ArrayAccess(access) = expression {
            let word = match access.index {
                Expression::ConstantAccess(constant) => Some(identifier_value(&constant.name)),
                Expression::Identifier(identifier) => Some(identifier_value(identifier)),
                _ => None,
            };
            if let Some(word) = word {
                let array = self.boxed(access.array);
                return Expr::Index(array, Some(Box::new(Expr::Text(Arc::from(text(word))))));
            }
        }
        self.expression(expression)
    }

    fn items(&mut self, elements: &TokenSeparatedSequence<'a, ArrayElement<'a>>) -> Vec<Item> {
        elements
            .iter()
            .map(|element| {
                let (key, value, spread) = match element {
                    ArrayElement::KeyValue(item) => {
                        (Some(self.expression(item.key)), Some(item.value), false)
                    }
                    ArrayElement::Value(item) => (None, Some(item.value), false),
                    ArrayElement::Variadic(item) => (None, Some(item.value), true),
                    ArrayElement::Missing(_) => (None, None, false),
                };
                let (value, by_reference) =
                    value.map_or_else(|| (nothing(), false), |value| self.referable(value));
                Item { key, value, spread, by_reference }
            })
            .collect()
    }

    fn arguments(&mut self, list: &ArgumentList<'a>) -> Vec<Argument> {
        list.arguments
            .iter()
            .map(|argument| match argument {
                ArgumentSource::Positional(argument) => Argument {
                    value: self.expression(argument.value),
                    spread: argument.ellipsis.is_some(),
                    name: None,
                },
                ArgumentSource::Named(argument) => Argument {
                    value: self.expression(argument.value),
                    spread: false,
                    name: Some(Arc::from(text(argument.name.value))),
                },
            })
            .collect()
    }

    fn lower_construct(&mut self, construct: &Construct<'a>) -> Expr {
        let mut include = |value: &Expression<'a>| {
            self.scope().includes = true;
            Expr::Include(self.boxed(value))
        };
        match construct {
            Construct::Include(c) => include(c.value),
            Construct::IncludeOnce(c) => include(c.value),
            Construct::Require(c) => include(c.value),
            Construct::RequireOnce(c) => include(c.value),
            Construct::Isset(c) => Expr::Isset(c.values.iter().map(|value| self.expression(value)).collect()),
            Construct::Empty(c) => Expr::Empty(self.boxed(c.value)),
            Construct::Eval(c) => Expr::Other(vec![self.expression(c.value)]),
            Construct::Print(c) => Expr::Other(vec![self.expression(c.value)]),
            Construct::Exit(c) => Expr::Leave(self.values(c.arguments.as_ref())),
            Construct::Die(c) => Expr::Leave(self.values(c.arguments.as_ref())),
        }
    }

    fn values(&mut self, list: Option<&ArgumentList<'a>>) -> Vec<Expr> {
        list.map(|list| self.arguments(list).into_iter().map(|a| a.value).collect()).unwrap_or_default()
    }

    fn lower_call(&mut self, call: &CallSource<'a>) -> Expr {
        let (position, callee, arguments) = match call {
            CallSource::Function(call) => {
                let callee = match call.function {
                    Expression::Identifier(identifier) => {
                        let (full, other) = self.names.function(&text(identifier_value(identifier)));
                        Callee::Function(full, other)
                    }
                    other => Callee::Computed(self.expression(other)),
                };
                (self.at(call.span()), callee, self.arguments(&call.argument_list))
            }
            CallSource::Method(call) => self.method(call.object, &call.method, &call.argument_list),
            CallSource::NullSafeMethod(call) => self.method(call.object, &call.method, &call.argument_list),
            CallSource::StaticMethod(call) => {
                let position = self.at(call.span());
                let class = self.class_name(call.class);
                let member = self.member_of(&call.method);
                (position, Callee::Static(class, member), self.arguments(&call.argument_list))
            }
        };
        Expr::Call(Box::new(Call { position, callee, arguments }))
    }

    fn method(
        &mut self,
        object: &Expression<'a>,
        method: &ClassLikeMemberSelector<'a>,
        arguments: &ArgumentList<'a>,
    ) -> (super::ir::Position, Callee, Vec<Argument>) {
        // In a chain over several lines, the line of the method's name is the one that is executed.
        let position = self.at(method.span());
        let object = self.expression(object);
        let member = self.member_of(method);
        (position, Callee::Method(object, member), self.arguments(arguments))
    }

    fn member_of(&mut self, selector: &ClassLikeMemberSelector<'a>) -> Member {
        match selector {
            ClassLikeMemberSelector::Identifier(identifier) => {
                Member::Named(Arc::from(text(identifier.value)))
            }
            ClassLikeMemberSelector::Variable(variable) => Member::Computed(self.variable(variable)),
            ClassLikeMemberSelector::Expression(selector) => {
                Member::Computed(self.expression(selector.expression))
            }
            ClassLikeMemberSelector::Missing(_) => Member::Computed(nothing()),
        }
    }

    fn lower_access(&mut self, access: &Access<'a>) -> Expr {
        match access {
            Access::Property(access) => {
                let object = self.boxed(access.object);
                Expr::Property(object, Box::new(self.member_of(&access.property)))
            }
            Access::NullSafeProperty(access) => {
                let object = self.boxed(access.object);
                Expr::Property(object, Box::new(self.member_of(&access.property)))
            }
            Access::StaticProperty(access) => {
                let class = self.class_name(access.class);
                let member = match &access.property {
                    Variable::Direct(direct) => Member::Named(Arc::from(text(variable_name(direct.name)))),
                    other => Member::Computed(self.variable(other)),
                };
                Expr::StaticProperty(class, Box::new(member))
            }
            Access::ClassConstant(access) => {
                let class = self.class_name(access.class);
                match &access.constant {
                    ClassLikeConstantSelector::Identifier(name) => {
                        Expr::ClassConstant(class, Arc::from(text(name.value)))
                    }
                    _ => nothing(),
                }
            }
        }
    }

    fn class_name(&mut self, class: &Expression<'a>) -> ClassName {
        match class {
            Expression::Identifier(identifier) => {
                let name = text(identifier_value(identifier));
                match name.to_lowercase().as_str() {
                    "self" => ClassName::SelfClass,
                    "static" => ClassName::StaticClass,
                    "parent" => ClassName::Parent,
                    _ => ClassName::Named(self.names.class(&name)),
                }
            }
            Expression::Self_(_) => ClassName::SelfClass,
            Expression::Static(_) => ClassName::StaticClass,
            Expression::Parent(_) => ClassName::Parent,
            other => ClassName::Computed(self.boxed(other)),
        }
    }
}

fn lower_literal(literal: &Literal<'_>) -> Expr {
    match literal {
        Literal::String(string) => {
            let value = string.value.map(text).unwrap_or_else(|| text(string.raw));
            Expr::Text(Arc::from(value))
        }
        Literal::Integer(integer) => {
            Expr::Text(Arc::from(integer.value.map_or_else(|| text(integer.raw), |value| value.to_string())))
        }
        Literal::Float(float) => Expr::Text(Arc::from(text(float.raw))),
        Literal::True(_) => Expr::Bool(true),
        Literal::False(_) => Expr::Bool(false),
        Literal::Null(_) => Expr::Null,
    }
}
