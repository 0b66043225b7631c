//! A small bookshop, recorded, replayed on two versions and compared by hand.

use std::collections::BTreeMap;

use restage_judge::{Comparison, JudgedSession, VerdictCounts};
use restage_model::{
    Aftermath, Captured, CapturedBody, Change, ChangeId, Difference, ExchangeId, Headers, Key, Masked,
    Moment, NewSuite, Outcome, Place, Run, RunId, RunKind, RunSession, RunState, Session, SettledChange,
    StatePolicy, StepAt, Substitution, Unused, Verdict,
};
use restage_report::Report;
use restage_store::{NewRun, ReplayedStep, Store};
use tempfile::TempDir;

/// What an attacker would put into a page, an address or a value.
pub(crate) const HOSTILE: &str = "</script><script>alert(1)</script>\"'><img src=http://evil.example/x onerror=alert(2)>]]>\u{1b}[31m\0\u{202e}";

const SHEET: &str = "body{font:15px/1.5 Georgia,serif;margin:0;color:#222}header{background:#24405e;color:#fff;\
     padding:12px 20px}main{padding:16px 20px}table{border-collapse:collapse}td{padding:4px 14px 4px 0;\
     border-bottom:1px solid #ddd}a{color:#24405e}";
const COVER: &str = "<svg xmlns='http://www.w3.org/2000/svg' width='60' height='84'><rect width='60' height='84' \
     fill='#c2703d'/><circle cx='30' cy='36' r='16' fill='#f6dfb8'/></svg>";

/// An answer: media type and body; none where the server gave none.
pub(crate) type Answer = Option<(u16, &'static str, Vec<u8>)>;

/// The store and the two runs in it, with the verdicts and changes so far.
pub(crate) struct Shop {
    pub(crate) store: Store,
    pub(crate) expected: Run,
    pub(crate) actual: Run,
    pub(crate) comparison: Comparison,
    pub(crate) sessions: Vec<JudgedSession>,
    exchange: ExchangeId,
    _folder: TempDir,
}

/// A step about to be put into both runs.
pub(crate) struct Visit<'a> {
    pub(crate) request: (&'a str, &'a str),
    pub(crate) expected: Answer,
    pub(crate) actual: Answer,
    pub(crate) weakened: bool,
    pub(crate) stale: Option<&'a str>,
    pub(crate) differences: Vec<Difference>,
    pub(crate) substitutions: Vec<Substitution>,
}

