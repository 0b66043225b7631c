//! Whose is what was found: every statement belongs to the call at which it became known.
//!
//! A function that a wrapper's caller calls shows the same statements as that caller does when it is run inside of it. A
//! statement that is known inside of the function that is called is that function's, and not its callers'.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::outcome::{Callers, Outcome, is_far, outcome};
use super::passed_on::PassedOn;
use super::reading::Options;
use super::result::{
    Analysis, DatabaseCall, FoundStatement, Location, SessionFunction, Table, TableAccess, Unresolved,
    UnresolvedKind, Variable, VariableAccess,
};
use super::rounds::Effects;
use crate::interpret::{Effect, EffectKind, Heap, Site};
use crate::program::Program;
use crate::sql::UNKNOWN;
use crate::value::{Hole, Piece, Template};

/// As much of a statement is kept for people.
const LONGEST_SQL: usize = 2_000;

/// What an effect comes to, and the key by which it is known again in callers.
struct Known {
    /// The place where it happens, and what.
    key: (u32, u32, u32, String),
    outcome: Outcome,
}

pub(super) fn attribute(program: &Program, effects: &Effects, options: Options, analysis: &mut Analysis) {
    let mut cache = HashMap::new();
    let heap = &effects.heap;
    let passed_on = PassedOn::of(effects);
    let known: Vec<Vec<Vec<Known>>> = effects
        .of
        .iter()
        .enumerate()
        .map(|(id, effects)| {
            let known = |effect: &Effect| {
                let callers = match is_far(effect) {
                    _ if !passed_on.contains(program, id as u32, effect) => Callers::None,
                    true => Callers::ByArgument,
                    false => Callers::All,
                };
                of_effect(effect, options, callers, heap, &mut cache)
            };
            effects.iter().map(known).collect()
        })
        .collect();
    let closed: Vec<HashSet<&(u32, u32, u32, String)>> = known
        .iter()
        .map(|effects| {
            let all = effects.iter().flatten().filter(|known| !matches!(known.outcome, Outcome::Open));
            all.map(|known| &known.key).collect()
        })
        .collect();
    // The places where functions send what their callers give them.
    let open: Vec<HashSet<(u32, u32, u32)>> = known
        .iter()
        .map(|effects| {
            let all = effects.iter().flatten().filter(|known| matches!(known.outcome, Outcome::Open));
            all.map(|known| (known.key.0, known.key.1, known.key.2)).collect()
        })
        .collect();
    let mut found =
        Found { program, calls: BTreeMap::new(), variables: BTreeMap::new(), functions: BTreeMap::new() };
    for (of_function, known) in effects.of.iter().zip(&known) {
        for (effect, known) in of_function.iter().zip(known) {
            for known in known {
                let site = &effect.chain[0];
                // Where a function sends what it is given, a statement that it may have of its own is its caller's all the same.
                let is_callees = site.callee.is_some_and(|callee| {
                    let (file, line, column, _) = known.key;
                    let is_given = open[callee as usize].contains(&(file, line, column));
                    !is_given && closed[callee as usize].contains(&known.key)
                });
                if !is_callees && !matches!(known.outcome, Outcome::Open) {
                    found.add(effect, site, &known.outcome);
                }
            }
        }
    }
    found.finish(analysis);
}

type Cache = HashMap<(Template, u8, Callers), Outcome>;

fn of_effect(
    effect: &Effect,
    options: Options,
    callers: Callers,
    heap: &Heap,
    cache: &mut Cache,
) -> Vec<Known> {
    let Some(last) = effect.chain.last() else { return Vec::new() };
    let place = |what: String| (last.file, last.position.line, last.position.column, what);
    match &effect.kind {
        EffectKind::Sql(all) | EffectKind::Table(all, _) => all
            .iter()
            // An empty statement is what a variable began with, where there are others.
            .filter(|template| all.len() == 1 || template.known().is_none_or(|text| !text.trim().is_empty()))
            .map(|template| {
                let kind = match &effect.kind {
                    EffectKind::Table(_, true) => 2,
                    EffectKind::Table(_, false) => 1,
                    _ => 0,
                };
                // What came from outside by way of parameters did so too.
                let traced =
                    template.map_holes(|hole| Hole { outside: heap.is_outside(hole), ..hole.clone() });
                let outcome = cache
                    .entry((traced, kind, callers))
                    .or_insert_with_key(|(traced, ..)| {
                        outcome(traced, &effect.kind, options.dialect, callers)
                    })
                    .clone();
                let what = match &outcome {
                    Outcome::Resolved { statements, .. } => statements
                        .iter()
                        .map(|s| format!("{:?} {:?} {:?};", s.operation, s.writes, s.reads))
                        .collect(),
                    Outcome::Open | Outcome::Dynamic(_) | Outcome::Unknown(_) => "?".to_owned(),
                };
                Known { key: place(what), outcome }
            })
            .collect(),
        EffectKind::Define(path) | EffectKind::Use(path) => {
            let text = path.iter().map(|key| key.marked('*')).collect::<Vec<_>>().join("\u{0}");
            let outcome = match path.first() {
                Some(first) if first.is_open() => Outcome::Open,
                Some(first)
                    if !first.pieces().iter().any(|p| matches!(p, Piece::Text(_)))
                        && !first.pieces().is_empty() =>
                {
                    Outcome::Unknown(text.clone())
                }
                _ => Outcome::Resolved { text: text.clone(), statements: Vec::new(), derived: false },
            };
            let kind = if matches!(effect.kind, EffectKind::Define(_)) { "define" } else { "use" };
            let what = if matches!(outcome, Outcome::Unknown(_)) { "?" } else { &text };
            vec![Known { key: place(format!("{kind} {what}")), outcome }]
        }
        EffectKind::Dispatch => Vec::new(),
        EffectKind::Function(name, _) => vec![Known {
            key: place(name.to_string()),
            outcome: Outcome::Resolved { text: name.to_string(), statements: Vec::new(), derived: false },
        }],
    }
}

