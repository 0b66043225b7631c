//! Statements.

use std::sync::Arc;

use mago_span::HasSpan;
use mago_syntax::ast::{
    DeclareBody, ForBody, ForeachBody, ForeachTarget, If, IfBody, NamespaceBody, Statement, StaticItem,
    SwitchBody, SwitchCase, Use, UseItem, UseItems, UseType, Variable, WhileBody,
};

use super::ir::{Expr, Stmt};
use super::lower::{Body, FunctionSource, Lower, identifier_value, text, variable_name};
use super::names::Import;

impl<'a> Lower<'a> {
    pub(super) fn statement(&mut self, statement: &Statement<'a>, out: &mut Vec<Stmt>) {
        self.deeper(statement.span(), (), |this| this.lower_statement(statement, out));
    }

    fn one(&mut self, statement: &Statement<'a>) -> Vec<Stmt> {
        let mut lowered = Vec::new();
        self.statement(statement, &mut lowered);
        lowered
    }

    fn lower_statement(&mut self, statement: &Statement<'a>, out: &mut Vec<Stmt>) {
        match statement {
            Statement::Expression(s) => {
                let expression = self.expression(s.expression);
                out.push(Stmt::Expr(expression));
            }
            Statement::Echo(s) => {
                let values = s.values.iter().map(|value| self.expression(value)).collect();
                out.push(Stmt::Expr(Expr::Other(values)));
            }
            Statement::EchoTag(s) => {
                let values = s.values.iter().map(|value| self.expression(value)).collect();
                out.push(Stmt::Expr(Expr::Other(values)));
            }
            Statement::Return(s) => {
                let value = s.value.map(|value| self.expression(value));
                out.push(Stmt::Return(value));
            }
            Statement::If(s) => self.lower_if(s, out),
            Statement::Block(block) => {
                for statement in block.statements.iter() {
                    self.statement(statement, out);
                }
            }
            Statement::Foreach(s) => {
                let subject = self.expression(s.expression);
                let (key, value) = match &s.target {
                    ForeachTarget::Value(target) => (None, target.value),
                    ForeachTarget::KeyValue(target) => (Some(self.expression(target.key)), target.value),
                };
                let (value, by_reference) = self.referable(value);
                let body = match &s.body {
                    ForeachBody::Statement(statement) => self.one(statement),
                    ForeachBody::ColonDelimited(body) => self.statements(&body.statements),
                };
                out.push(Stmt::Foreach { subject, key, value, by_reference, body });
            }
            Statement::For(s) => {
                for expression in s.initializations.iter() {
                    let expression = self.expression(expression);
                    out.push(Stmt::Expr(expression));
                }
                let condition = s.conditions.iter().map(|e| self.expression(e)).collect();
                let body = match &s.body {
                    ForBody::Statement(statement) => self.one(statement),
                    ForBody::ColonDelimited(body) => self.statements(&body.statements),
                };
                let after = s.increments.iter().map(|e| self.expression(e)).collect();
                out.push(Stmt::Loop { condition, body, after, once: false });
            }
            Statement::While(s) => {
                let condition = vec![self.expression(s.condition)];
                let body = match &s.body {
                    WhileBody::Statement(statement) => self.one(statement),
                    WhileBody::ColonDelimited(body) => self.statements(&body.statements),
                };
                out.push(Stmt::Loop { condition, body, after: Vec::new(), once: false });
            }
            Statement::DoWhile(s) => {
                let body = self.one(s.statement);
                let condition = vec![self.expression(s.condition)];
                out.push(Stmt::Loop { condition, body, after: Vec::new(), once: true });
            }
            Statement::Switch(s) => {
                let subject = self.expression(s.expression);
                let cases = match &s.body {
                    SwitchBody::BraceDelimited(body) => &body.cases,
                    SwitchBody::ColonDelimited(body) => &body.cases,
                };
                let cases = cases
                    .iter()
                    .map(|case| match case {
                        SwitchCase::Expression(case) => {
                            let value = self.expression(case.expression);
                            (Some(value), self.statements(&case.statements))
                        }
                        SwitchCase::Default(case) => (None, self.statements(&case.statements)),
                    })
                    .collect();
                out.push(Stmt::Switch(subject, cases));
            }
            Statement::Try(s) => {
                let body = self.statements(&s.block.statements);
                let catches = s
                    .catch_clauses
                    .iter()
                    .map(|clause| {
                        let slot = clause.variable.as_ref().map(|v| self.slot(variable_name(v.name)));
                        (slot, self.statements(&clause.block.statements))
                    })
                    .collect();
                let finally = s
                    .finally_clause
                    .as_ref()
                    .map(|f| self.statements(&f.block.statements))
                    .unwrap_or_default();
                out.push(Stmt::Try(body, catches, finally));
            }
            Statement::Break(_) | Statement::Continue(_) => out.push(Stmt::Jump),
            Statement::Global(s) => {
                let names = s
                    .variables
                    .iter()
                    .filter_map(|variable| match variable {
                        Variable::Direct(direct) => {
                            let name = variable_name(direct.name);
                            Some((self.slot(name), Arc::from(text(name))))
                        }
                        _ => None,
                    })
                    .collect();
                out.push(Stmt::Global(names));
            }
            Statement::Static(s) => {
                let items = s
                    .items
                    .iter()
                    .map(|item| match item {
                        StaticItem::Abstract(item) => (self.slot(variable_name(item.variable.name)), None),
                        StaticItem::Concrete(item) => {
                            let value = self.expression(item.value);
                            (self.slot(variable_name(item.variable.name)), Some(value))
                        }
                    })
                    .collect();
                out.push(Stmt::Static(items));
            }
            Statement::Unset(s) => {
                let values = s.values.iter().map(|value| self.expression(value)).collect();
                out.push(Stmt::Unset(values));
            }
            Statement::Constant(s) => {
                for item in s.items.iter() {
                    let value = self.expression(item.value);
                    let name = self.names.declared(&text(item.name.value));
                    out.push(Stmt::Constant(Arc::from(name), value));
                }
            }
            Statement::Function(s) => {
                let source = FunctionSource {
                    name: Arc::from(self.names.declared(&text(s.name.value))),
                    span: s.span(),
                    parameters: Some(&s.parameter_list),
                    returns: s.return_type_hint.as_ref().map(|returns| &returns.hint),
                    body: Body::Block(&s.body),
                    class: None,
                    is_static: true,
                    is_closure: false,
                };
                self.function(source);
            }
            Statement::Class(s) => {
                self.class(&text(s.name.value), s.extends.as_ref(), s.implements.as_ref(), &s.members);
            }
            Statement::Interface(s) => {
                self.class(&text(s.name.value), s.extends.as_ref(), None, &s.members);
            }
            Statement::Trait(s) => {
                self.class(&text(s.name.value), None, None, &s.members);
            }
            Statement::Enum(s) => {
                self.class(&text(s.name.value), None, s.implements.as_ref(), &s.members);
            }
            Statement::Namespace(s) => {
                let name = s.name.as_ref().map(|name| text(identifier_value(name))).unwrap_or_default();
                self.names.enter(&name);
                let statements = match &s.body {
                    NamespaceBody::Implicit(body) => &body.statements,
                    NamespaceBody::BraceDelimited(block) => &block.statements,
                };
                for statement in statements.iter() {
                    self.statement(statement, out);
                }
            }
            Statement::Use(s) => self.lower_use(s),
            Statement::Declare(s) => match &s.body {
                DeclareBody::Statement(statement) => self.statement(statement, out),
                DeclareBody::ColonDelimited(body) => {
                    for statement in body.statements.iter() {
                        self.statement(statement, out);
                    }
                }
            },
            _ => {}
        }
    }

