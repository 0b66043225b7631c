//! What a user who records should be told while it goes on.

use std::fmt;

/// What a user who records should be told. Each is given once, not once an exchange.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The store fails; what is recorded waits in memory.
    StoreFails {
        /// What the store says.
        why: String,
    },
    /// The store works again.
    StoreWorks,
    /// Exchanges begin to be lost for this reason.
    NotStored {
        /// Why.
        why: String,
    },
    /// The application redirects a page to itself, once its address is replaced by the recorder's.
    RedirectLoop {
        /// The page, as the client asked for it.
        url: String,
        /// Where the application sent the client.
        location: String,
    },
    /// A cookie whose name browsers take over HTTPS only, on a plain HTTP listener.
    PrefixedCookie {
        /// Its name.
        name: String,
    },
    /// The listener stopped working before it began.
    NotListening {
        /// Why.
        why: String,
    },
    /// The application could not be reached.
    UpstreamUnreachable {
        /// Why.
        why: String,
    },
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StoreFails { why } => {
                write!(f, "the store fails, the traffic goes on and waits in memory: {why}")
            }
            Self::StoreWorks => write!(f, "the store works again"),
            Self::NotStored { why } => write!(f, "exchanges are not stored: {why}"),
            Self::RedirectLoop { url, location } => write!(
                f,
                "the application redirects {url} to itself ({location}): it insists on its own address\n  \
                 hint: record with --host upstream, or set the application's base URL to the recorder's"
            ),
            Self::PrefixedCookie { name } => write!(
                f,
                "the application sets the cookie {name}, which browsers take over HTTPS only\n  \
                 hint: record with --tls"
            ),
            Self::NotListening { why } => write!(f, "the recorder cannot take connections: {why}"),
            Self::UpstreamUnreachable { why } => {
                write!(f, "the application cannot be reached: {why}\n  hint: start it, or check --upstream")
            }
        }
    }
}
