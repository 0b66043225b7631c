//! Reading the recording ahead of the replay, on a thread of its own: while the application works on a step,
//! the next ones are read, unpacked and parsed.

use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use restage_html::Page;
use restage_model::{Exchange, ExchangeId, Headers, Session};
use restage_store::{Store, StoreError};
use url::Url;

use crate::origin::{Places, Source, link_places};
use crate::secrecy::Secrecy;
use crate::visit::{address, is_html, local_uri, redirect, request_uri, target};

/// How many sessions may be read ahead: enough never to wait, little enough to bound memory. Whole sessions are
/// handed over, since waking a thread for each step costs more than the step.
const AHEAD: usize = 4;

/// A recorded exchange with all that a replay needs of it.
pub(crate) struct Recorded {
    /// What was recorded.
    pub(crate) exchange: Exchange,
    /// Where the request went.
    pub(crate) url: Url,
    /// Its path and query, spelled as a link's target is.
    pub(crate) uri: String,
    /// The request's body.
    pub(crate) body: Vec<u8>,
    /// The response's links and forms.
    pub(crate) page: Page,
    /// Which of the sessions that its session was joined from it is of.
    pub(crate) part: usize,
    /// Where the response's body is: most are never asked for again.
    answer: Answered,
    places: OnceLock<Places>,
    link_places: OnceLock<Places>,
    leads_to: OnceLock<HashSet<u64>>,
    form_targets: OnceLock<Vec<Option<Url>>>,
    redirect: OnceLock<Option<Url>>,
}

/// Where a response's body is.
pub(crate) enum Answered {
    /// In the store.
    Stored(Arc<Mutex<Store>>, Secrecy),
    /// Here.
    #[cfg(test)]
    Here(Vec<u8>),
}

impl Recorded {
    /// An exchange, its request's body, and its response's links and forms.
    pub(crate) fn new(exchange: Exchange, body: Vec<u8>, page: Page, answer: Answered) -> Self {
        let url = address(&exchange.request.headers, &exchange.request.uri);
        Self {
            uri: request_uri(&url),
            exchange,
            url,
            body,
            page,
            part: 0,
            answer,
            places: OnceLock::new(),
            link_places: OnceLock::new(),
            leads_to: OnceLock::new(),
            form_targets: OnceLock::new(),
            redirect: OnceLock::new(),
        }
    }

    /// Reads an exchange; its response is read later, where it is looked into.
    pub(crate) fn read(
        store: &Store,
        mut exchange: Exchange,
        later: &Arc<Mutex<Store>>,
        secrecy: &Secrecy,
    ) -> Result<Self, StoreError> {
        secrecy.reveal_exchange(&mut exchange);
        let body = secrecy.reveal_body(store.body(&exchange.request.body)?);
        let page = match exchange.response.as_ref().filter(|r| is_html(&r.headers)) {
            Some(response) => Page::of(&secrecy.reveal_body(store.body(&response.body)?)),
            None => Page::default(),
        };
        Ok(Self::new(exchange, body, page, Answered::Stored(later.clone(), secrecy.clone())))
    }

    /// The same, as a step of one of the sessions that its session was joined from.
    pub(crate) fn of_part(self, part: usize) -> Self {
        Self { part, ..self }
    }

    /// Whether it was recorded together with another exchange: then the answer to one shows where the other has its values from.
    pub(crate) fn was_recorded_with(&self, other: &Self) -> bool {
        let were_recorded = self.exchange.origin.is_recorded() && other.exchange.origin.is_recorded();
        were_recorded && self.part == other.part
    }

    /// The response's header fields, where there was one.
    pub(crate) fn answered(&self) -> Option<&Headers> {
        self.exchange.response.as_ref().map(|r| &r.headers)
    }

    /// The values in the page's links that later requests may send back.
    pub(crate) fn link_places(&self) -> &Places {
        self.link_places.get_or_init(|| link_places(&self.page))
    }

