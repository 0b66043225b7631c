//! Somebody with a browser in a shop of some release.

use std::collections::BTreeMap;

use bookstore::{Fault, RunningShop, Settings, start};
use ureq::http::{Request, header};
use url::Url;

use crate::page::Page;

/// A shop of a release, with a database of its own.
pub(crate) struct TestShop {
    running: RunningShop,
    // After the shop, so that it is removed last.
    _folder: tempfile::TempDir,
}

/// Keeps cookies, follows redirects, clicks links and sends forms that are on the page shown.
pub(crate) struct Visitor {
    agent: ureq::Agent,
    cookies: BTreeMap<String, String>,
    /// The address of the page shown.
    pub(crate) url: Url,
    pub(crate) status: u16,
    pub(crate) page: Page,
}

pub(crate) fn shop(release: u32) -> TestShop {
    faulty_shop(release, &[])
}

pub(crate) fn faulty_shop(release: u32, faults: &[Fault]) -> TestShop {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = Settings::new(folder.path());
    settings.release = release.to_string().parse().unwrap();
    settings.seed = Some(1);
    settings.clock = "2026-11-15".parse().unwrap();
    settings.faults = faults.iter().copied().collect();
    TestShop { running: start(settings).unwrap(), _folder: folder }
}

impl TestShop {
    pub(crate) fn url(&self) -> String {
        self.running.url()
    }

    /// Somebody on the home page.
    pub(crate) fn visitor(&self) -> Visitor {
        let agent = ureq::Agent::config_builder().max_redirects(0).http_status_as_error(false).build();
        let mut visitor = Visitor {
            agent: agent.into(),
            cookies: BTreeMap::new(),
            url: Url::parse(&self.url()).unwrap(),
            status: 0,
            page: Page::default(),
        };
        visitor.open("/");
        visitor
    }

    /// A member on the home page, from release 2 on.
    pub(crate) fn member(&self, name: &str, password: &str) -> Visitor {
        let mut visitor = self.visitor();
        visitor.submit("login", &[("username", name), ("password", password)]).sees("Logged in as");
        visitor
    }
}

impl Visitor {
    /// Types an address.
    pub(crate) fn open(&mut self, address: &str) -> &mut Self {
        let url = self.url.join(address).unwrap();
        self.load("GET", url, None)
    }

    /// Clicks the first link of this text.
    pub(crate) fn click(&mut self, text: &str) -> &mut Self {
        let href = self.page.link(text).unwrap_or_else(|| panic!("no link {text}: {:#?}", self.page));
        let url = self.url.join(href).unwrap();
        self.load("GET", url, None)
    }

    /// Fills in the form with this id and sends it with its first button.
    pub(crate) fn submit(&mut self, id: &str, wishes: &[(&str, &str)]) -> &mut Self {
        self.send(id, None, wishes)
    }

    /// Fills in the form with this id and sends it with the button of this label.
    pub(crate) fn press(&mut self, id: &str, label: &str, wishes: &[(&str, &str)]) -> &mut Self {
        self.send(id, Some(label), wishes)
    }

    /// Asserts that the page shows the words.
    #[track_caller]
    pub(crate) fn sees(&mut self, words: &str) -> &mut Self {
        assert!(self.page.text.contains(words), "no \"{words}\" on {}: {}", self.url, self.page.text);
        self
    }

    #[track_caller]
    pub(crate) fn sees_no(&mut self, words: &str) -> &mut Self {
        assert!(!self.page.text.contains(words), "\"{words}\" on {}: {}", self.url, self.page.text);
        self
    }

    /// Asserts path and query of the page shown, and that it was answered so.
    #[track_caller]
    pub(crate) fn is_at(&mut self, address: &str, status: u16) -> &mut Self {
        let shown = &self.url[url::Position::BeforePath..url::Position::AfterQuery];
        assert_eq!((shown, self.status), (address, status), "{}", self.page.text);
        self
    }

