//! The way that led to a request: the pages before it, those that it came from first, and where in them a value stood.

use restage_browser::same_address;
use url::Url;

use crate::live::cookies::SessionCookies;
use crate::live::inferred::live_token;
use crate::live::origin::{HeldValue, Looks, Variant, is_drawn, may_be_id, noun, same_kind_of_id, says_id};
use crate::live::recorded::Recorded;
use crate::live::visit::Visit;

/// Bodies beyond this are looked at as they are.
const DECODED_UP_TO: usize = 64 << 10;

/// A cookie of the request: as recorded, and as it is sent.
#[derive(Clone, Debug)]
pub(crate) struct SentCookie {
    /// Its name.
    pub(crate) name: String,
    /// Its recorded value.
    pub(crate) recorded: String,
    /// The value that is sent.
    pub(crate) live: String,
}

/// The live value in place of a recorded one.
#[derive(Debug)]
pub(crate) struct LiveValue {
    /// The live value.
    pub(crate) live: String,
    /// Where it came from.
    pub(crate) source: String,
    /// Why that place.
    pub(crate) why: String,
}

/// What became of a value that a request carries.
#[derive(Debug)]
pub(crate) enum Traced {
    /// No earlier response held it: it was typed, or a script made it up.
    Nowhere,
    /// The live application has this in its place.
    Found(LiveValue),
    /// An earlier response held it, and its live counterpart does not.
    Gone(String),
}

/// A value of a request, and what its place there says about it.
pub(crate) struct RequestValue<'a> {
    /// The name it goes by: a parameter, a key, a header field, the segment before it.
    pub(crate) name: &'a str,
    /// Its recorded value.
    pub(crate) value: &'a str,
    /// Whether it is a piece of the path.
    pub(crate) in_path: bool,
    /// What the request speaks of.
    pub(crate) nouns: &'a [String],
}

/// What came before a request.
pub(crate) struct History<'a> {
    /// The steps before it, in order.
    pub(crate) visits: &'a [Visit],
    /// The request.
    request: &'a Recorded,
    /// The cookies that it is sent with.
    pub(crate) cookies: Vec<SentCookie>,
    jar: &'a SessionCookies,
    referer: Option<Url>,
    /// The page it came from first, then the latest.
    order: Vec<&'a Visit>,
}

impl<'a> History<'a> {
    /// The way to a request.
    pub(crate) fn new(visits: &'a [Visit], request: &'a Recorded, jar: &'a SessionCookies) -> Self {
        let referer = request.exchange.request.headers.get("referer").and_then(|r| Url::parse(r).ok());
        let is_referer = |v: &&Visit| referer.as_ref().is_some_and(|r| same_address(v.recorded.url(), r));
        let (mut order, rest): (Vec<&Visit>, Vec<&Visit>) = visits.iter().rev().partition(is_referer);
        order.extend(rest);
        Self { visits, request, cookies: Vec::new(), jar, referer, order }
    }

    /// The steps to look for a request's origin in: the page it says it came from first, then the latest.
    pub(crate) fn in_order(&self) -> &[&'a Visit] {
        &self.order
    }

    /// Whether a step is the page that the request says it came from.
    pub(crate) fn is_referer(&self, visit: &Visit) -> bool {
        self.referer.as_ref().is_some_and(|r| same_address(visit.recorded.url(), r))
    }

