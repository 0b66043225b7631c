//! The fields of a form or of a query, as sent.

use url::form_urlencoded;

/// Names and values in the order sent.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fields(Vec<(String, String)>);

impl Fields {
    pub(crate) fn parse(encoded: &[u8]) -> Fields {
        Fields(form_urlencoded::parse(encoded).into_owned().collect())
    }

    /// The first value of the name, without spaces around it; empty if it is not there.
    pub(crate) fn get(&self, name: &str) -> &str {
        self.raw(name).trim()
    }

    /// The first value of the name as sent, as passwords need it.
    pub(crate) fn raw(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| known == name)
    }

    /// The value, if there is one that is not empty.
    pub(crate) fn given(&self, name: &str) -> Option<&str> {
        Some(self.get(name)).filter(|value| !value.is_empty())
    }

    pub(crate) fn number(&self, name: &str) -> Option<i64> {
        self.get(name).parse().ok()
    }

    /// An amount such as `12.50` or `12`, in cents.
    pub(crate) fn cents(&self, name: &str) -> Option<i64> {
        let (whole, part) = self.get(name).split_once('.').unwrap_or((self.get(name), ""));
        let cents = match part.len() {
            0 => 0,
            1 => part.parse::<u8>().ok()? * 10,
            2 => part.parse::<u8>().ok()?,
            _ => return None,
        };
        Some(i64::from(whole.parse::<u32>().ok()?) * 100 + i64::from(cents))
    }

    /// The text of a textarea, with the line ends that the database keeps.
    pub(crate) fn text(&self, name: &str) -> String {
        self.get(name).replace("\r\n", "\n")
    }
}

/// A query string of the pairs, encoded.
pub(crate) fn query(pairs: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_in_cents() {
        let cents = |text: &str| Fields(vec![("p".to_owned(), text.to_owned())]).cents("p");
        assert_eq!(cents("12.5"), Some(1250));
        assert_eq!(cents("9"), Some(900));
        assert_eq!(cents("9.999"), None);
        assert_eq!(cents("-3"), None);
        assert_eq!(cents(""), None);
    }

    #[test]
    fn an_absent_field_is_empty() {
        let fields = Fields::parse(b"a=+x+&b=");
        assert_eq!((fields.get("a"), fields.raw("a"), fields.get("c")), ("x", " x ", ""));
        assert!(fields.has("b") && fields.given("b").is_none());
    }
}
