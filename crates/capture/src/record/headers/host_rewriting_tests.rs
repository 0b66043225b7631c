use super::*;

fn plan(client_scheme: &'static str, upstream: &'static str, rule: HostRule, forwarded: bool) -> HostPlan {
    let (upstream_scheme, authority) = upstream.split_once("://").unwrap();
    let upstream: Authority = authority.parse().unwrap();
    HostPlan {
        client_scheme,
        listener: HeaderValue::from_static("127.0.0.1:9000"),
        upstream_scheme,
        sent: sent_host(&rule, &upstream).unwrap(),
        upstream,
        forwarded,
    }
}

#[test]
fn the_rule_says_which_host_is_sent() {
    let sent = |rule: HostRule, upstream: &str| {
        let sent = sent_host(&rule, &upstream.parse().unwrap()).unwrap();
        sent.map(|value| value.to_str().unwrap().to_owned())
    };
    assert_eq!(sent(HostRule::Auto, "127.0.0.1:8080"), None);
    assert_eq!(sent(HostRule::Auto, "[::1]:8080"), None);
    assert_eq!(sent(HostRule::Auto, "localhost"), None);
    assert_eq!(sent(HostRule::Auto, "shop.example:8080").as_deref(), Some("shop.example:8080"));
    assert_eq!(sent(HostRule::Preserve, "shop.example"), None);
    assert_eq!(sent(HostRule::Upstream, "127.0.0.1:8080").as_deref(), Some("127.0.0.1:8080"));
    assert_eq!(sent(HostRule::Named("a.test".into()), "127.0.0.1").as_deref(), Some("a.test"));
    assert!(sent_host(&HostRule::Named("a b".into()), &"h".parse().unwrap()).is_err());
}

/// Scheme of the listener, upstream, rule, the client's host; then what is given and expected.
type Case =
    (&'static str, &'static str, HostRule, &'static str, &'static [(&'static str, Option<&'static str>)]);

#[test]
fn urls_towards_the_application() {
    let cases: &[Case] = &[
        (
            "http",
            "http://shop.example",
            HostRule::Upstream,
            "localhost:9000",
            &[
                ("http://localhost:9000", Some("http://shop.example")),
                ("http://localhost:9000/cart?x=1", Some("http://shop.example/cart?x=1")),
                ("http://localhost:9001/", None),
                ("https://other.example/", None),
                ("null", None),
                ("", None),
            ],
        ),
        (
            "http",
            "https://shop.example:8443",
            HostRule::Named("inner.test".into()),
            "127.0.0.1:9000",
            &[("http://127.0.0.1:9000/a", Some("https://inner.test/a"))],
        ),
        // The same host for both: only the scheme may differ.
        (
            "http",
            "http://127.0.0.1:8080",
            HostRule::Preserve,
            "localhost:9000",
            &[("http://localhost:9000/a", None)],
        ),
        (
            "https",
            "http://127.0.0.1:8080",
            HostRule::Preserve,
            "localhost:9000",
            &[("https://localhost:9000/a", Some("http://localhost:9000/a"))],
        ),
    ];
    for (scheme, upstream, rule, client, urls) in cases {
        let plan = plan(scheme, upstream, rule.clone(), false);
        let client = HeaderValue::from_static(client);
        for (url, expected) in *urls {
            assert_eq!(
                plan.rewriting(&client).for_app(url).as_deref(),
                *expected,
                "{upstream} {rule:?} {url}"
            );
        }
    }
}

