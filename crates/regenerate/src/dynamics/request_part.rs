//! A part of a request that may name a row.

use std::fmt;

use serde::Serialize;

/// A part of a request that has a value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RequestPart {
    /// A parameter of its address or of its form.
    Parameter(String),
    /// A segment of its path, from 0: the `17` of `/tickets/17/edit/` is segment 1.
    Segment(usize),
}

impl RequestPart {
    /// The segments of a path that are values, by the name that a key has for the path.
    pub fn segments<'p>(path: &'p str, named: &'p str) -> impl Iterator<Item = (Self, &'p str)> {
        let segments = path.split('/').skip(1).zip(named.split('/').skip(1)).enumerate();
        let values =
            segments.filter(|(_, (own, name))| !own.is_empty() && name.starts_with('{') && own != name);
        values.map(|(at, (own, _))| (Self::Segment(at), own))
    }
}

impl fmt::Display for RequestPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parameter(name) => f.write_str(name),
            Self::Segment(at) => write!(f, "segment {at}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches words of the path taken for rows.
    #[test]
    fn segments_that_are_values() {
        let found: Vec<_> = RequestPart::segments("/tickets/17/cc/3/", "/tickets/{n}/cc/{n}/").collect();
        assert_eq!(found, [(RequestPart::Segment(1), "17"), (RequestPart::Segment(3), "3")]);
        assert_eq!(RequestPart::segments("/tickets/", "/tickets/").count(), 0);
    }
}
