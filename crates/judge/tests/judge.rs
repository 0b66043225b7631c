//! The one call, on a small store with runs made here.

// The whole crate is tests, which clippy only sees inside `#[test]` functions.
#![allow(clippy::unwrap_used)]

use restage_judge::{Comparison, Effect, JudgeEvent, Rules, VerdictSource, judge};
use restage_model::{
    Captured, CapturedBody, ExchangeId, Headers, Moment, NewSuite, Outcome, Run, RunKind, RunSession,
    RunState, Session, StatePolicy, StepAt, SuiteId,
};
use restage_oracle::{IgnoreRule, KeyPattern, Oracle};
use restage_store::{NewRun, ReplayedStep, Store};
use tempfile::TempDir;

/// A store with a suite of sessions of two steps each, `/a` and `/b`.
struct World {
    store: Store,
    suite: SuiteId,
    sessions: Vec<Session>,
    _folder: TempDir,
}

/// The two pages of each session, and what the app logged.
type Pages<'a> = [(&'a str, [&'a str; 2], &'a str)];

impl World {
    fn new(names: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open_or_create(&folder.path().join("s.db")).unwrap();
        let sessions: Vec<Session> = names
            .iter()
            .map(|name| Session {
                name: (*name).to_owned(),
                by: "ip".to_owned(),
                client: "127.0.0.1".to_owned(),
                from: Moment(0),
                to: Moment(1),
                exchanges: store.append(&[recorded("/a"), recorded("/b")]).unwrap(),
                left_out: Vec::new(),
                joined: Vec::new(),
                fresh: false,
            })
            .collect();
        let suite = store.save_suite(NewSuite::of("recorded", "recorded", sessions.clone())).unwrap().id;
        Self { store, suite, sessions, _folder: folder }
    }

    fn run(&mut self, name: &str, kind: RunKind, suite: SuiteId, pages: &Pages<'_>) -> Run {
        let new = NewRun {
            name: name.to_owned(),
            kind,
            suite,
            app: "default".to_owned(),
            policy: StatePolicy::Keep,
            as_recorded: false,
        };
        let id = self.store.begin_run(&new).unwrap();
        let places: Vec<String> =
            self.store.suite(suite).unwrap().sessions.into_iter().map(|s| s.name).collect();
        for (session, bodies, log) in pages {
            let ordinal = places.iter().position(|name| name == session).unwrap() as u32;
            let row = RunSession { ordinal, session: (*session).to_owned(), ..RunSession::default() };
            self.store.add_run_session(id, &row).unwrap();
            let exchanges = &self.sessions.iter().find(|s| s.name == *session).unwrap().exchanges;
            for (step, body) in bodies.iter().enumerate().filter(|(_, body)| !body.is_empty()) {
                let at = StepAt { session: ordinal, step: step as u32 };
                self.store.add_steps(id, &[replayed(at, exchanges[step], body)]).unwrap();
            }
            self.store.end_run_session(id, ordinal, None, log.as_bytes(), log.len() as u64).unwrap();
        }
        self.store.finish_run(id, &RunState::Complete).unwrap();
        self.store.run(id).unwrap()
    }

    /// A baseline and its check.
    fn baseline(&mut self, pages: &Pages<'_>, check: &Pages<'_>) -> Run {
        let suite = self.suite;
        let baseline = self.run("baseline", RunKind::Baseline, suite, pages);
        let check = self.run("check", RunKind::Check, suite, check);
        self.store.set_check(baseline.id, check.id).unwrap();
        self.store.run(baseline.id).unwrap()
    }

    /// Judges, and says whether any page was looked at.
    fn judge(&self, expected: &Run, actual: &Run, rules: &Rules) -> (Comparison, bool) {
        let mut looked = false;
        let on = &mut |event| looked |= event == JudgeEvent::Step;
        let comparison = judge(&self.store, expected, actual, rules, on).unwrap();
        (comparison, looked)
    }

    fn outcomes(&self, comparison: &Comparison, rules: &Rules) -> Vec<(String, u32, bool)> {
        let mut all = Vec::new();
        comparison
            .verdicts(&self.store, rules)
            .each_session(&mut |session| {
                all.extend(
                    session.verdicts.into_iter().map(|v| (v.session, v.at.step, v.outcome == Outcome::Fail)),
                );
            })
            .unwrap();
        all
    }
}

fn recorded(uri: &str) -> Captured {
    Captured {
        at: Moment(0),
        took: 0,
        client: "127.0.0.1".to_owned(),
        method: "GET".to_owned(),
        uri: uri.to_owned(),
        headers: Headers::new(),
        body: CapturedBody::default(),
        response: None,
        error: None,
    }
}

