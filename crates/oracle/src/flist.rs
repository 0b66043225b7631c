//! Flist: page-level control flow, compared before all else (paper 1, section 5.2).

use restage_model::{Answer, Difference, Headers, Key, Place, Sent, Step, Substitution};

/// What a step was and led to: what was asked for, its status, what kind of thing was answered, and where it
/// sends the browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageFlow {
    /// What was asked for. A replay follows the live page's links: where they lead is control flow.
    asked: Key,
    /// As it was, for showing.
    address: String,
    /// How the live application led there: "a link on /cart".
    via: Option<String>,
    status: Option<u16>,
    media_type: Option<String>,
    /// A redirect's target, its ids replaced: an order's number is not control flow.
    target: Option<String>,
    /// As they were, for showing.
    location: Option<String>,
    failed: Option<String>,
}

impl PageFlow {
    /// The flow of a step.
    pub fn of(step: &Step) -> Self {
        let asked = Key::of(&step.sent.method, path(&step.sent.uri), "");
        let (address, via) = (step.sent.uri.clone(), via(&step.sent, &step.substitutions));
        let flow = Self {
            asked,
            address,
            via,
            status: None,
            media_type: None,
            target: None,
            location: None,
            failed: None,
        };
        match &step.answer {
            Answer::Failed(why) => Self { failed: Some(why.clone()), ..flow },
            Answer::Received(received) => {
                let location = received.headers.get("location").map(Headers::readable);
                Self {
                    status: Some(received.status),
                    media_type: received.headers.media_type(),
                    target: location.as_deref().map(|l| redirect_shape(l, step.sent.headers.get("host"))),
                    location,
                    ..flow
                }
            }
        }
    }
}

/// What differs in the flow of two steps.
pub fn flow_differences(expected: &PageFlow, actual: &PageFlow) -> Vec<Difference> {
    let mut differences = Vec::new();
    let mut push = |place: Place, was: Option<String>, is: Option<String>| {
        differences.push(Difference { seen_by: vec!["Flist".to_owned()], place, was, is });
    };
    if expected.asked != actual.asked {
        let via = actual.via.clone().or_else(|| expected.via.clone());
        push(Place::Address { via }, Some(expected.address.clone()), Some(actual.address.clone()));
    }
    match (&expected.failed, &actual.failed) {
        (None, Some(why)) => {
            push(Place::NoAnswer, Some(status(expected.status)), Some(why.clone()));
            return differences;
        }
        (Some(why), None) => {
            push(Place::Answered, Some(why.clone()), Some(status(actual.status)));
            return differences;
        }
        (Some(_), Some(_)) => return differences,
        (None, None) => {}
    }
    if expected.status != actual.status {
        push(Place::Status, Some(status(expected.status)), Some(status(actual.status)));
    }
    if expected.target != actual.target {
        push(Place::Redirect, expected.location.clone(), actual.location.clone());
    }
    if expected.media_type != actual.media_type {
        push(Place::ContentType, expected.media_type.clone(), actual.media_type.clone());
    }
    differences
}

/// How the live application led to a request, where it led elsewhere than recorded.
fn via(sent: &Sent, substitutions: &[Substitution]) -> Option<String> {
    let source = &substitutions.iter().find(|s| s.target == "address")?.source;
    let what = ["link", "form", "redirect"].into_iter().find(|what| source.contains(what))?;
    let page = sent.headers.get("referer").and_then(|r| r.split_once("://")).map(|(_, rest)| rest);
    let page = page.and_then(|rest| rest.find('/').map(|at| path(&rest[at..])));
    Some(page.map_or_else(|| format!("a {what}"), |page| format!("a {what} on {page}")))
}

fn path(uri: &str) -> &str {
    uri.split('?').next().unwrap_or(uri)
}

fn status(status: Option<u16>) -> String {
    status.map_or_else(|| "none".to_owned(), |s| s.to_string())
}

/// A redirect's target as a key, whatever ids are in it; the application's own origin left out.
pub fn redirect_shape(location: &str, host: Option<&str>) -> String {
    let local = location
        .split_once("://")
        .map(|(_, rest)| rest)
        .or_else(|| location.strip_prefix("//"))
        .and_then(|rest| {
            let (authority, _) = rest.split_once(['/', '?', '#']).unwrap_or((rest, ""));
            (Some(authority) == host).then(|| &rest[authority.len()..])
        })
        .unwrap_or(location);
    let local = local.split('#').next().unwrap_or_default();
    let local = if local.is_empty() { "/" } else { local };
    Key::of("", local, "").as_str().trim_start().to_owned()
}

#[cfg(test)]
mod tests {
    use restage_model::{BodyRef, ExchangeId, Received, StepAt};

    use super::*;

    fn step(uri: &str, location: &str) -> Step {
        let headers =
            |name: &str, value: &str| [(name.to_owned(), value.to_owned())].into_iter().collect::<Headers>();
        let mut sent = headers("host", "127.0.0.1:9090");
        sent.push("referer", "http://127.0.0.1:9090/home?x=1");
        Step {
            at: StepAt { session: 0, step: 0 },
            exchange: ExchangeId(1),
            origin: restage_model::Origin::Recorded,
            sent: Sent {
                method: "GET".to_owned(),
                uri: uri.to_owned(),
                headers: sent,
                body: BodyRef::default(),
            },
            answer: Answer::Received(Received {
                status: 303,
                headers: headers("location", location),
                body: BodyRef::default(),
            }),
            substitutions: Vec::new(),
            stale: None,
            took: 0,
        }
    }

    fn differences(expected: &Step, actual: &Step) -> Vec<String> {
        let found = flow_differences(&PageFlow::of(expected), &PageFlow::of(actual));
        found.into_iter().map(|d| d.to_string()).collect()
    }

    #[test]
    fn ids_and_the_own_origin_are_not_flow_but_the_page_is() {
        let expected = step("/buy", "/order/17?token=a");
        assert!(differences(&expected, &step("/buy", "http://127.0.0.1:9090/order/18?token=b")).is_empty());
        assert_eq!(
            differences(&expected, &step("/buy", "/login")),
            ["the redirect to /order/17?token=a now leads to /login"]
        );
        assert_eq!(differences(&expected, &step("/buy", "http://elsewhere/order/18?token=b")).len(), 1);
    }

    #[test]
    fn where_a_live_link_leads_is_flow() {
        let mut astray = step("/bok/3", "/");
        astray.substitutions.push(Substitution {
            target: "address".to_owned(),
            recorded: "/book/3".to_owned(),
            live: "/bok/3".to_owned(),
            source: "step 1: its link".to_owned(),
            why: String::new(),
        });
        assert_eq!(
            differences(&step("/book/3", "/"), &astray),
            ["a link on /home leads to /bok/3 instead of /book/3"]
        );
        assert!(differences(&step("/book/3", "/"), &step("/book/4", "/")).is_empty());
    }
}