    /// Asserts that nothing is to be had at the address, however one asks.
    #[track_caller]
    pub(crate) fn finds_gone(&mut self, address: &str) -> &mut Self {
        self.open(address).sees("Page not found").is_at(address, 404);
        let token = self.token();
        self.post(address, &[("csrf", &token)]).sees("Page not found").is_at(address, 404)
    }

    #[track_caller]
    pub(crate) fn has_link(&mut self, text: &str, expected: bool) -> &mut Self {
        assert_eq!(
            self.page.link(text).is_some(),
            expected,
            "{text} on {}: {:#?}",
            self.url,
            self.page.links
        );
        self
    }

    /// Asserts which fields the form with this id has; none if there is no such form.
    #[track_caller]
    pub(crate) fn has_form(&mut self, id: &str, fields: &[&str]) -> &mut Self {
        let names = self.page.form(id).map(|form| form.names()).unwrap_or_default();
        assert_eq!(names, fields, "{id} on {}", self.url);
        self
    }

    /// Sends what no form on the page would.
    pub(crate) fn post(&mut self, address: &str, fields: &[(&str, &str)]) -> &mut Self {
        let url = self.url.join(address).unwrap();
        self.load("POST", url, Some(encoded(fields)))
    }

    /// The token that the forms of the page shown have.
    pub(crate) fn token(&self) -> String {
        let sent = self.page.forms.iter().flat_map(|form| form.filled(&[]));
        sent.into_iter().find(|(name, _)| name == "csrf").unwrap().1
    }

    fn send(&mut self, id: &str, label: Option<&str>, wishes: &[(&str, &str)]) -> &mut Self {
        let form = self.page.form(id).unwrap_or_else(|| panic!("no form {id}: {:#?}", self.page));
        let mut pairs = form.filled(wishes);
        let pressed = form.buttons.iter().find(|button| label.is_none_or(|label| button.label == label));
        let pressed = pressed.unwrap_or_else(|| panic!("no button {label:?}: {form:#?}"));
        if !pressed.name.is_empty() {
            pairs.push((pressed.name.clone(), pressed.value.clone()));
        }
        let (is_post, mut url) = (form.is_post, self.url.join(&form.action).unwrap());
        if is_post {
            return self.load("POST", url, Some(encoded(&pairs)));
        }
        url.set_query(Some(&encoded(&pairs)));
        self.load("GET", url, None)
    }

    fn load(&mut self, method: &str, mut url: Url, mut body: Option<String>) -> &mut Self {
        let mut method = method.to_owned();
        for _ in 0..5 {
            let (status, location, html) = self.exchange(&method, &url, body.take());
            url.set_fragment(None);
            (self.url, self.status, self.page) = (url.clone(), status, Page::read(&html));
            let Some(location) = location else { break };
            url = url.join(&location).unwrap();
            "GET".clone_into(&mut method);
        }
        self
    }

    fn exchange(&mut self, method: &str, url: &Url, body: Option<String>) -> (u16, Option<String>, String) {
        let cookies: Vec<String> =
            self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let mut request = Request::builder().method(method).uri(url.as_str());
        if !cookies.is_empty() {
            request = request.header(header::COOKIE, cookies.join("; "));
        }
        let request = request.body(body.unwrap_or_default()).unwrap();
        let mut response = self.agent.run(request).unwrap();
        for value in response.headers().get_all(header::SET_COOKIE) {
            let (name, value) = value.to_str().unwrap().split(';').next().unwrap().split_once('=').unwrap();
            self.cookies.insert(name.to_owned(), value.to_owned());
        }
        let location = response.headers().get(header::LOCATION).map(|to| to.to_str().unwrap().to_owned());
        let status = response.status().as_u16();
        (status, location, response.body_mut().read_to_string().unwrap())
    }
}

fn encoded<V: AsRef<str>>(pairs: &[(V, V)]) -> String {
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}
