//! What is remembered of an exchange while sessions are told apart: 32 bytes, whatever its size.

use restage_model::{Exchange, ExchangeId, Moment};

use crate::sessions::filter::Reason;
use crate::sessions::static_class::StaticClass;

/// An exchange, as far as it tells sessions apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) id: ExchangeId,
    pub(super) at: Moment,
    /// Its client and agent, by number.
    pub(super) client: u32,
    /// Its path, by number; only that of an imported one is looked at.
    pub(super) path: u32,
    /// Where its identifiers begin, if it has any.
    pub(super) identifiers: u32,
    pub(super) traits: Traits,
    pub(super) class: Option<StaticClass>,
    /// Why it is left out by itself, whatever others were answered.
    pub(super) reason: Option<Reason>,
}

/// What is so of an exchange or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Traits(u8);

impl Traits {
    pub(super) const IMPORTED: Self = Self(1);
    pub(super) const HEAD: Self = Self(1 << 1);
    pub(super) const GET: Self = Self(1 << 2);
    /// It asks for `/robots.txt`.
    pub(super) const ROBOTS: Self = Self(1 << 3);
    /// It says where it came from: a cookie, or a page.
    pub(super) const ORIGIN: Self = Self(1 << 4);
    pub(super) const QUERY: Self = Self(1 << 5);
    /// The rules list its path as a page that is the same for everybody.
    pub(super) const STATIC_PAGE: Self = Self(1 << 6);

    pub(super) fn of(exchange: &Exchange, static_page: bool) -> Self {
        let request = &exchange.request;
        let has = |name: &str| request.headers.get(name).is_some();
        let all = [
            (Self::IMPORTED, exchange.imported),
            (Self::HEAD, request.method == "HEAD"),
            (Self::GET, request.method == "GET"),
            (Self::ROBOTS, request.path() == "/robots.txt"),
            (Self::ORIGIN, has("cookie") || has("referer")),
            (Self::QUERY, !request.query().is_empty()),
            (Self::STATIC_PAGE, static_page),
        ];
        Self(all.iter().filter(|(_, is)| *is).map(|(bit, _)| bit.0).sum())
    }

    pub(super) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

#[cfg(test)]
mod tests {
    /// Catches: a row that grows, and a million of them with it.
    #[test]
    fn a_row_is_small() {
        assert_eq!(size_of::<super::Row>(), 32);
    }
}
