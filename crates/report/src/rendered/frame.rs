//! A recorded page made fit for a frame that may do nothing.
//!
//! The page is written anew from its tokens: scripts, refreshes and whatever would be fetched are left
//! out, recorded style sheets and images are put in. This is for looks. That nothing runs and nothing is
//! fetched does not rest on it: the frame has an empty `sandbox`, and the page begins with a content
//! security policy that comes before anything of its own.

use std::collections::HashSet;

use restage_html::{Attrs, Token, Tokens};

use super::assets::{AssetId, Assets};
use crate::ReportError;

/// Before anything of the page. The target is one that the sandbox forbids, so that links do nothing.
const PREFIX: &str = "<meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" \
     content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\"><base target=\"_top\">\
     <style>[data-restage-changed]{outline:3px solid #d1242f!important;outline-offset:2px!important}</style>";

/// Elements whose text is not escaped.
const RAW: [&[u8]; 4] = [b"style", b"xmp", b"noframes", b"plaintext"];
/// Elements left out with all they hold. `noscript` is what the users did not see.
const DROPPED: [&[u8]; 5] = [b"script", b"noscript", b"iframe", b"noembed", b"object"];

/// A part of a framed page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Markup.
    Text(String),
    /// The text of an asset.
    Asset(AssetId),
}

/// The page in parts; `uri` is where it was, for the addresses in it, and the tags at `places` are outlined.
pub(crate) fn framed(
    tokens: &Tokens,
    uri: &str,
    places: &HashSet<usize>,
    assets: &mut Assets<'_>,
) -> Result<Vec<Part>, ReportError> {
    let mut frame = Frame {
        assets,
        uri,
        parts: Vec::new(),
        text: PREFIX.to_owned(),
        raw: false,
        inside: None,
        outlined: false,
    };
    for (at, token) in tokens.iter().enumerate() {
        frame.outlined = places.contains(&at);
        frame.take(token)?;
    }
    frame.flush();
    Ok(frame.parts)
}

struct Frame<'a, 's> {
    assets: &'a mut Assets<'s>,
    uri: &'a str,
    parts: Vec<Part>,
    text: String,
    raw: bool,
    /// The dropped element the page is in.
    inside: Option<Vec<u8>>,
    /// Whether the tag that comes is outlined.
    outlined: bool,
}

impl Frame<'_, '_> {
    fn take(&mut self, token: Token<'_>) -> Result<(), ReportError> {
        if let Some(name) = &self.inside {
            if matches!(token, Token::Close { name: closed } if closed == name.as_slice()) {
                self.inside = None;
            }
            return Ok(());
        }
        match token {
            Token::Open { name, self_closing, .. } if DROPPED.contains(&name) => {
                if !self_closing {
                    self.inside = Some(name.to_vec());
                }
            }
            Token::Open { name: b"link", attrs, .. } => self.link(attrs)?,
            Token::Open { name: b"base" | b"embed" | b"frame" | b"source", .. } => {}
            Token::Open { name: b"meta", attrs, .. } if attrs.has("http-equiv") => {}
            Token::Open { name, attrs, .. } => {
                self.open(name, attrs)?;
                self.raw = RAW.contains(&name);
            }
            Token::Close { name } => {
                self.raw = false;
                self.text.push_str("</");
                self.text.push_str(&String::from_utf8_lossy(name));
                self.text.push('>');
            }
            Token::Text(text) if self.raw => self.text.push_str(&String::from_utf8_lossy(text)),
            Token::Text(text) => escape(&mut self.text, text),
            Token::Comment(_) | Token::Doctype(_) => {}
        }
        Ok(())
    }

    fn link(&mut self, attrs: Attrs<'_>) -> Result<(), ReportError> {
        let rel = attrs.text("rel").unwrap_or_default().to_ascii_lowercase();
        let words: Vec<&str> = rel.split_ascii_whitespace().collect();
        if !words.contains(&"stylesheet") || words.contains(&"alternate") {
            return Ok(());
        }
        let href = attrs.text("href").unwrap_or_default();
        let Some(id) = self.assets.at(self.uri, &href)?.filter(|id| self.assets.is_sheet(*id)) else {
            return Ok(());
        };
        self.text.push_str("<style");
        if let Some(media) = attrs.get("media") {
            self.attribute(b"media", media);
        }
        self.text.push('>');
        self.asset(id);
        self.text.push_str("</style>");
        Ok(())
    }

