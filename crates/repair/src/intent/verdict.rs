//! What is thought of an answer: is it what the user was after?

use std::collections::BTreeSet;
use std::fmt;

use restage_model::{Departure, Key};
use restage_oracle::{RunNoise, Varying, departure};

use super::page_likeness::{filled_in, likeness};
use super::word_weights::WordWeights;
use crate::seen_answer::SeenAnswer;

/// From here on, an answer is what the user was after.
const GOOD: f64 = 0.5;
/// The same of a page at the address where it should be.
const GOOD_IN_PLACE: f64 = 0.2;
/// What was accepted and leads to another page.
const ELSEWHERE: f64 = 0.4;
/// From here on, nothing better is looked for.
const SURE: f64 = 0.8;

/// What an answer should be.
pub(crate) struct Expected<'a> {
    /// What was answered by the old version.
    pub(crate) answer: &'a SeenAnswer,
    /// What came after it, where it was a redirect that the user followed.
    pub(crate) followed: Option<&'a SeenAnswer>,
    /// Whether a node is where the request should lead.
    pub(crate) is_place: &'a dyn Fn(&str) -> bool,
    /// Whether a node is where the answer should send the browser.
    pub(crate) is_target: &'a dyn Fn(&str) -> bool,
    /// Whether users log in on a page of this node.
    pub(crate) is_login: &'a dyn Fn(&str) -> bool,
    /// Whether the user logs out: to be asked to log in again is no trouble then.
    pub(crate) logs_out: bool,
    /// The names of the fields that were filled in: on the old version, and now.
    pub(crate) form: Option<(BTreeSet<String>, BTreeSet<String>)>,
    /// Which words tell pages apart.
    pub(crate) weights: &'a WordWeights,
}

/// What is wrong with an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// There is none.
    NoAnswer(String),
    /// It is an error.
    Error(u16),
    /// The server printed an error.
    ServerError(String),
    /// The user is asked to log in.
    Login,
    /// The same form comes again: what was sent was not accepted.
    FormAgain,
    /// It sends the browser nowhere, or elsewhere.
    Redirect,
    /// It is another page.
    OtherPage,
    /// What was sent was accepted, and another page comes of it than on the old version.
    Elsewhere,
    /// The live page does not offer what was used.
    Stale(String),
    /// What was to be used is not there.
    NotOffered,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAnswer(why) => write!(f, "there was no answer: {why}"),
            Self::Error(status) => write!(f, "it is answered with status {status}"),
            Self::ServerError(message) => write!(f, "the server printed an error: {message}"),
            Self::Login => f.write_str("the user is asked to log in"),
            Self::FormAgain => f.write_str("the same form comes again"),
            Self::Redirect => f.write_str("it leads elsewhere"),
            Self::OtherPage => f.write_str("it is another page"),
            Self::Elsewhere => f.write_str("it is accepted, and leads to another page"),
            Self::Stale(why) => f.write_str(why),
            Self::NotOffered => f.write_str("no page offers it"),
        }
    }
}

/// What is thought of an answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Verdict {
    /// How much it is what the user was after, from 0 to 1.
    pub(crate) score: f64,
    /// What is wrong with it.
    pub(crate) trouble: Option<Trouble>,
    /// Whether it came from where it should.
    pub(crate) in_place: bool,
}

impl Verdict {
    pub(crate) fn bad(trouble: Trouble) -> Self {
        Self { score: 0.0, trouble: Some(trouble), in_place: false }
    }

    fn well(score: f64) -> Self {
        Self { score, trouble: None, in_place: true }
    }

    /// Whether it is what the user was after.
    pub(crate) fn is_good(&self) -> bool {
        let least = if self.in_place { GOOD_IN_PLACE } else { GOOD };
        self.trouble.is_none() && self.score >= least
    }

    /// The same, where that another page comes of it is taken for what the new version does.
    pub(crate) fn settled(self) -> Self {
        match self.trouble {
            Some(Trouble::Elsewhere) => Self { score: ELSEWHERE, trouble: None, in_place: true },
            _ => self,
        }
    }

    /// Whether nothing better need be looked for.
    pub(crate) fn is_sure(&self) -> bool {
        self.trouble.is_none() && self.score >= SURE
    }

    /// The same, where the live page did not offer what was used.
    pub(crate) fn stale(self, why: String) -> Self {
        Self { trouble: Some(self.trouble.unwrap_or(Trouble::Stale(why))), ..self }
    }
}