/// A call of a database while it is put together.
#[derive(Default)]
struct Call {
    calls: String,
    statements: Vec<FoundStatement>,
    unknown: Option<String>,
    /// Whether something of it comes from outside of the program.
    dynamic: bool,
    /// Whether all that is unknown is doubtful.
    doubtful: bool,
}

/// What was found, in order of the places.
struct Found<'p> {
    program: &'p Program,
    calls: BTreeMap<Location, Call>,
    variables: BTreeMap<Option<String>, Variable>,
    functions: BTreeMap<String, SessionFunction>,
}

impl Found<'_> {
    fn location(&self, site: &Site) -> Location {
        Location {
            file: self.program.files[site.file as usize].path.clone(),
            line: site.position.line,
            column: site.position.column,
        }
    }

    fn called(&self, effect: &Effect, site: &Site) -> String {
        let Some(callee) = site.callee else { return effect.sink.to_string() };
        let entry = self.program.function(callee);
        match entry.class {
            Some(class) => format!("{}::{}", self.program.class(class).shown, entry.function.name),
            None => entry.function.name.to_string(),
        }
    }

    fn add(&mut self, effect: &Effect, site: &Site, outcome: &Outcome) {
        let location = self.location(site);
        match &effect.kind {
            EffectKind::Sql(_) | EffectKind::Table(..) => {
                let called = self.called(effect, site);
                let call = self.calls.entry(location).or_default();
                if call.calls.is_empty() {
                    call.calls = called;
                }
                match outcome {
                    Outcome::Resolved { text, statements, derived } => {
                        for statement in statements {
                            let found = FoundStatement {
                                sql: shown(text),
                                operation: statement.operation,
                                reads: statement.reads.clone(),
                                writes: statement.writes.clone(),
                                guessed: statement.guessed,
                                derived: *derived,
                            };
                            if !call.statements.contains(&found) {
                                call.statements.push(found);
                            }
                        }
                    }
                    Outcome::Dynamic(text) | Outcome::Unknown(text) => {
                        call.dynamic |= matches!(outcome, Outcome::Dynamic(_));
                        call.doubtful = effect.doubtful && (call.unknown.is_none() || call.doubtful);
                        call.unknown = Some(shown(text));
                    }
                    Outcome::Open => {}
                }
            }
            EffectKind::Define(path) | EffectKind::Use(path) => {
                let name = path.first().map(|first| first.marked('*'));
                let keys = path.iter().skip(1).map(|key| key.marked('*')).collect();
                let variable = self.variables.entry(name.clone()).or_insert_with(|| Variable {
                    name,
                    definitions: Vec::new(),
                    uses: Vec::new(),
                });
                let list = if matches!(effect.kind, EffectKind::Define(_)) {
                    &mut variable.definitions
                } else {
                    &mut variable.uses
                };
                list.push(VariableAccess { location, keys });
            }
            EffectKind::Dispatch => {}
            EffectKind::Function(name, defines) => {
                let function = self.functions.entry(name.to_string()).or_insert_with(|| SessionFunction {
                    name: name.to_string(),
                    definitions: Vec::new(),
                    uses: Vec::new(),
                });
                if *defines { function.definitions.push(location) } else { function.uses.push(location) }
            }
        }
    }

    fn finish(self, analysis: &mut Analysis) {
        let mut tables: BTreeMap<String, Table> = BTreeMap::new();
        for (location, call) in self.calls {
            if call.statements.is_empty() {
                let kind = match (call.doubtful, call.dynamic) {
                    (true, _) => UnresolvedKind::Doubtful,
                    (_, true) => UnresolvedKind::Dynamic,
                    _ => UnresolvedKind::Statement,
                };
                if call.doubtful {
                    analysis.calls.doubtful += 1;
                } else {
                    analysis.calls.all += 1;
                    analysis.calls.dynamic += usize::from(call.dynamic);
                }
                let known = call.unknown.unwrap_or_default();
                analysis.unresolved.push(Unresolved { location, kind, calls: call.calls, known });
                continue;
            }
            let statements = without_less_known(call.statements);
            analysis.calls.all += 1;
            analysis.calls.resolved += 1;
            analysis.calls.guessed += usize::from(statements.iter().all(|s| s.guessed || s.derived));
            for statement in &statements {
                let mut add = |name: String, defines: bool| {
                    let table = tables.entry(name.clone()).or_insert_with(|| Table {
                        name,
                        definitions: Vec::new(),
                        uses: Vec::new(),
                    });
                    let access = TableAccess { location: location.clone(), operation: statement.operation };
                    let list = if defines { &mut table.definitions } else { &mut table.uses };
                    list.push(access);
                };
                statement.writes.iter().for_each(|table| add(table.to_string(), true));
                statement.reads.iter().for_each(|table| add(table.to_string(), false));
            }
            analysis.database_calls.push(DatabaseCall {
                location,
                calls: call.calls,
                statements,
                partial: call.unknown.is_some(),
            });
        }
        for table in tables.values_mut() {
            for list in [&mut table.definitions, &mut table.uses] {
                list.sort();
                list.dedup_by(|a, b| a.location == b.location);
            }
        }
        analysis.tables = tables.into_values().collect();
        for (name, mut variable) in self.variables {
            for list in [&mut variable.definitions, &mut variable.uses] {
                list.sort();
                list.dedup_by(|a, b| a.location == b.location);
            }
            if name.as_deref().is_some_and(|name| !name.is_empty() && name.chars().all(|c| c == '*')) {
                let all = variable
                    .definitions
                    .iter()
                    .map(|a| (a, "definition"))
                    .chain(variable.uses.iter().map(|a| (a, "use")));
                for (access, what) in all {
                    analysis.unresolved.push(Unresolved {
                        location: access.location.clone(),
                        kind: UnresolvedKind::Variable,
                        calls: what.to_owned(),
                        known: "$_SESSION[*]".to_owned(),
                    });
                }
                continue;
            }
            analysis.variables.push(variable);
        }
        analysis.functions = self.functions.into_values().collect();
        for function in &mut analysis.functions {
            for list in [&mut function.definitions, &mut function.uses] {
                list.sort();
                list.dedup();
            }
        }
        analysis.unresolved.sort();
    }
}

