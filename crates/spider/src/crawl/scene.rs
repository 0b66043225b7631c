//! A state that something was found in, to go on from: the application's data, the cookies, who is logged in.

use std::rc::Rc;

use restage_browser::CookieJar;
use restage_model::Headers;

use crate::crawl::promise::Kind;
use crate::page_answer::PageAnswer;

/// A state to go on from.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    /// What the stage saved it as.
    pub(crate) snapshot: String,
    /// The cookies.
    pub(crate) jar: CookieJar,
    /// The browser's own header fields: an application may know its users by them, too.
    pub(crate) browser: Headers,
    /// The forms that were sent to get there.
    pub(crate) sent: Vec<String>,
}

/// Where a page with a form comes from.
#[derive(Clone, Debug)]
pub(crate) enum PageSource {
    /// It is asked for again, so that what it holds is good for one more use.
    Get(String),
    /// It is the answer that the scene was saved after.
    Answer(Rc<PageAnswer>),
}

/// What is to be looked at.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// The scene that it was found in, by its place.
    pub(crate) scene: usize,
    /// How many steps away from home it is.
    pub(crate) depth: usize,
    /// The node that it leads to.
    pub(crate) node: String,
    /// The node of the page that leads there.
    pub(crate) from: Rc<str>,
    /// Whether only what sessions' scripts and users sent led here.
    pub(crate) tried: bool,
    /// Who else was there.
    pub(crate) known: Known,
    /// What it is to the user, once it is queued.
    pub(crate) kind: Kind,
    /// What is done.
    pub(crate) action: Action,
}

/// Who was at a node before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Known {
    /// Sessions were, as such a user, or as anybody where the spider never was.
    pub(crate) to_sessions: bool,
    /// The spider was, as another user.
    pub(crate) to_others: bool,
    /// It was answered by a redirect to sessions, though it is only a link.
    pub(crate) acts: bool,
    /// From this page, it led sessions to where the spider never was.
    pub(crate) elsewhere_in_sessions: bool,
}

/// What is done to get somewhere.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    /// A link is followed.
    Follow {
        /// Where it leads.
        uri: String,
        /// The address of the page that it stands on.
        referer: Rc<str>,
        /// What is written on it.
        label: String,
        /// What it says of itself besides.
        signs: String,
        /// Whether it stands in data, and not on a page.
        in_data: bool,
        /// Whether a session followed it, too.
        in_sessions: bool,
    },
    /// What a browser asks for by itself is looked at.
    Load {
        /// Where it is.
        uri: String,
    },
    /// A form is sent.
    Press {
        /// The page that has it.
        page: PageSource,
        /// What is written on the button.
        label: String,
        /// Whether it may change something.
        writes: bool,
    },
}
