//! What a search by criteria calls its fields, and what they say.

use crate::faults::Fault;
use crate::shop::Shop;
use crate::store::{Criteria, MatchedColumns};
use crate::web::{Fields, query};

/// A search page: its address, its form, and the fields that have other names on another page.
#[derive(Debug)]
pub(super) struct SearchFields {
    pub(super) title: &'static str,
    pub(super) path: &'static str,
    pub(super) form: &'static str,
    /// The field for keywords, if there is one.
    pub(super) words: Option<&'static str>,
    pub(super) price_from: &'static str,
    pub(super) price_to: &'static str,
}

impl SearchFields {
    /// Until release 4: beside the search by keyword.
    pub(super) const ADVANCED: SearchFields = SearchFields {
        title: "Advanced search",
        path: "/search/advanced",
        form: "advanced",
        words: None,
        price_from: "min",
        price_to: "max",
    };

    /// From release 5 on: the only search.
    pub(super) const FIND: SearchFields = SearchFields {
        title: "Search",
        path: "/find",
        form: "find",
        words: Some("words"),
        price_from: "price_from",
        price_to: "price_to",
    };

    /// Whether books are asked for: the form was sent, or the page called with something to look for.
    pub(super) fn asked(&self, fields: &Fields) -> bool {
        let sought = |words| [words, "title", "author", "category", self.price_from, self.price_to];
        let given = |name: &&str| fields.given(name).is_some();
        fields.has("sort") || self.words.is_some_and(|words| sought(words).iter().any(given))
    }

    /// The criteria that the fields say.
    pub(super) fn criteria(&self, shop: &Shop, fields: &Fields) -> Criteria {
        let max =
            fields.cents(self.price_to).map(|max| max - i64::from(shop.faulty(Fault::MaxPriceExclusive)));
        let columns = match shop.faulty(Fault::SearchIgnoresAuthor) {
            true => MatchedColumns::TitleOnly,
            false => MatchedColumns::TitleAndAuthor,
        };
        Criteria {
            words: self.words.and_then(|name| Some((fields.given(name)?.to_owned(), columns))),
            title: fields.given("title").map(str::to_owned),
            author: fields.given("author").map(str::to_owned),
            category_id: fields.number("category"),
            min_price: fields.cents(self.price_from).map(|min| shop.release.lowest_price_sold_from(min)),
            max_price: max.map(|max| shop.release.highest_price_sold_up_to(max)),
            in_stock: fields.get("show") == "stock",
        }
    }

    /// The address of a page of the results.
    pub(super) fn page_address(&self, shop: &Shop, fields: &Fields, page: usize) -> String {
        let number = page.to_string();
        let words = self.words.unwrap_or_default();
        let kept =
            [words, "title", "author", "category", self.price_from, self.price_to, "show", "sort", "details"];
        let value = |name: &&'static str| match *name == words && shop.faulty(Fault::NextPageLosesQuery) {
            true => Some("a"),
            false => fields.given(name),
        };
        let mut pairs: Vec<(&str, &str)> = kept
            .iter()
            .filter(|name| !name.is_empty())
            .filter_map(|name| Some((*name, value(name)?)))
            .collect();
        pairs.push(("page", &number));
        format!("{}?{}", self.path, query(&pairs))
    }
}
