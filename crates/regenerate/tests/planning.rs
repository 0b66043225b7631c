//! Planned sequences against a naive model, written from the paper's words: a sequence is the defining session cut after its defining
//! request, and then a request that uses, with no other definition in between.

use std::collections::{BTreeSet, HashSet};

use proptest::prelude::*;
use restage_regenerate::{
    Access, AccessKind, AccessLocation, Choice, Criterion, DefinedValue, Dynamics, Limits, Pair, Plan,
    RequestPart, RowKeys, SessionDynamics, StateId, StepDynamics, StepPlace, Tried, UseMark, observed_pairs,
    plan, random_sequences,
};

fn state() -> impl Strategy<Value = StateId> {
    prop_oneof![
        Just(StateId::Variable("user".to_owned())),
        Just(StateId::Variable("game".to_owned())),
        Just(StateId::Table("book".to_owned())),
        Just(StateId::Table("loan".to_owned())),
        Just(StateId::Session),
    ]
}

fn access() -> impl Strategy<Value = Access> {
    let kind = prop_oneof![Just(AccessKind::Definition), Just(AccessKind::Use)];
    let rows = prop_oneof![
        Just(RowKeys::default()),
        (0..2u8).prop_map(|id| RowKeys([("id".to_owned(), id.to_string())].into()))
    ];
    let value = prop_oneof![Just(None), (0..3u8).prop_map(|n| Some(format!("v{n}")))];
    (state(), kind, 1..4u32, value, rows, proptest::option::of(0..4u32), prop::bool::weighted(0.15)).prop_map(
        |(state, kind, line, value, rows, order, failed)| Access {
            state,
            kind,
            location: AccessLocation::Line { file: "a.php".to_owned(), line },
            value,
            rows,
            order,
            earlier: 0,
            failed,
        },
    )
}

fn step() -> impl Strategy<Value = StepDynamics> {
    let accesses = prop::collection::vec(access(), 0..4);
    let known = prop::collection::btree_set("[ab]=[xy]", 0..2);
    (0..3u8, accesses, known.clone(), known, prop::bool::weighted(0.9), any::<[bool; 2]>()).prop_map(
        |(request, accesses, before, after, usable, [needs_page, logs_in])| StepDynamics {
            request: format!("GET /{request}"),
            parts: Vec::new(),
            accesses,
            // The step before, where there is one: set below.
            pages: if needs_page { vec![0] } else { Vec::new() },
            before,
            after,
            usable,
            logs_in,
        },
    )
}

fn dynamics() -> impl Strategy<Value = Dynamics> {
    let sessions = prop::collection::vec(prop::collection::vec(step(), 1..6), 1..4);
    sessions.prop_map(|sessions| Dynamics {
        sessions: sessions
            .into_iter()
            .enumerate()
            .map(|(number, mut steps)| {
                for (at, step) in steps.iter_mut().enumerate() {
                    step.pages = step.pages.iter().filter(|_| at > 0).map(|_| at - 1).collect();
                }
                SessionDynamics::new(&format!("s{number}"), steps)
            })
            .collect(),
    })
}

/// Whether a definition is still there after its request.
fn stays(step: &StepDynamics, definition: &Access) -> bool {
    for later in &step.accesses {
        let (Some(now), Some(then)) = (definition.order, later.order) else { continue };
        let same_rows = later.rows.0.get("id").is_some_and(|id| definition.rows.0.get("id") == Some(id));
        let is_definition = later.kind == AccessKind::Definition && !later.failed;
        if is_definition
            && later.state == definition.state
            && then > now
            && (same_rows || !later.state.is_table())
        {
            return false;
        }
    }
    true
}

/// Whether a use sees what was there before its request.
fn sees(step: &StepDynamics, usage: &Access) -> bool {
    for other in &step.accesses {
        let other_rows = usage.state.is_table()
            && matches!((other.rows.0.get("id"), usage.rows.0.get("id")), (Some(a), Some(b)) if a != b);
        let is_definition = other.kind == AccessKind::Definition && !other.failed;
        let before = matches!((other.order, usage.order), (Some(one), Some(two)) if one < two);
        if is_definition && other.state == usage.state && before && !other_rows {
            return false;
        }
    }
    true
}

