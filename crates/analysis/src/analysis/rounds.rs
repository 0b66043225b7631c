//! Running all functions, until it is known which of them pass on statements.
//!
//! First everything is run three times, so that properties, global variables, constants and what functions return are known.
//! Functions whose statement depends on who calls them are *wrappers*. What calls a new wrapper is run again, with its arguments
//! in the wrapper's statements, and may turn out to be one too: that goes on until there are no new ones, layer by layer.

use std::collections::HashSet;

use super::outcome::is_open;
use super::parallel;
use super::reading::Options;
use crate::interpret::{
    Consulted, Effect, EffectKind, Entered, Heap, Known, Limits, Machine, Summary, Writes,
};
use crate::php::ir::Name;
use crate::program::{ClassId, FunctionId, Program};

/// As many functions are run by one machine: a fixed number, so that the result depends on nothing else.
const CHUNK: usize = 48;
/// As often is every function run before wrappers are looked for.
const FULL_ROUNDS: usize = 2;
/// As many statements are passed on by one function.
const MOST_PASSED_ON: usize = 60;
/// More layers of wrappers are not followed.
const MOST_ROUNDS: usize = 8;

/// What every function does, and which are wrappers.
#[derive(Debug)]
pub(super) struct Effects {
    pub(super) of: Vec<Vec<Effect>>,
    /// What all functions share, in the end.
    pub(super) heap: Heap,
}

pub(super) fn effects(program: &Program, options: Options) -> Effects {
    let all: Vec<FunctionId> = (0..program.functions.len() as FunctionId).collect();
    let mut heap = Heap::default();
    let declared = defaults(program);
    heap.declared.clone_from(&declared.properties);
    heap.take(vec![declared]);
    let tops: Vec<FunctionId> = program.files.iter().map(|file| file.first).collect();
    let mut summaries: Vec<Summary> = Vec::new();
    // Settings first: what other files compute of them is known at once.
    let limits = Limits::first(tops.len());
    let known = Known { program, heap: &heap, open: &[], summaries: &summaries, limits };
    let (_, writes) = run(known, &tops, options);
    heap.take(writes);
    let mut consulted: Vec<Consulted> = Vec::new();
    consulted.resize_with(all.len(), Consulted::default);
    let mut effects: Vec<Vec<Effect>> = vec![Vec::new(); all.len()];
    for round in 0..FULL_ROUNDS {
        let limits = if round == 0 { Limits::first(all.len()) } else { Limits::all(all.len()) };
        let (found, writes) =
            run(Known { program, heap: &heap, open: &[], summaries: &summaries, limits }, &all, options);
        heap.take(writes);
        summaries.resize(all.len(), Summary::default());
        for (id, entered) in found {
            summaries[id as usize] = entered.summary;
            effects[id as usize] = entered.effects;
            consulted[id as usize] = entered.consulted;
        }
    }
    let mut open: Vec<Vec<Effect>> = vec![Vec::new(); all.len()];
    let mut changed: Vec<FunctionId> = all.clone();
    for _ in 0..MOST_ROUNDS {
        let (mut functions, mut methods): (HashSet<FunctionId>, HashSet<Name>) = Default::default();
        for id in changed.drain(..) {
            let now = passed_on(&effects[id as usize]);
            if now != open[id as usize] {
                open[id as usize] = now;
                functions.insert(id);
                let entry = program.function(id);
                if entry.class.is_some() {
                    methods.insert(Name::from(entry.function.name.to_lowercase()));
                }
            }
        }
        let depends = |id: &FunctionId| consulted[*id as usize].any(&functions, &methods);
        let again: Vec<FunctionId> = all.iter().copied().filter(depends).collect();
        if again.is_empty() {
            break;
        }
        let limits = Limits::again(again.len());
        let (found, _) =
            run(Known { program, heap: &heap, open: &open, summaries: &summaries, limits }, &again, options);
        for (id, entered) in found {
            summaries[id as usize] = entered.summary;
            effects[id as usize] = entered.effects;
            consulted[id as usize] = entered.consulted;
            changed.push(id);
        }
    }
    heap.trace_outside();
    Effects { of: effects, heap }
}

/// What of a function's effects depends on who calls it, each once.
fn passed_on(effects: &[Effect]) -> Vec<Effect> {
    let mut seen = HashSet::new();
    let mut all = Vec::new();
    for effect in effects.iter().filter(|effect| is_open(effect)) {
        if all.len() < MOST_PASSED_ON && seen.insert((&effect.kind, effect.chain.last())) {
            let mut effect = effect.clone();
            if !matches!(effect.kind, EffectKind::Dispatch) {
                // The place alone is needed: another way there is no news to callers.
                effect.layers = effect.layers.saturating_add((effect.chain.len() - 1).min(8) as u8);
                effect.chain.drain(..effect.chain.len().saturating_sub(1));
            }
            all.push(effect);
        }
    }
    all
}

/// The values that properties are declared with.
fn defaults(program: &Program) -> Writes {
    let heap = Heap::default();
    let mut machine =
        Machine::new(Known { program, heap: &heap, open: &[], summaries: &[], limits: Limits::first(0) });
    for (id, entry) in program.classes.iter().enumerate() {
        let (Some(class), Some(file)) = (&entry.class, entry.file) else { continue };
        for property in &class.properties {
            let Some(value) = &property.value else { continue };
            machine.declare(program.files[file as usize].first, id as ClassId, property.name.clone(), value);
        }
    }
    std::mem::take(&mut machine.writes)
}

type Found = Vec<(FunctionId, Entered)>;

fn run(known: Known<'_>, entries: &[FunctionId], options: Options) -> (Found, Vec<Writes>) {
    let chunks: Vec<&[FunctionId]> = entries.chunks(CHUNK).collect();
    let done = parallel::each(options.threads, &chunks, |chunk| {
        let mut machine = Machine::new(known);
        let mut found = Found::with_capacity(chunk.len());
        for id in *chunk {
            found.push((*id, machine.enter(*id)));
        }
        (found, std::mem::take(&mut machine.writes))
    });
    let (found, writes): (Vec<Found>, Vec<Writes>) = done.into_iter().unzip();
    (found.into_iter().flatten().collect(), writes)
}