    fn open(&mut self, name: &[u8], attrs: Attrs<'_>) -> Result<(), ReportError> {
        self.text.push('<');
        self.text.push_str(&String::from_utf8_lossy(name));
        for (attribute, value) in attrs.iter() {
            match attribute {
                // What would be fetched, what would run, what would take the focus or leave the frame.
                b"src" if value.starts_with(b"data:") => self.attribute(attribute, value),
                b"src" if matches!(name, b"img" | b"input") => {
                    let address = String::from_utf8_lossy(value);
                    if let Some(id) =
                        self.assets.at(self.uri, &address)?.filter(|id| !self.assets.is_sheet(*id))
                    {
                        self.text.push_str(" src=\"");
                        self.asset(id);
                        self.text.push('"');
                    }
                }
                b"src"
                | b"srcset"
                | b"srcdoc"
                | b"data"
                | b"poster"
                | b"background"
                | b"ping"
                | b"target"
                | b"autofocus"
                | b"data-restage-changed" => {}
                handler if handler.starts_with(b"on") => {}
                _ => self.attribute(attribute, value),
            }
        }
        if self.outlined {
            self.text.push_str(" data-restage-changed");
        }
        self.text.push('>');
        Ok(())
    }

    fn attribute(&mut self, name: &[u8], value: &[u8]) {
        self.text.push(' ');
        self.text.push_str(&String::from_utf8_lossy(name));
        self.text.push_str("=\"");
        escape(&mut self.text, value);
        self.text.push('"');
    }

    fn asset(&mut self, id: AssetId) {
        self.flush();
        self.parts.push(Part::Asset(id));
    }

    fn flush(&mut self) {
        if !self.text.is_empty() {
            self.parts.push(Part::Text(std::mem::take(&mut self.text)));
        }
    }
}

fn escape(out: &mut String, text: &[u8]) {
    for c in String::from_utf8_lossy(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\0' => out.push('\u{fffd}'),
            _ => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use restage_model::{Captured, CapturedBody, Headers, Moment};
    use restage_store::Store;

    use super::*;

    fn recorded(uri: &str, media_type: &str, body: &[u8]) -> Captured {
        let headers = [("content-type".to_owned(), media_type.to_owned())].into_iter().collect();
        Captured {
            at: Moment(0),
            took: 0,
            client: String::new(),
            method: "GET".to_owned(),
            uri: uri.to_owned(),
            headers: Headers::new(),
            body: CapturedBody::default(),
            response: Some((200, headers, CapturedBody { bytes: body.to_vec(), size: body.len() as u64 })),
            error: None,
        }
    }

    fn shown(html: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open_or_create(&folder.path().join("s.db")).unwrap();
        let batch = [
            recorded("/static/a.css?v=1", "text/css", b"b{color:red}</style><script>"),
            recorded("/static/i.png", "image/png", b"png"),
        ];
        store.append(&batch).unwrap();
        let mut assets = Assets::recorded_in(&store).unwrap();
        let places = html.find("id=here").map(|_| 0).into_iter().collect();
        let parts = framed(&Tokens::of(html.as_bytes()), "/shop/cart", &places, &mut assets).unwrap();
        let text: String = parts
            .iter()
            .map(|part| match part {
                Part::Text(text) => text.as_str(),
                Part::Asset(id) => &assets.kept()[id.0],
            })
            .collect();
        text.strip_prefix(PREFIX).expect("the policy comes first").to_owned()
    }

    #[test]
    fn what_runs_and_fetches_is_left_out() {
        let html = "<!DOCTYPE html><base href=//evil><meta http-equiv=refresh content='0;//evil'>\
             <script>alert(1)</script><p onclick=x id=a>1 &lt; 2</p><iframe src=//evil>x</iframe>\
             <a href=/x target=_self>l</a><img src=//evil/x.png alt=i>";
        assert_eq!(shown(html), "<p id=\"a\">1 &lt; 2</p><a href=\"/x\">l</a><img alt=\"i\">");
    }

    #[test]
    fn recorded_sheets_and_images_are_put_in() {
        assert_eq!(
            shown("<link rel=stylesheet href=/static/a.css?v=2 media=print><img src=../static/i.png>"),
            "<style media=\"print\">b{color:red}<\\/style><script></style><img src=\"data:image/png;base64,cG5n\">"
        );
    }

    /// Catches: a page that marks what did not change, and a change that is not marked.
    #[test]
    fn what_changed_is_outlined() {
        assert_eq!(
            shown("<p id=here>a</p><p data-restage-changed>b</p>"),
            "<p id=\"here\" data-restage-changed>a</p><p>b</p>"
        );
    }

    #[test]
    fn raw_text_stays_raw() {
        assert_eq!(
            shown("<style>a>b{}</style><textarea>a>b</textarea>"),
            "<style>a>b{}</style><textarea>a&gt;b</textarea>"
        );
    }
}