/// The pairs of one step that defines and another that uses, with these steps in between.
fn pairs_of(
    first: &StepDynamics,
    between: &[&StepDynamics],
    last: &StepDynamics,
    criterion: Criterion,
) -> HashSet<Pair> {
    let mut pairs = HashSet::new();
    for definition in &first.accesses {
        for usage in &last.accesses {
            let is_pair = definition.kind == AccessKind::Definition
                && usage.kind == AccessKind::Use
                && definition.state == usage.state
                && !definition.failed
                && !usage.failed;
            let defined_between = between.iter().flat_map(|step| &step.accesses).any(|access| {
                access.kind == AccessKind::Definition && !access.failed && access.state == usage.state
            });
            if is_pair && !defined_between && stays(first, definition) && sees(last, usage) {
                pairs.insert(criterion.pair(definition, usage, last));
            }
        }
    }
    pairs
}

fn covered_by(steps: &[&StepDynamics], criterion: Criterion) -> HashSet<Pair> {
    let mut pairs = HashSet::new();
    for first in 0..steps.len() {
        for last in first + 1..steps.len() {
            pairs.extend(pairs_of(steps[first], &steps[first + 1..last], steps[last], criterion));
        }
    }
    pairs
}

fn covered_by_suite(dynamics: &Dynamics, criterion: Criterion) -> HashSet<Pair> {
    let sessions = dynamics.sessions.iter();
    sessions.flat_map(|session| covered_by(&session.steps.iter().collect::<Vec<_>>(), criterion)).collect()
}

/// All pairs that a session cut anywhere, followed by any request, can cover.
fn coverable(dynamics: &Dynamics, criterion: Criterion) -> HashSet<Pair> {
    let mut pairs = HashSet::new();
    for session in &dynamics.sessions {
        for first in &session.steps {
            for other in &dynamics.sessions {
                for last in other.steps.iter().filter(|step| step.usable) {
                    let pages: Vec<&StepDynamics> =
                        last.pages.iter().map(|page| &other.steps[*page]).collect();
                    pairs.extend(pairs_of(first, &pages, last, criterion));
                }
            }
        }
    }
    pairs
}

fn planned(plan: &Plan) -> Vec<&Pair> {
    plan.sequences.iter().flat_map(|sequence| &sequence.pairs).collect()
}

fn criterion() -> impl Strategy<Value = Criterion> {
    prop_oneof![Just(Criterion::Du), Just(Criterion::Vadu), Just(Criterion::Chained)]
}

