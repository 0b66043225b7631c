//! Finds the secrets of texts and puts stand-ins in their place.

use std::collections::{BTreeMap, HashSet};
use std::hash::BuildHasher;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use foldhash::fast::FixedState;
use restage_model::cookie_pairs;

use crate::candidates::{Side, is_secret, is_telling, looks_random};
use crate::cut_secrets::CutSecrets;
use crate::encoding::{Spelled, Spelling};
use crate::known_secrets::KnownSecrets;
use crate::named_values::{self, Medium};
use crate::password_fields::PasswordFields;
use crate::rules::Rules;
use crate::secret_kind::Kind;
use crate::span::Span;
use crate::stand_in::StandIns;
use crate::{cards, emails};

/// A secret that was found: where, and of what kind. Never the secret itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// Where it stands: `the request's body, password`.
    pub place: String,
    /// What kind of secret it is.
    pub kind: Kind,
    /// Whether it can be told wherever it stands, so that it can be replaced there, too: a short word cannot.
    pub telling: bool,
}

impl Finding {
    /// Whether the application draws such a secret anew in each run.
    pub fn is_drawn(&self) -> bool {
        is_drawn_for_replay(self.kind, "drawn")
    }
}

/// What a redactor is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// What is found in one place is looked for in all others from then on.
    Recording,
    /// Each text is read by itself.
    Scanning,
    /// Likewise, and what the application drew anew for the replay stays: it is sent again.
    Covering,
    /// Likewise, but for cookies: what was replayed before is not relied on any more.
    Sanitizing,
    /// As recording, for what others get to see of a replay: nothing of it is sent again, so that what the application drew
    /// is replaced, too.
    Showing,
}

/// There are so few values of this length that one user's may be the stand-in of another's.
const TOO_SHORT_TO_TELL: usize = 8;

/// Finds secrets and puts stand-ins in their place.
#[derive(Debug)]
pub struct Redactor {
    pub(crate) rules: Rules,
    stand_ins: StandIns,
    known: KnownSecrets,
    pub(crate) fields: PasswordFields,
    /// Hashes of all stand-ins: they look like secrets, and are none.
    made: HashSet<u64, FixedState>,
    fresh: Vec<u64>,
    /// Those of them that were met.
    met: HashSet<u64, FixedState>,
    purpose: Purpose,
    /// Whether what is read may hold stand-ins.
    meets_stand_ins: bool,
    pub(crate) learnt: u64,
    counts: BTreeMap<Kind, u64>,
}

