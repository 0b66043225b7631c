//! One shopper's browser: cookies, the page it shows, clicking, submitting, redirects.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::time::Duration;

use ureq::Agent;
use ureq::http::{Request, Response, header};
use url::Url;

use super::fill::{Wishes, fill};
use super::identity::{ACCEPT_IMAGE, ACCEPT_PAGE, ACCEPT_STYLE, Identity};
use super::page::{Form, Link, Page, read_page};

const MOST_REDIRECTS: usize = 5;

/// Why shoppers could not go on.
#[derive(Debug, thiserror::Error)]
pub enum ShopperError {
    /// The shop's address is none.
    #[error("\"{address}\" is not the address of a shop: {source}; write it as http://127.0.0.1:8080")]
    Address {
        /// The address given.
        address: String,
        /// What is wrong with it.
        source: url::ParseError,
    },
    /// The shop did not answer.
    #[error("no answer from {address}: {source}; is the shop running?")]
    NoAnswer {
        /// The page asked for.
        address: String,
        /// What went wrong.
        source: Box<ureq::Error>,
    },
}

/// One request of a shopper and the shop's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    /// The session's number, from 0.
    pub session: usize,
    /// `GET` or `POST`.
    pub method: &'static str,
    /// Path and query.
    pub address: String,
    /// The status of the answer.
    pub status: u16,
    /// Where the answer redirects to.
    pub location: Option<String>,
    /// The body of the answer.
    pub body: Vec<u8>,
}

/// Why a session ends before its script does.
#[derive(Debug)]
pub(super) enum Interrupt {
    Failed(ShopperError),
    /// Whoever watches has seen enough.
    Stopped,
}

/// What each step of a script comes to.
pub(super) type Step<T = ()> = Result<T, Interrupt>;

/// Who is told of every exchange, and may stop the shoppers.
pub(super) type Watcher<'a> = dyn FnMut(&Exchange) -> ControlFlow<()> + 'a;

/// A browser in one session.
pub(super) struct Browser<'a> {
    agent: Agent,
    base: Url,
    identity: &'static Identity,
    session: usize,
    watcher: &'a mut Watcher<'a>,
    cookies: BTreeMap<String, String>,
    loaded: BTreeSet<String>,
    /// The page shown, and its address.
    page: Page,
    shown: Option<Url>,
    pub(super) requests: usize,
}

struct Sending {
    method: &'static str,
    url: Url,
    accept: &'static str,
    referer: Option<Url>,
    body: Option<String>,
}

/// The client for all browsers, which leaves redirects and statuses to them.
pub(super) fn client() -> Agent {
    Agent::config_builder()
        .max_redirects(0)
        .http_status_as_error(false)
        .proxy(None)
        .timeout_global(Some(Duration::from_secs(60)))
        .build()
        .into()
}

impl<'a> Browser<'a> {
    pub(super) fn new(
        agent: Agent,
        base: Url,
        identity: &'static Identity,
        session: usize,
        watcher: &'a mut Watcher<'a>,
    ) -> Self {
        Browser {
            agent,
            base,
            identity,
            session,
            watcher,
            cookies: BTreeMap::new(),
            loaded: BTreeSet::new(),
            page: Page::default(),
            shown: None,
            requests: 0,
        }
    }

    /// Types an address.
    pub(super) fn open(&mut self, address: &str) -> Step {
        match self.base.join(address) {
            Ok(url) => self.show("GET", url, None, None),
            Err(_) => Ok(()),
        }
    }

    /// Clicks the first link of this text; whether there is one.
    pub(super) fn click(&mut self, text: &str) -> Step<bool> {
        self.follow(|link| link.text.trim() == text)
    }

    /// Clicks the first link whose text begins so.
    pub(super) fn click_first(&mut self, beginning: &str) -> Step<bool> {
        self.follow(|link| link.text.trim().starts_with(beginning))
    }

    /// Clicks the link with this id.
    pub(super) fn click_id(&mut self, id: &str) -> Step<bool> {
        self.follow(|link| link.id == id)
    }

    /// Clicks the link, or types the address that it should have led to.
    pub(super) fn click_or_open(&mut self, text: &str, address: &str) -> Step {
        if !self.click(text)? {
            self.open(address)?;
        }
        Ok(())
    }

    /// Fills in and sends the form with this id; whether there is one.
    pub(super) fn submit(&mut self, id: &str, wishes: Wishes<'_>) -> Step<bool> {
        self.submit_form(|form| form.id == id, wishes)
    }

