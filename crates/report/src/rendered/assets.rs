//! The recorded style sheets and images that a framed page asks for.
//!
//! Each is kept once, however many pages use it: a report has hundreds of pages and a handful of style
//! sheets.

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use restage_model::{Headers, Response};
use restage_store::{Store, StoreError};
use url::Url;

use crate::ReportError;
use crate::content::decoded;

/// Larger style sheets are left out.
const LARGEST_SHEET: u64 = 1 << 20;
/// Larger images are left out.
const LARGEST_IMAGE: u64 = 48 << 10;
/// When so much is kept, the rest is left out.
const ROOM: usize = 8 << 20;

/// Names one of a report's assets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AssetId(pub(crate) usize);

/// The assets of a report.
pub(crate) struct Assets<'s> {
    store: &'s Store,
    recorded: HashMap<String, Response>,
    known: HashMap<String, Option<AssetId>>,
    kept: Vec<String>,
    used: usize,
}

impl<'s> Assets<'s> {
    /// Looks up what was recorded; bodies are read when a page asks for them.
    pub(crate) fn recorded_in(store: &'s Store) -> Result<Self, ReportError> {
        let mut recorded = HashMap::new();
        store.each_exchange(|exchange| {
            let Some(response) = exchange.response else { return Ok(()) };
            let media_type = response.headers.media_type().unwrap_or_default();
            let wanted = media_type == "text/css" || media_type.starts_with("image/");
            if response.status == 200 && wanted && !response.body.cut {
                // A page may ask with another `?v=…` than the one recorded; an exact match goes first.
                let path = exchange.request.path().to_owned();
                recorded.insert(path, response.clone());
                recorded.insert(exchange.request.uri, response);
            }
            Ok::<_, StoreError>(())
        })?;
        Ok(Self { store, recorded, known: HashMap::new(), kept: Vec::new(), used: 0 })
    }

    /// The style sheet or image at an address as a page at `page` writes it; none where it was not
    /// recorded. A style sheet is its text, an image a `data:` address.
    pub(crate) fn at(&mut self, page: &str, address: &str) -> Result<Option<AssetId>, ReportError> {
        let Some(uri) = resolved(page, address) else { return Ok(None) };
        if let Some(known) = self.known.get(&uri) {
            return Ok(*known);
        }
        let path = uri.split('?').next().unwrap_or_default();
        let response = self.recorded.get(&uri).or_else(|| self.recorded.get(path)).cloned();
        let text = match &response {
            Some(response) => self.text(response)?,
            None => None,
        };
        let id = text.map(|text| {
            self.used += text.len();
            self.kept.push(text);
            AssetId(self.kept.len() - 1)
        });
        self.known.insert(uri, id);
        Ok(id)
    }

    /// Whether an address is that of a recorded style sheet.
    pub(crate) fn is_sheet(&self, id: AssetId) -> bool {
        !self.kept[id.0].starts_with("data:image/")
    }

    /// The assets that were asked for, in the order of their ids.
    pub(crate) fn kept(&self) -> &[String] {
        &self.kept
    }

    fn text(&self, response: &Response) -> Result<Option<String>, ReportError> {
        let media_type = response.headers.media_type().unwrap_or_default();
        let sheet = media_type == "text/css";
        let largest = if sheet { LARGEST_SHEET } else { LARGEST_IMAGE };
        if response.body.size > largest || self.used > ROOM {
            return Ok(None);
        }
        let bytes = self.store.body(&response.body)?;
        if bytes.len() as u64 > largest {
            return Ok(None);
        }
        Ok(Some(if sheet {
            // An end tag inside it would end the element it is put in.
            decoded(&response.headers, &bytes).replace("</", "<\\/")
        } else {
            format!("data:{};base64,{}", Headers::readable(&media_type), STANDARD.encode(bytes))
        }))
    }
}

/// Path and query of an address on a page. The host is not looked at: the recording was made through a
/// proxy, so pages name the application in more than one way.
fn resolved(page: &str, address: &str) -> Option<String> {
    let base = Url::parse("http://recorded.invalid/").ok()?.join(page).ok()?;
    let url = base.join(address.trim()).ok()?;
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    Some(url.query().map_or_else(|| url.path().to_owned(), |query| format!("{}?{query}", url.path())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_as_a_page_writes_them() {
        let at = |page, address| resolved(page, address);
        assert_eq!(at("/shop/cart?x=1", "style.css?v=2").as_deref(), Some("/shop/style.css?v=2"));
        assert_eq!(at("/shop/cart", "../a.css").as_deref(), Some("/a.css"));
        assert_eq!(at("/", "https://localhost:81/a.css").as_deref(), Some("/a.css"));
        assert_eq!(at("/", "data:text/css,x"), None);
    }
}