    fn lower_if(&mut self, s: &If<'a>, out: &mut Vec<Stmt>) {
        let condition = self.expression(s.condition);
        let (then, others, last) = match &s.body {
            IfBody::Statement(body) => {
                let then = self.one(body.statement);
                let others: Vec<(Expr, Vec<Stmt>)> = body
                    .else_if_clauses
                    .iter()
                    .map(|clause| (self.expression(clause.condition), self.one(clause.statement)))
                    .collect();
                (then, others, body.else_clause.as_ref().map(|clause| self.one(clause.statement)))
            }
            IfBody::ColonDelimited(body) => {
                let then = self.statements(&body.statements);
                let others: Vec<(Expr, Vec<Stmt>)> = body
                    .else_if_clauses
                    .iter()
                    .map(|clause| (self.expression(clause.condition), self.statements(&clause.statements)))
                    .collect();
                (then, others, body.else_clause.as_ref().map(|clause| self.statements(&clause.statements)))
            }
        };
        let mut rest = last.unwrap_or_default();
        // A long chain of conditions would nest as deeply; its tail is then read as if all of it could happen.
        for (n, (condition, body)) in others.into_iter().rev().enumerate() {
            rest = if n < 500 {
                vec![Stmt::If(condition, body, rest)]
            } else {
                let mut all = vec![Stmt::If(condition, body, Vec::new())];
                all.extend(rest);
                all
            };
        }
        out.push(Stmt::If(condition, then, rest));
    }

    fn lower_use(&mut self, s: &Use<'a>) {
        let kind = |t: &UseType<'a>| match t {
            UseType::Function(_) => Import::Function,
            UseType::Const(_) => Import::Constant,
        };
        match &s.items {
            UseItems::Sequence(items) => {
                items.items.iter().for_each(|item| self.import(Import::Class, "", item));
            }
            UseItems::TypedSequence(items) => {
                items.items.iter().for_each(|item| self.import(kind(&items.r#type), "", item));
            }
            UseItems::TypedList(list) => {
                let namespace = text(identifier_value(&list.namespace));
                list.items.iter().for_each(|item| self.import(kind(&list.r#type), &namespace, item));
            }
            UseItems::MixedList(list) => {
                let namespace = text(identifier_value(&list.namespace));
                for item in list.items.iter() {
                    let import = item.r#type.as_ref().map_or(Import::Class, kind);
                    self.import(import, &namespace, &item.item);
                }
            }
        }
    }

    fn import(&mut self, import: Import, namespace: &str, item: &UseItem<'a>) {
        let name = text(identifier_value(&item.name));
        let full = if namespace.is_empty() { name } else { format!("{namespace}\\{name}") };
        let alias = item.alias.as_ref().map(|alias| text(alias.identifier.value));
        self.names.import(import, &full, alias.as_deref());
    }
}