impl Shop {
    /// An empty shop: a style sheet and a cover recorded, nothing replayed.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open_or_create(&folder.path().join("restage.db")).unwrap();
        let batch = [
            recorded("/", "text/html", b"<p>home"),
            recorded("/static/shop.css", "text/css", SHEET.as_bytes()),
            recorded("/static/cover.svg", "image/svg+xml", COVER.as_bytes()),
        ];
        let exchange = store.append(&batch).unwrap()[0];
        let session = Session {
            name: "s1".to_owned(),
            by: "ip+agent".to_owned(),
            client: "127.0.0.1".to_owned(),
            from: Moment(0),
            to: Moment(1),
            exchanges: vec![exchange],
            left_out: Vec::new(),
            joined: Vec::new(),
            fresh: false,
        };
        let suite = store.save_suite(NewSuite::of("recorded", "recorded", [session])).unwrap().id;
        let mut run = |name: &str, kind, app: &str| -> RunId {
            let policy = StatePolicy::Restore;
            store
                .begin_run(&NewRun {
                    name: name.to_owned(),
                    kind,
                    suite,
                    app: app.to_owned(),
                    policy,
                    as_recorded: false,
                })
                .unwrap()
        };
        let expected = run("baseline-1", RunKind::Baseline, "baseline");
        let actual = run("test-1", RunKind::Replay, "default");
        for id in [expected, actual] {
            store.finish_run(id, &RunState::Complete).unwrap();
        }
        let (expected, actual) = (store.run(expected).unwrap(), store.run(actual).unwrap());
        let comparison = Comparison {
            expected: expected.name.clone(),
            actual: actual.name.clone(),
            oracle: "C-WD | N+I".to_owned(),
            counts: VerdictCounts::default(),
            weaker_oracles: Vec::new(),
            changes: Vec::new(),
            findings: Vec::new(),
            fail_on: None,
            accepted: Vec::new(),
            ignored: Vec::new(),
            unused: Unused::default(),
            missing: Vec::new(),
            replayed: None,
            judgement: None,
        };
        Self { store, expected, actual, comparison, sessions: Vec::new(), exchange, _folder: folder }
    }

    /// The report on it.
    pub(crate) fn report(&self) -> Report<'_> {
        Report::gather(&self.store, &self.expected, &self.actual, self.counted(), &self.sessions).unwrap()
    }

    /// What comparing the two runs gave.
    pub(crate) fn counted(&self) -> Comparison {
        let mut comparison = self.comparison.clone();
        let verdicts = || self.sessions.iter().flat_map(|session| &session.verdicts);
        let aftermaths = || self.sessions.iter().filter_map(|session| session.aftermath.as_ref());
        comparison.counts = VerdictCounts {
            steps: verdicts().count(),
            failing: verdicts().filter(|v| v.outcome == Outcome::Fail).count(),
            aftermaths: aftermaths().count(),
            failing_aftermaths: aftermaths().filter(|a| a.outcome == Outcome::Fail).count(),
            weakened: verdicts().filter(|v| v.weakened).count(),
            masked: verdicts().filter(|v| !v.masked.is_empty()).count(),
        };
        if comparison.counts.weakened > 0 {
            comparison.weaker_oracles = vec![("N-SL".to_owned(), comparison.counts.weakened)];
        }
        comparison
    }

    /// Adds a session with its steps to both runs, and the verdicts on them.
    pub(crate) fn session(&mut self, ordinal: u32, name: &str, visits: Vec<Visit<'_>>) {
        for id in [self.expected.id, self.actual.id] {
            let session = RunSession { ordinal, session: name.to_owned(), ..RunSession::default() };
            self.store.add_run_session(id, &session).unwrap();
        }
        let mut verdicts = Vec::new();
        for (step, visit) in visits.into_iter().enumerate() {
            let at = StepAt { session: ordinal, step: step as u32 };
            let key = Key::of(visit.request.0, visit.request.1, "");
            self.store.add_steps(self.expected.id, &[self.replayed(at, &visit, &visit.expected)]).unwrap();
            self.store.add_steps(self.actual.id, &[self.replayed(at, &visit, &visit.actual)]).unwrap();
            for difference in &visit.differences {
                self.change(at, &key, difference);
            }
            verdicts.push(Verdict {
                at,
                session: name.to_owned(),
                key,
                outcome: if visit.differences.is_empty() { Outcome::Pass } else { Outcome::Fail },
                oracle: if visit.weakened { "N-SL" } else { "C-WD | N+I" }.to_owned(),
                weakened: visit.weakened,
                differences: visit.differences,
                accepted: Vec::new(),
                ignored: Vec::new(),
                masked: Vec::new(),
                stale: visit.stale.map(str::to_owned),
                old_wording: Vec::new(),
                masked_share: restage_model::MaskedShare::default(),
            });
        }
        self.sessions.push(JudgedSession { ordinal, verdicts, aftermath: None });
    }

    /// Adds a step that only the run that is right has.
    pub(crate) fn missing(&mut self, at: StepAt, uri: &str) {
        let visit = visit(uri, page("gone"));
        let step = self.replayed(at, &visit, &visit.expected);
        self.store.add_steps(self.expected.id, &[step]).unwrap();
        self.comparison.missing.push(at);
    }

    fn change(&mut self, at: StepAt, key: &Key, difference: &Difference) {
        let known = self.comparison.changes.iter_mut().find(|c| c.difference == *difference);
        if let Some(change) = known {
            change.steps.push(at);
            if !change.keys.contains(key) {
                change.keys.push(key.clone());
            }
            return;
        }
        self.comparison.changes.push(Change {
            id: ChangeId(format!("a3f9c{}", self.comparison.changes.len())),
            difference: difference.clone(),
            keys: vec![key.clone()],
            steps: vec![at],
            sessions: Vec::new(),
            at_once: 1,
        });
    }

    fn replayed(&self, at: StepAt, visit: &Visit<'_>, answer: &Answer) -> ReplayedStep {
        ReplayedStep {
            at,
            exchange: self.exchange,
            method: visit.request.0.to_owned(),
            uri: visit.request.1.to_owned(),
            headers: Headers::new(),
            body: Vec::new(),
            answer: match answer {
                Some((status, media_type, body)) => Ok((*status, typed(media_type), body.clone().into())),
                None => Err("connection refused".to_owned()),
            },
            substitutions: visit.substitutions.clone(),
            stale: visit.stale.map(str::to_owned),
            took: 3_000 + u64::from(at.step) * 1_700,
        }
    }
}

