//! What is kept out of replays, and why.

use restage_capture::{BotSign, Reason, SessionRules, StaticClass};
use restage_model::Exchange;

/// Why an exchange is kept out; none where it is replayed. `all` is all traffic.
pub(crate) fn exchange_reason(
    exchange: &Exchange,
    all: &[&Exchange],
    rules: &SessionRules,
) -> Option<Reason> {
    let leave_out = &rules.leave_out;
    let path = exchange.request.path();
    if !exchange.request.uri.starts_with('/') || is_of_another_host(exchange, rules) {
        return Some(Reason::Elsewhere);
    }
    if status(exchange) == Some(101) {
        return Some(Reason::Upgraded);
    }
    // An action belongs to its session whatever it is answered with.
    let class =
        StaticClass::of(exchange).filter(|class| !is_action(exchange) && leave_out.classes.contains(class));
    if let Some(class) = class {
        return Some(Reason::Static(class));
    }
    if leave_out.paths.iter().any(|pattern| pattern.matches(path)) {
        return Some(Reason::Listed);
    }
    // Imported, and whoever asked for it was told that it is not there or cannot be asked for.
    let answers: Vec<u16> =
        all.iter().filter(|e| e.imported && e.request.path() == path).filter_map(|e| status(e)).collect();
    let refused = |status: &u16| [400, 404, 405, 410, 414, 501].contains(status);
    let invalid = exchange.imported && !answers.is_empty() && answers.iter().all(refused);
    (leave_out.invalid && invalid).then_some(Reason::Invalid)
}

/// Why a whole session is kept out; none where it is a test.
pub(crate) fn session_reason(own: &[&Exchange], all: &[&Exchange], rules: &SessionRules) -> Option<Reason> {
    if let Some(sign) = bot_sign(own).filter(|_| !rules.bots) {
        return Some(Reason::Bot(sign));
    }
    let reasons: Vec<Option<Reason>> = own.iter().map(|e| exchange_reason(e, all, rules)).collect();
    if reasons.iter().all(Option::is_some) {
        // One reason where there is one.
        let same = reasons.iter().all(|reason| *reason == reasons[0]);
        return if same { reasons[0] } else { Some(Reason::OnlyStatic) };
    }
    let mut kept = own.iter().zip(&reasons).filter(|(_, reason)| reason.is_none()).map(|(e, _)| e);
    kept.all(|e| is_static_page(e, all, rules)).then_some(Reason::OnlyStatic)
}

/// Whether a request does something: it is no GET or HEAD.
fn is_action(exchange: &Exchange) -> bool {
    exchange.request.method != "GET" && exchange.request.method != "HEAD"
}

/// Whether a page is the same for everybody: it is no action, and it is listed, or imported and always answered from a file.
fn is_static_page(exchange: &Exchange, all: &[&Exchange], rules: &SessionRules) -> bool {
    let path = exchange.request.path();
    if is_action(exchange) {
        return false;
    }
    if rules.leave_out.static_pages.iter().any(|pattern| pattern.matches(path)) {
        return true;
    }
    let alike = all.iter().filter(|e| e.imported && e.request.path() == path);
    let answers: Vec<_> = alike.filter_map(|e| e.response.as_ref()).collect();
    let from_file = |response: &&restage_model::Response| {
        let has = |name: &str| response.headers.get(name).is_some();
        has("last-modified") && has("accept-ranges") && !has("set-cookie")
    };
    exchange.imported
        && exchange.request.query().is_empty()
        && answers.iter().any(from_file)
        // That nothing has changed says nothing of where it came from.
        && answers.iter().filter(|response| response.status != 304).all(from_file)
}

/// How a session is known for a bot's.
fn bot_sign(own: &[&Exchange]) -> Option<BotSign> {
    let agent = own[0].request.headers.get("user-agent").unwrap_or_default().to_ascii_lowercase();
    let all = |what: fn(&Exchange) -> bool| own.iter().all(|e| what(e));
    // The names have a test of their own.
    if agent.contains("googlebot") {
        return Some(BotSign::Name);
    }
    if own.iter().any(|e| e.request.path() == "/robots.txt") {
        return Some(BotSign::Robots);
    }
    if own.len() > 1 && all(|e| e.request.method == "HEAD") {
        return Some(BotSign::Heads);
    }
    // It says that it is a browser, and has asked for sixty pages or more, faster than one a second, without a cookie, a
    // page before or anything to look at.
    let bare = all(|e| {
        let has = |name: &str| e.request.headers.get(name).is_some();
        e.imported
            && e.request.method == "GET"
            && !has("cookie")
            && !has("referer")
            && StaticClass::of(e).is_none()
    });
    let lasted = own[own.len() - 1].at.since(own[0].at);
    let fast = lasted < 1_000_000 * own.len() as i64;
    (agent.starts_with("mozilla/") && own.len() >= 60 && bare && fast).then_some(BotSign::Haste)
}

fn is_of_another_host(exchange: &Exchange, rules: &SessionRules) -> bool {
    let Some(host) = exchange.request.headers.get("host") else { return false };
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    let is = |own: &String| own.eq_ignore_ascii_case(host) || own.eq_ignore_ascii_case(name);
    !rules.hosts.is_empty() && !rules.hosts.iter().any(is)
}

fn status(exchange: &Exchange) -> Option<u16> {
    exchange.response.as_ref().map(|response| response.status)
}
