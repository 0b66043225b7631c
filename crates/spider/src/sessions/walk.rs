//! One session, and how it came from page to page.

use std::borrow::Cow;
use std::collections::BTreeSet;

use restage_browser::{LoadedPage, Payload, request_uri, same_address, submitted_form};
use restage_html::{FieldKind, Form};
use restage_model::{Exchange, Key, KeyRules, Params, Session, SetCookie, ValueShape};
use restage_site::{ANONYMOUS, Seen, SeenBy, SiteBuilder, Submission, form_targets, link_node};

use url::Url;

use crate::page_answer::PageAnswer;
use crate::sessions::login::{account, is_logout, proves_identity};
use crate::sessions::shown::{ShownKind, ShownSession, ShownStep};
use crate::sessions::traffic::Traffic;
use crate::sessions::user_kinds::{Login, UserKinds};

/// So many pages before a request are looked at for what led to it: people use several tabs, and go back.
const PAGES: usize = 12;
/// After a form, so many steps still count as what it led to.
const AFTER_FORM: usize = 3;
/// What a command is called is no longer.
const LONGEST_COMMAND: usize = 40;
/// A browser that comes back, logged in perhaps since another day.
const RETURNING: &str = "returning";

/// A session on its way.
pub(crate) struct SessionWalk<'a> {
    session: &'a Session,
    builder: &'a mut SiteBuilder,
    traffic: &'a mut Traffic,
    kinds: &'a UserKinds,
    /// The logins so far.
    logins: Vec<Login>,
    user: String,
    pages: Vec<VisitedPage>,
    /// Where the answer before sends the browser, and the node that was.
    redirect: Option<(String, String)>,
    /// The form that somebody has just logged in by, where the page that shows who has not come yet.
    logging_in: Option<String>,
    /// The forms that were sent, the last few.
    sent: Vec<String>,
    /// The form that was sent last, and how many steps ago.
    last_form: Option<(String, usize)>,
    steps: usize,
    shown: Vec<ShownStep>,
}

/// A page that a session was on.
struct VisitedPage {
    node: String,
    page: LoadedPage,
    /// Whether a script asked for it.
    scripted: bool,
}

/// What led to a request, and the node that it leads to.
struct Way<'p> {
    node: String,
    kind: WayKind,
    form: Option<&'p Form>,
    from: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum WayKind {
    Offered,
    Script,
    Typed,
}

impl<'a> SessionWalk<'a> {
    pub(crate) fn new(
        session: &'a Session,
        builder: &'a mut SiteBuilder,
        traffic: &'a mut Traffic,
        kinds: &'a UserKinds,
    ) -> Self {
        Self {
            session,
            builder,
            traffic,
            kinds,
            logins: Vec::new(),
            user: ANONYMOUS.to_owned(),
            pages: Vec::new(),
            redirect: None,
            logging_in: None,
            sent: Vec::new(),
            last_form: None,
            steps: 0,
            shown: Vec::new(),
        }
    }

    /// Takes in the next exchange, with the bodies of its request and its answer. `visited` is told who went to which node.
    pub(crate) fn step(
        &mut self,
        exchange: &Exchange,
        sent: &[u8],
        answered: &[u8],
        visited: &mut dyn FnMut(&str, &str),
    ) {
        self.steps += 1;
        let request = &exchange.request;
        if self.steps == 1 && self.comes_back(exchange) {
            self.user = RETURNING.to_owned();
        }
        let payload = Payload::of(&request.headers, sent);
        let fields = if request.method == "GET" {
            Params::parse(request.query()).pairs()
        } else {
            payload.params().map(|params| params.pairs()).unwrap_or_default()
        };
        let (status, headers) = match &exchange.response {
            Some(response) => (response.status, response.headers.clone()),
            None => (0, restage_model::Headers::new()),
        };
        let answer = PageAnswer::of(&request.headers, &request.uri, status, &headers, answered);
        let pages = std::mem::take(&mut self.pages);
        let way = self.way(&pages, exchange, &answer, &fields, sent);
        let user = self.user.clone();
        self.note_login(&answer);
        self.note_offers(&way.node, &answer);
        visited(&self.user, &way.node);
        self.take_in(exchange, &answer, &way, &fields);
        self.show(exchange, &answer, &way, (user, &fields, sent));
        let Way { node, .. } = way;
        self.pages = pages;
        self.redirect = answer.redirect.clone().map(|to| (to, node.clone()));
        if let Some(page) = answer.page.or(answer.data).filter(|_| answer.status < 400) {
            self.pages.push(VisitedPage { node, page, scripted: is_scripted(exchange) });
            if self.pages.len() > PAGES {
                // Scripts get many answers while their page stays.
                let oldest = self.pages.iter().position(|visited| visited.scripted).unwrap_or(0);
                self.pages.remove(oldest);
            }
        }
    }

