//! How addresses, parameters and columns name the rows of a table: `/order/12`, `order_id=12`, `/order?id=12`.

/// Whether a name means the rows of a table: `order`, `orders`, `order_id` and `orderId` those of `orders` and `shop_orders`.
pub(super) fn names_table(name: &str, table: &str) -> bool {
    let (name, table) = (stem(name), stem(table));
    !name.is_empty() && (name == table || table.strip_suffix(&name).is_some_and(|rest| rest.ends_with('_')))
}

/// Whether a name means the row of whatever the path is about.
pub(super) fn is_plain_id(name: &str) -> bool {
    stem(name).is_empty()
}

/// A name in the singular, without `id`.
fn stem(name: &str) -> String {
    let mut stem = name.to_ascii_lowercase();
    for end in ["_id", "-id", "[]", "id"] {
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
            ("post", "wp_posts"),
            ("note", "note"),
        ] {
            assert!(names_table(name, table), "{name} {table}");
        }
        for (name, table) in [("id", "orders"), ("book", "orders"), ("line", "orders"), ("der", "orders")] {
            assert!(!names_table(name, table), "{name} {table}");
        }
        assert!(is_plain_id("id") && is_plain_id("ID") && !is_plain_id("order_id"));
    }
}
