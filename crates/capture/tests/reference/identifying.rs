//! What identifies users: cookies, headers, the user that the server knows, or else the place.

use std::collections::BTreeSet;

use restage_capture::By;
use restage_model::{Exchange, SetCookie, cookie_pairs};

/// What identifies a user: which cookie or header, as a rule names it, and its value.
pub(crate) type Mark = (String, String);

/// The rules, with the cookies that were found in the traffic.
pub(crate) struct Identification {
    /// By rule: what it looks at.
    rules: Vec<Vec<By>>,
    /// What identifies users where no rule does.
    pub(crate) place_by: By,
}

impl Identification {
    pub(crate) fn learn(by: &[By], exchanges: &[&Exchange]) -> Self {
        // Every exchange has a place: no rule after it is asked.
        let is_place = |by: &By| matches!(by, By::Ip | By::IpAgent);
        let place_by = by.iter().find(|by| is_place(by)).cloned().unwrap_or(By::IpAgent);
        let rules = by.iter().take_while(|by| !is_place(by)).map(|by| match by {
            By::Cookie(None) => session_cookies(exchanges),
            other => vec![other.clone()],
        });
        Self { rules: rules.collect(), place_by }
    }

    /// The client's address and, unless the rule is the address alone, its agent.
    pub(crate) fn place<'a>(&self, exchange: &'a Exchange) -> (&'a str, &'a str) {
        let agent = exchange.request.headers.get("user-agent").unwrap_or_default();
        (&exchange.client, if self.place_by == By::Ip { "" } else { agent })
    }

    /// The marks of the request: those of the first rule that it has any of.
    pub(crate) fn carried(&self, exchange: &Exchange) -> Vec<Mark> {
        let of_rule = |rule: &Vec<By>| -> Vec<Mark> {
            let marks = carried_marks(exchange).into_iter();
            marks.filter(|(by, value)| rule.contains(by) && !value.is_empty()).map(named).collect()
        };
        self.rules.iter().map(of_rule).find(|marks| !marks.is_empty()).unwrap_or_default()
    }

    /// The marks that the response gives, by any rule.
    pub(crate) fn set(&self, exchange: &Exchange) -> Vec<Mark> {
        let given = self.own_cookies(exchange).into_iter().filter(|c| !c.removes && !c.value.is_empty());
        given.map(|cookie| named((By::Cookie(Some(cookie.name)), cookie.value))).collect()
    }

    /// Whether the response takes a mark back, or gives one for a part of the site only: requests without it may follow.
    pub(crate) fn lets_go(&self, exchange: &Exchange) -> bool {
        self.own_cookies(exchange)
            .iter()
            .any(|c| c.removes || c.path.as_ref().is_some_and(|path| path != "/"))
    }

    /// What first marks an exchange.
    pub(crate) fn first_mark(&self, exchange: &Exchange) -> Option<String> {
        self.carried(exchange).into_iter().chain(self.set(exchange)).map(|(by, _)| by).next()
    }

    /// The cookies that the response sets and a rule looks at.
    fn own_cookies(&self, exchange: &Exchange) -> Vec<SetCookie> {
        let looked_at = |name: &str| self.rules.iter().flatten().any(|by| *by == cookie(name));
        set_cookies(exchange).into_iter().filter(|c| looked_at(&c.name)).collect()
    }
}

/// Whatever of a request any rule might look at.
fn carried_marks(exchange: &Exchange) -> Vec<(By, String)> {
    let headers = &exchange.request.headers;
    let cookies = headers.all("cookie").flat_map(cookie_pairs);
    let mut marks: Vec<(By, String)> =
        cookies.map(|(name, value)| (cookie(name), value.to_owned())).collect();
    marks.extend(
        headers.get("x-user").map(|value| (By::Header("x-user".to_owned()), value.trim().to_owned())),
    );
    // The credentials of basic authentication, or what the log has before the address.
    let basic = headers.get("authorization").filter(|value| value.to_ascii_lowercase().starts_with("basic "));
    let logged = exchange.client.rsplit_once('@').map(|(user, _)| user);
    marks.extend(basic.or(logged).map(|user| (By::User, user.to_owned())));
    marks
}