fn replayed(at: StepAt, exchange: ExchangeId, body: &str) -> ReplayedStep {
    ReplayedStep {
        at,
        exchange,
        method: "GET".to_owned(),
        uri: if at.step == 0 { "/a" } else { "/b" }.to_owned(),
        headers: Headers::new(),
        body: Vec::new(),
        answer: Ok((
            200,
            [("content-type".to_owned(), "text/html".to_owned())].into_iter().collect(),
            body.as_bytes().to_vec().into(),
        )),
        substitutions: Vec::new(),
        stale: None,
        took: 0,
    }
}

fn rules() -> Rules {
    "C-WD | N+I".parse::<Oracle>().unwrap().into()
}

/// Catches: one noisy session masks a page for all of them, and a fault in another one passes.
#[test]
fn what_varied_in_one_session_of_many_is_masked_in_that_one() {
    let names = ["s1", "s2", "s3", "s4", "s5"];
    let mut world = World::new(&names);
    let with = |total: &'static str| names.map(|name| (name, [total, "<p>two"], ""));
    let (mut check, mut actual) = (with("<p>Total 12"), with("<p>Total 12"));
    check[1].1[0] = "<p>Total 13";
    actual[1].1[0] = "<p>Total 14";
    actual[3].1[0] = "<p>Total 99";
    let baseline = world.baseline(&with("<p>Total 12"), &check);
    let actual = world.run("test", RunKind::Replay, world.suite, &actual);
    let (found, _) = world.judge(&baseline, &actual, &rules());
    assert_eq!((found.counts.failing, found.counts.masked), (1, 1));
    let told: Vec<String> = found.changes.iter().map(|change| change.summary().to_string()).collect();
    assert!(told.len() == 1 && told[0].contains("99"), "{told:?}");
}

const QUIET: &Pages<'_> =
    &[("s1", ["<p>one", "<p>two"], ""), ("s2", ["<p>one", "<p>two"], ""), ("s3", ["<p>one", "<p>two"], "")];

/// Catches: a part of judging that one caller does and another forgets, and an order in which a later part undoes an earlier one.
#[test]
fn pages_logs_noise_accepted_and_ignored_in_one_call() {
    let mut world = World::new(&["s1", "s2", "s3"]);
    let page = |token: &str, text: &str| format!("<p>{text}<input name=t value={token}>");
    let (one, other) = (page("8f3a01", "one"), page("77bc02", "one"));
    let (third, new) = (page("19dd03", "one"), page("5e5e04", "new"));
    let baseline = world.baseline(
        &[("s1", [&one, "<p>two"], ""), ("s2", [&one, "<p>two"], ""), ("s3", [&one, "<p>two"], "")],
        &[("s1", [&other, "<p>two"], ""), ("s2", [&other, "<p>two"], ""), ("s3", [&one, "<p>two"], "")],
    );
    let error = "PHP Warning:  Undefined variable $x in /srv/cart.php on line 12\n";
    let actual = world.run(
        "test",
        RunKind::Replay,
        world.suite,
        &[("s1", [&third, "<p>two"], ""), ("s2", [&new, "<p>2"], ""), ("s3", [&third, "<p>2"], error)],
    );
    let rules = rules();
    let (plain, looked) = world.judge(&baseline, &actual, &rules);
    assert!(looked && !plain.passes());
    assert_eq!((plain.counts.steps, plain.counts.failing, plain.counts.masked), (6, 3, 3));
    assert_eq!((plain.counts.aftermaths, plain.counts.failing_aftermaths), (3, 1));
    // The change of two steps first; that of the log last.
    let extents: Vec<(usize, &[u32])> =
        plain.changes.iter().map(|c| (c.steps.len(), c.sessions.as_slice())).collect();
    assert_eq!(extents, [(2, &[][..]), (1, &[][..]), (0, &[2][..])]);
    assert_eq!(plain.changes[0].keys.iter().map(ToString::to_string).collect::<Vec<_>>(), ["GET /b"]);

    let (twos, news, logs) = (&plain.changes[0], &plain.changes[1], &plain.changes[2]);
    let ignored = IgnoreRule {
        keys: vec![KeyPattern::new("GET /a*")],
        seen_by: None,
        difference: restage_oracle::DifferencePattern::of(&news.difference),
    };
    let met_by_nothing = IgnoreRule { keys: vec![KeyPattern::new("GET /zzz")], ..ignored.clone() };
    let accepted = [twos, logs].map(|change| (change.id.clone(), "as it should be".to_owned()));
    let settled = Rules {
        accepted: accepted.into_iter().collect(),
        ignored: vec![ignored, met_by_nothing],
        ..rules.clone()
    };
    let (after, looked) = world.judge(&baseline, &actual, &settled);
    assert!(!looked, "what is accepted or ignored is applied to what is stored");
    assert!(after.passes() && after.changes.is_empty());
    assert_eq!((after.accepted.len(), after.ignored.len()), (2, 1));
    assert_eq!(after.accepted[0].change.steps, twos.steps);
    assert_eq!(after.accepted[0].why, "as it should be");
    assert!(after.unused.accepted.is_empty());
    assert_eq!(after.unused.rules.len(), 1);
    let (before, now) = (plain.verdicts(&world.store, &rules), after.verdicts(&world.store, &settled));
    let effect = Effect::of(&before, &now).unwrap();
    assert_eq!(effect, Effect { now_pass: 3, differ_less: 0, now_fail: 0 });
    // Nothing was lost.
    assert_eq!(world.judge(&baseline, &actual, &rules).0, plain);
}

