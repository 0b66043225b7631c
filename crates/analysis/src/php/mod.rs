//! Reading PHP: a file's source becomes a [`ir::Unit`], in which names are resolved and nothing of the parser is left.

mod doc_comment;
mod escapes;
pub(crate) mod ir;
mod lines;
mod lower;
mod lower_class;
mod lower_expression;
mod lower_statement;
mod names;

pub(crate) use lower::lower;
pub(crate) use names::last;
