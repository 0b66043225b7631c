//! What stands beside a page's links and forms. It is asked for only where several look alike, so it is read then, and
//! not with every page.

use crate::outline::{Outline, OutlineBuilder, Spot};
use crate::page::Reader;
use crate::tag_scan::Visitor;
use crate::tokens::{Token, Tokens};

/// What stands beside the links and forms of a page; they have the places that they have in [`Page`](crate::Page).
#[derive(Debug)]
pub struct Surroundings {
    outline: Outline,
    links: Vec<Spot>,
    forms: Vec<Spot>,
}

impl Surroundings {
    /// Reads a page.
    pub fn of(html: &[u8]) -> Self {
        let (mut reader, mut builder) = (Reader::default(), OutlineBuilder::default());
        let (mut links, mut forms) = (Vec::new(), Vec::new());
        for token in Tokens::of(html).iter() {
            match token {
                Token::Open { name, attrs, .. } => {
                    reader.open_tag(name, attrs);
                    let spot = builder.open(name);
                    links.resize(reader.page.links.len(), spot);
                    forms.resize(reader.page.forms.len(), spot);
                }
                Token::Close { name } => {
                    reader.close(name);
                    builder.close(name);
                }
                Token::Text(text) => builder.text(&String::from_utf8_lossy(text)),
                Token::Comment(_) | Token::Doctype(_) => {}
            }
        }
        Self { outline: builder.finish(), links, forms }
    }

    /// The text beside each of several links alike, which are given by their places on the page.
    pub fn beside_links(&self, alike: &[usize]) -> Vec<String> {
        self.beside(&self.links, alike)
    }

    /// The text beside each of several forms alike.
    pub fn beside_forms(&self, alike: &[usize]) -> Vec<String> {
        self.beside(&self.forms, alike)
    }

    fn beside(&self, all: &[Spot], alike: &[usize]) -> Vec<String> {
        let spot = |(thing, n): (usize, &usize)| all.get(*n).map(|spot| (*spot, thing));
        let spots: Option<Vec<(Spot, usize)>> = alike.iter().enumerate().map(spot).collect();
        spots.map_or_else(|| vec![String::new(); alike.len()], |spots| self.outline.beside(&spots))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beside(html: &str) -> Vec<String> {
        let read = Surroundings::of(html.as_bytes());
        let alike: Vec<usize> = (0..read.links.len()).collect();
        read.beside_links(&alike)
    }

    /// Catches: a row is known only where it is a `tr` that somebody has closed.
    #[test]
    fn a_row_is_what_holds_one_of_several_whatever_its_tags_are() {
        let expected = ["Shoes Edit", "Hat Edit"];
        for page in [
            "<table><tr><td>Shoes<td><a href=/e/1>Edit</a><tr><td>Hat<td><a href=/e/2>Edit</a></table>",
            "<ul><li>Shoes <p><a href=/e/1>Edit</a><li>Hat <p><a href=/e/2>Edit</a></ul>",
            "<div><div><b>Shoes</b><div><a href=/e/1>Edit</a></div></div><div><b>Hat</b><a href=/e/2>Edit</a></div></div>",
            "<h3>Shoes</h3><a href=/e/1>Edit</a><h3>Hat</h3><a href=/e/2>Edit</a>",
            "<dl><dt>Shoes<dd><a href=/e/1>Edit</a><dt>Hat<dd><a href=/e/2>Edit</a></dl>",
        ] {
            assert_eq!(beside(page), expected, "{page}");
        }
    }

    #[test]
    fn forms_have_rows_too_and_scripts_are_no_text() {
        let page = "<tr><td>A<script>x</script><form></form></td></tr><tr><td>B<form></form></td></tr>";
        let read = Surroundings::of(page.as_bytes());
        assert_eq!(read.beside_forms(&[0, 1]), ["A", "B"]);
        assert_eq!(read.beside_forms(&[0, 7]), ["", ""], "no such form");
        assert_eq!(read.beside_forms(&[0]), ["A"], "alone");
        let read = Surroundings::of(b"<h1>All of it</h1><form></form>");
        assert_eq!(read.beside_forms(&[0]), [""]);
    }

    proptest::proptest! {
        /// Catches: a page that no browser would call well-formed makes the reader fail, or count links otherwise.
        #[test]
        fn links_and_forms_have_the_places_that_they_have_on_the_page(
            pieces in proptest::collection::vec(proptest::sample::select(vec![
                "<a href=x>", "</a>", "<form>", "</form>", "<tr>", "<td>", "</tr>", "<table>", "</table>", "<li>", "</ul>",
                "<div>", "</div>", "<p>", "text", "<script>", "</script>", "<area href=y>", "<iframe src=z>", "<input name=i>",
                "<button>", "</button>", "<select name=s>", "<option>", "</select>", "<textarea name=t>", "é",
            ]), 0..40)
        ) {
            let html = pieces.concat();
            let (read, page) = (Surroundings::of(html.as_bytes()), crate::Page::of(html.as_bytes()));
            proptest::prop_assert_eq!((read.links.len(), read.forms.len()), (page.links.len(), page.forms.len()));
            let all: Vec<usize> = (0..read.links.len()).collect();
            proptest::prop_assert_eq!(read.beside_links(&all).len(), all.len());
        }
    }
}
