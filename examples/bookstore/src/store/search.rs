//! Finding books: by keyword, and by several criteria. The order of results is always definite.

use rusqlite::{Connection, params_from_iter, types::Value};

use super::books::{Book, ids};

/// The columns a keyword is looked for in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MatchedColumns {
    TitleAndAuthor,
    TitleOnly,
}

/// Whether a book must meet all criteria or any of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    All,
    Any,
}

/// The order of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SortBy {
    Title,
    PriceUp,
    PriceDown,
    Newest,
    /// As a careless programmer sorts prices.
    PriceText,
}

/// An advanced search; what is `None` does not matter.
#[derive(Debug, Default)]
pub(crate) struct Criteria {
    /// Words in one of the columns.
    pub(crate) words: Option<(String, MatchedColumns)>,
    pub(crate) title: Option<String>,
    pub(crate) author: Option<String>,
    pub(crate) category_id: Option<i64>,
    pub(crate) min_price: Option<i64>,
    pub(crate) max_price: Option<i64>,
    pub(crate) in_stock: bool,
}

impl Book {
    /// The books with the keyword in one of the columns.
    pub(crate) fn with_keyword(
        db: &Connection,
        keyword: &str,
        columns: MatchedColumns,
    ) -> rusqlite::Result<Vec<i64>> {
        let words = Some((keyword.to_owned(), columns));
        let criteria = Criteria { words, ..Criteria::default() };
        Book::matching(db, &criteria, Wanted::All, SortBy::Title)
    }

    /// The books that meet the criteria.
    pub(crate) fn matching(
        db: &Connection,
        criteria: &Criteria,
        wanted: Wanted,
        sort: SortBy,
    ) -> rusqlite::Result<Vec<i64>> {
        let mut conditions = Vec::new();
        let mut values: Vec<Value> = Vec::new();
        if let Some((words, columns)) = &criteria.words {
            let (condition, columns) = match columns {
                MatchedColumns::TitleAndAuthor => {
                    ("(title LIKE ? ESCAPE '\\' OR author LIKE ? ESCAPE '\\')", 2)
                }
                MatchedColumns::TitleOnly => ("title LIKE ? ESCAPE '\\'", 1),
            };
            conditions.push(condition);
            values.extend(std::iter::repeat_n(Value::from(pattern(words)), columns));
        }
        let mut require = |condition: &'static str, value: Option<Value>| {
            if let Some(value) = value {
                conditions.push(condition);
                values.push(value);
            }
        };
        require("title LIKE ? ESCAPE '\\'", criteria.title.as_deref().map(|text| pattern(text).into()));
        require("author LIKE ? ESCAPE '\\'", criteria.author.as_deref().map(|text| pattern(text).into()));
        require("category_id = ?", criteria.category_id.map(Value::from));
        require("price >= ?", criteria.min_price.map(Value::from));
        require("price <= ?", criteria.max_price.map(Value::from));
        require("stock > ?", criteria.in_stock.then_some(Value::from(0)));
        let joined = match wanted {
            _ if conditions.is_empty() => "1".to_owned(),
            Wanted::All => conditions.join(" AND "),
            Wanted::Any => conditions.join(" OR "),
        };
        let order = match sort {
            SortBy::Title => "title, id",
            SortBy::PriceUp => "price, title, id",
            SortBy::PriceDown => "price DESC, title, id",
            SortBy::Newest => "published DESC, id DESC",
            SortBy::PriceText => "CAST(price AS TEXT), title, id",
        };
        let query = format!("SELECT id FROM books WHERE {joined} ORDER BY {order}");
        ids(db, &query, params_from_iter(values))
    }
}

/// A LIKE pattern that takes the user's `%` and `_` literally.
fn pattern(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{escaped}%")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shop() -> (tempfile::TempDir, Connection) {
        let folder = tempfile::tempdir().unwrap();
        let db = crate::store::open(&folder.path().join("shop.db")).unwrap();
        (folder, db)
    }

    #[test]
    fn keywords_match_titles_and_authors_literally() {
        let (_folder, db) = shop();
        let count = |keyword| Book::with_keyword(&db, keyword, MatchedColumns::TitleAndAuthor).unwrap().len();
        assert_eq!(count("marlowe"), 3);
        assert_eq!(count("%"), 0);
        assert!(count("the") > 16);
    }

    #[test]
    fn criteria_narrow_the_result() {
        let (_folder, db) = shop();
        let criteria = Criteria { category_id: Some(5), max_price: Some(2600), ..Criteria::default() };
        let found = Book::matching(&db, &criteria, Wanted::All, SortBy::PriceUp).unwrap();
        let prices: Vec<i64> = Book::load(&db, &found).unwrap().iter().map(|book| book.price).collect();
        assert_eq!(prices, [2480, 2600]);
    }
}
