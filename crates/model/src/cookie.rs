//! Cookies, as requests carry them and responses set them.

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
    /// Reads a `set-cookie` header's value; `None` where it names no cookie.
    pub fn parse(header: &str) -> Option<Self> {
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
                "expires" => expired = is_past(value),
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
fn is_past(date: &str) -> Option<bool> {
    let fields: Vec<&str> = date.split([' ', '-', ',', ':']).filter(|f| !f.is_empty()).collect();
    let year = fields.iter().rev().find_map(|f| f.parse::<i16>().ok().filter(|y| *y > 1000))?;
    let now = jiff::Timestamp::now();
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
}
