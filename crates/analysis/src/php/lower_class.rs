//! Classes, interfaces, traits and enumerations.

use std::sync::Arc;

use mago_span::{HasSpan, Span};
use mago_syntax::ast::{
    ClassLikeMember, EnumCaseItem, Extends, Implements, MethodBody, Modifier, Property as PropertySource,
    PropertyHookBody, PropertyHookConcreteBody, PropertyItem, Sequence,
};

use super::doc_comment;
use super::ir::{Class, Expr, Name, Property};
use super::lower::{Body, FunctionSource, Lower, identifier_value, text, variable_name};

impl<'a> Lower<'a> {
    pub(super) fn class(
        &mut self,
        name: &str,
        extends: Option<&Extends<'a>>,
        implements: Option<&Implements<'a>>,
        members: &Sequence<'a, ClassLikeMember<'a>>,
    ) -> Name {
        let shown = self.names.declared(name);
        let full: Name = Arc::from(shown.to_lowercase());
        let named =
            |types: &mago_syntax::ast::TokenSeparatedSequence<'a, mago_syntax::ast::Identifier<'a>>| {
                types.iter().map(|t| self.names.class(&text(identifier_value(t)))).collect::<Vec<_>>()
            };
        let parents = extends.map(|extends| named(&extends.types)).unwrap_or_default();
        let interfaces = implements.map(|implements| named(&implements.types)).unwrap_or_default();
        let id = self.classes.len() as u32;
        self.classes.push(Class {
            name: full.clone(),
            shown: Arc::from(shown),
            parents,
            interfaces,
            traits: Vec::new(),
            constants: Vec::new(),
            properties: Vec::new(),
            methods: Vec::new(),
        });
        for member in members.iter() {
            self.member(id, member);
        }
        full
    }

    fn member(&mut self, class: u32, member: &ClassLikeMember<'a>) {
        let index = class as usize;
        match member {
            ClassLikeMember::TraitUse(used) => {
                let traits: Vec<Name> =
                    used.trait_names.iter().map(|t| self.names.class(&text(identifier_value(t)))).collect();
                self.classes[index].traits.extend(traits);
            }
            ClassLikeMember::Constant(constant) => {
                for item in constant.items.iter() {
                    let value = self.apart(|this| this.expression(item.value));
                    self.classes[index].constants.push((Arc::from(text(item.name.value)), value));
                }
            }
            ClassLikeMember::EnumCase(case) => {
                let (name, value) = match &case.item {
                    EnumCaseItem::Unit(unit) => {
                        (unit.name.value, Expr::Text(Arc::from(text(unit.name.value))))
                    }
                    EnumCaseItem::Backed(backed) => {
                        (backed.name.value, self.apart(|this| this.expression(backed.value)))
                    }
                };
                self.classes[index].constants.push((Arc::from(text(name)), value));
            }
            ClassLikeMember::Property(property) => self.property(class, property),
            ClassLikeMember::Method(method) => {
                let body = match &method.body {
                    MethodBody::Abstract(_) => Body::Abstract,
                    MethodBody::Concrete(block) => Body::Block(block),
                };
                let source = FunctionSource {
                    name: Arc::from(text(method.name.value)),
                    span: method.span(),
                    parameters: Some(&method.parameter_list),
                    returns: method.return_type_hint.as_ref().map(|returns| &returns.hint),
                    body,
                    class: Some(class),
                    is_static: method.modifiers.iter().any(|m| matches!(m, Modifier::Static(_))),
                    is_closure: false,
                };
                let (id, _) = self.function(source);
                self.classes[index].methods.push(id);
            }
        }
    }

    fn property(&mut self, class: u32, property: &PropertySource<'a>) {
        let (hint, span) = match property {
            PropertySource::Plain(plain) => (plain.hint.as_ref(), plain.span()),
            PropertySource::Hooked(hooked) => (hooked.hint.as_ref(), hooked.span()),
        };
        let mut classes = hint.map(|hint| self.hint_classes(hint)).unwrap_or_default();
        if classes.is_empty()
            && let Some(comment) = self.comment(span)
            && let Some(said) = doc_comment::tag(&comment, "@var", None)
        {
            classes = doc_comment::classes(&self.names, said);
        }
        match property {
            PropertySource::Plain(plain) => {
                for item in plain.items.iter() {
                    self.property_item(class, item, &classes);
                }
            }
            PropertySource::Hooked(hooked) => {
                self.property_item(class, &hooked.item, &classes);
                for hook in hooked.hook_list.hooks.iter() {
                    self.hook(class, hook, hook.span());
                }
            }
        }
    }

    fn property_item(&mut self, class: u32, item: &PropertyItem<'a>, classes: &[Name]) {
        let (variable, value) = match item {
            PropertyItem::Abstract(item) => (&item.variable, None),
            PropertyItem::Concrete(item) => {
                (&item.variable, Some(self.apart(|this| this.expression(item.value))))
            }
        };
        self.classes[class as usize].properties.push(Property {
            name: Arc::from(text(variable_name(variable.name))),
            value,
            classes: classes.to_vec(),
        });
    }

    /// A hook of a property is a method that nobody calls by name.
    fn hook(&mut self, class: u32, hook: &mago_syntax::ast::PropertyHook<'a>, span: Span) {
        let PropertyHookBody::Concrete(body) = &hook.body else { return };
        let source = FunctionSource {
            name: Arc::from(format!("{{hook}}{}", text(hook.name.value))),
            span,
            parameters: hook.parameter_list.as_ref(),
            returns: None,
            body: match body {
                PropertyHookConcreteBody::Block(block) => Body::Block(block),
                PropertyHookConcreteBody::Expression(body) => Body::Expression(body.expression),
            },
            class: Some(class),
            is_static: false,
            is_closure: false,
        };
        let (id, _) = self.function(source);
        self.classes[class as usize].methods.push(id);
    }
}