/// A shop where much is wrong.
pub(crate) fn faulty() -> Shop {
    let mut shop = Shop::new();
    let total = difference("Total $42.00", "Total $21.00");
    let cart = || Visit {
        differences: vec![total.clone()],
        actual: page(&cart_page("$21.00")),
        ..visit("/cart", page(&cart_page("$42.00")))
    };
    let home = || visit("/", page("<h1>Books</h1>"));
    for (ordinal, name) in ["s1", "s14", "s57"].into_iter().enumerate() {
        let noisy = Visit { weakened: true, ..visit("/news", page("<h1>News</h1>")) };
        shop.session(
            ordinal as u32,
            name,
            vec![home(), visit("/book/3", page("a book")), cart(), noisy, cart()],
        );
    }
    let login = Visit {
        request: ("POST", "/login"),
        stale: Some("the live page no longer offers the form `login`"),
        substitutions: vec![Substitution {
            target: "form field csrf".to_owned(),
            recorded: "a91f".to_owned(),
            live: HOSTILE.to_owned(),
            source: "step 1: hidden field csrf of form 2".to_owned(),
            why: String::new(),
        }],
        ..visit("/login", page("welcome"))
    };
    let unanswered = Visit {
        actual: None,
        differences: vec![difference("status 200", "no answer")],
        ..visit("/checkout", page("thanks"))
    };
    shop.session(3, "s80", vec![home(), login, unanswered]);
    shop.missing(StepAt { session: 3, step: 3 }, "/orders");
    let hostile = Visit {
        differences: vec![difference("Zoë & co", HOSTILE)],
        actual: page(&format!("<h1>{HOSTILE}</h1><script>alert(3)</script>")),
        ..visit("/search?q=</script><script>alert(4)</script>", page("<h1>Zoë & co</h1>"))
    };
    let stock = Visit {
        expected: json(br#"{"book":3,"stock":[5,1.00],"name":"Emma"}"#),
        actual: json(br#"{"book":3,"stock":[5,1.0],"name":"Emma"}"#),
        differences: vec![difference("1.00", "1.0")],
        ..visit("/api/stock/3", None)
    };
    let binary = Visit {
        expected: Some((200, "image/png", b"\x89PNG\xff\0".to_vec())),
        actual: Some((404, "text/html", b"bad \xff bytes".to_vec())),
        differences: vec![difference("status 200", "status 404")],
        ..visit("/cover/3.png", None)
    };
    shop.session(4, "s93", vec![home(), hostile, stock, binary]);
    let calm = BTreeMap::from([(5, "s101"), (6, "s120"), (7, "s133")]);
    for (ordinal, name) in calm {
        shop.session(
            ordinal,
            name,
            (0..8 + ordinal).map(|n| visit(BOOKS[n as usize % 3], page("fine"))).collect(),
        );
    }
    shop
}

/// The faulty shop, with changes that are accepted and ignored, masked parts, and what sessions left behind.
pub(crate) fn settled() -> Shop {
    let mut shop = faulty();
    let badge = difference("Books", "Books & more");
    let quote = difference("Quote: carpe diem", HOSTILE);
    let row = Difference {
        seen_by: vec!["State".to_owned()],
        ..difference("order 5: total 42", "order 5: total 21")
    };
    let crash = Difference { seen_by: vec!["Errors".to_owned()], ..difference("", "PHP Warning: no index") };
    let token = |n: u32| Masked {
        place: "value of input[name=\"csrf\"]".to_owned(),
        expected: format!("a{n}"),
        actual: format!("b{n}{HOSTILE}"),
    };
    let verdicts = shop.sessions.iter_mut().flat_map(|session| &mut session.verdicts);
    for verdict in verdicts.filter(|v| v.session == "s101") {
        match verdict.at.step {
            0 => verdict.accepted.push(badge.clone()),
            1 => verdict.ignored.push(quote.clone()),
            step => verdict.masked.extend([token(step), token(step + 1)]),
        }
    }
    for (ordinal, session, found) in
        [(0, "s1", Some(&row)), (1, "s14", Some(&row)), (2, "s57", None), (3, "s80", Some(&crash))]
    {
        shop.sessions[ordinal as usize].aftermath = Some(Aftermath {
            ordinal,
            session: session.to_owned(),
            outcome: if found.is_some() { Outcome::Fail } else { Outcome::Pass },
            differences: found.cloned().into_iter().collect(),
            accepted: if session == "s57" { vec![badge.clone()] } else { Vec::new() },
            ignored: Vec::new(),
            masked: vec![Masked {
                place: "sessions.token".to_owned(),
                expected: "x".to_owned(),
                actual: "y".to_owned(),
            }],
            masked_rows: restage_model::MaskedRows::default(),
        });
    }
    let change = |id: &str, difference: &Difference, steps: Vec<u32>, sessions: Vec<u32>| Change {
        id: ChangeId(id.to_owned()),
        difference: difference.clone(),
        keys: steps.iter().map(|step| Key::of("GET", BOOKS[*step as usize % 3], "")).collect(),
        steps: steps.into_iter().map(|step| StepAt { session: 5, step }).collect(),
        sessions,
        at_once: 1,
    };
    let comparison = &mut shop.comparison;
    comparison.changes.push(change("b00001", &row, vec![], vec![0, 1]));
    comparison.changes.push(change("b00002", &crash, vec![], vec![3]));
    let why = |why: &str| format!("{why} {HOSTILE}");
    comparison.accepted =
        vec![SettledChange { change: change("c00001", &badge, vec![0], vec![2]), why: why("the new name") }];
    comparison.ignored =
        vec![SettledChange { change: change("c00002", &quote, vec![1], vec![]), why: why("GET /: text") }];
    comparison.unused =
        Unused { accepted: vec![ChangeId("dddddd".to_owned())], rules: vec![why("GET /x: y")] };
    shop
}

const BOOKS: [&str; 3] = ["/", "/book/3", "/book/7?tab=reviews"];

/// A `GET` that both versions answer alike.
pub(crate) fn visit(uri: &str, answer: Answer) -> Visit<'_> {
    Visit {
        request: ("GET", uri),
        expected: answer.clone(),
        actual: answer,
        weakened: false,
        stale: None,
        differences: Vec::new(),
        substitutions: Vec::new(),
    }
}

/// A page of the shop.
pub(crate) fn page(inside: &str) -> Answer {
    let html = format!(
        "<!DOCTYPE html><html><head><title>Bookshop</title><link rel=\"stylesheet\" href=\"/static/shop.css?v=3\">\
         </head><body><header>The Bookshop</header><main>{inside}<p><img src=\"static/cover.svg\" alt=\"\"></p>\
         <p><a href=\"/\">Home</a></p></main></body></html>"
    );
    Some((200, "text/html; charset=utf-8", html.into_bytes()))
}

/// A difference in text.
pub(crate) fn difference(expected: &str, actual: &str) -> Difference {
    Difference::changed("C-WD", Place::Text { after: None }, expected, actual)
}

fn cart_page(total: &str) -> String {
    format!(
        "<h1>Your cart</h1><table><tr><td>Emma</td><td>2</td><td>$24.00</td></tr><tr><td>Persuasion</td><td>1</td>\
         <td>$18.00</td></tr></table><p>Total {total}</p>"
    )
}

fn json(body: &[u8]) -> Answer {
    Some((200, "application/json", body.to_vec()))
}

fn recorded(uri: &str, media_type: &str, body: &[u8]) -> Captured {
    Captured {
        at: Moment(0),
        took: 0,
        client: "127.0.0.1".to_owned(),
        method: "GET".to_owned(),
        uri: uri.to_owned(),
        headers: Headers::new(),
        body: CapturedBody::default(),
        response: Some((
            200,
            typed(media_type),
            CapturedBody { bytes: body.to_vec(), size: body.len() as u64 },
        )),
        error: None,
    }
}

fn typed(media_type: &str) -> Headers {
    [("content-type".to_owned(), media_type.to_owned())].into_iter().collect()
}
