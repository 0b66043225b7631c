//! A response with its masks on, before it is read: two of which all is masked that differs need not be read.

use std::borrow::Cow;

use restage_html::Tokens;
use restage_model::{Headers, MaskedShare};

use crate::body::format::Format;
use crate::noise::apply::{Covered, apply};
use crate::noise::mask::Masks;
use crate::noise::masked_share::share;
use crate::noise::number::leveled;
use crate::noise::source;
use crate::page::document::Document;

/// A response's body with its masks on.
#[derive(Clone, Debug)]
pub(crate) struct MaskedBody<'a> {
    format: Format,
    body: &'a [u8],
    /// Its elements as masks leave them; none where it was not taken apart.
    elements: Option<Tokens>,
    /// What the masks cover.
    pub(crate) covered: Covered,
    /// How much of it that is.
    pub(crate) share: MaskedShare,
}

impl<'a> MaskedBody<'a> {
    pub(crate) fn of(headers: &Headers, body: &'a [u8], masks: &Masks<'_>) -> Self {
        let format = Format::of(headers, body);
        let Some(elements) = (!masks.is_empty()).then(|| source::tokens(format, body)).flatten() else {
            let share = MaskedShare::default();
            return Self { format, body, elements: None, covered: Covered::default(), share };
        };
        let (masked, covered) = apply(&elements, masks);
        let share = if covered.is_empty() { MaskedShare::default() } else { share(&elements, &masked) };
        let elements = if covered.is_empty() { elements } else { masked };
        Self { format, body, elements: Some(elements), covered, share }
    }

    /// Leaves out of two bodies what one has more than the other of lists whose number of items varies.
    pub(crate) fn leveled(self, other: Self, masks: &Masks<'_>) -> (Self, Self) {
        let pair = self.elements.as_ref().zip(other.elements.as_ref());
        match pair.and_then(|(one, other)| leveled(one, other, masks)) {
            Some((one, two)) => (Self { elements: Some(one), ..self }, Self { elements: Some(two), ..other }),
            None => (self, other),
        }
    }

    /// Whether both are the same bytes with the masks on: then no comparator sees a difference.
    pub(crate) fn is_same_as(&self, other: &Self) -> bool {
        let is_masked = |body: &Self| !body.covered.is_empty();
        match (is_masked(self), is_masked(other)) {
            (true, true) => self.format == other.format && self.elements == other.elements,
            (false, false) => self.format == other.format && self.body == other.body,
            _ => false,
        }
    }

    /// Reads it.
    pub(crate) fn read(self) -> Document<'a> {
        let Self { format, body, elements, covered, .. } = self;
        match elements {
            Some(elements) if !covered.is_empty() => {
                let source = Cow::Owned(source::bytes(format, &elements));
                Document::read(format, source, elements)
            }
            // What is no page is read by its bytes.
            Some(elements) if format == Format::Html => Document::read(format, Cow::Borrowed(body), elements),
            _ => Document::of_format(format, body),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparators::comparator::Comparator;
    use crate::noise::learn::Learner;
    use crate::noise::mask::Mask;

    fn html() -> Headers {
        [("content-type".to_owned(), "text/html".to_owned())].into_iter().collect()
    }

    /// Catches: a page that is not read though something beside its masks differs, or that is read as another where none of
    /// its masks covers anything.
    #[test]
    fn bodies_are_the_same_where_only_what_is_masked_differs() {
        let page = |token: &str, text: &str| format!("<p>{text}<input name=csrf value={token}>");
        let answers = ["a8f3", "77bc"].map(|token| Tokens::of(page(token, "x").as_bytes())).to_vec();
        let masks: Vec<Mask> = Learner::default().masks(&[answers]);
        assert_eq!(masks.len(), 1);
        let masks = Masks::of(&masks);
        let headers = html();
        let cases = [
            (page("0f1e", "x"), page("9d2c", "x"), true),
            (page("0f1e", "x"), page("9d2c", "y"), false),
            (page("0f1e", "x"), "<p>x".to_owned(), false),
            ("<p>x".to_owned(), "<p>x".to_owned(), true),
            ("<p>x".to_owned(), "<p>y".to_owned(), false),
        ];
        for (was, is, same) in &cases {
            let [was_body, is_body] = [was, is].map(|page| MaskedBody::of(&headers, page.as_bytes(), &masks));
            assert_eq!(was_body.is_same_as(&is_body), *same, "{was} {is}");
            let (was_page, is_page) = (was_body.read(), is_body.read());
            let differs = Comparator::ALL.iter().any(|c| c.differs(&was_page, &is_page));
            assert_eq!(differs, !same, "{was} {is}");
        }
        let unmasked = "<p>x<b>y</b>";
        let read = MaskedBody::of(&headers, unmasked.as_bytes(), &masks).read();
        assert!(!Comparator::ALL[0].differs(&read, &Document::of(&headers, unmasked.as_bytes())));
        assert_eq!(read.bytes(), unmasked.as_bytes());
    }

    proptest::proptest! {
        /// Catches: two pages that are not read because they look the same, though a comparator sees a difference.
        #[test]
        fn no_comparator_sees_a_difference_where_bodies_are_the_same(
            pages in proptest::collection::vec("(<(p|li|ul|a href=[12]|b class=x|input value=[ab]1?)>|</(p|ul|li)>|[ab] ?|[12]){0,12}", 3),
        ) {
            let answers = pages[..2].iter().map(|page| Tokens::of(page.as_bytes())).collect();
            let masks: Vec<Mask> = Learner { ties_all: true, ..Learner::default() }.masks(&[answers]);
            let (masks, headers) = (Masks::of(&masks), html());
            for (was, is) in [(0, 1), (0, 2), (1, 2), (2, 2)] {
                let [was, is] = [was, is].map(|at: usize| MaskedBody::of(&headers, pages[at].as_bytes(), &masks));
                let (was, is) = was.leveled(is, &masks);
                let same = was.is_same_as(&is);
                let (was, is) = (was.read(), is.read());
                let seen = Comparator::ALL.iter().find(|c| c.differs(&was, &is));
                proptest::prop_assert!(!same || seen.is_none(), "{:?} sees a difference", seen);
            }
        }
    }
}