    /// Fills in and sends the first form that `fits`.
    pub(super) fn submit_form(&mut self, fits: impl Fn(&Form) -> bool, wishes: Wishes<'_>) -> Step<bool> {
        let Some(form) = self.page.forms.iter().find(|form| fits(form)) else { return Ok(false) };
        let pairs = fill(form, wishes);
        let encoded = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
        let (is_post, action) = (form.is_post, form.action.clone());
        let Some(mut url) = self.resolve(&action) else { return Ok(false) };
        let referer = self.shown.clone();
        if is_post {
            self.show("POST", url, referer, Some(encoded))?;
        } else {
            url.set_query(Some(&encoded));
            self.show("GET", url, referer, None)?;
        }
        Ok(true)
    }

    fn follow(&mut self, wanted: impl Fn(&Link) -> bool) -> Step<bool> {
        let href = self.page.links.iter().find(|link| wanted(link)).map(|link| link.href.clone());
        let Some(url) = href.and_then(|href| self.resolve(&href)) else { return Ok(false) };
        let referer = self.shown.clone();
        self.show("GET", url, referer, None)?;
        Ok(true)
    }

    /// Loads a page, through redirects, and what it refers to.
    fn show(&mut self, method: &'static str, url: Url, referer: Option<Url>, body: Option<String>) -> Step {
        let mut sending = Sending { method, url, accept: ACCEPT_PAGE, referer, body };
        for _ in 0..=MOST_REDIRECTS {
            let exchange = self.send(&sending)?;
            let next = exchange.location.as_deref().and_then(|to| sending.url.join(to).ok());
            self.page = read_page(&String::from_utf8_lossy(&exchange.body));
            self.shown = Some(sending.url.clone());
            match next {
                Some(url) => sending = Sending { method: "GET", url, body: None, ..sending },
                None => break,
            }
        }
        self.load_files()
    }

    /// Loads the stylesheets and pictures of the page that were not loaded before.
    fn load_files(&mut self) -> Step {
        for file in std::mem::take(&mut self.page.files) {
            let Some(url) = self.resolve(&file.address) else { continue };
            if self.loaded.insert(url.to_string()) {
                let accept = if file.is_stylesheet { ACCEPT_STYLE } else { ACCEPT_IMAGE };
                let referer = self.shown.clone();
                self.send(&Sending { method: "GET", url, accept, referer, body: None })?;
            }
        }
        Ok(())
    }

    fn send(&mut self, sending: &Sending) -> Step<Exchange> {
        let failed = |source: ureq::Error| {
            let (address, source) = (sending.url.to_string(), Box::new(source));
            Interrupt::Failed(ShopperError::NoAnswer { address, source })
        };
        let request = self.request(sending).map_err(|error| failed(error.into()))?;
        let mut response = self.agent.run(request).map_err(failed)?;
        self.requests += 1;
        self.keep_cookies(&response);
        let exchange = Exchange {
            session: self.session,
            method: sending.method,
            address: sending.url[url::Position::BeforePath..url::Position::AfterQuery].to_owned(),
            status: response.status().as_u16(),
            location: header_text(&response, header::LOCATION),
            body: response.body_mut().read_to_vec().map_err(failed)?,
        };
        match (self.watcher)(&exchange) {
            ControlFlow::Continue(()) => Ok(exchange),
            ControlFlow::Break(()) => Err(Interrupt::Stopped),
        }
    }

    fn request(&self, sending: &Sending) -> Result<Request<Vec<u8>>, ureq::http::Error> {
        let mut request = Request::builder()
            .method(sending.method)
            .uri(sending.url.as_str())
            .header(header::USER_AGENT, self.identity.user_agent)
            .header(header::ACCEPT, sending.accept)
            .header(header::ACCEPT_LANGUAGE, self.identity.language);
        if let Some(referer) = &sending.referer {
            request = request.header(header::REFERER, referer.as_str());
        }
        if !self.cookies.is_empty() {
            let pairs: Vec<String> =
                self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
            request = request.header(header::COOKIE, pairs.join("; "));
        }
        if sending.body.is_some() {
            request = request
                .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
                .header(header::ORIGIN, self.base.origin().ascii_serialization());
        }
        request.body(sending.body.clone().unwrap_or_default().into_bytes())
    }

    fn keep_cookies<B>(&mut self, response: &Response<B>) {
        for value in response.headers().get_all(header::SET_COOKIE) {
            let pair = value.to_str().unwrap_or_default().split(';').next().unwrap_or_default();
            if let Some((name, value)) = pair.split_once('=') {
                self.cookies.insert(name.trim().to_owned(), value.trim().to_owned());
            }
        }
    }

    fn resolve(&self, reference: &str) -> Option<Url> {
        self.shown.as_ref().unwrap_or(&self.base).join(reference).ok()
    }
}

fn header_text<B>(response: &Response<B>, name: header::HeaderName) -> Option<String> {
    Some(response.headers().get(name)?.to_str().ok()?.to_owned())
}
