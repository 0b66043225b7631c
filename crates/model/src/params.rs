//! Parameters of a query or of a URL-encoded form, with the spelling they had on the wire.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// What `application/x-www-form-urlencoded` leaves as it is.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'*').remove(b'-').remove(b'.').remove(b'_');

/// One parameter. Unless it is set anew, it is written back exactly as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    raw: String,
}

impl Param {
    /// A parameter of a name and a value.
    pub fn new(name: &str, value: &str) -> Self {
        Self { raw: format!("{}={}", encode(name), encode(value)) }
    }

    /// Its name, decoded.
    pub fn name(&self) -> String {
        decode(self.raw.split_once('=').map_or(self.raw.as_str(), |(name, _)| name))
    }

    /// Its value, decoded; empty where it has none.
    pub fn value(&self) -> String {
        decode(self.raw.split_once('=').map_or("", |(_, value)| value))
    }

    /// Gives it another value, keeping its name's spelling.
    pub fn set_value(&mut self, value: &str) {
        let name = self.raw.split_once('=').map_or(self.raw.as_str(), |(name, _)| name);
        self.raw = format!("{name}={}", encode(value));
    }
}

/// Parameters in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Params(pub Vec<Param>);

impl Params {
    /// Reads `a=1&b=2`.
    pub fn parse(text: &str) -> Self {
        Self(text.split('&').filter(|p| !p.is_empty()).map(|p| Param { raw: p.to_owned() }).collect())
    }

    /// Name and value pairs, decoded.
    pub fn pairs(&self) -> Vec<(String, String)> {
        self.0.iter().map(|p| (p.name(), p.value())).collect()
    }

    /// The names, sorted, each once.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.0.iter().map(Param::name).collect();
        names.sort();
        names.dedup();
        names
    }

    /// `a=1&b=2`, untouched parameters as they were.
    pub fn encode(&self) -> String {
        self.0.iter().map(|p| p.raw.as_str()).collect::<Vec<_>>().join("&")
    }
}

fn decode(text: &str) -> String {
    percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned()
}

fn encode(text: &str) -> String {
    utf8_percent_encode(text, PLAIN).to_string().replace("%20", "+")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_not_set_keeps_its_spelling() {
        let mut params = Params::parse("q=a%20b&x&token=1%2f2");
        params.0[2].set_value("3/4 5");
        assert_eq!(params.encode(), "q=a%20b&x&token=3%2F4+5");
        assert_eq!(params.pairs()[0], ("q".to_owned(), "a b".to_owned()));
        assert_eq!(params.pairs()[1], ("x".to_owned(), String::new()));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(name in "\\PC{1,8}", value in "\\PC{0,12}") {
            let params = Params::parse(&Param::new(&name, &value).raw);
            prop_assert_eq!(params.pairs(), vec![(name, value)]);
        }
    }
}