proptest! {
    /// Catches a pair that is left out, one that is planned twice, and one that the suite covers already.
    #[test]
    fn every_coverable_pair_is_planned_once(dynamics in dynamics(), criterion in criterion()) {
        let plan = plan(&dynamics, criterion, &Tried::new(), Limits::default(), Choice::default());
        let covered = covered_by_suite(&dynamics, criterion);
        let coverable = coverable(&dynamics, criterion);
        // A use of other rows is planned where there is none of the same.
        let of_same_rows = |pair: &Pair| {
            let usage = UseMark { other_rows: false, ..pair.usage.clone() };
            Pair { usage, ..pair.clone() }
        };
        let is_wanted = |pair: &&Pair| {
            let same = of_same_rows(pair);
            !covered.contains(*pair) && (same == **pair || !covered.contains(&same) && !coverable.contains(&same))
        };
        let wanted: BTreeSet<&Pair> = coverable.iter().filter(is_wanted).collect();
        let mut found: Vec<Pair> = planned(&plan).into_iter().cloned().collect();
        found.sort();
        // A sequence covers by its way what no two steps alone were asked for.
        prop_assert!(wanted.iter().all(|pair| found.contains(*pair)), "left out: {:?}", wanted);
        let mut once = found.clone();
        once.dedup();
        prop_assert_eq!(once.len(), found.len());
        prop_assert!(found.iter().all(|pair| !covered.contains(pair)));
        prop_assert_eq!((plan.covered, plan.given_up, plan.over_limit), (covered.len(), 0, 0));
    }

    /// Catches a sequence without its definition, with another definition in between, and one that is for nothing.
    #[test]
    fn a_sequence_has_its_definition_before_its_use(dynamics in dynamics(), criterion in criterion()) {
        let plan = plan(&dynamics, criterion, &Tried::new(), Limits::default(), Choice::default());
        for sequence in &plan.sequences {
            let steps = sequence.steps(&dynamics);
            let steps: Vec<&StepDynamics> = steps.iter().map(AsRef::as_ref).collect();
            let covers = covered_by(&steps, criterion);
            prop_assert!(!sequence.pairs.is_empty());
            prop_assert!(sequence.pairs.iter().all(|pair| covers.contains(pair)), "{:?}", sequence);
            prop_assert_eq!(steps.len(), sequence.requests());
            let session = &dynamics.sessions[sequence.cut.session];
            for (step, own) in steps.iter().zip(&session.steps[..=sequence.cut.step]) {
                prop_assert!(std::ptr::eq(*step, own), "the session up to its definition comes first");
            }
            let last = sequence.uses.last().and_then(|usage| dynamics.step(usage.place.session, usage.place.step));
            let is_last = last.zip(steps.last()).is_some_and(|(last, step)| std::ptr::eq(last, *step));
            prop_assert!(is_last, "a use comes last");
        }
    }

    #[test]
    fn what_is_observed_is_what_the_words_say(dynamics in dynamics(), criterion in criterion()) {
        for session in &dynamics.sessions {
            let observed: HashSet<Pair> = observed_pairs(&session.steps, criterion).into_keys().collect();
            prop_assert_eq!(observed, covered_by(&session.steps.iter().collect::<Vec<_>>(), criterion));
        }
    }

    /// Catches a round that plans again what came to nothing.
    #[test]
    fn what_was_tried_is_not_tried_again(dynamics in dynamics()) {
        let mut tried = Tried::new();
        for _ in 0..20 {
            let plan = plan(&dynamics, Criterion::Du, &tried, Limits::default(), Choice::default());
            for sequence in &plan.sequences {
                for usage in &sequence.uses {
                    prop_assert!(tried.insert((sequence.cut, usage.place)), "tried twice: {:?}", sequence);
                }
            }
        }
    }

    #[test]
    fn limits_are_kept_and_what_they_leave_out_is_counted(
        dynamics in dynamics(), criterion in criterion(), most in 0..30usize,
    ) {
        let all = plan(&dynamics, criterion, &Tried::new(), Limits::default(), Choice::default());
        let some = plan(&dynamics, criterion, &Tried::new(), Limits { requests: Some(most) }, Choice::default());
        let requests = some.sequences.iter().map(|sequence| sequence.requests()).sum::<usize>();
        prop_assert!(requests <= most);
        let set = |plan: &Plan| planned(plan).into_iter().cloned().collect::<HashSet<Pair>>();
        prop_assert_eq!(set(&some) != set(&all), some.sequences_over_limit > 0);
        prop_assert_eq!(some.planned, planned(&some).len());
    }

    #[test]
    fn random_sequences_are_distinct(dynamics in dynamics(), count in 0..40usize, seed in any::<u64>()) {
        let drawn = random_sequences(&dynamics, count, seed);
        let steps = dynamics.steps().count();
        let usable = dynamics.steps().filter(|(_, step)| step.usable).count();
        prop_assert_eq!(drawn.len(), count.min(steps * usable));
        let distinct: HashSet<(StepPlace, StepPlace)> =
            drawn.iter().map(|sequence| (sequence.cut, sequence.uses[0].place)).collect();
        prop_assert_eq!(distinct.len(), drawn.len());
        prop_assert_eq!(random_sequences(&dynamics, count, seed), drawn);
    }
}

fn table_access(kind: AccessKind, line: u32) -> Access {
    Access {
        state: StateId::Table("loan".to_owned()),
        kind,
        location: AccessLocation::Line { file: "a.php".to_owned(), line },
        value: Some(format!("v{line}")),
        rows: RowKeys::default(),
        order: Some(0),
        earlier: 0,
        failed: false,
    }
}

/// A step that knows this before and after it.
fn knowing(before: &[&str], after: &[&str], accesses: Vec<Access>, logs_in: bool) -> StepDynamics {
    let set = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect();
    let (before, after) = (set(before), set(after));
    StepDynamics { before, after, accesses, logs_in, usable: true, ..StepDynamics::default() }
}