/// How a text is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reading<'a> {
    Text(Medium),
    /// The address of a request to that path.
    Uri(&'a str),
    /// A form sent to that path.
    Form(&'a str),
    /// The field of that name, sent to that path.
    Field(&'a str, &'a str),
    Cookies,
    SetCookie,
    /// The value of a header field of a secret's name.
    Whole(&'a str, Kind),
    /// An `Authorization` header's value.
    Authorization,
}

/// What takes the place of a stretch of a text.
#[derive(Clone, Debug)]
pub(crate) struct Replacement {
    start: usize,
    end: usize,
    pub(crate) kind: Kind,
    pub(crate) name: String,
    pub(crate) telling: bool,
    with: Vec<u8>,
}

impl Redactor {
    /// For recording: a secret that is found in one place is replaced wherever it stands from then on.
    pub fn recording(rules: Rules, stand_ins: StandIns) -> Self {
        Self {
            rules,
            stand_ins,
            known: KnownSecrets::default(),
            fields: PasswordFields::default(),
            made: HashSet::default(),
            fresh: Vec::new(),
            met: HashSet::default(),
            purpose: Purpose::Recording,
            meets_stand_ins: true,
            learnt: 0,
            counts: BTreeMap::new(),
        }
    }

    /// For what a replay sends and gets. Each text is read by itself, so that two runs that got the same are given the same. Session ids and tokens stay: the application
    /// drew them for the replay, and nobody else has them.
    pub fn covering(rules: Rules, stand_ins: StandIns) -> Self {
        Self { purpose: Purpose::Covering, ..Self::recording(rules, stand_ins) }
    }

    /// For what others get to see of what a replay sent and got: what is found in one place is replaced wherever it stands, and so is what the application drew
    /// for the replay. Nothing is forgotten.
    pub fn showing(rules: Rules, stand_ins: StandIns) -> Self {
        let known = KnownSecrets::of_any_number();
        Self { purpose: Purpose::Showing, known, ..Self::recording(rules, stand_ins) }
    }

    /// For telling whether there are secrets, and where: each text is read by itself.
    pub fn scanning(rules: Rules, stand_ins: StandIns) -> Self {
        Self { purpose: Purpose::Scanning, ..Self::recording(rules, stand_ins) }
    }

    /// From now on, it is for what replays sent and got in a store that is sanitized. What it knows is replaced there, too.
    pub fn sanitize_runs_from_now_on(&mut self) {
        self.purpose = Purpose::Sanitizing;
    }

    /// Replaces these values, too, wherever they stand.
    pub fn knows(&mut self, secrets: &[String]) {
        for secret in secrets {
            let kind = kind_of_value(secret);
            let stand_in = self.stand_in(kind, secret);
            if is_telling(secret) {
                self.known.add(kind, secret, &stand_in);
            }
        }
    }

    /// Tells it of stand-ins that were made before, by their hashes.
    pub fn made_before(&mut self, hashes: impl IntoIterator<Item = u64>) {
        self.made.extend(hashes);
    }

    /// Says whether what is read from now on may hold stand-ins. Fresh traffic does not; there, a short secret that equals a stand-in of another is a secret all the same.
    pub fn meets_stand_ins(&mut self, may: bool) {
        self.meets_stand_ins = may;
    }

    /// The hashes of the stand-ins made since this was last asked.
    pub fn take_fresh(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.fresh)
    }

    /// The hashes of the stand-ins that were met while scanning.
    pub fn met(&self) -> Vec<u64> {
        let mut met: Vec<u64> = self.met.iter().copied().collect();
        met.sort_unstable();
        met
    }

    /// Known secrets, to be found where only a part of one stands.
    pub(crate) fn cut_secrets(&self) -> CutSecrets {
        CutSecrets::of(&self.known)
    }

    /// How many secrets were replaced, by kind.
    pub fn counts(&self) -> &BTreeMap<Kind, u64> {
        &self.counts
    }

    /// How many distinct secrets were learnt so far: where it grew, what was stored before may have the newly learnt ones.
    pub fn learnt(&self) -> u64 {
        self.learnt
    }

    /// A stand-in's hash, by which it is known as one.
    pub fn hash(stand_in: &str) -> u64 {
        // An application may show it in another case.
        FixedState::with_seed(0).hash_one(stand_in.to_lowercase())
    }

    /// The secrets that a text's names and shapes tell, as what replaces them.
    pub(crate) fn look(&mut self, text: &[u8], reading: &Reading<'_>, side: Side) -> Vec<Replacement> {
        if text.is_empty() {
            return Vec::new();
        }
        let mut spans = Vec::new();
        let mut nested = Vec::new();
        match reading {
            Reading::Text(medium) => {
                named_values::find(text, *medium, &self.rules, &mut spans);
                if *medium == Medium::Address {
                    nested = addresses_in(text);
                }
            }
            Reading::Uri(path) => {
                named_values::find(text, Medium::Address, &self.rules, &mut spans);
                self.typed_into_address(path, text, &mut spans);
                named_values::find_in_path(&text[..path.len().min(text.len())], &mut spans);
                nested = addresses_in(text);
            }
            Reading::Form(path) => {
                named_values::find(text, Medium::Address, &self.rules, &mut spans);
                for (start, end) in pieces(text, b'&') {
                    let Some(equals) = text[start..end].iter().position(|&b| b == b'=') else { continue };
                    let name = Spelled::read(&text[start..start + equals], Spelling::PARAMETER).value();
                    let value = start + equals + 1;
                    self.field(path, &name, value, end, Spelling::PARAMETER, &mut spans);
                    if has_inside(&text[value..end]) {
                        nested.push((value, end));
                    }
                }
            }
            Reading::Field(path, name) => {
                self.field(path, name, 0, text.len(), Spelling::PLAIN, &mut spans);
                named_values::find(text, Medium::Text, &self.rules, &mut spans);
            }
            Reading::Cookies => {
                let whole = String::from_utf8_lossy(text);
                for (name, value) in cookie_pairs(&whole) {
                    if let Some(start) = memchr::memmem::find(text, format!("{name}={value}").as_bytes()) {
                        self.cookie(name, value, start + name.len() + 1, &mut spans);
                    }
                }
            }
            Reading::SetCookie => {
                let end = text.iter().position(|&b| b == b';').unwrap_or(text.len());
                let whole = String::from_utf8_lossy(&text[..end]).into_owned();
                if let Some((name, value)) = whole.split_once('=') {
                    self.cookie(name.trim(), value, name.len() + 1, &mut spans);
                }
            }
            Reading::Whole(name, kind) => {
                // `Bearer …` and the like are no part of the secret.
                let scheme = text
                    .iter()
                    .position(|&b| b == b' ')
                    .filter(|&at| is_scheme(&text[..at]))
                    .map_or(0, |at| at + 1);
                // A header field of such a name has nothing else in it.
                let held = &text[scheme..];
                let is_key = *kind != Kind::Session && held.len() >= 8 && held.iter().any(u8::is_ascii_digit);
                spans.push(Span {
                    name: (*name).to_owned(),
                    certain: is_key,
                    ..Span::shaped(scheme, text.len(), *kind)
                });
            }
            Reading::Authorization => {
                if let Some(found) = self.basic(text) {
                    return found;
                }
                let scheme = text.iter().position(|&b| b == b' ').map_or(0, |at| at + 1);
                spans.push(Span {
                    name: "authorization".to_owned(),
                    ..Span::shaped(scheme, text.len(), Kind::Authorization)
                });
            }
        }
        emails::find(text, &mut spans);
        cards::find(text, &mut spans);
        self.patterns(text, &mut spans);
        if matches!(self.purpose, Purpose::Covering | Purpose::Sanitizing) {
            // A cookie that the application gave has to come back as it is.
            let cookie = matches!(reading, Reading::Cookies | Reading::SetCookie);
            if cookie && self.purpose == Purpose::Covering {
                spans.clear();
            }
        }
        let mut found: Vec<Replacement> =
            spans.into_iter().filter_map(|span| self.replacement(text, span, side)).collect();
        for (start, end) in nested {
            found.extend(self.inside(text, start, end, side));
        }
        sorted(found)
    }

    /// The text with what was found replaced, and what is known of other places, too; none where nothing is to be replaced.
    pub(crate) fn replace(
        &mut self,
        text: &[u8],
        mut found: Vec<Replacement>,
    ) -> Option<(Vec<u8>, Vec<Replacement>)> {
        let mut known = Vec::new();
        self.known.find(text, |sighting| {
            known.push(Replacement {
                start: sighting.start,
                end: sighting.end,
                kind: sighting.kind,
                name: String::new(),
                telling: true,
                with: sighting.stand_in.as_bytes().to_vec(),
            });
        });
        if !known.is_empty() {
            found.extend(known);
            found = sorted(found);
        }
        if found.is_empty() {
            return None;
        }
        let mut out = Vec::with_capacity(text.len() + 16);
        let mut at = 0;
        for replacement in &found {
            out.extend_from_slice(&text[at..replacement.start]);
            out.extend_from_slice(&replacement.with);
            at = replacement.end;
            *self.counts.entry(replacement.kind).or_default() += 1;
        }
        out.extend_from_slice(&text[at..]);
        Some((out, found))
    }

    fn field(
        &self,
        path: &str,
        name: &str,
        start: usize,
        end: usize,
        spelling: Spelling,
        spans: &mut Vec<Span>,
    ) {
        let typed = self.fields.has(path, name) && !self.rules.keeps(name);
        let kind = if typed { Some(Kind::Password) } else { self.rules.kind_of(name) };
        if let Some(kind) = kind {
            spans.push(Span {
                spelling,
                name: name.to_owned(),
                certain: typed,
                ..Span::shaped(start, end, kind)
            });
        }
    }

    /// What was typed into a password field of a form that is sent as an address.
    fn typed_into_address(&self, path: &str, text: &[u8], spans: &mut Vec<Span>) {
        let Some(query) = text.iter().position(|&b| b == b'?').map(|at| at + 1) else { return };
        for (start, end) in pieces(&text[query..], b'&').map(|(start, end)| (query + start, query + end)) {
            let Some(equals) = text[start..end].iter().position(|&b| b == b'=') else { continue };
            let name = Spelled::read(&text[start..start + equals], Spelling::PARAMETER).value();
            if self.fields.has(path, &name) {
                self.field(path, &name, start + equals + 1, end, Spelling::PARAMETER, spans);
            }
        }
    }

    fn cookie(&self, name: &str, value: &str, start: usize, spans: &mut Vec<Span>) {
        if self.rules.keeps(name) {
            return;
        }
        let (quoted, value) = match value.strip_prefix('"').and_then(|value| value.strip_suffix('"')) {
            Some(value) => (1, value),
            None => (0, value),
        };
        let holds_email = STANDARD.decode(value).is_ok_and(|held| has_email(&held));
        let kind = self
            .rules
            .kind_of(name)
            .or_else(|| (looks_random(value) || holds_email).then_some(Kind::Session));
        if let Some(kind) = kind {
            let spelling = Spelling { percent: true, ..Spelling::PLAIN };
            let start = start + quoted;
            spans.push(Span {
                spelling,
                name: name.to_owned(),
                certain: holds_email,
                ..Span::shaped(start, start + value.len(), kind)
            });
        }
    }

    /// `Basic` and a user's name and password; none where it is something else.
    fn basic(&mut self, text: &[u8]) -> Option<Vec<Replacement>> {
        let start = text.get(..6).filter(|scheme| scheme.eq_ignore_ascii_case(b"basic ")).map(|_| 6)?;
        let decoded = String::from_utf8(STANDARD.decode(text[start..].trim_ascii()).ok()?).ok()?;
        let (user, password) = decoded.split_once(':')?;
        if self.is_made(password) || self.is_made(user) {
            return Some(Vec::new());
        }
        // Some have a key in place of a name, and no password.
        let user = if emails_in(user) {
            self.stand_in(Kind::Email, user)
        } else if is_secret(Kind::Authorization, "", user, Side::Request) {
            self.take(Kind::Authorization, user)
        } else {
            user.to_owned()
        };
        let stand_in = if password.is_empty() { String::new() } else { self.take(Kind::Password, password) };
        let with = STANDARD.encode(format!("{user}:{stand_in}")).into_bytes();
        let name = "authorization".to_owned();
        let telling = is_telling(password);
        Some(vec![Replacement { start, end: text.len(), kind: Kind::Authorization, name, telling, with }])
    }

    fn patterns(&self, text: &[u8], spans: &mut Vec<Span>) {
        if self.rules.patterns.is_empty() {
            return;
        }
        let Ok(text) = std::str::from_utf8(text) else { return };
        for found in self.rules.patterns.iter().flat_map(|pattern| pattern.find_iter(text)) {
            spans.push(Span::shaped(found.start(), found.end(), Kind::Rule));
        }
    }

    fn replacement(&mut self, text: &[u8], span: Span, side: Side) -> Option<Replacement> {
        let spelled = Spelled::read(&text[span.start..span.end], span.spelling);
        let value = spelled.value();
        let is_email = value.contains('@') && emails_in(&value);
        let kind = if is_email { Kind::Email } else { span.kind };
        let secret =
            span.certain || is_email || is_secret(kind, &span.name, &value, side) || self.known.has(&value);
        if matches!(self.purpose, Purpose::Covering | Purpose::Sanitizing)
            && is_drawn_for_replay(kind, &span.name)
            && !self.made.contains(&Self::hash(&self.stand_ins.of(kind, &value)))
        {
            // What was met in the recording, too, is in the application's data, and no child of this run.
            return None;
        }
        if !secret || value.is_empty() || self.is_made(&value) || self.rules.keeps(&value) {
            return None;
        }
        let stand_in = self.take(kind, &value);
        (stand_in != value).then(|| Replacement {
            start: span.start,
            end: span.end,
            kind,
            // What a pattern or a shape tells is told wherever it stands.
            telling: matches!(kind, Kind::Email | Kind::Card)
                || kind == Kind::Rule && span.name.is_empty()
                || is_telling(&value),
            name: span.name,
            with: spelled.respell(&stand_in),
        })
    }

    /// What is found in a value once its escapes are undone: JSON, or another address, in a parameter.
    fn inside(&mut self, text: &[u8], start: usize, end: usize, side: Side) -> Vec<Replacement> {
        let raw = &text[start..end];
        let (decoded, places) = Spelled::read(raw, Spelling::PARAMETER).decoded();
        let found = self.look(&decoded, &Reading::Text(Medium::Address), side);
        let outer = |inner: Replacement| {
            let (from, to) = (places[inner.start], places[inner.end]);
            let with = Spelled::read(&raw[from..to], Spelling::PARAMETER)
                .respell(&String::from_utf8_lossy(&inner.with));
            Replacement { start: start + from, end: start + to, with, ..inner }
        };
        found.into_iter().map(outer).collect()
    }

    /// A secret's stand-in; the secret is known from then on.
    fn take(&mut self, kind: Kind, value: &str) -> String {
        let stand_in = self.stand_in(kind, value);
        if matches!(self.purpose, Purpose::Recording | Purpose::Showing)
            && kind != Kind::Email
            && is_telling(value)
            && self.known.add(kind, value, &stand_in)
        {
            self.learnt += 1;
        }
        stand_in
    }

    fn stand_in(&mut self, kind: Kind, value: &str) -> String {
        let stand_in = self.stand_ins.of(kind, value);
        let hash = Self::hash(&stand_in);
        if self.made.insert(hash) {
            self.fresh.push(hash);
        }
        stand_in
    }

    fn is_made(&mut self, value: &str) -> bool {
        if !self.meets_stand_ins && value.len() < TOO_SHORT_TO_TELL {
            return false;
        }
        let hash = Self::hash(value);
        let made = self.made.contains(&hash);
        if made && self.purpose == Purpose::Scanning {
            self.met.insert(hash);
        }
        made
    }
}

/// Whether a secret is one that the application draws anew in each run.
fn is_drawn_for_replay(kind: Kind, name: &str) -> bool {
    match kind {
        Kind::Session | Kind::Token => true,
        Kind::Authorization => !name.is_empty(),
        Kind::Password | Kind::Card | Kind::Email | Kind::Rule => false,
    }
}

/// What kind of stand-in a value gets that was given without a name.
pub(crate) fn kind_of_value(value: &str) -> Kind {
    let digits: Vec<u8> = value.bytes().filter(|b| !b" -".contains(b)).collect();
    if emails_in(value) {
        Kind::Email
    } else if digits.iter().all(u8::is_ascii_digit) && crate::candidates::is_card(&digits) {
        Kind::Card
    } else {
        Kind::Password
    }
}

fn emails_in(value: &str) -> bool {
    let mut spans = Vec::new();
    emails::find(value.as_bytes(), &mut spans);
    spans.iter().any(|span| span.start == 0 && span.end == value.len())
}

fn has_email(text: &[u8]) -> bool {
    let mut spans = Vec::new();
    emails::find(text, &mut spans);
    !spans.is_empty()
}

/// Whether a value holds escaped JSON or another address.
fn has_inside(value: &[u8]) -> bool {
    value.windows(3).any(|unit| unit == b"%22" || unit.eq_ignore_ascii_case(b"%3D"))
}

/// The values of an address's parameters that hold escaped JSON or another address.
fn addresses_in(text: &[u8]) -> Vec<(usize, usize)> {
    let Some(query) = text.iter().position(|&b| b == b'?').map(|at| at + 1) else { return Vec::new() };
    if !has_inside(&text[query..]) {
        return Vec::new();
    }
    let value = |(start, end): (usize, usize)| {
        let equals = text[query + start..query + end].iter().position(|&b| b == b'=')?;
        Some((query + start + equals + 1, query + end))
    };
    pieces(&text[query..], b'&')
        .filter_map(value)
        .filter(|&(start, end)| has_inside(&text[start..end]))
        .collect()
}

/// What may stand before the secret of an authorization.
fn is_scheme(word: &[u8]) -> bool {
    let schemes: [&[u8]; 6] = [b"bearer", b"basic", b"token", b"apikey", b"digest", b"key"];
    schemes.iter().any(|scheme| word.eq_ignore_ascii_case(scheme))
}

fn pieces(text: &[u8], at: u8) -> impl Iterator<Item = (usize, usize)> {
    let mut from = 0;
    text.split(move |&b| b == at).map(move |piece| {
        let start = from;
        from += piece.len() + 1;
        (start, start + piece.len())
    })
}

/// In order, none over another: the first counts, and of those that begin together the longest.
fn sorted(mut found: Vec<Replacement>) -> Vec<Replacement> {
    found.sort_by_key(|r| (r.start, std::cmp::Reverse(r.end)));
    let mut end = 0;
    found.retain(|r| {
        let apart = r.start >= end;
        if apart {
            end = r.end;
        }
        apart
    });
    found
}
