//! How addresses, parameters and columns name the rows of a table: `/order/12`, `order_id=12`, `/order?id=12`.

/// The tables that a name means: `order`, `orders`, `order_id` and `orderId` mean `orders`; or else `wp_orders`, where
/// the tables all begin so.
pub(super) fn meant<'a, T>(name: &str, tables: &'a [T], named: impl Fn(&T) -> &str) -> Vec<&'a T> {
    let name = stem(name);
    if name.is_empty() {
        return Vec::new();
    }
    let exact: Vec<&T> = tables.iter().filter(|table| stem(named(table)) == name).collect();
    if !exact.is_empty() {
        return exact;
    }
    // The lines of orders are not what `line` means: that may be those of a cart.
    let is_prefix = |prefix: &str| {
        prefix.ends_with('_')
            && tables.len() > 1
            && tables.iter().all(|table| named(table).starts_with(prefix))
    };
    let ends = |table: &&T| stem(named(table)).strip_suffix(&name).is_some_and(is_prefix);
    tables.iter().filter(ends).collect()
}

/// Whether a name means the row of whatever the path is about.
pub(super) fn is_plain_id(name: &str) -> bool {
    stem(name).is_empty()
}

/// What a parameter is about: `order` in `order[id]`, `order.id` and `orders[]`. None where it only says that it is an id.
pub(super) fn subject(name: &str) -> Option<&str> {
    let is_word = |part: &&str| !part.is_empty() && !part.bytes().all(|b| b.is_ascii_digit());
    name.rsplit(['[', ']', '.']).filter(is_word).find(|part| !is_plain_id(part))
}

/// The number that a parameter's name holds, as that of `delete[40]` does.
pub(super) fn number_in(name: &str) -> Option<&str> {
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    name.split_once('[').and_then(|(_, rest)| rest.split(['[', ']']).find(is_number))
}

/// A name in the singular, without `id`.
fn stem(name: &str) -> String {
    let mut stem = name.to_ascii_lowercase();
    if let Some(rest) = stem.strip_suffix("[]") {
        stem = rest.to_owned();
    }
    for end in ["_ids", "-ids", "ids", "_id", "-id", "id"] {
        if let Some(rest) = stem.strip_suffix(end) {
            stem = rest.to_owned();
            break;
        }
    }
    let stem = stem.trim_matches(['_', '-']);
    match stem.strip_suffix("ies") {
        Some(rest) if rest.len() > 1 => format!("{rest}y"),
        _ => stem.strip_suffix('s').filter(|rest| rest.len() > 2).unwrap_or(stem).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_mean_tables() {
        for (name, table) in [
            ("order", "orders"),
            ("order_id", "orders"),
            ("orderId", "orders"),
            ("orders", "orders"),
            ("category", "categories"),
            ("note", "note"),
            ("orderIds", "orders"),
            ("order_ids[]", "orders"),
        ] {
            assert_eq!(meant(name, &[table, "others"], |t| t), [&table], "{name} {table}");
        }
        for (name, table) in [("id", "orders"), ("book", "orders"), ("line", "orders"), ("der", "orders")] {
            assert!(meant(name, &[table], |t| t).is_empty(), "{name} {table}");
        }
        assert_eq!(meant("post", &["wp_posts", "wp_users"], |t| t), [&"wp_posts"]);
        // The line of a cart is not that of an order.
        assert!(meant("line", &["orders", "order_lines"], |t| t).is_empty());
        assert_eq!(meant("line", &["cart_lines", "line"], |t| t), [&"line"]);
        assert!(is_plain_id("id") && is_plain_id("ids[]") && is_plain_id("ID") && !is_plain_id("order_id"));
        assert_eq!(
            ["order[id]", "$.order.id", "orders[]", "id", "lines[3][book]"].map(subject),
            [Some("order"), Some("order"), Some("orders"), None, Some("book")]
        );
        assert_eq!(["delete[40]", "x", "rows[a][7]"].map(number_in), [Some("40"), None, Some("7")]);
    }
}