#[test]
fn by_other_rules_pages_are_looked_at_again_and_by_the_same_they_are_not() {
    let mut world = World::new(&["s1", "s2", "s3"]);
    let baseline = world.baseline(QUIET, QUIET);
    let actual = world.run("test", RunKind::Replay, world.suite, QUIET);
    assert!(world.judge(&baseline, &actual, &rules()).1);
    assert!(!world.judge(&baseline, &actual, &rules()).1);
    assert!(world.judge(&baseline, &actual, &"D".parse::<Oracle>().unwrap().into()).1);
    assert!(!world.judge(&baseline, &actual, &rules()).1);
    // A run that goes on may have grown.
    world.store.finish_run(actual.id, &RunState::Unfinished).unwrap();
    let actual = world.store.run(actual.id).unwrap();
    assert!(world.judge(&baseline, &actual, &rules()).1);
    assert!(world.judge(&baseline, &actual, &rules()).1);
}

#[test]
fn what_a_run_was_not_asked_for_is_not_missing_and_what_it_lost_is() {
    let mut world = World::new(&["s1", "s2", "s3"]);
    let baseline = world.baseline(QUIET, QUIET);
    let shard = world.run(
        "shard",
        RunKind::Replay,
        world.suite,
        &[("s2", ["<p>one", ""], ""), ("s3", ["<p>one", "<p>new"], "")],
    );
    let lost = [StepAt { session: 1, step: 1 }];
    let (comparison, _) = world.judge(&baseline, &shard, &rules());
    assert_eq!((comparison.counts.steps, comparison.replayed), (3, Some((2, 3))));
    assert_eq!(comparison.missing, lost);
    // The same when it is read again.
    let (again, looked) = world.judge(&baseline, &shard, &rules());
    assert_eq!((again, looked), (comparison, false));
    world.store.finish_run(shard.id, &RunState::Broken("it ended".to_owned())).unwrap();
    let broken = world.store.run(shard.id).unwrap();
    assert_eq!(world.judge(&baseline, &broken, &rules()).0.missing.len(), 3);
}

/// Catches: sessions of a part that are compared with those at the same places of the whole.
#[test]
fn a_part_of_the_suite_goes_by_names() {
    let mut world = World::new(&["s1", "s2", "s3"]);
    let baseline = world.baseline(
        &[("s1", ["<p>one", "<p>1"], ""), ("s2", ["<p>one", "<p>2"], ""), ("s3", ["<p>one", "<p>3"], "")],
        &[("s1", ["<p>one", "<p>1"], ""), ("s2", ["<p>one", "<p>2"], ""), ("s3", ["<p>one", "<p>3"], "")],
    );
    let part =
        world.store.save_suite(NewSuite::of("part", "reduce", world.sessions[1..].to_vec())).unwrap().id;
    let actual = world.run(
        "test",
        RunKind::Replay,
        part,
        &[("s2", ["<p>one", "<p>2"], ""), ("s3", ["<p>one", "<p>new"], "")],
    );
    let (comparison, _) = world.judge(&baseline, &actual, &rules());
    assert!(comparison.missing.is_empty());
    let failing: Vec<(String, u32, bool)> = world.outcomes(&comparison, &rules());
    let expected = [("s2", 0, false), ("s2", 1, false), ("s3", 0, false), ("s3", 1, true)];
    assert_eq!(failing, expected.map(|(name, step, fails)| (name.to_owned(), step, fails)));
    let strangers = World::new(&["x1"]).sessions;
    let other = world.store.save_suite(NewSuite::of("other", "x", strangers)).unwrap().id;
    let stranger = world.run("other", RunKind::Replay, other, &[]);
    let refused = judge(&world.store, &baseline, &stranger, &rules(), &mut |_| {}).unwrap_err();
    assert!(refused.to_string().contains("different suites"), "{refused}");
}
