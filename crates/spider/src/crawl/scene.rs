//! A state that something was found in, to go on from: the application's data, the cookies, who is logged in.

use std::rc::Rc;

use restage_browser::CookieJar;

use crate::page_answer::PageAnswer;

/// A state to go on from.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    /// What the stage saved it as.
    pub(crate) snapshot: String,
    /// The cookies.
    pub(crate) jar: CookieJar,
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
    /// What is done.
    pub(crate) action: Action,
}

/// What is done to get somewhere.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    /// A link is followed.
    Follow {
        /// Where it leads.
        uri: String,
        /// What is written on it.
        label: String,
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
