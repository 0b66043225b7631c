//! The constant value table: a value for each type of field and each usual name, for what no session ever sent (paper 3, step 1.4).
//! The user can add to it: `[map.values]` and `[map.types]` in `restage.toml`.

use std::collections::BTreeMap;

use restage_html::{Field, InputType};

/// Values by words in a field's name. The first that is a part of the name counts.
const BY_NAME: &[(&[&str], &str)] = &[
    (&["mail"], "restage@example.com"),
    (&["card", "ccnum", "cc_num"], "4111111111111111"),
    (&["cvv", "cvc"], "123"),
    (&["isbn"], "9780306406157"),
    (&["phone", "tel", "mobile", "fax"], "+1 555 0100"),
    (&["zip", "postal", "postcode", "plz"], "12345"),
    (&["country", "land"], "US"),
    (&["city", "town"], "Springfield"),
    (&["state", "region", "province"], "Oregon"),
    (&["street", "address", "addr"], "12 Main Street"),
    (&["pass", "pwd", "kennwort"], "Restage-2026"),
    (&["login", "user", "nick", "account"], "restage"),
    (&["firstname", "first_name", "givenname", "given"], "Ada"),
    (&["lastname", "last_name", "surname", "family"], "Lovelace"),
    (&["url", "website", "homepage", "link"], "https://example.com/"),
    (&["birth", "date", "datum"], "2026-01-15"),
    (&["time"], "12:00"),
    (&["year"], "2026"),
    (&["month", "day"], "12"),
    (&["price", "amount", "cost", "total", "budget"], "10"),
    (&["qty", "quantity", "count", "number", "num", "stock", "size", "limit", "page"], "1"),
    (&["rating", "rate", "score", "stars", "vote"], "3"),
    (&["age", "hour", "minute"], "30"),
    (&["color", "colour"], "#336699"),
    (
        &["comment", "message", "body", "content", "text", "description", "note", "review", "summary"],
        "Written by restage.",
    ),
    (&["title", "subject", "topic", "heading", "label"], "A title by restage"),
    (&["name"], "Ada Lovelace"),
];

/// What is typed where nothing else is known.
const ANY_TEXT: &str = "restage";

/// The constant value table.
#[derive(Clone, Debug, Default)]
pub struct ConstantTable {
    types: BTreeMap<String, String>,
    names: BTreeMap<String, String>,
}

impl ConstantTable {
    /// The table with what its user added: values by the types of fields, and by their names.
    pub fn new(types: BTreeMap<String, String>, names: BTreeMap<String, String>) -> Self {
        Self { types, names }
    }

    /// What is typed into a field.
    pub fn value(&self, field: &Field) -> String {
        let value = self
            .names
            .get(&field.name)
            .or_else(|| self.types.get(field.input.name()))
            .cloned()
            .unwrap_or_else(|| usual(field));
        match field.longest {
            Some(longest) if value.chars().count() > longest => value.chars().take(longest).collect(),
            _ => value,
        }
    }
}

fn usual(field: &Field) -> String {
    let least = || field.least.clone().filter(|least| !least.is_empty());
    match field.input {
        InputType::Email => "restage@example.com".to_owned(),
        InputType::Number => number(field),
        InputType::Telephone => "+1 555 0100".to_owned(),
        InputType::Url => "https://example.com/".to_owned(),
        InputType::Password => "Restage-2026".to_owned(),
        InputType::Date => least().unwrap_or_else(|| "2026-01-15".to_owned()),
        InputType::DateTime => least().unwrap_or_else(|| "2026-01-15T12:00".to_owned()),
        InputType::Month => least().unwrap_or_else(|| "2026-01".to_owned()),
        InputType::Week => least().unwrap_or_else(|| "2026-W03".to_owned()),
        InputType::Time => least().unwrap_or_else(|| "12:00".to_owned()),
        InputType::Color => "#336699".to_owned(),
        InputType::Search => "a".to_owned(),
        InputType::Text | InputType::Lines => by_name(&field.name).to_owned(),
    }
}

fn number(field: &Field) -> String {
    let bound = |bound: &Option<String>| bound.as_deref().and_then(|bound| bound.trim().parse::<f64>().ok());
    let by_name: f64 = by_name(&field.name).parse().unwrap_or(1.0);
    let value = by_name.clamp(
        bound(&field.least).unwrap_or(f64::MIN),
        bound(&field.most).unwrap_or(f64::MAX).max(bound(&field.least).unwrap_or(f64::MIN)),
    );
    value.to_string()
}

fn by_name(name: &str) -> &'static str {
    let name = name.to_ascii_lowercase();
    if matches!(name.as_str(), "q" | "s" | "query" | "search" | "keyword" | "keywords" | "term") {
        return "a";
    }
    let found = BY_NAME.iter().find(|(words, _)| words.iter().any(|word| name.contains(word)));
    found.map_or(ANY_TEXT, |(_, value)| value)
}

#[cfg(test)]
mod tests {
    use restage_html::Page;

    use super::*;

    fn value(table: &ConstantTable, input: &str) -> String {
        let page = Page::of(format!("<form>{input}</form>").as_bytes());
        table.value(&page.forms[0].fields[0])
    }

    /// Catches: a form that is refused since a word stands where a number, a date or an address is wanted.
    #[test]
    fn values_fit_their_fields() {
        let table = ConstantTable::default();
        for (input, expected) in [
            ("<input name=x type=email>", "restage@example.com"),
            ("<input name=user_email>", "restage@example.com"),
            ("<input name=qty type=number min=3 max=9>", "3"),
            ("<input name=qty type=number max=0>", "0"),
            ("<input name=price type=number>", "10"),
            ("<input name=when type=date min=2027-01-01>", "2027-01-01"),
            ("<input name=q>", "a"),
            ("<input name=x maxlength=3>", "res"),
            ("<textarea name=comment></textarea>", "Written by restage."),
        ] {
            assert_eq!(value(&table, input), expected, "{input}");
        }
    }

    /// Catches: a table that the user cannot change.
    #[test]
    fn the_user_has_the_last_word() {
        let table = ConstantTable::new(
            [("date".to_owned(), "2030-05-05".to_owned())].into(),
            [("iban".to_owned(), "DE02".to_owned())].into(),
        );
        assert_eq!(value(&table, "<input name=when type=date>"), "2030-05-05");
        assert_eq!(value(&table, "<input name=iban>"), "DE02");
    }
}
