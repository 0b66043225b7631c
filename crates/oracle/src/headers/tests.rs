use proptest::prelude::*;

use super::*;

/// Headers as they are on the wire.
fn headers(text: &str) -> Headers {
    let mut headers = Headers::new();
    for line in text.lines() {
        let (name, value) = line.split_once(':').unwrap();
        headers.push_bytes(name.trim(), value.trim().as_bytes());
    }
    headers
}

fn said(expected: &str, actual: &str) -> Vec<String> {
    header_differences(&headers(expected), &headers(actual)).into_iter().map(|d| d.to_string()).collect()
}

#[test]
fn what_a_person_would_say() {
    let cases: &[(&str, &str, &[&str])] = &[
        (
            "content-type: text/html",
            "content-type: text/plain",
            &["content type text/html became text/plain"],
        ),
        ("content-type: text/html; charset=UTF-8", "content-type: text/html;charset=\"utf-8\"", &[]),
        ("content-type: text/html; charset=utf-8", "content-type: text/html", &[]),
        (
            "content-type: text/html; charset=utf-8",
            "content-type: text/html; charset=iso-8859-1",
            &["charset utf-8 became iso-8859-1"],
        ),
        ("content-type: text/html", "x-a: 1", &["header content-type is gone"]),
        // DokuWiki's: the name holds a hash of the port.
        (
            "set-cookie: DW9f8e7d6c5b4a39281706f5e4d3c2b1a0=x; path=/",
            "set-cookie: DW00112233445566778899aabbccddeeff=y; path=/",
            &[],
        ),
        ("cache-control: no-store, max-age=60", "cache-control: Max-Age=60,no-store", &[]),
        (
            "cache-control: no-store, max-age=60",
            "cache-control: max-age=30",
            &["header cache-control: max-age 60 became 30", "header cache-control: lost no-store"],
        ),
        ("cache-control: private", "cache-control: public", &["header cache-control: private became public"]),
        ("cache-control: private\ncache-control: no-cache", "cache-control: no-cache, private", &[]),
        ("expires: 0", "expires: Thu, 19 Nov 1981 08:52:00 GMT", &[]),
        ("etag: \"a\"", "etag: \"b\"", &[]),
        ("etag: \"a\"", "x-b: 1", &["header etag is gone"]),
        ("vary: Accept, Cookie", "vary: cookie,accept", &[]),
        ("vary: Accept, Cookie", "vary: Accept", &["header vary: lost cookie"]),
        (
            "x-frame-options: DENY",
            "x-frame-options: sameorigin",
            &["header x-frame-options: deny became sameorigin"],
        ),
        (
            "strict-transport-security: max-age=31536000; includeSubDomains",
            "strict-transport-security: max-age=31536000",
            &["header strict-transport-security: lost includesubdomains"],
        ),
        (
            "content-security-policy: script-src 'self' 'nonce-abc'; img-src *",
            "content-security-policy: img-src *; script-src 'nonce-xyz' 'self'",
            &[],
        ),
        (
            "content-security-policy: script-src 'self'; img-src *",
            "content-security-policy: script-src 'self' 'unsafe-inline'",
            &[
                "header content-security-policy: lost img-src *",
                "header content-security-policy: script-src gained 'unsafe-inline'",
            ],
        ),
        ("content-security-policy: a b", "x-a: 1", &["header content-security-policy is gone"]),
        (
            "permissions-policy: camera=(), geolocation=(self \"https://a,b\")",
            "permissions-policy: geolocation=(\"https://a,b\" self), camera=(self)",
            &["header permissions-policy: camera gained self"],
        ),
        (
            "access-control-allow-origin: https://a.example",
            "access-control-allow-origin: *",
            &["header access-control-allow-origin: https://a.example became *"],
        ),
        (
            "x-a: 1",
            "cross-origin-opener-policy: same-origin",
            &["header cross-origin-opener-policy appeared"],
        ),
        ("set-cookie: sid=1; HttpOnly; Path=/", "set-cookie: sid=2; path=/", &["cookie sid lost HttpOnly"]),
        (
            "set-cookie: sid=1; SameSite=lax; Secure",
            "set-cookie: sid=1; SameSite=None; HttpOnly; Path=/shop",
            &[
                "cookie sid gained Path=/shop",
                "cookie sid gained HttpOnly",
                "cookie sid lost Secure",
                "cookie sid SameSite Lax became None",
            ],
        ),
        ("set-cookie: a=1", "set-cookie: b=1", &["cookie a is no longer set", "cookie b is now set"]),
        ("set-cookie: a=1", "set-cookie: a=; Max-Age=0", &["cookie a is deleted instead of set"]),
        ("x-a: 1", "set-cookie: a=; Max-Age=0", &["cookie a is now deleted"]),
        (
            "www-authenticate: Digest realm=\"a\", nonce=\"1\"",
            "www-authenticate: Basic realm=\"a, b\"",
            &["authentication digest became basic"],
        ),
        ("www-authenticate: Digest realm=\"a\", nonce=\"1\"", "www-authenticate: digest nonce=\"2\"", &[]),
        (
            "content-disposition: attachment; filename=\"a;b.csv\"",
            "content-disposition: attachment; filename=b.csv",
            &["the file's name \"a;b.csv\" became \"b.csv\""],
        ),
        (
            "content-disposition: inline",
            "content-disposition: attachment",
            &["content-disposition inline became attachment"],
        ),
        ("location: /a", "location: /b", &[]),
        ("location: /a", "x-a: 1", &["header location is gone"]),
        ("date: a\nserver: b\nx-request-id: 1", "date: c\nx-request-id: 2", &[]),
    ];
    for (expected, actual, changes) in cases {
        assert_eq!(said(expected, actual), *changes, "{expected}\n{actual}");
    }
}

fn any_headers() -> impl Strategy<Value = Headers> {
    let names: Vec<&str> = PRESENT
        .into_iter()
        .chain(LISTS.into_iter().map(|(name, _)| name))
        .chain([
            "content-type",
            "content-disposition",
            "www-authenticate",
            "set-cookie",
            "access-control-allow-origin",
        ])
        .collect();
    let value = prop_oneof![
        "[ab'\"=;, ()-]{0,10}",
        Just("a=1; HttpOnly; Path=/x".to_owned()),
        Just("text/html; charset=a".to_owned()),
        "[\\x00-\\xff]{0,6}",
    ];
    prop::collection::vec((prop::sample::select(names), value), 0..5)
        .prop_map(|fields| fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

proptest! {
    #[test]
    fn reflexive_and_symmetric(a in any_headers(), b in any_headers()) {
        prop_assert!(header_differences(&a, &a).is_empty());
        prop_assert_eq!(header_differences(&a, &b).is_empty(), header_differences(&b, &a).is_empty());
    }
}
