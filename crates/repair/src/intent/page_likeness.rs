//! How much alike two pages are, to somebody who reads them.

use std::collections::BTreeSet;

use restage_html::{FieldKind, Form};

use super::word_weights::WordWeights;
use crate::seen_answer::SeenAnswer;

/// What a page's words, its title, its headings and its forms tell.
const WORDS: f64 = 0.4;
const TITLE: f64 = 0.25;
const HEADINGS: f64 = 0.25;
const FORMS: f64 = 0.1;

/// How much of a page that was expected another one has, from 0 to 1.
pub(crate) fn likeness(expected: &SeenAnswer, live: &SeenAnswer, weights: &WordWeights) -> f64 {
    let (mut sum, mut all) = (0.0, 0.0);
    let mut count = |share: Option<f64>, weight: f64| {
        if let Some(share) = share {
            sum += share * weight;
            all += weight;
        }
    };
    count(weights.shared(&expected.words, &live.words), WORDS);
    let has_title = !expected.title.is_empty() && !live.title.is_empty();
    count(weights.shared(&expected.title, &live.title).filter(|_| has_title), TITLE);
    count(shared_headings(expected, live, weights), HEADINGS);
    count(shared_forms(expected, live), FORMS);
    if all > 0.0 { sum / all } else { 1.0 }
}

fn shared_headings(expected: &SeenAnswer, live: &SeenAnswer, weights: &WordWeights) -> Option<f64> {
    if expected.headings.is_empty() || live.headings.is_empty() {
        return None;
    }
    let best = |heading: &BTreeSet<String>| {
        let shares = live.headings.iter().filter_map(|other| weights.shared(heading, other));
        shares.fold(0.0, f64::max)
    };
    // The first is what the page is about.
    let shares: Vec<f64> = expected.headings.iter().map(best).collect();
    let rest = &shares[1..];
    let mean = if rest.is_empty() { shares[0] } else { rest.iter().sum::<f64>() / rest.len() as f64 };
    Some(0.7 * shares[0] + 0.3 * mean)
}

/// How many of the forms that one fills in are there, by the names of their fields.
fn shared_forms(expected: &SeenAnswer, live: &SeenAnswer) -> Option<f64> {
    let forms = |answer: &SeenAnswer| -> Vec<BTreeSet<String>> {
        let forms = answer.page.iter().flat_map(|page| page.forms());
        forms.map(filled_in).filter(|names| !names.is_empty()).collect()
    };
    let (was, is) = (forms(expected), forms(live));
    if was.is_empty() {
        return None;
    }
    let kept = was
        .iter()
        .filter(|names| is.iter().any(|other| names.intersection(other).count() * 2 >= names.len()));
    Some(kept.count() as f64 / was.len() as f64)
}

/// The names of the fields of a form that one fills in.
pub(crate) fn filled_in(form: &Form) -> BTreeSet<String> {
    let fields = form.fields.iter().filter(|f| !matches!(f.kind, FieldKind::Hidden | FieldKind::Submit));
    fields.map(|field| field.name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use restage_model::Headers;

    use super::*;

    fn page(html: &str) -> SeenAnswer {
        let body = Arc::new(html.as_bytes().to_vec());
        SeenAnswer::of(&Headers::new(), "/", 200, &Headers::new(), Some(body))
    }

    /// Catches: a page that was laid out anew is taken for another one, or a login page for any page of the site.
    #[test]
    fn a_page_that_was_laid_out_anew_is_more_alike_than_another_page() {
        let menu = "<a>Home</a><a>Books</a><a>Cart</a>";
        let account = page(&format!(
            "<title>My account - Shop</title>{menu}<h1>My account</h1><p>Orders and addresses of Ada</p>"
        ));
        let new = page(&format!(
            "<title>Account | Shop</title>{menu}<h2>Your account</h2><p>Addresses and orders, Ada</p><p>Need help?</p>"
        ));
        let login = page(&format!(
            "<title>Log in - Shop</title>{menu}<h1>Log in</h1><form><input name=user><input type=password name=p></form>"
        ));
        let mut weights = WordWeights::default();
        for (kind, page) in [
            ("account", &account),
            ("login", &login),
            ("list", &page(&format!("<title>Books - Shop</title>{menu}<h1>All books</h1>"))),
        ] {
            weights.add(kind, &page.words);
        }
        let (same, other) = (likeness(&account, &new, &weights), likeness(&account, &login, &weights));
        assert!(same > 0.6 && other < 0.2, "{same} {other}");
        assert!(likeness(&account, &account, &weights) > 0.99);
    }
}