    /// The page the user was on: the one the request says it came from, or the latest where it says nothing. An address that was
    /// edited and names no page is typed: it comes from none.
    pub(crate) fn page_before(&self) -> Option<&'a Visit> {
        let (request, origin) = (&self.request.exchange.request, &self.request.exchange.origin);
        let is_typed = request.method == "GET" && matches!(origin, restage_model::Origin::Edited { .. });
        match &self.referer {
            Some(_) => self.order.first().copied().filter(|v| self.is_referer(v)),
            None if is_typed => None,
            None => self.visits.last(),
        }
    }

    /// What the live application has for a value. Tokens are known by their value, ids only where both places are
    /// about the same thing, addresses by where they lead.
    pub(crate) fn trace(&self, carried: &RequestValue<'_>) -> Traced {
        match Looks::of(carried.value) {
            Some(Looks::Token) => self.in_own_cookie(carried).unwrap_or_else(|| {
                let traced = self.search(carried, &|_, _| true);
                if !matches!(traced, Traced::Nowhere) && self.was_typed(carried.value) {
                    return Traced::Nowhere;
                }
                match traced {
                    Traced::Found(_) => traced,
                    // Of an edited request, the form may be another now.
                    Traced::Gone(_) if self.request.exchange.origin.is_recorded() => traced,
                    _ => live_token(carried.name, self.visits, self.request).map_or(traced, Traced::Found),
                }
            }),
            Some(Looks::Id) => {
                let own = noun(carried.name);
                let named = carried.in_path || says_id(carried.name);
                // A redirect's parameters are the server's own words: `post.php?post=17` names what was made.
                let speaks_of_it = |visit: &Visit, held: &HeldValue| {
                    held.redirect && !held.name.is_empty() && held.name == carried.name
                        || named && held.says_id() && held.is_about(&own, carried.nouns)
                        || !carried.in_path && same_kind_of_id(&held.name, carried.name)
                        || (held.call || held.clicked) && self.ran(visit, held, &own, carried)
                };
                self.search(carried, &speaks_of_it)
            }
            // Where nothing is drawn, nothing is to be found out.
            Some(Looks::Address) if carried.value.bytes().any(|b| b.is_ascii_digit()) => {
                match self.search(carried, &|_, _| true) {
                    Traced::Gone(_) if is_drawn(carried.value) => Traced::Nowhere,
                    traced => traced,
                }
            }
            Some(Looks::Address) | None => Traced::Nowhere,
        }
    }

    /// Whether a click that ran a call is what sent the request: it speaks of the same, it has the call's other arguments,
    /// or it came from that page and calls the value an id, of nothing else than the call is about.
    fn ran(&self, visit: &Visit, held: &HeldValue, own: &str, carried: &RequestValue<'_>) -> bool {
        let is_here = || self.page_before().is_some_and(|page| std::ptr::eq(page, visit));
        let sent = || {
            let decoded = |bytes: &[u8]| percent_encoding::percent_decode(bytes).collect::<Vec<u8>>();
            let body = self.request.body.get(..DECODED_UP_TO).unwrap_or(&self.request.body);
            (decoded(self.request.uri.as_bytes()), decoded(body))
        };
        let has_words = || {
            let (uri, body) = sent();
            let has = |word: &String| {
                let finder = memchr::memmem::Finder::new(word.as_bytes());
                finder.find(&uri).is_some() || finder.find(&body).is_some()
            };
            !held.sent_with.is_empty() && held.sent_with.iter().all(has)
        };
        let about = noun(&held.name);
        let is_id = if carried.in_path {
            own.is_empty()
        } else {
            may_be_id(carried.name) && (own.is_empty() || about.is_empty() || own == about)
        };
        !own.is_empty() && held.around.iter().any(|noun| noun == own) || is_here() && (is_id || has_words())
    }

    /// A cookie sent twice: as a cookie, and in a header field or a parameter for a script to prove that it can read it.
    fn in_own_cookie(&self, carried: &RequestValue<'_>) -> Option<Traced> {
        self.cookies.iter().find_map(|cookie| {
            let sent_twice = |(_, value): &(Variant, String)| value == carried.value;
            let (variant, _) = Variant::all(&cookie.recorded).into_iter().find(sent_twice)?;
            Some(Traced::Found(LiveValue {
                live: variant.of(&cookie.live)?,
                source: format!("cookie {}{}", cookie.name, variant.told()),
                why: "the same request carries it as a cookie".to_owned(),
            }))
        })
    }

    /// Whether a request sent a value before any response held it: what a page shows of it later is the user's own.
    fn was_typed(&self, value: &str) -> bool {
        let carries = |visit: &&Visit| {
            let recorded = &visit.recorded;
            let has = |bytes: &[u8]| memchr::memmem::find(bytes, value.as_bytes()).is_some();
            let decoded = |bytes: &[u8]| has(&percent_encoding::percent_decode(bytes).collect::<Vec<u8>>());
            let small = recorded.body.len() <= DECODED_UP_TO;
            has(recorded.uri.as_bytes()) || has(&recorded.body) || (small && decoded(&recorded.body))
        };
        let Some(first) = self.visits.iter().position(|v| carries(&v)) else { return false };
        let holds = |visit: &Visit| {
            let (places, links) = (visit.recorded.values(), || visit.recorded.link_values());
            places.of_value(value).next().is_some() || links().of_value(value).next().is_some()
        };
        !self.visits[..first].iter().rev().any(holds)
    }

    fn search(&self, carried: &RequestValue<'_>, fits: &dyn Fn(&Visit, &HeldValue) -> bool) -> Traced {
        let mut gone = None;
        for visit in &self.order {
            if let Some(found) = self.search_in(visit, false, carried, fits, &mut gone) {
                return Traced::Found(found);
            }
            if let Some(found) = self.search_in(visit, true, carried, fits, &mut gone) {
                return Traced::Found(found);
            }
        }
        gone.map_or(Traced::Nowhere, Traced::Gone)
    }

    /// Looks for a value in one response, in its links or elsewhere; where it is no longer to be found is put to `gone`.
    fn search_in(
        &self,
        visit: &Visit,
        in_links: bool,
        carried: &RequestValue<'_>,
        fits: &dyn Fn(&Visit, &HeldValue) -> bool,
        gone: &mut Option<String>,
    ) -> Option<LiveValue> {
        let recorded = if in_links { visit.recorded.link_values() } else { visit.recorded.values() };
        let mut held: Vec<&HeldValue> = recorded.of_value(carried.value).filter(|h| fits(visit, h)).collect();
        // The place of the same name comes first, or of one that is a part of it: `timestamp` for `basetimestamp`.
        let other = |h: &HeldValue| h.name != carried.name && noun(&h.name) != noun(carried.name);
        held.sort_by_key(|h| (h.name != carried.name, other(h), !names_meet(&h.name, carried.name)));
        for held in held {
            if held.cookie {
                if let Some(live) = self.jar.value(&held.name).and_then(|v| held.variant.of(v)) {
                    let source = format!("{}{}", held.place, held.variant.told());
                    return Some(LiveValue {
                        live,
                        source,
                        why: format!("step {} set it when recorded", visit.number),
                    });
                }
                continue;
            }
            let live = if in_links { visit.live_link_values() } else { visit.live_values() };
            if let Some((live, why)) = recorded.counterpart(held, live) {
                let source = format!("step {}: {}", visit.number, held.place);
                let whence = if self.is_referer(visit) { "the page that it came from" } else { "held it" };
                return Some(LiveValue { live, source, why: format!("{whence}; {why}") });
            }
            // That an id is no longer there says little: a list may be shorter. What a click runs is another matter.
            let was_run = || held.clicked && self.page_before().is_some_and(|page| std::ptr::eq(page, visit));
            if gone.is_none() && (is_drawn(carried.value) || was_run()) {
                *gone = Some(format!("the answer of step {} no longer has {}", visit.number, held.place));
            }
        }
        None
    }

    /// The live address that stands for a recorded one, for a referer.
    pub(crate) fn live_referer(&self) -> Option<String> {
        let wanted = self.referer.as_ref()?;
        let visit = self.order.first().filter(|v| self.is_referer(v))?;
        let mut live = wanted.clone();
        live.set_path(visit.live_url.path());
        live.set_query(visit.live_url.query());
        (live != *wanted).then(|| live.to_string())
    }
}

/// Whether one of two names is a part of the other.
fn names_meet(a: &str, b: &str) -> bool {
    let (a, b) = (a.to_ascii_lowercase(), b.to_ascii_lowercase());
    a.len() >= 3 && b.len() >= 3 && (a.contains(&b) || b.contains(&a))
}
