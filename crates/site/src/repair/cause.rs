//! Why something of a session was repaired.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Why something of a session was repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// A parameter is no longer asked for.
    ParameterRemoved,
    /// A parameter has another name.
    ParameterRenamed,
    /// A parameter is new.
    ParameterAdded,
    /// A choice that was made is offered no more.
    ChoiceGone,
    /// A link, or a redirect, is no longer there; its page is.
    LinkGone,
    /// A page is no longer there.
    PageGone,
    /// A page has another address.
    PageMoved,
    /// A form stands on another page.
    FormMoved,
    /// A link is a form now, or a form a link.
    SentOtherwise,
    /// A request was put in between.
    StepAdded,
    /// A request is no longer needed: the page before offers what it led to.
    StepJoined,
    /// What was sent is accepted, and another page comes of it.
    LeadsElsewhere,
    /// The session became two.
    SessionSplit,
}

impl Cause {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 13] = [
        Self::ParameterRenamed,
        Self::ParameterRemoved,
        Self::ParameterAdded,
        Self::ChoiceGone,
        Self::PageMoved,
        Self::FormMoved,
        Self::SentOtherwise,
        Self::LinkGone,
        Self::PageGone,
        Self::StepAdded,
        Self::StepJoined,
        Self::LeadsElsewhere,
        Self::SessionSplit,
    ];

    /// What it is in a few words.
    pub fn name(self) -> &'static str {
        match self {
            Self::ParameterRemoved => "parameter removed",
            Self::ParameterRenamed => "parameter renamed",
            Self::ParameterAdded => "parameter added",
            Self::ChoiceGone => "choice gone",
            Self::LinkGone => "link gone",
            Self::PageGone => "page gone",
            Self::PageMoved => "page renamed or moved",
            Self::FormMoved => "form moved",
            Self::SentOtherwise => "sent otherwise",
            Self::StepAdded => "step added",
            Self::StepJoined => "step joined",
            Self::LeadsElsewhere => "leads elsewhere",
            Self::SessionSplit => "session split",
        }
    }

    /// Whether something that users had is no longer there, or is not what it was: somebody should know.
    pub fn is_loss(self) -> bool {
        use Cause::{ChoiceGone, LeadsElsewhere, LinkGone, PageGone, ParameterRemoved};
        matches!(self, ParameterRemoved | ChoiceGone | LinkGone | PageGone | LeadsElsewhere)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One thing that was repaired.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Repair {
    /// Why.
    pub cause: Cause,
    /// The step that needed it, from 1, as it was recorded.
    pub step: usize,
    /// What was found, in a sentence.
    pub what: String,
    /// Requests that were put in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub added: Vec<String>,
    /// Requests that were changed: as they were, and as they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<(String, String)>,
    /// Requests that were left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<String>,
    /// How sure that is, from 0 to 1.
    pub confidence: f64,
}

impl Repair {
    /// A repair of a step, which is given by its place from 0.
    pub fn new(cause: Cause, place: usize, what: impl Into<String>, confidence: f64) -> Self {
        Self {
            cause,
            step: place + 1,
            what: what.into(),
            added: Vec::new(),
            changed: Vec::new(),
            dropped: Vec::new(),
            // What is not known to the second decimal is not shown to the tenth.
            confidence: (confidence.clamp(0.0, 1.0) * 100.0).round() / 100.0,
        }
    }
}