    /// The values in the response that later requests may send back, but for those in links.
    pub(crate) fn places(&self) -> &Places {
        self.places.get_or_init(|| {
            let Some(response) = &self.exchange.response else { return Places::default() };
            // A body that cannot be read is one that nothing is found in: the replay goes on.
            let body = match &self.answer {
                Answered::Stored(store, secrecy) => {
                    let stored = store.lock().ok().and_then(|s| s.body(&response.body).ok());
                    secrecy.reveal_body(stored.unwrap_or_default())
                }
                #[cfg(test)]
                Answered::Here(body) => body.clone(),
            };
            let (status, headers) = (response.status, &response.headers);
            let source = Source { uri: &self.uri, status, headers, body: &body, page: &self.page };
            let mut places = source.places();
            let base = self.page.base.as_deref();
            places.resolve_addresses(|a| local_uri(&self.url, base, a).map(Cow::into_owned));
            places
        })
    }

    /// Whether the page may have a link to an address, or show something there. Told by hashes, so that a request that
    /// nothing led to is not compared with every link of every page before it.
    pub(crate) fn may_lead_to(&self, uri: &str) -> bool {
        let hashes = self.leads_to.get_or_init(|| {
            let base = self.page.base.as_deref();
            let links = self.page.links.iter().chain(&self.page.resources);
            links.filter_map(|l| local_uri(&self.url, base, &l.href)).map(|uri| hashed(&uri)).collect()
        });
        hashes.contains(&hashed(uri))
    }

    /// Where the page's forms lead.
    pub(crate) fn form_targets(&self) -> &[Option<Url>] {
        self.form_targets.get_or_init(|| {
            let base = self.page.base.as_deref();
            self.page.forms.iter().map(|f| target(&self.url, base, &f.action)).collect()
        })
    }

    /// Where the response sent the browser.
    pub(crate) fn redirect(&self) -> Option<&Url> {
        let found = self.redirect.get_or_init(|| {
            let response = self.exchange.response.as_ref()?;
            redirect(&self.url, response.status, &response.headers)
        });
        found.as_ref()
    }
}

fn hashed(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// The steps of a session, as recorded.
pub(crate) type RecordedSteps = Vec<Arc<Recorded>>;

/// The sessions of a suite, in order. Several workers may take from it: each session goes to one of them.
pub(crate) struct Ahead {
    sessions: Mutex<Sessions>,
}

struct Sessions {
    receiver: Receiver<Result<RecordedSteps, StoreError>>,
    /// How many were handed out.
    taken: usize,
    count: usize,
}

impl Ahead {
    /// Begins to read sessions.
    pub(crate) fn start(
        store: &Path,
        sessions: &[(u32, &Session)],
        secrecy: Secrecy,
    ) -> Result<Self, StoreError> {
        let (store, later) = (Store::open(store)?, Arc::new(Mutex::new(Store::open(store)?)));
        let steps = |session: &Session| -> Vec<(usize, ExchangeId)> {
            let steps = session.exchanges.iter().enumerate();
            steps.map(|(step, id)| (session.part_of(step), *id)).collect()
        };
        let sessions: Vec<Vec<(usize, ExchangeId)>> = sessions.iter().map(|(_, s)| steps(s)).collect();
        let count = sessions.len();
        let (sender, receiver) = sync_channel(AHEAD);
        std::thread::spawn(move || {
            let read = |(part, id): (usize, ExchangeId)| {
                let recorded = Recorded::read(&store, store.exchange(id)?, &later, &secrecy)?;
                Ok(Arc::new(recorded.of_part(part)))
            };
            for session in sessions {
                // Nobody reads on: the replay has ended.
                if sender.send(session.into_iter().map(read).collect()).is_err() {
                    return;
                }
            }
        });
        Ok(Self { sessions: Mutex::new(Sessions { receiver, taken: 0, count }) })
    }

    /// The next session's place in the suite, and its steps; none where all were handed out.
    pub(crate) fn next(&self) -> Result<Option<(usize, RecordedSteps)>, StoreError> {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        let ordinal = sessions.taken;
        if ordinal == sessions.count {
            return Ok(None);
        }
        sessions.taken += 1;
        let ended = |_| Err(StoreError::Unreadable("the suite has fewer sessions than it says".to_owned()));
        Ok(Some((ordinal, sessions.receiver.recv().unwrap_or_else(ended)?)))
    }
}
