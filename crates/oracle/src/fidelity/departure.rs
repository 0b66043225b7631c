//! What of a live answer is not as it was recorded.

use restage_html::Tokens;
use restage_model::{Departure, Headers, Key};

use super::members::Members;
use super::outline::Outline;
use super::target::Target;
use super::varying::Varying;
use super::words::Words;
use crate::body::format::Format;
use crate::errors::new_errors;
use crate::noise::apply::apply;
use crate::noise::number::leveled;
use crate::noise::source;

/// An answer has lost too many words when more than one in so many is missing.
const LOST: usize = 8;
/// The same of a page that has its title, its headings and its forms, and no list that lost entries: it is the page, and what differs is on it.
const LOST_OF_PAGE: usize = 4;
/// So many words are shown.
const SHOWN: usize = 4;

/// An answer, recorded or live, as far as it is known.
#[derive(Clone, Copy, Debug)]
pub struct KnownAnswer<'a> {
    /// Its status.
    pub status: u16,
    /// Its header fields.
    pub headers: &'a Headers,
    /// The host that was asked.
    pub host: Option<&'a str>,
    /// Its body; none where it is not known.
    pub body: Option<&'a [u8]>,
    /// Whether less than the whole body is known.
    pub cut: bool,
}

impl KnownAnswer<'_> {
    fn is_redirect(&self) -> bool {
        matches!(self.status, 301 | 302 | 303 | 307 | 308)
    }

    fn is_ok(&self) -> bool {
        matches!(self.status, 200..=299)
    }

    fn media_type(&self) -> String {
        self.headers.media_type().unwrap_or_else(|| "no content type".to_owned())
    }
}

/// What of a live answer is not as recorded, the most telling first; none where it is as recorded, as far as both are known. What
/// varies on pages of this key is left out, and so are words that `counts` turns down: secrets, and values that the live
/// application has others for.
pub fn departure(
    recorded: &KnownAnswer<'_>,
    live: &KnownAnswer<'_>,
    varying: &Varying<'_>,
    key: &Key,
    counts: &dyn Fn(&str) -> bool,
) -> Option<Departure> {
    if let Some(departure) = flow(recorded, live) {
        return Some(departure);
    }
    // What a redirect says nobody reads, and what a server says of its own failure differs each time.
    if live.is_redirect() || recorded.status >= 500 || recorded.status == 304 || recorded.status == 206 {
        return None;
    }
    let (was, is) = (recorded.body?, live.body?);
    if was == is {
        return None;
    }
    if is.is_empty() {
        return Some(Departure::Empty);
    }
    if let Some(error) = new_errors(was, is).into_iter().next() {
        return Some(Departure::ServerError { message: error.to_string() });
    }
    let format = Format::of(recorded.headers, was);
    if format != Format::of(live.headers, is) && !was.is_empty() {
        return Some(Departure::ContentType { was: recorded.media_type(), is: live.media_type() });
    }
    let masks = varying.masks(key);
    let masked = |body: &[u8]| -> Option<Tokens> {
        let tokens = source::tokens(format, body)?;
        Some(if masks.is_empty() { tokens } else { apply(&tokens, &masks).0 })
    };
    let both_masked = || -> Option<(Tokens, Tokens)> {
        let (was, is) = (masked(was)?, masked(is)?);
        Some(leveled(&was, &is, &masks).unwrap_or((was, is)))
    };
    let mut most_lost = LOST;
    let (words, live_words) = match format {
        Format::Binary => return None,
        Format::Html => {
            let (was, is) = both_masked()?;
            let (was, is) = (Outline::of(&was), Outline::of(&is));
            if let Some(departure) = was.departure(&is) {
                return Some(departure);
            }
            if was.is_known_by_more_than_words() && !was.has_longer_lists_than(&is) {
                most_lost = LOST_OF_PAGE;
            }
            (was.words, is.words)
        }
        Format::Json => {
            let value =
                |body: &[u8]| serde_json::from_slice(&source::bytes(Format::Json, &masked(body)?)).ok();
            let was = value(was)?;
            let Some(is) = value(is) else {
                return Some(Departure::ContentType {
                    was: recorded.media_type(),
                    is: "not JSON".to_owned(),
                });
            };
            let (was, is) = (Members::of(&was), Members::of(&is));
            if let Some(departure) = was.departure(&is) {
                return Some(departure);
            }
            (was.words, is.words)
        }
        Format::Xml => {
            let (was, is) = (Outline::of_xml(&masked(was)?), Outline::of_xml(&masked(is)?));
            if let Some(departure) = was.departure(&is) {
                return Some(departure);
            }
            (was.words, is.words)
        }
        Format::Text => {
            let words = |tokens: Tokens| Words::of(&String::from_utf8_lossy(&source::bytes(format, &tokens)));
            (words(masked(was)?), words(masked(is)?))
        }
    };
    other_words((words, live_words), most_lost, recorded.cut, counts)
}

/// The flow of pages: what kind of answer it is, and where it leads.
fn flow(recorded: &KnownAnswer<'_>, live: &KnownAnswer<'_>) -> Option<Departure> {
    let hosts = [recorded.host, live.host];
    let same_status = recorded.status == live.status
        // A browser that had the page asked whether it had changed, or for a part; a replay asks for the page.
        || (matches!(recorded.status, 304 | 206) && live.is_ok())
        || (recorded.is_redirect() && live.is_redirect());
    if recorded.is_redirect() {
        let (was, is) = (Target::of(recorded.headers, hosts), Target::of(live.headers, hosts));
        match (was, is) {
            (Some(was), Some(is)) if live.is_redirect() => {
                return (!was.leads_where(&is))
                    .then_some(Departure::Redirect { was: Some(was.address), is: Some(is.address) });
            }
            (Some(was), None) if live.is_ok() => {
                return Some(Departure::Redirect { was: Some(was.address), is: None });
            }
            _ => {}
        }
    } else if live.is_redirect() && recorded.status != 304 {
        let is = Target::of(live.headers, hosts).map(|target| target.address);
        return Some(Departure::Redirect { was: None, is });
    }
    (!same_status).then_some(Departure::Status { was: recorded.status, is: live.status })
}

/// Too many words that are missing, or that are new.
fn other_words(
    (mut was, mut is): (Words, Words),
    most_lost: usize,
    cut: bool,
    counts: &dyn Fn(&str) -> bool,
) -> Option<Departure> {
    was.retain(counts);
    is.retain(counts);
    let change = was.change_to(&is);
    let lost = change.missing.len();
    let too_few = lost * most_lost > change.of;
    let too_many = !cut && change.added.len() * 2 > change.live;
    let some = |words: Vec<String>| words.into_iter().take(SHOWN).collect();
    (too_few || too_many).then(|| Departure::Words {
        of: change.of,
        lost,
        missing: some(change.missing),
        added: some(change.added),
    })
}