/// Catches a keeper's page that a member asks for without the keeper's login, and a selection that is put back before it is used.
#[test]
fn a_login_comes_along_and_another_selection_does_not() {
    let member = vec![
        knowing(&[], &["user=1"], Vec::new(), true),
        knowing(&["user=1"], &["user=1", "tool=4"], Vec::new(), false),
        knowing(
            &["user=1", "tool=4"],
            &["user=1", "tool=4"],
            vec![table_access(AccessKind::Definition, 1)],
            false,
        ),
    ];
    let keeper = vec![
        knowing(&[], &["user=3"], Vec::new(), true),
        knowing(&["user=3"], &["user=3", "tool=5"], Vec::new(), false),
        knowing(&["user=3", "tool=5"], &["user=3", "tool=5"], vec![table_access(AccessKind::Use, 2)], false),
    ];
    let session = |name: &str, steps: Vec<StepDynamics>| SessionDynamics::new(name, steps);
    let dynamics = Dynamics { sessions: vec![session("member", member), session("keeper", keeper)] };
    for criterion in [Criterion::Du, Criterion::Vadu] {
        let plan = plan(&dynamics, criterion, &Tried::new(), Limits::default(), Choice::default());
        assert_eq!(plan.sequences.len(), 1);
        let usage = &plan.sequences[0].uses[0];
        assert_eq!((&usage.pages, &usage.context), (&vec![0], &vec![0]), "the login alone");
    }
}

fn parameter(name: &str, value: &str) -> (RequestPart, String) {
    (RequestPart::Parameter(name.to_owned()), value.to_owned())
}

fn rows(access: Access, column: &str, value: &str) -> Access {
    Access { rows: RowKeys::from([(column, value)]), ..access }
}

fn suite(sessions: Vec<Vec<StepDynamics>>) -> Dynamics {
    let named = |(number, steps)| SessionDynamics::new(&format!("s{number}"), steps);
    Dynamics { sessions: sessions.into_iter().enumerate().map(named).collect() }
}

/// What stands behind the only definition, as it is planned: for each request its place, and the row that it is aimed at.
fn uses(dynamics: &Dynamics) -> Vec<(usize, usize, String)> {
    let plan = plan(dynamics, Criterion::Vadu, &Tried::new(), Limits::default(), Choice::default());
    assert_eq!(plan.sequences.len(), 1);
    assert!(plan.sequences[0].pairs.iter().all(|pair| !pair.usage.other_rows), "the rows are the same");
    let uses = plan.sequences[0].uses.iter();
    uses.map(|usage| {
        let aim = usage.aim.as_ref().map_or(String::new(), |aim| {
            format!("{} {}", aim.to, aim.part.as_ref().map_or("known".to_owned(), ToString::to_string))
        });
        (usage.place.session, usage.place.step, aim)
    })
    .collect()
}

/// Catches a loan that was handed out and is never returned, since everybody returned another one.
#[test]
fn a_request_that_names_another_row_is_sent_with_the_one_that_was_defined() {
    let defines = rows(table_access(AccessKind::Definition, 1), "id", "7");
    let returns = StepDynamics {
        parts: vec![parameter("loan", "3")],
        ..knowing(&[], &[], vec![rows(table_access(AccessKind::Use, 2), "id", "3")], false)
    };
    let dynamics = suite(vec![vec![knowing(&[], &[], vec![defines], false)], vec![returns]]);
    assert_eq!(uses(&dynamics), [(1, 0, "7 loan".to_owned())]);
}

/// Catches a member who was blocked and borrows nothing, since another one borrowed: she logs in, and sends the request of the other one.
#[test]
fn a_request_of_another_user_is_sent_as_the_one_who_was_defined() {
    let defines = rows(table_access(AccessKind::Definition, 1), "id", "2");
    let of_user = |user: &str, line| rows(table_access(AccessKind::Use, line), "id", user);
    let dynamics = suite(vec![
        vec![knowing(&["user=9"], &["user=9"], vec![defines], false)],
        vec![knowing(&[], &["user=2"], Vec::new(), true)],
        vec![
            knowing(&[], &["user=5"], Vec::new(), true),
            knowing(&["user=5"], &["user=5"], vec![of_user("5", 2)], false),
        ],
    ]);
    assert_eq!(uses(&dynamics), [(1, 0, String::new()), (2, 1, "2 known".to_owned())]);
}

