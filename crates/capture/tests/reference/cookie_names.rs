//! Which cookies name sessions.

use std::collections::{HashMap, HashSet};

use restage_model::{Exchange, SetCookie, cookie_pairs};

/// A value this long is taken for an identifier.
const ID_LENGTH: usize = 16;

/// The names that are a framework's, or an application's, own.
const KNOWN: &[&str] = &[
    "sid",
    "connect.sid",
    "phpsessid",
    "jsessionid",
    "sessionid",
    "asp.net_sessionid",
    "laravel_session",
    "cakephp",
    "cfid",
    "dokuwiki",
    "shaarli",
    "phpmyadmin",
    "jwt",
    "auth_token",
    "access_token",
];

/// The names of the cookies that tell users apart, each once, in order of appearance.
pub(crate) fn session_cookies<'a>(exchanges: &[&'a Exchange]) -> Vec<&'a str> {
    let mut order: Vec<&'a str> = Vec::new();
    let mut seen: HashMap<&'a str, Evidence<'a>> = HashMap::new();
    for exchange in exchanges {
        let carried: Vec<(&str, &str)> = carried(exchange).collect();
        for &(name, value) in &carried {
            let evidence = evidence(name, &mut seen, &mut order);
            evidence.carried_id |= value.len() >= ID_LENGTH;
            evidence.returned |= evidence.values.contains(value);
        }
        let response = exchange.response.iter();
        for header in response.flat_map(|response| response.headers.all("set-cookie")) {
            let Some((name, value)) = name_and_value(header) else { continue };
            let evidence = evidence(name, &mut seen, &mut order);
            let Some(cookie) =
                SetCookie::parse_at(header, exchange.at).filter(|c| !c.removes && !value.is_empty())
            else {
                continue;
            };
            evidence.set_id |= value.len() >= ID_LENGTH || (!cookie.persistent && is_known(name));
            evidence.set_plain |= !looks_random(value);
            if !carried.iter().any(|(n, _)| *n == name) {
                evidence.newcomers += 1;
                evidence.values.insert(value);
            }
        }
    }
    order.retain(|name| seen.get(name).is_some_and(Evidence::tells_apart));
    order
}

/// The cookies a request carries.
pub(crate) fn carried(exchange: &Exchange) -> impl Iterator<Item = (&str, &str)> {
    exchange.request.headers.all("cookie").flat_map(cookie_pairs)
}

/// The name and value of a `set-cookie` header, in place.
pub(crate) fn name_and_value(header: &str) -> Option<(&str, &str)> {
    let (name, value) = header.split(';').next()?.split_once('=')?;
    let name = name.trim();
    (!name.is_empty()).then(|| (name, value.trim()))
}

#[derive(Default)]
struct Evidence<'a> {
    /// Its name is one that sessions have.
    named: bool,
    carried_id: bool,
    set_id: bool,
    /// A value was set that does not look drawn at random.
    set_plain: bool,
    /// A value that was set was sent back.
    returned: bool,
    newcomers: usize,
    values: HashSet<&'a str>,
}

impl Evidence<'_> {
    fn tells_apart(&self) -> bool {
        let same_for_all = self.newcomers > 1 && self.values.len() * 2 <= self.newcomers;
        let by_name = self.named && (self.set_id || self.carried_id) && !same_for_all;
        let by_value = self.newcomers == self.values.len() && self.returned && !self.set_plain;
        by_name || by_value
    }
}

fn evidence<'e, 'a>(
    name: &'a str,
    seen: &'e mut HashMap<&'a str, Evidence<'a>>,
    order: &mut Vec<&'a str>,
) -> &'e mut Evidence<'a> {
    seen.entry(name).or_insert_with(|| {
        order.push(name);
        Evidence { named: is_session_name(name), ..Evidence::default() }
    })
}

/// Long, of letters and digits mixed: an identifier, and no word, date or setting.
fn looks_random(value: &str) -> bool {
    let count = |kind: fn(&u8) -> bool| value.bytes().filter(kind).count();
    value.len() >= ID_LENGTH && count(u8::is_ascii_digit) >= 3 && count(u8::is_ascii_alphabetic) >= 3
}

fn is_known(name: &str) -> bool {
    KNOWN.iter().any(|known| known.eq_ignore_ascii_case(bare(name)))
}

fn is_session_name(name: &str) -> bool {
    let name = bare(name);
    let hex = |text: &str| text.len() == 32 && text.bytes().all(|b| b.is_ascii_hexdigit());
    if is_known(name) || hex(name) || name.strip_prefix("DW").is_some_and(hex) {
        return true;
    }
    let lower = name.to_ascii_lowercase();
    // Applications that know no session before login keep a token against forged requests, one a
    // browser: it joins what came before the login to what comes after.
    ["sess", "csrf", "xsrf", "wordpress_logged_in", "prestashop-", "aspnetcore.identity"]
        .iter()
        .any(|part| lower.contains(part))
        || ["_sid", ".sid", "-sid"].iter().any(|end| lower.ends_with(end))
}

fn bare(name: &str) -> &str {
    name.strip_prefix("__Host-").or_else(|| name.strip_prefix("__Secure-")).unwrap_or(name)
}