/// Looks at an answer. `node` is what was asked for; `target` where the answer sends the browser.
pub(crate) fn judge(expected: &Expected<'_>, live: &SeenAnswer, node: &str, target: Option<&str>) -> Verdict {
    let was = expected.answer;
    if live.status == 0 {
        let why = || Verdict::bad(Trouble::NoAnswer("nothing came back".to_owned()));
        return if was.status == 0 { Verdict::well(1.0) } else { why() };
    }
    if live.is_error() {
        return match was.is_error() || was.status == 0 {
            true => Verdict::well(1.0),
            false => Verdict::bad(Trouble::Error(live.status)),
        };
    }
    // Nobody knows what was answered, or it was an error that is gone.
    if was.status == 0 || was.is_error() {
        return Verdict::well(0.9);
    }
    match (was.is_redirect(), live.is_redirect()) {
        (true, true) => redirects(expected, target),
        (true, false) => no_redirect(expected, live, node),
        // Whoever looks at it follows it first; where it leads out of the application, nobody can.
        (false, true) => Verdict { score: 0.3, trouble: Some(Trouble::Redirect), in_place: false },
        (false, false) => page(expected, was, live, node),
    }
}

fn redirects(expected: &Expected<'_>, target: Option<&str>) -> Verdict {
    let Some(target) = target else {
        // Out of the application, both.
        let same = expected.answer.redirect.is_none();
        return if same { Verdict::well(1.0) } else { Verdict::bad(Trouble::Redirect) };
    };
    if (expected.is_target)(target) {
        return Verdict::well(1.0);
    }
    if (expected.is_login)(target) {
        return Verdict { score: 0.1, trouble: Some(Trouble::Login), in_place: false };
    }
    // It leads elsewhere: what comes after it will tell.
    Verdict { score: 0.7, trouble: None, in_place: true }
}

fn no_redirect(expected: &Expected<'_>, live: &SeenAnswer, node: &str) -> Verdict {
    if is_form_again(expected, live) {
        return Verdict { score: 0.1, trouble: Some(Trouble::FormAgain), in_place: false };
    }
    // The answer may be the page itself that the redirect led to.
    if let Some(followed) = expected.followed.filter(|followed| followed.is_page() && live.is_page()) {
        let there = page(expected, followed, live, node);
        if there.trouble.is_none() && there.score >= GOOD {
            return Verdict { in_place: true, ..there };
        }
    }
    Verdict { score: 0.3, trouble: Some(Trouble::Redirect), in_place: false }
}

fn page(expected: &Expected<'_>, was: &SeenAnswer, live: &SeenAnswer, node: &str) -> Verdict {
    let noise = RunNoise::default();
    let varying = Varying::new(&noise, None);
    let left = departure(&was.known(), &live.known(), &varying, &Key::shown_as(node.to_owned()), &|_| true);
    let in_place = (expected.is_place)(node);
    let Some(left) = left else { return Verdict { score: 1.0, trouble: None, in_place } };
    if let Departure::ServerError { message } = left {
        return Verdict::bad(Trouble::ServerError(message));
    }
    if was.body.is_none() || live.body.is_none() {
        return Verdict { score: 0.9, trouble: None, in_place };
    }
    if was.page.is_none() || live.page.is_none() {
        let other_kind = was.page.is_some() != live.page.is_some();
        let score = if other_kind { 0.1 } else { 0.6 };
        let trouble = other_kind.then_some(Trouble::OtherPage);
        return Verdict { score, trouble, in_place };
    }
    let alike = likeness(was, live, expected.weights);
    if is_form_again(expected, live) && alike < SURE {
        return Verdict { score: alike.min(0.1), trouble: Some(Trouble::FormAgain), in_place };
    }
    // A login form on a page that is as it was is a login form that moved there.
    if live.asks_password() && !was.asks_password() && alike < GOOD && !expected.logs_out {
        return Verdict { score: alike.min(0.1), trouble: Some(Trouble::Login), in_place: false };
    }
    let verdict = Verdict { score: alike, trouble: None, in_place };
    match verdict.is_good() {
        true => verdict,
        false => Verdict { trouble: Some(Trouble::OtherPage), ..verdict },
    }
}

/// Whether the form that was sent comes again, where the old version went on.
fn is_form_again(expected: &Expected<'_>, live: &SeenAnswer) -> bool {
    let Some((old, new)) = &expected.form else { return false };
    let has = |answer: &SeenAnswer, names: &BTreeSet<String>| {
        let forms = answer.page.iter().flat_map(|page| page.forms());
        forms.map(filled_in).any(|other| !names.is_empty() && names.is_subset(&other))
    };
    has(live, new) && !has(expected.answer, old) && !expected.followed.is_some_and(|page| has(page, old))
}
