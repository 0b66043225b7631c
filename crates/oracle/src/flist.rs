//! Flist: page-level control flow, compared before all else (paper 1, section 5.2).

use restage_model::{Answer, Difference, Headers, Key};

/// What a step led to: its status, what kind of thing was answered, and where it sends the browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageFlow {
    status: Option<u16>,
    media_type: Option<String>,
    /// A redirect's target, its ids replaced: an order's number is not control flow.
    target: Option<String>,
    /// As they were, for showing.
    location: Option<String>,
    failed: Option<String>,
}

impl PageFlow {
    /// The flow of a step's answer. `host` is the application's own name, as the request gave it.
    pub fn of(answer: &Answer, host: Option<&str>) -> Self {
        match answer {
            Answer::Failed(why) => Self {
                status: None,
                media_type: None,
                target: None,
                location: None,
                failed: Some(why.clone()),
            },
            Answer::Received(received) => {
                let location = received.headers.get("location").map(Headers::readable);
                Self {
                    status: Some(received.status),
                    media_type: received.headers.media_type(),
                    target: location.as_deref().map(|l| target(l, host)),
                    location,
                    failed: None,
                }
            }
        }
    }
}

/// What differs in the flow of two steps.
pub fn flow_differences(expected: &PageFlow, actual: &PageFlow) -> Vec<Difference> {
    let mut differences = Vec::new();
    let mut push = |summary: String, was: String, is: String| {
        differences.push(Difference { seen_by: "Flist".to_owned(), summary, expected: was, actual: is });
    };
    let none = || "none".to_owned();
    match (&expected.failed, &actual.failed) {
        (None, Some(why)) => {
            push(format!("no answer: {why}"), status(expected.status), why.clone());
            return differences;
        }
        (Some(why), None) => {
            push("an answer where there was none".to_owned(), why.clone(), status(actual.status));
            return differences;
        }
        (Some(_), Some(_)) => return differences,
        (None, None) => {}
    }
    if expected.status != actual.status {
        let (was, is) = (status(expected.status), status(actual.status));
        push(format!("status {was} became {is}"), was, is);
    }
    if expected.target != actual.target {
        let shown = |flow: &PageFlow| flow.location.clone().unwrap_or_else(none);
        let (was, is) = (shown(expected), shown(actual));
        push(format!("the redirect to {was} now leads to {is}"), was, is);
    }
    if expected.media_type != actual.media_type {
        let shown = |flow: &PageFlow| flow.media_type.clone().unwrap_or_else(none);
        let (was, is) = (shown(expected), shown(actual));
        push(format!("content type {was} became {is}"), was, is);
    }
    differences
}

fn status(status: Option<u16>) -> String {
    status.map_or_else(|| "none".to_owned(), |s| s.to_string())
}

/// A redirect's target as a key; the application's own origin left out.
fn target(location: &str, host: Option<&str>) -> String {
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
    use restage_model::{BodyRef, Received};

    use super::*;

    fn redirect(location: &str) -> PageFlow {
        let mut headers = Headers::new();
        headers.push("location", location);
        let received = Received { status: 303, headers, body: BodyRef::default() };
        PageFlow::of(&Answer::Received(received), Some("127.0.0.1:9090"))
    }

    #[test]
    fn ids_and_the_own_origin_are_not_flow_but_the_page_is() {
        let expected = redirect("/order/17?token=a");
        assert!(flow_differences(&expected, &redirect("http://127.0.0.1:9090/order/18?token=b")).is_empty());
        let differences = flow_differences(&expected, &redirect("/login"));
        assert_eq!(differences[0].summary, "the redirect to /order/17?token=a now leads to /login");
        assert_eq!(flow_differences(&expected, &redirect("http://elsewhere/order/18?token=b")).len(), 1);
    }
}