/// Without statements that say the same as another at their call, with less known of the tables' names: `*users` where
/// there is `app_users`.
fn without_less_known(statements: Vec<FoundStatement>) -> Vec<FoundStatement> {
    let names = |s: &FoundStatement| -> Vec<String> {
        s.writes.iter().chain(&s.reads).map(|table| table.name.clone()).collect()
    };
    let is_less = |a: &FoundStatement| {
        let mine = names(a);
        mine.iter().any(|name| name.contains(UNKNOWN))
            && statements.iter().any(|b| {
                let theirs = names(b);
                a.operation == b.operation
                    && theirs.len() == mine.len()
                    && theirs.iter().all(|name| !name.contains(UNKNOWN))
                    && mine.iter().zip(&theirs).all(|(mine, theirs)| matches(mine, theirs))
            })
    };
    let keep: Vec<bool> = statements.iter().map(|statement| !is_less(statement)).collect();
    statements.into_iter().zip(keep).filter(|(_, keep)| *keep).map(|(statement, _)| statement).collect()
}

/// Whether a name with unknown parts may be another.
fn matches(pattern: &str, name: &str) -> bool {
    let mut rest = name;
    for (n, part) in pattern.split(UNKNOWN).enumerate() {
        match rest.find(part) {
            Some(0) => rest = &rest[part.len()..],
            Some(at) if n > 0 => rest = &rest[at + part.len()..],
            _ => return false,
        }
    }
    rest.is_empty() || pattern.ends_with(UNKNOWN)
}

/// A statement for people: one line, with `*` for what is not known.
fn shown(text: &str) -> String {
    let text = text.replace(UNKNOWN, "*");
    let mut line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.len() > LONGEST_SQL {
        let end = (0..=LONGEST_SQL).rev().find(|end| line.is_char_boundary(*end)).unwrap_or(0);
        line.truncate(end);
        line.push('…');
    }
    line
}