#[test]
fn urls_towards_the_client() {
    let cases: &[Case] = &[
        (
            "http",
            "http://shop.example",
            HostRule::Upstream,
            "localhost:9000",
            &[
                ("/cart", None),
                ("cart", None),
                ("http://shop.example", Some("http://localhost:9000")),
                ("http://SHOP.example:80/cart?a#b", Some("http://localhost:9000/cart?a#b")),
                ("//shop.example/cart", Some("//localhost:9000/cart")),
                // It insists on HTTPS: the client must not leave the recorder; a loop is warned of.
                ("https://shop.example/", Some("http://localhost:9000/")),
                ("http://shop.example:8080/", None),
                ("http://shop.example.evil/", None),
                ("http://user@shop.example/", None),
                ("mailto:a@shop.example", None),
            ],
        ),
        (
            "http",
            "http://127.0.0.1:8080",
            HostRule::Auto,
            "localhost:9000",
            &[
                ("http://localhost:9000/a", None),
                ("http://127.0.0.1:8080/a", Some("http://localhost:9000/a")),
                ("http://localhost:8080/a", Some("http://localhost:9000/a")),
                ("http://[::1]:8080/a", Some("http://localhost:9000/a")),
            ],
        ),
        (
            "https",
            "http://127.0.0.1:8080",
            HostRule::Auto,
            "localhost:9000",
            &[("http://localhost:9000/a", Some("https://localhost:9000/a"))],
        ),
        (
            "http",
            "https://10.0.0.1",
            HostRule::Named("shop.example".into()),
            "[::1]:9000",
            &[
                ("https://shop.example/a", Some("http://[::1]:9000/a")),
                ("https://10.0.0.1/a", Some("http://[::1]:9000/a")),
            ],
        ),
    ];
    for (scheme, upstream, rule, client, urls) in cases {
        let plan = plan(scheme, upstream, rule.clone(), false);
        let client = HeaderValue::from_static(client);
        for (url, expected) in *urls {
            assert_eq!(
                plan.rewriting(&client).for_client(url).as_deref(),
                *expected,
                "{upstream} {rule:?} {url}"
            );
        }
    }
}

#[test]
fn a_response_names_the_recorder() {
    let plan = plan("http", "https://shop.example", HostRule::Upstream, false);
    let client = HeaderValue::from_static("localhost:9000");
    let mut headers = HeaderMap::new();
    for (name, value) in [
        ("location", "https://shop.example/next"),
        ("content-location", "https://shop.example/here"),
        ("refresh", "5; URL=https://shop.example/later"),
        ("access-control-allow-origin", "https://shop.example"),
        ("alt-svc", "h3=\":443\""),
        ("strict-transport-security", "max-age=1000"),
        ("set-cookie", "sid=1; Domain=shop.example; Secure; Path=/"),
        ("set-cookie", "__Host-x=2; Secure; Path=/"),
    ] {
        headers.append(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    let renamed = plan.rewriting(&client).response(&mut headers);
    let fields: Vec<_> = headers.iter().map(|(n, v)| format!("{n}: {}", v.to_str().unwrap())).collect();
    assert_eq!(
        fields,
        [
            "location: http://localhost:9000/next",
            "content-location: http://localhost:9000/here",
            "refresh: 5; URL=http://localhost:9000/later",
            "access-control-allow-origin: http://localhost:9000",
            "set-cookie: sid=1; Path=/",
            "set-cookie: __Host-x=2; Path=/",
        ]
    );
    assert_eq!(renamed.location.as_deref(), Some("http://localhost:9000/next"));
    assert_eq!(renamed.refused_cookie.as_deref(), Some("__Host-x"));
}

#[test]
fn the_client_is_told_of_only_when_asked() {
    let plan = plan("https", "http://127.0.0.1:8080", HostRule::Auto, true);
    let client = HeaderValue::from_static("localhost:9000");
    let mut headers = HeaderMap::new();
    headers.insert("x-forwarded-for", HeaderValue::from_static("10.0.0.7"));
    plan.rewriting(&client).forward(&mut headers, "::1".parse().unwrap());
    assert_eq!(headers["x-forwarded-for"], "10.0.0.7, ::1");
    assert_eq!(headers["x-forwarded-proto"], "https");
    assert_eq!(headers["x-forwarded-host"], "localhost:9000");
    assert_eq!(headers["forwarded"], "for=\"[::1]\";host=\"localhost:9000\";proto=https");
    // Told of HTTPS, the application compares the origin with HTTPS.
    assert_eq!(plan.rewriting(&client).for_app("https://localhost:9000/a"), None);
}