    /// Whether the browser had the session's cookie before.
    fn comes_back(&self, exchange: &Exchange) -> bool {
        let Some(name) = self.session.by.strip_prefix("cookie:") else { return false };
        let cookies = exchange.request.headers.get("cookie").unwrap_or_default();
        restage_model::cookie_pairs(cookies).any(|(cookie, _)| cookie == name)
    }

    fn way<'p>(
        &self,
        pages: &'p [VisitedPage],
        exchange: &Exchange,
        answer: &PageAnswer,
        fields: &[(String, String)],
        sent: &[u8],
    ) -> Way<'p> {
        let request = &exchange.request;
        let rules = self.builder.rules();
        let uri = request_uri(&answer.url);
        let is_get = matches!(request.method.as_str(), "GET" | "HEAD");
        let offered = |node: String, form: Option<&'p Form>, from: &str| Way {
            node,
            kind: WayKind::Offered,
            form,
            from: Some(from.to_owned()),
        };
        if let Some((_, from)) = self.redirect.as_ref().filter(|(to, _)| is_get && *to == uri) {
            return offered(link_node(rules, &uri), None, from);
        }
        for visited in pages.iter().rev() {
            if is_get && visited.page.may_lead_to(&uri) {
                return offered(link_node(rules, &uri), None, &visited.node);
            }
            if is_get && fields.is_empty() {
                continue;
            }
            if let Some(found) = submitted_form(&visited.page, &request.method, &answer.url, fields) {
                let targets = form_targets(rules, &visited.page);
                let of_form = || targets.iter().filter(|target| target.at == found.at);
                let pressed = of_form().find(|target| {
                    target.method == request.method
                        && target.button.is_some_and(|button| {
                            !button.name.is_empty()
                                && fields.iter().any(|(n, v)| *n == button.name && *v == button.value)
                        })
                });
                let by_target = || {
                    of_form().find(|target| {
                        target.method == request.method && target.url.path() == answer.url.path()
                    })
                };
                if let Some(target) = pressed.or_else(by_target) {
                    return offered(target.node.clone(), Some(target.form), &visited.node);
                }
            }
        }
        let key = Key::of_request(rules, request, || Ok::<_, std::convert::Infallible>(sent.to_vec()));
        let Ok(key) = key;
        let node = if is_get { link_node(rules, &uri) } else { key.to_string() };
        // A page that offers nothing of the kind can only have a script that sends it; who types comes from nowhere.
        let referer = request.headers.get("referer").and_then(|referer| Url::parse(referer).ok());
        let from = referer
            .as_ref()
            .and_then(|referer| pages.iter().rev().find(|visited| same_address(visited.page.url(), referer)));
        let kind =
            if is_scripted(exchange) || !is_get || from.is_some() { WayKind::Script } else { WayKind::Typed };
        let last_page = || pages.iter().rev().find(|visited| !visited.scripted).or(pages.last());
        let from = from.or_else(last_page).map(|visited| visited.node.clone());
        Way { node, kind, form: None, from }
    }

    fn take_in(
        &mut self,
        exchange: &Exchange,
        answer: &PageAnswer,
        way: &Way<'_>,
        fields: &[(String, String)],
    ) {
        let request = &exchange.request;
        *self.traffic.reached.entry(way.node.clone()).or_default() += 1;
        self.traffic.reached_by.entry(way.node.clone()).or_default().insert(self.user.clone());
        if request.method == "GET" && answer.status < 400 {
            self.traffic.addresses.insert(request_uri(&answer.url));
        }
        if way.kind == WayKind::Offered {
            self.traffic.led_to.insert(way.node.clone());
        }
        let seen = Seen {
            user: &self.user,
            by: SeenBy::Sessions,
            tried: false,
            node: &way.node,
            uri: &request.uri,
            status: answer.status,
            redirect: answer.redirect.as_deref(),
            page: answer.offers(),
            headings: &answer.headings,
            after: &self.sent,
            digest: answer.digest,
            is_file: answer.is_file,
        };
        if self.steps == 1 && request.method == "GET" && answer.status < 400 && answer.page.is_some() {
            *self.traffic.starts.entry(request.uri.clone()).or_default() += 1;
        }
        self.builder.see(&seen);
        if let (WayKind::Script, Some(from)) = (way.kind, &way.from) {
            let before = Seen { node: from, page: None, redirect: None, ..seen };
            self.builder.see_script(&before, &way.node, &request.method, &request.uri);
        }
        if !fields.is_empty() {
            let typed = |name: &str| match way.form {
                Some(form) => {
                    form.named(name).any(|field| !matches!(field.kind, FieldKind::Hidden | FieldKind::Submit))
                }
                None => fields.iter().any(|(n, v)| n == name && !ValueShape::of(v).is_token()),
            };
            let again = answer
                .page
                .as_ref()
                .is_some_and(|page| offered_by(self.builder.rules(), page).contains(&way.node));
            let submission = Submission {
                exchange: exchange.id,
                user: self.user.clone(),
                accepted: answer.status < 400 && (request.method == "GET" || !again),
                fields: fields.to_vec(),
            };
            self.traffic.lookup.add(&way.node, submission, typed);
        }
        if request.method == "GET" && answer.redirect.is_some() && request.uri.contains('?') {
            self.traffic.acting.insert(way.node.clone());
        }
        if let (WayKind::Offered, Some(from), Some(to)) = (way.kind, &way.from, &answer.redirect) {
            let to = link_node(self.builder.rules(), to);
            let by_page = self.traffic.answers.entry(way.node.clone()).or_default();
            by_page.entry(from.clone()).or_default().insert(to);
        }
        self.note_next(exchange, way, answer);
        let is_anonymous = self.user == ANONYMOUS || self.user == RETURNING;
        let proves =
            request.method != "GET" && proves_identity(way.form, fields) && account(fields).is_some();
        if is_anonymous && proves && answer.status < 400 {
            self.logging_in = Some(way.node.clone());
            // An answer that is a page already shows whether she was let in.
            self.note_login(answer);
            self.note_offers(&way.node, answer);
        } else if is_logout(request.path()) || is_logout(request.query()) {
            self.builder.note_change(&way.node, ANONYMOUS);
            ANONYMOUS.clone_into(&mut self.user);
        }
    }

    /// Looks whether an answer shows that somebody is logged in now, and of what kind she is.
    fn note_login(&mut self, answer: &PageAnswer) {
        let (Some(login), Some(page)) = (&self.logging_in, &answer.page) else { return };
        let offers: BTreeSet<String> = offered_by(self.builder.rules(), page);
        // Where a password is asked for once more, she was not let in: or has made an account, and is to log in now.
        if !offers.contains(login) && !answer.asks_password() {
            let (session, number) = (self.session.name.clone(), self.logins.len());
            let kind = self.kinds.name(&session, number).unwrap_or(&session).to_owned();
            self.builder.note_change(login, &kind);
            self.traffic.logins.entry(session.clone()).or_insert(self.steps);
            self.traffic.kinds.entry(session.clone()).or_insert_with(|| kind.clone());
            self.logins.push(Login { session, number, steps: self.steps, pages: Vec::new() });
            self.user = kind;
        }
        self.logging_in = None;
    }

    /// Notes what a page offers to a user who is logged in.
    fn note_offers(&mut self, node: &str, answer: &PageAnswer) {
        let is_nobody = self.user == ANONYMOUS || self.user == RETURNING;
        if let (Some(page), Some(login)) = (&answer.page, self.logins.last_mut().filter(|_| !is_nobody))
            && answer.status < 400
        {
            login.pages.push((node.to_owned(), offered_by(self.builder.rules(), page)));
        }
    }

    /// Notes what a spider can try in its turn: a request that no page offers, or the page that such requests come from.
    fn show(
        &mut self,
        exchange: &Exchange,
        answer: &PageAnswer,
        way: &Way<'_>,
        (user, fields, sent): (String, &[(String, String)], &[u8]),
    ) {
        let Some(response) = &exchange.response else { return };
        self.traffic.server_cookies.extend(SetCookie::all(&response.headers).map(|cookie| cookie.name));
        let request = &exchange.request;
        let is_page = answer.page.is_some() && answer.status < 400 && !is_scripted(exchange);
        let kind = match way.kind {
            WayKind::Offered if is_page && request.method == "GET" => ShownKind::Page,
            // A script may well ask for what a page has a link to.
            WayKind::Offered if is_scripted(exchange) => ShownKind::Script,
            WayKind::Offered if request.method != "GET" || answer.redirect.is_some() => ShownKind::Sent,
            WayKind::Offered => return,
            WayKind::Script => ShownKind::Script,
            WayKind::Typed => ShownKind::Typed,
        };
        // What is sent as JSON has no fields.
        let text = if fields.is_empty() { String::from_utf8_lossy(sent) } else { Cow::Borrowed("") };
        let leaves = is_logout(&request.uri)
            || fields.iter().any(|(_, value)| value.len() <= LONGEST_COMMAND && is_logout(value))
            || text.split('"').any(|word| word.len() <= LONGEST_COMMAND && is_logout(word));
        let enters = self.user != user
            || (user == ANONYMOUS && proves_identity(way.form, fields) && account(fields).is_some());
        self.shown.push(ShownStep {
            exchange: exchange.id,
            node: way.node.clone(),
            from: way.from.clone(),
            // Who is on a page is who she is once it was answered.
            user: if kind == ShownKind::Page { self.user.clone() } else { user },
            kind,
            method: request.method.clone(),
            status: answer.status,
            media_type: response.headers.media_type(),
            changes_user: leaves || enters,
        });
    }

    /// The logins that there were.
    pub(crate) fn finish(self) -> Vec<Login> {
        if self.shown.iter().any(ShownStep::is_offered_nowhere) {
            self.traffic.shown.push(ShownSession { session: self.session.name.clone(), steps: self.shown });
        }
        self.logins
    }

    fn note_next(&mut self, exchange: &Exchange, way: &Way<'_>, answer: &PageAnswer) {
        if exchange.request.method != "GET" {
            if !self.sent.contains(&way.node) {
                self.sent.push(way.node.clone());
            }
            self.last_form = Some((way.node.clone(), 0));
        } else if answer.redirect.is_some() && exchange.request.uri.contains('?') {
            // A link that does something.
            self.last_form = Some((way.node.clone(), 0));
        } else if let Some((form, after)) = &mut self.last_form {
            *after += 1;
            if answer.page.is_some() && answer.status < 400 {
                let form = form.clone();
                self.traffic.note_next(&form, &way.node);
            }
            if self.last_form.as_ref().is_some_and(|(_, after)| *after >= AFTER_FORM) {
                self.last_form = None;
            }
        }
    }
}

/// What a page leads to.
pub(crate) fn offered_by(rules: &KeyRules, page: &LoadedPage) -> BTreeSet<String> {
    let links = page.links().iter().filter_map(|link| page.uri(&link.href));
    let mut offered: BTreeSet<String> = links.map(|uri| link_node(rules, &uri)).collect();
    offered.extend(form_targets(rules, page).into_iter().map(|target| target.node));
    offered
}

/// Whether a browser says that a script sent the request.
fn is_scripted(exchange: &Exchange) -> bool {
    let headers = &exchange.request.headers;
    let has = |name: &str, value: &str| headers.get(name).is_some_and(|v| v.eq_ignore_ascii_case(value));
    has("x-requested-with", "XMLHttpRequest")
        || has("sec-fetch-dest", "empty")
        || headers.get("accept").is_some_and(|accept| accept.starts_with("application/json"))
        || headers.media_type().is_some_and(|kind| kind.ends_with("json"))
}
