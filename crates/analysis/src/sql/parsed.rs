//! Statements on rows, by a real parser.

use std::ops::ControlFlow;

use sqlparser::ast::{
    Assignment, AssignmentTarget, Delete, FromTable, Ident, Insert, ObjectName, ObjectNamePart, Query,
    Statement as Ast, TableFactor, TableObject, TableWithJoins, Update, UpdateTableFromKind, Visit, Visitor,
};
use sqlparser::dialect::{Dialect as SqlDialect, MySqlDialect, PostgreSqlDialect, SQLiteDialect};
use sqlparser::parser::Parser;

use super::statement::{Dialect, Operation, Statement, TableName};

/// Deeper nesting is left to the scan.
const DEEPEST: usize = 40;

/// What a statement does; nothing where the parser fails.
pub(super) fn parsed(sql: &str, dialect: Dialect, operation: Operation) -> Option<Statement> {
    let dialect: &dyn SqlDialect = match dialect {
        Dialect::MySql => &MySqlDialect {},
        Dialect::Postgres => &PostgreSqlDialect {},
        Dialect::Sqlite => &SQLiteDialect {},
    };
    let mut parser = Parser::new(dialect).with_recursion_limit(DEEPEST).try_with_sql(sql).ok()?;
    let ast = parser.parse_statement().ok()?;
    // What the parser did not take in is not understood.
    if parser.peek_token().token != sqlparser::tokenizer::Token::EOF {
        return None;
    }
    let mut seen = Seen::default();
    let _ = ast.visit(&mut seen);
    let mut statement = Statement::new(operation);
    seen.write(&ast, &mut statement)?;
    for (name, _) in seen.named {
        statement.read(name);
    }
    Some(statement)
}

/// The tables that a statement names.
#[derive(Default)]
struct Seen {
    /// Every table that stands in a FROM or a JOIN, with its alias.
    named: Vec<(TableName, Option<String>)>,
    /// What `WITH` names where we are.
    ctes: Vec<String>,
    /// How many of them each query that we are in added.
    added: Vec<usize>,
    /// What statements inside of `WITH` write.
    inner_writes: Vec<TableName>,
}