/// Catches a tool that was altered and never used, since nobody selected it: what selects another one selects it.
#[test]
fn what_selects_a_row_selects_the_one_that_was_defined() {
    let defines = rows(table_access(AccessKind::Definition, 1), "id", "8");
    let selects =
        StepDynamics { parts: vec![parameter("tool", "4")], ..knowing(&[], &["tool=4"], Vec::new(), false) };
    let usage = rows(table_access(AccessKind::Use, 2), "id", "4");
    let dynamics = suite(vec![
        vec![knowing(&[], &[], vec![defines], false)],
        vec![selects, knowing(&["tool=4"], &["tool=4"], vec![usage], false)],
    ]);
    assert_eq!(uses(&dynamics), [(1, 0, "8 tool".to_owned()), (1, 1, "8 known".to_owned())]);
}

/// Catches a page of another ticket before the request that is aimed at this one.
#[test]
fn the_page_of_an_aimed_request_is_aimed_with_it() {
    let defines = rows(table_access(AccessKind::Definition, 1), "id", "7");
    let page = StepDynamics {
        parts: vec![parameter("order", "3"), (RequestPart::Segment(1), "3".to_owned())],
        ..knowing(&[], &[], Vec::new(), false)
    };
    let updates = StepDynamics {
        parts: vec![(RequestPart::Segment(1), "3".to_owned())],
        pages: vec![0],
        ..knowing(&[], &[], vec![rows(table_access(AccessKind::Use, 2), "id", "3")], false)
    };
    let dynamics = suite(vec![vec![knowing(&[], &[], vec![defines], false)], vec![page, updates]]);
    assert_eq!(uses(&dynamics), [(1, 1, "7 segment 1".to_owned())]);
    let plan = plan(&dynamics, Criterion::Vadu, &Tried::new(), Limits::default(), Choice::default());
    let page_aim = &plan.sequences[0].uses[0].page_aims[&0];
    assert_eq!((page_aim.to.as_str(), &page_aim.part), ("7", &Some(RequestPart::Segment(1))));
}

fn defining(accesses: Vec<Access>) -> StepDynamics {
    knowing(&[], &[], accesses, false)
}

/// Catches a third loan taken for a first one: the limit of two shows at the third.
#[test]
fn chains_count_what_was_defined_before() {
    let lends = |value: &str| {
        let access = Access { value: Some(value.to_owned()), ..table_access(AccessKind::Definition, 1) };
        defining(vec![access.clone(), access])
    };
    let lists = || defining(vec![table_access(AccessKind::Use, 2)]);
    let one = [lends("a"), lists()];
    let three = [lends("a"), lends("b"), lends("c"), lends("a"), lists()];
    let earlier: Vec<usize> = SessionDynamics::new("s", three.clone())
        .steps
        .iter()
        .filter_map(|step| step.accesses.last().map(|access| access.earlier))
        .collect();
    assert_eq!(earlier, [0, 1, 2, 3, 0], "steps are counted, not statements");
    let planned = |criterion| {
        let dynamics = suite(vec![one.to_vec(), three.to_vec()]);
        let plan = plan(&dynamics, criterion, &Tried::new(), Limits::default(), Choice::default());
        let pairs = plan.sequences.iter().flat_map(|sequence| sequence.pairs.clone());
        let mut pairs: Vec<(String, usize)> =
            pairs.map(|pair| (format!("{:?}", pair.definition.value), pair.definition.earlier)).collect();
        pairs.sort();
        pairs
    };
    let value = |name: &str| format!("{:?}", Some(DefinedValue::Set(name.to_owned())));
    assert_eq!(planned(Criterion::Vadu), [(value("b"), 0), (value("c"), 0)]);
    // The fourth counts as the third; what was lent once is covered.
    assert_eq!(planned(Criterion::Chained), [(value("b"), 1), (value("c"), 2)]);
}
