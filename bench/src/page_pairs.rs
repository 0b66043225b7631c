//! Pairs of pages to compare: real pages of the bookstore, put together to the size that paper 2 reports of its
//! largest suite, and edits of them. A pair is made from its number when it is asked for, the same each time.

use restage_store::Store;

use crate::Trouble;
use crate::subject::Subject;

/// So many pairs of responses has paper 2's largest suite, DSpace's.
pub const PAIRS: usize = 17_892;
/// Of so many bytes on average.
const SIZE: usize = 8_600;
/// So many of them differed between two runs of the same version.
const DIFFERING: usize = 1_183;
/// As many edits has a page that differs.
const EDITS: usize = 3;

/// Which of the pairs differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Differing {
    /// All of them.
    All,
    /// As many as in the paper: one in fifteen.
    Few,
}

/// A page as it is expected and as it is.
#[derive(Debug)]
pub struct PagePair {
    /// As expected.
    pub expected: Vec<u8>,
    /// As it is.
    pub actual: Vec<u8>,
}

/// What pairs are made from.
#[derive(Debug)]
pub struct PagePairs {
    /// What stands in front of a page's body, and the body, of real pages.
    pages: Vec<(String, String)>,
}

impl PagePairs {
    /// From the pages that the bookstore showed its shoppers.
    pub fn of(subject: &Subject) -> Result<Self, Trouble> {
        let pages = bodies(&subject.project.store)?;
        let pages: Vec<(String, String)> = pages.iter().filter_map(|page| parts(page)).collect();
        if pages.is_empty() { Err("the bookstore has shown no page".into()) } else { Ok(Self { pages }) }
    }

    /// The pair of a number.
    pub fn pair(&self, number: usize, differing: Differing) -> PagePair {
        let mut rng = fastrand::Rng::with_seed(number as u64);
        let expected = self.page(number, &mut rng);
        let differs = match differing {
            Differing::All => true,
            Differing::Few => number.is_multiple_of(PAIRS / DIFFERING),
        };
        let actual = if differs { edited(&expected, &mut rng) } else { expected.clone() };
        PagePair { expected: expected.into_bytes(), actual: actual.into_bytes() }
    }

    /// A page of its own: one begins it, and the bodies of others follow until it is long enough.
    fn page(&self, number: usize, rng: &mut fastrand::Rng) -> String {
        let (head, body) = &self.pages[number % self.pages.len()];
        let mut page = format!("{head}{body}<p>Visitor {number}</p>");
        // Half of the pages end short of the size and half past it.
        let size = SIZE - 1_500 + rng.usize(..3_000);
        while page.len() < size {
            let (_, body) = &self.pages[rng.usize(..self.pages.len())];
            let room = body.floor_char_boundary(size - page.len());
            // Cut at the end of a tag.
            page.push_str(&body[..body[..room].rfind('>').map_or(0, |at| at + 1)]);
            if room < body.len() {
                break;
            }
        }
        page.push_str("</body></html>\n");
        page
    }
}

/// The distinct HTML pages of a store.
fn bodies(store: &Store) -> Result<Vec<String>, Trouble> {
    let mut seen = std::collections::HashSet::new();
    let mut bodies = Vec::new();
    for exchange in store.exchanges()? {
        let Some(response) = &exchange.response else { continue };
        if response.headers.media_type().as_deref() == Some("text/html") && seen.insert(response.body.id) {
            bodies.push(String::from_utf8(store.body(&response.body)?)?);
        }
    }
    Ok(bodies)
}

fn parts(page: &str) -> Option<(String, String)> {
    let from = page.find("<body")?;
    let from = from + page[from..].find('>')? + 1;
    let to = page.rfind("</body>")?;
    Some((page[..from].to_owned(), page[from..to].to_owned()))
}

/// The page with a few edits, of the kinds that a new version makes.
fn edited(page: &str, rng: &mut fastrand::Rng) -> String {
    let mut page = page.to_owned();
    for _ in 0..EDITS {
        let from = page.floor_char_boundary(rng.usize(..page.len()));
        // Right behind a tag there is text or another tag.
        let Some(at) = page[from..].find('>').map(|i| from + i + 1) else { continue };
        match rng.u32(..5) {
            0 => page.insert_str(at, "<b>new</b>"),
            1 => page.insert_str(at, "Sold out"),
            2 => replace(&mut page, from, "href=\"", "href=\"/elsewhere"),
            3 => replace(&mut page, from, "class=\"", "class=\"wide "),
            _ => {
                // A tag is lost.
                let end = page[at..].find('<').and_then(|i| page[at + i..].find('>').map(|j| at + i + j + 1));
                page.replace_range(at..end.unwrap_or(at), "");
            }
        }
    }
    page
}

fn replace(page: &mut String, from: usize, what: &str, with: &str) {
    if let Some(at) = page[from..].find(what) {
        page.replace_range(from + at..from + at + what.len(), with);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_made_from_its_number() {
        let page = "<html><body class=\"a\"><p>é one</p><a href=\"/x\">two</a></body></html>";
        let pairs = PagePairs { pages: vec![parts(page).unwrap()] };
        for number in 0..100 {
            let (pair, again) = (pairs.pair(number, Differing::All), pairs.pair(number, Differing::All));
            assert_eq!((&pair.expected, &pair.actual), (&again.expected, &again.actual));
            assert!((SIZE - 1_600..SIZE + 1_700).contains(&pair.expected.len()), "{}", pair.expected.len());
        }
        let differs = |number| {
            let pair = pairs.pair(number, Differing::Few);
            pair.expected != pair.actual
        };
        assert_eq!((differs(0), differs(1)), (true, false));
    }
}
