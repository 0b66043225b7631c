//! The browsers that shoppers come with.

/// What a browser says of itself.
#[derive(Debug)]
pub(super) struct Identity {
    pub(super) user_agent: &'static str,
    pub(super) language: &'static str,
}

pub(super) const IDENTITIES: [Identity; 5] = [
    Identity {
        user_agent: "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
        language: "en-US,en;q=0.9",
    },
    Identity {
        user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0",
        language: "en-GB,en;q=0.5",
    },
    Identity {
        user_agent: "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15",
        language: "en-IE,en;q=0.9",
    },
    Identity {
        user_agent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
        language: "de-DE,de;q=0.9,en;q=0.7",
    },
    Identity {
        user_agent: "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0",
        language: "fr-FR,fr;q=0.9,en;q=0.8",
    },
];

pub(super) const ACCEPT_PAGE: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
pub(super) const ACCEPT_STYLE: &str = "text/css,*/*;q=0.1";
pub(super) const ACCEPT_IMAGE: &str = "image/avif,image/webp,image/svg+xml,image/*,*/*;q=0.8";