/// The cookies of the traffic that name sessions.
fn session_cookies(exchanges: &[&Exchange]) -> Vec<By> {
    let carried = exchanges.iter().flat_map(|e| carried_cookies(e)).map(|(name, _)| name);
    let set = exchanges.iter().flat_map(|e| set_cookies(e)).map(|c| c.name);
    let names: BTreeSet<String> = carried.chain(set).collect();
    let found = names
        .iter()
        .filter(|name| identifies_by_name(name, exchanges) || identifies_by_value(name, exchanges));
    found.map(|name| cookie(name)).collect()
}

/// A name that frameworks use for sessions, a value that can identify a user, and not one value for all.
fn identifies_by_name(name: &str, exchanges: &[&Exchange]) -> bool {
    // The names have a test of their own; these are the ones of the traffic here.
    if !["sid", "phpsessid"].contains(&name.to_ascii_lowercase().as_str()) {
        return false;
    }
    let is_id = |value: &str| value.len() >= 16;
    let set = given(name, exchanges);
    let can = set.iter().any(|(_, c)| is_id(&c.value) || !c.persistent)
        || exchanges.iter().flat_map(|e| carried_cookies(e)).any(|(n, value)| n == name && is_id(&value));
    let newcomers = newcomers(name, exchanges);
    let values: BTreeSet<&String> = newcomers.iter().collect();
    let one_for_all = newcomers.len() > 1 && values.len() * 2 <= newcomers.len();
    can && !one_for_all
}

/// Values most of which look random, that differ from newcomer to newcomer, and are sent back.
fn identifies_by_value(name: &str, exchanges: &[&Exchange]) -> bool {
    let random = |value: &str| {
        let count = |of: fn(&char) -> bool| value.chars().filter(of).count();
        value.len() >= 16 && count(char::is_ascii_digit) >= 3 && count(char::is_ascii_alphabetic) >= 3
    };
    let newcomers = newcomers(name, exchanges);
    let values: BTreeSet<&String> = newcomers.iter().collect();
    let sent_back = exchanges.iter().enumerate().any(|(at, e)| {
        let before = self::newcomers(name, &exchanges[..at]);
        carried_cookies(e).iter().any(|(n, value)| n == name && before.contains(value))
    });
    let given = given(name, exchanges);
    let drawn = given.iter().filter(|(_, c)| random(&c.value)).count();
    drawn * 2 > given.len() && values.len() == newcomers.len() && sent_back
}

/// The values that were given to those who came without the cookie.
fn newcomers(name: &str, exchanges: &[&Exchange]) -> Vec<String> {
    let carries = |e: &Exchange| carried_cookies(e).iter().any(|(n, _)| n == name);
    given(name, exchanges).into_iter().filter(|(e, _)| !carries(e)).map(|(_, c)| c.value).collect()
}

/// Where a cookie was given, and not taken back.
fn given<'a>(name: &str, exchanges: &[&'a Exchange]) -> Vec<(&'a Exchange, SetCookie)> {
    let all = exchanges.iter().flat_map(|e| set_cookies(e).into_iter().map(|c| (*e, c)));
    all.filter(|(_, c)| c.name == name && !c.removes && !c.value.is_empty()).collect()
}

fn carried_cookies(exchange: &Exchange) -> Vec<(String, String)> {
    let pairs = exchange.request.headers.all("cookie").flat_map(cookie_pairs);
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn set_cookies(exchange: &Exchange) -> Vec<SetCookie> {
    let headers = exchange.response.iter().flat_map(|r| r.headers.all("set-cookie"));
    headers.filter_map(|header| SetCookie::parse_at(header, exchange.at)).collect()
}

fn cookie(name: &str) -> By {
    By::Cookie(Some(name.to_owned()))
}

fn named((by, value): (By, String)) -> Mark {
    (by.to_string(), value)
}
