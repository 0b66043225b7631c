//! Exchanges that are only looks: images, styles, scripts, fonts.

use std::fmt;
use std::str::FromStr;

use restage_model::Exchange;
use serde::{Deserialize, Serialize};

/// How large, in bytes, an image of one pixel is at most.
const PIXEL: u64 = 100;

/// A kind of static content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StaticClass {
    /// Pictures, icons among them.
    Image,
    /// Style sheets.
    Style,
    /// Scripts, and their source maps.
    Script,
    /// Fonts.
    Font,
}

impl StaticClass {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Image, Self::Style, Self::Script, Self::Font];

    /// An exchange's class: by what was answered; where that does not say (a 304, no answer), by
    /// what the browser wanted it for; then by its name. An action has none, whatever it is answered with. What is wanted as a
    /// script and answered as a page is not there.
    pub fn of(exchange: &Exchange) -> Option<Self> {
        if is_action(exchange) {
            return None;
        }
        let media_type = exchange.response.as_ref().and_then(|r| r.headers.media_type());
        match media_type.as_deref() {
            Some("text/html" | "application/xhtml+xml") => Self::of_missing(exchange),
            Some(media_type) => {
                Self::of_media_type(media_type).filter(|class| !(*class == Self::Image && is_call(exchange)))
            }
            None => match wanted_for(exchange) {
                Some(wanted) => Self::of_destination(wanted),
                None => Self::of_name(exchange.request.path()),
            },
        }
    }

    /// The class of what is answered as a page and was wanted as something else.
    fn of_missing(exchange: &Exchange) -> Option<Self> {
        let failed = exchange.response.as_ref().is_some_and(|r| r.status >= 400);
        if let Some(wanted) = wanted_for(exchange) {
            // With a query, and answered well, a picture is a way of having the server do something.
            let calls = !failed && !exchange.request.query().is_empty();
            return Self::of_destination(wanted).filter(|class| !(*class == Self::Image && calls));
        }
        // Who goes to a page asks for one.
        let accepted = exchange.request.headers.get("accept").unwrap_or_default();
        if accepted.contains("text/html") {
            return None;
        }
        // There are pages about pictures, named as these are; a page named as a script is what a server gives for anything.
        Self::of_name(exchange.request.path()).filter(|class| failed || *class != Self::Image)
    }

    fn of_name(path: &str) -> Option<Self> {
        let name = path.rsplit('/').next().unwrap_or_default();
        name.rsplit_once('.').and_then(|(_, extension)| Self::of_extension(&extension.to_ascii_lowercase()))
    }

    /// Its name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Image => "image",
            Self::Style => "style",
            Self::Script => "script",
            Self::Font => "font",
        }
    }

    fn of_media_type(media_type: &str) -> Option<Self> {
        if media_type.starts_with("image/") {
            Some(Self::Image)
        } else if media_type == "text/css" {
            Some(Self::Style)
        } else if media_type.contains("javascript") || media_type.contains("ecmascript") {
            Some(Self::Script)
        } else if media_type.starts_with("font/")
            || media_type.starts_with("application/font")
            || media_type.starts_with("application/x-font")
            || media_type == "application/vnd.ms-fontobject"
        {
            Some(Self::Font)
        } else {
            None
        }
    }

    fn of_destination(destination: &str) -> Option<Self> {
        match destination {
            "image" => Some(Self::Image),
            "style" => Some(Self::Style),
            "script" | "worker" | "serviceworker" | "sharedworker" => Some(Self::Script),
            "font" => Some(Self::Font),
            _ => None,
        }
    }

    fn of_extension(extension: &str) -> Option<Self> {
        match extension {
            "png" | "jpg" | "jpeg" | "gif" | "svg" | "webp" | "avif" | "ico" | "bmp" => Some(Self::Image),
            "css" => Some(Self::Style),
            "js" | "mjs" | "map" => Some(Self::Script),
            "woff" | "woff2" | "ttf" | "otf" | "eot" => Some(Self::Font),
            _ => None,
        }
    }
}

/// Whether a request does something, as all do that are no GET or HEAD.
pub(super) fn is_action(exchange: &Exchange) -> bool {
    !matches!(exchange.request.method.as_str(), "GET" | "HEAD")
}

/// What the browser says it wants the answer for.
fn wanted_for(exchange: &Exchange) -> Option<&str> {
    exchange.request.headers.get("sec-fetch-dest").map(str::trim)
}

/// Whether an image is no picture but a call: a page's way of having the server do something, such as updating
/// its search index. The answer is a single pixel, and the query says what is to be done.
fn is_call(exchange: &Exchange) -> bool {
    let size = exchange.response.as_ref().map_or(0, |r| r.body.size);
    !exchange.request.query().is_empty() && (1..=PIXEL).contains(&size)
}

impl fmt::Display for StaticClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for StaticClass {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|class| class.name() == text)
            .ok_or_else(|| format!("no class is called `{text}`\n  hint: image, style, script or font"))
    }
}
