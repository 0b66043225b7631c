//! Cookies, as requests carry them and responses set them.

use crate::{Headers, Moment};

/// The cookies of a `cookie` header's value, in order.
pub fn cookie_pairs(header: &str) -> impl Iterator<Item = (&str, &str)> {
    header.split(';').filter_map(|pair| {
        let (name, value) = pair.split_once('=')?;
        let name = name.trim();
        (!name.is_empty()).then(|| (name, value.trim()))
    })
}

/// What one `set-cookie` header says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetCookie {
    /// The cookie's name.
    pub name: String,
    /// Its value, as on the wire.
    pub value: String,
    /// `Path`, where given.
    pub path: Option<String>,
    /// `Domain`, where given, without a leading dot.
    pub domain: Option<String>,
    /// Whether it says that the cookie is to be dropped (`Max-Age=0`, or `Expires` in the past).
    pub removes: bool,
    /// Whether it lives past the browser's end.
    pub persistent: bool,
}

impl SetCookie {
    /// The cookies that a response sets. Whether one has run out is told by the server's clock, which its `date`
    /// shows: a response may be of another day.
    pub fn all(headers: &Headers) -> impl Iterator<Item = Self> {
        let now = headers.get("date").and_then(Moment::from_http_date).unwrap_or_else(Moment::now);
        headers.all("set-cookie").filter_map(move |header| Self::parse_at(header, now))
    }

    /// Reads a `set-cookie` header's value as of now; `None` where it names no cookie.
    pub fn parse(header: &str) -> Option<Self> {
        Self::parse_at(header, Moment::now())
    }

    /// Reads a `set-cookie` header's value as of some time; `None` where it names no cookie.
    pub fn parse_at(header: &str, now: Moment) -> Option<Self> {
        let mut parts = header.split(';');
        let (name, value) = parts.next()?.split_once('=')?;
        let name = name.trim();
        if name.is_empty() {
            return None;
        }
        let mut cookie = Self { name: name.to_owned(), value: value.trim().to_owned(), ..Self::default() };
        let mut max_age = None;
        let mut expired = None;
        for part in parts {
            let (attribute, value) = part.split_once('=').unwrap_or((part, ""));
            let value = value.trim();
            match attribute.trim().to_ascii_lowercase().as_str() {
                "path" if value.starts_with('/') => cookie.path = Some(value.to_owned()),
                "domain" if !value.is_empty() => {
                    cookie.domain = Some(value.trim_start_matches('.').to_ascii_lowercase());
                }
                "max-age" => max_age = value.parse::<i64>().ok(),
                "expires" => expired = is_past(value, now),
                _ => {}
            }
        }
        // Max-Age has precedence over Expires.
        cookie.removes = max_age.map_or(expired == Some(true), |age| age <= 0);
        cookie.persistent = !cookie.removes && (max_age.is_some() || expired.is_some());
        Some(cookie)
    }
}

/// Whether a cookie date is in the past. Only the year is looked at for the old formats that servers
/// use to delete cookies; a date of this year is read in full.
fn is_past(date: &str, now: Moment) -> Option<bool> {
    let fields: Vec<&str> = date.split([' ', '-', ',', ':']).filter(|f| !f.is_empty()).collect();
    let year = fields.iter().rev().find_map(|f| f.parse::<i16>().ok().filter(|y| *y > 1000))?;
    let now = jiff::Timestamp::from_microsecond(now.0).ok()?;
    let this_year: i16 = now.strftime("%Y").to_string().parse().ok()?;
    if year != this_year {
        return Some(year < this_year);
    }
    let normal = date.replace('-', " ");
    let at = jiff::fmt::rfc2822::parse(&normal).ok()?.timestamp();
    Some(at < now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_keep_equals_signs_in_values() {
        let pairs: Vec<_> = cookie_pairs("a=1; token=x=y ; broken; =z").collect();
        assert_eq!(pairs, [("a", "1"), ("token", "x=y")]);
    }

    #[test]
    fn attributes_are_read() {
        let cookie = SetCookie::parse("sid=abc; Path=/shop; Domain=.Example.org; HttpOnly").unwrap();
        assert_eq!(cookie.path.as_deref(), Some("/shop"));
        assert_eq!(cookie.domain.as_deref(), Some("example.org"));
        assert!(!cookie.removes && !cookie.persistent);
    }

    #[test]
    fn deletion_in_all_the_usual_ways() {
        for header in [
            "sid=; Max-Age=0",
            "sid=deleted; expires=Thu, 01-Jan-1970 00:00:01 GMT; Max-Age=0; path=/",
            "sid=; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
        ] {
            assert!(SetCookie::parse(header).unwrap().removes, "{header}");
        }
        let kept = SetCookie::parse("sid=a; Expires=Wed, 01 Jan 2130 00:00:00 GMT").unwrap();
        assert!(!kept.removes && kept.persistent);
    }

    /// Catches: a cookie that the app, under an earlier clock, lets live for an hour is taken for deleted.
    #[test]
    fn a_cookie_lives_by_the_clock_of_its_server() {
        let headers: Headers = [
            ("date", "Sun, 05 Jan 2020 10:00:00 GMT"),
            ("set-cookie", "sid=a; Expires=Sun, 05 Jan 2020 11:00:00 GMT"),
            ("set-cookie", "old=; Expires=Sun, 05 Jan 2020 09:00:00 GMT"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into_iter()
        .collect();
        let removes: Vec<bool> = SetCookie::all(&headers).map(|c| c.removes).collect();
        assert_eq!(removes, [false, true]);
    }
}