impl Visitor for Seen {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        let names =
            query.with.iter().flat_map(|with| &with.cte_tables).map(|cte| cte.alias.name.value.clone());
        let before = self.ctes.len();
        self.ctes.extend(names);
        self.added.push(self.ctes.len() - before);
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        let added = self.added.pop().unwrap_or_default();
        self.ctes.truncate(self.ctes.len().saturating_sub(added));
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        if let TableFactor::Table { name, alias, args: None, .. } = factor
            && let Some(table) = table_name(name)
        {
            let is_cte =
                table.schema.is_none() && self.ctes.iter().any(|cte| cte.eq_ignore_ascii_case(&table.name));
            if !is_cte {
                self.named.push((table, alias.as_ref().map(|alias| alias.name.value.clone())));
            }
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_statement(&mut self, statement: &Ast) -> ControlFlow<()> {
        // `WITH moved AS (DELETE FROM a RETURNING *) INSERT INTO b …` of PostgreSQL.
        match statement {
            Ast::Insert(insert) => self.inner_writes.extend(inserted(insert)),
            Ast::Delete(delete) => {
                let from = from_of(delete);
                if delete.tables.is_empty()
                    && let [only] = from
                {
                    self.inner_writes.extend(factor_name(&only.relation).map(|(table, _)| table));
                }
            }
            Ast::Update(update) if update.table.joins.is_empty() => {
                self.inner_writes.extend(factor_name(&update.table.relation).map(|(table, _)| table));
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

impl Seen {
    /// Moves what is written from what is named.
    fn write(&mut self, ast: &Ast, statement: &mut Statement) -> Option<()> {
        match ast {
            Ast::Query(query) => {
                statement.operation = match &*query.body {
                    sqlparser::ast::SetExpr::Insert(_) => Operation::Insert,
                    sqlparser::ast::SetExpr::Update(_) => Operation::Update,
                    sqlparser::ast::SetExpr::Delete(_) => Operation::Delete,
                    sqlparser::ast::SetExpr::Merge(_) => Operation::Merge,
                    _ => Operation::Select,
                };
                for table in std::mem::take(&mut self.inner_writes) {
                    self.take(&table);
                    statement.write(table);
                }
                if let sqlparser::ast::SetExpr::Update(inner)
                | sqlparser::ast::SetExpr::Delete(inner)
                | sqlparser::ast::SetExpr::Merge(inner) = &*query.body
                {
                    self.write(inner, statement)?;
                }
            }
            Ast::Insert(insert) => {
                if insert.replace_into {
                    statement.operation = Operation::Replace;
                }
                statement.write(inserted(insert)?);
            }
            Ast::Update(update) => self.update(update, statement)?,
            Ast::Delete(delete) => self.delete(delete, statement)?,
            Ast::Merge(merge) => {
                let (table, _) = factor_name(&merge.table)?;
                self.take(&table);
                statement.write(table);
            }
            _ => return None,
        }
        Some(())
    }

    /// A table that is written is not read by being named once.
    fn take(&mut self, table: &TableName) {
        if let Some(at) = self.named.iter().position(|(named, _)| named == table) {
            self.named.remove(at);
        }
    }

    /// The table that a name in the statement means: an alias, or the table itself.
    fn meant(&self, name: &TableName) -> Option<TableName> {
        let by_alias = self.named.iter().find(|(_, alias)| {
            name.schema.is_none()
                && alias.as_deref().is_some_and(|alias| alias.eq_ignore_ascii_case(&name.name))
        });
        let by_name = || self.named.iter().find(|(table, _)| table.name.eq_ignore_ascii_case(&name.name));
        by_alias.or_else(by_name).map(|(table, _)| table.clone())
    }

    fn update(&mut self, update: &Update, statement: &mut Statement) -> Option<()> {
        let mut tables: Vec<TableName> = Vec::new();
        if !update.table.joins.is_empty() {
            let qualified = update.assignments.iter().filter_map(assigned_table);
            for name in qualified {
                tables.extend(self.meant(&name));
            }
        }
        if tables.is_empty() {
            tables.extend(factor_name(&update.table.relation).map(|(table, _)| table));
        }
        // `UPDATE a SET … FROM b AS x` may name the alias of what it updates.
        if let Some(UpdateTableFromKind::AfterSet(_) | UpdateTableFromKind::BeforeSet(_)) = &update.from
            && let [table] = &tables[..]
            && let Some(meant) = self.named.iter().find(|(named, alias)| {
                named != table
                    && alias.as_deref().is_some_and(|alias| alias.eq_ignore_ascii_case(&table.name))
            })
        {
            let meant = meant.0.clone();
            self.take(&tables[0]);
            tables = vec![meant];
        }
        if tables.is_empty() {
            return None;
        }
        for table in tables {
            self.take(&table);
            statement.write(table);
        }
        Some(())
    }

    fn delete(&mut self, delete: &Delete, statement: &mut Statement) -> Option<()> {
        let mut tables: Vec<TableName> = Vec::new();
        let from = from_of(delete);
        if delete.tables.is_empty() {
            for table in from {
                let name = factor_name(&table.relation)?.0;
                // With USING, the names before it may be aliases of tables in it.
                let others: Option<TableName> = delete.using.as_ref().and_then(|using| {
                    let named = using.iter().flat_map(|table| {
                        std::iter::once(&table.relation).chain(table.joins.iter().map(|join| &join.relation))
                    });
                    named
                        .filter_map(factor_name)
                        .find(|(_, alias)| {
                            alias.as_deref().is_some_and(|alias| alias.eq_ignore_ascii_case(&name.name))
                        })
                        .map(|(table, _)| table)
                });
                self.take(&name);
                tables.push(others.unwrap_or(name));
            }
        } else {
            for name in &delete.tables {
                let name = table_name(name)?;
                tables.push(self.meant(&name).unwrap_or(name));
            }
        }
        for table in tables {
            self.take(&table);
            statement.write(table);
        }
        Some(())
    }
}

fn from_of(delete: &Delete) -> &[TableWithJoins] {
    match &delete.from {
        FromTable::WithFromKeyword(tables) | FromTable::WithoutKeyword(tables) => tables,
    }
}

fn inserted(insert: &Insert) -> Option<TableName> {
    match &insert.table {
        TableObject::TableName(name) => table_name(name),
        _ => None,
    }
}

fn factor_name(factor: &TableFactor) -> Option<(TableName, Option<String>)> {
    match factor {
        TableFactor::Table { name, alias, .. } => {
            Some((table_name(name)?, alias.as_ref().map(|alias| alias.name.value.clone())))
        }
        TableFactor::NestedJoin { table_with_joins, .. } => factor_name(&table_with_joins.relation),
        _ => None,
    }
}

/// The table of `t.column = …`.
fn assigned_table(assignment: &Assignment) -> Option<TableName> {
    let AssignmentTarget::ColumnName(name) = &assignment.target else { return None };
    let parts = &name.0;
    let table = ident(parts.get(parts.len().checked_sub(2)?)?)?;
    Some(TableName::new(table.value.clone()))
}

fn ident(part: &ObjectNamePart) -> Option<&Ident> {
    match part {
        ObjectNamePart::Identifier(ident) => Some(ident),
        ObjectNamePart::Function(_) => None,
    }
}

fn table_name(name: &ObjectName) -> Option<TableName> {
    let mut parts = name.0.iter().rev().filter_map(ident).map(|ident| ident.value.clone());
    let name = parts.next()?;
    let schema = parts.next();
    // Both in one pair of quotes.
    match (schema, name.split_once('.')) {
        (None, Some((schema, name))) => {
            Some(TableName { schema: Some(schema.to_owned()), name: name.to_owned() })
        }
        (schema, _) => Some(TableName { schema, name }),
    }
}
