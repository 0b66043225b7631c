//! A list of secrets, planted wherever an exchange can hold them.

use proptest::prelude::*;
use restage_model::{Captured, CapturedBody, Headers, Moment};
use restage_redact::{Redactor, Rules, StandIns};

fn redactor() -> Redactor {
    Redactor::recording(Rules::default(), StandIns::of_text("a key"))
}

fn exchange(
    uri: &str,
    headers: &[(&str, &str)],
    body: &str,
    answer: &[(&str, &str)],
    page: &str,
) -> Captured {
    let fields = |fields: &[(&str, &str)]| -> Headers {
        fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    };
    let held = |text: &str| CapturedBody { bytes: text.as_bytes().to_vec(), size: text.len() as u64 };
    Captured {
        at: Moment(0),
        took: 1,
        client: "127.0.0.1".to_owned(),
        method: "POST".to_owned(),
        uri: uri.to_owned(),
        headers: fields(headers),
        body: held(body),
        response: Some((200, fields(answer), held(page))),
        error: None,
    }
}

fn all_of(captured: &Captured) -> String {
    let (_, headers, body) = captured.response.as_ref().expect("a response");
    format!(
        "{}\n{:?}\n{}\n{:?}\n{}",
        captured.uri,
        captured.headers,
        String::from_utf8_lossy(&captured.body.bytes),
        headers,
        String::from_utf8_lossy(&body.bytes)
    )
}

const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");
const HTML: (&str, &str) = ("content-type", "text/html; charset=utf-8");
const JSON: (&str, &str) = ("content-type", "application/json");

/// Catches: a place of an exchange that is not looked at.
#[test]
fn nothing_planted_is_left() {
    let cases = [
        exchange("/login?password=hunter2&api_key=k1k2k3k4k5", &[], "", &[], ""),
        exchange(
            "/a",
            &[FORM],
            "user=anna&password=Op%C3%A9n+sesame%21&next=%2F",
            &[HTML],
            "<p>Opén sesame!</p>",
        ),
        exchange(
            "/a",
            &[JSON],
            r#"{"user":{"password":"hunter2","pin":7391}}"#,
            &[JSON],
            r#"{"token":"tok-83a1b2c3d4"}"#,
        ),
        exchange(
            "/a",
            &[("content-type", "multipart/form-data; boundary=XX")],
            "--XX\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhunter2\r\n--XX\r\nContent-Disposition: form-data; name=\"cv\"; filename=\"a.txt\"\r\n\r\nanna@corp.org 4111111111111111\r\n--XX--\r\n",
            &[],
            "",
        ),
        exchange(
            "/a",
            &[("cookie", "lang=en; sid=5f3a9c7be1d2; remember=anna%40corp.org")],
            "",
            &[
                ("set-cookie", "sid=5f3a9c7be1d2; Path=/; HttpOnly"),
                ("location", "/b?session_id=5f3a9c7be1d2"),
            ],
            "",
        ),
        exchange(
            "/a",
            &[("authorization", "Bearer abcd1234efgh5678"), ("x-api-key", "k1k2k3k4k5")],
            "",
            &[],
            "",
        ),
        exchange("/a", &[("authorization", "Basic YW5uYTpodW50ZXIy")], "", &[HTML], "you are hunter2"),
        exchange(
            "/a",
            &[FORM],
            "card=4111+1111+1111+1111&cvv=739&email=anna%40corp.org",
            &[HTML],
            "<b>anna&#64;corp.org</b> 4111-1111-1111-1111",
        ),
        exchange("/a", &[FORM], "payload=%7B%22password%22%3A%22hunter2%22%7D", &[], ""),
    ];
    for mut captured in cases {
        redactor().redact(&mut captured);
        let left = all_of(&captured);
        for secret in [
            "hunter2",
            "sesame",
            "anna@corp",
            "anna%40corp",
            "anna&#64;corp",
            "4111111111111111",
            "4111+1111",
            "4111-1111",
            "5f3a9c7be1d2",
            "abcd1234efgh5678",
            "k1k2k3k4k5",
            "tok-83a1b2c3d4",
            "7391",
            "YW5uYTpodW50ZXIy",
            "cvv=739&",
        ] {
            assert!(!left.contains(secret), "{secret} is left in\n{left}");
        }
    }
}

/// Catches: a login that no longer fits its registration; a token that no longer fits the page it came from.
#[test]
fn the_same_secret_has_the_same_stand_in_everywhere() {
    let mut redactor = redactor();
    let mut register = exchange(
        "/register",
        &[FORM],
        "name=anna&pass=Hunter-22&pass2=Hunter-22",
        &[HTML],
        "<input name=csrf value=\"ab12cd34ef\">",
    );
    let mut login = exchange("/login", &[JSON], r#"{"password":"Hunter-22"}"#, &[HTML], "");
    let mut use_it = exchange(
        "/do?t=ab12cd34ef",
        &[("x-csrf-token", "ab12cd34ef")],
        "",
        &[HTML],
        "<script>go('ab12cd34ef')</script>",
    );
    for captured in [&mut register, &mut login, &mut use_it] {
        redactor.redact(captured);
    }
    let body = String::from_utf8(register.body.bytes).unwrap();
    let typed = body.split("pass=").nth(1).unwrap().split('&').next().unwrap().to_owned();
    assert!(body.ends_with(&format!("pass2={typed}")));
    assert_eq!(String::from_utf8(login.body.bytes.clone()).unwrap(), format!(r#"{{"password":"{typed}"}}"#));
    let page = String::from_utf8(register.response.unwrap().2.bytes).unwrap();
    let token = page.split("value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    assert_eq!(use_it.uri, format!("/do?t={token}"));
    assert_eq!(use_it.headers.get("x-csrf-token"), Some(token.as_str()));
    assert!(all_of(&use_it).contains(&format!("go('{token}')")));
}

/// Catches: a password field with a name of one letter, which no list of names has.
#[test]
fn what_is_typed_into_a_password_field_is_secret_whatever_its_name() {
    let mut redactor = redactor();
    let page = "<form action=\"doku.php?do=login\"><input name=u><input type='password' name=p></form>";
    let mut form = exchange("/wiki/start", &[], "", &[HTML], page);
    let mut login = exchange("/wiki/doku.php", &[FORM], "u=anna&p=sesame", &[HTML], "");
    let mut other = exchange("/wiki/other", &[FORM], "p=sesame", &[HTML], "");
    for captured in [&mut form, &mut login, &mut other] {
        redactor.redact(captured);
    }
    assert_eq!(&form.response.unwrap().2.bytes, page.as_bytes());
    let body = String::from_utf8(login.body.bytes).unwrap();
    assert!(body.starts_with("u=anna&p=") && !body.contains("sesame"), "{body}");
    assert_eq!(other.body.bytes, b"p=sesame");
}

/// Catches: a store that is sanitized twice, or an export that is imported again, with other values.
#[test]
fn stand_ins_are_no_secrets() {
    let mut first = redactor();
    let mut captured = exchange(
        "/a?token=ab12cd34ef",
        &[FORM, ("cookie", "sid=5f3a9c7be1d2"), ("authorization", "Basic YW5uYTpodW50ZXIy")],
        "password=hunter2&email=anna%40corp.org&card=4111111111111111",
        &[JSON],
        r#"{"mail":"anna@corp.org","password":"hunter2"}"#,
    );
    first.redact(&mut captured);
    let once = all_of(&captured);
    let made = first.take_fresh();
    let mut second = redactor();
    second.made_before(made);
    second.redact(&mut captured);
    assert_eq!(all_of(&captured), once);
    assert!(second.counts().is_empty(), "{:?}", second.counts());
}

/// Catches: a body that is packed, and so hides what is in it; and one that is then taken for cut.
#[test]
fn packed_bodies_are_read() {
    use std::io::Write as _;
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(br#"{"token":"tok-83a1b2c3d4"}"#).unwrap();
    let packed = packer.finish().unwrap();
    let mut captured = exchange("/a", &[], "", &[JSON, ("content-encoding", "gzip")], "");
    if let Some((_, _, body)) = &mut captured.response {
        body.size = packed.len() as u64;
        body.bytes = packed;
    }
    redactor().redact(&mut captured);
    let (_, headers, body) = captured.response.unwrap();
    let text = String::from_utf8(body.bytes.clone()).unwrap();
    assert!(text.starts_with(r#"{"token":"#) && !text.contains("tok-83a1b2c3d4"), "{text}");
    assert!(headers.get("content-encoding").is_none() && !body.cut());
}

/// Catches: secrets in places that are easily overlooked.
#[test]
fn nothing_is_left_in_odd_places() {
    let xml = ("content-type", "text/xml");
    let cases = [
        exchange("/a", &[("authorization", "Basic c2tfbGl2ZV9hYjEyY2QzNDo=")], "", &[], ""),
        exchange(
            "/a",
            &[FORM],
            "pay=4539+1488+0343+6467+12%2F29&assertion=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc",
            &[],
            "",
        ),
        exchange(
            "/a",
            &[xml],
            "<e:Password Type=\"t\">SoapPw1</e:Password><Password><![CDATA[SoapPw2]]></Password>",
            &[],
            "",
        ),
        exchange("/a?next=%2Freset%3Ftoken%3Dabc12345xyz%26m%3Dbob%2540corp.org", &[], "", &[], ""),
        exchange("/reset/6vSgg12abcQ9", &[], "", &[HTML], "<a href=\"/reset/6vSgg12abcQ9\">reset</a>"),
        exchange("/a?api_key=AbCdEfGhIjKl", &[("x-auth-token", "mysecret part2token99")], "", &[], ""),
        exchange("/a", &[("cookie", "remember=YW5uYUBjb3JwLm9yZw==")], "", &[HTML], "anna&commat;corp.org"),
        exchange(
            "/a",
            &[JSON],
            r#"{"client_secret":"opensesame"}"#,
            &[HTML],
            "<script>h[\"X-CSRF-Token\"]=\"ab12cd34\"; setItem(\"token\", \"ab12cd35\")</script>",
        ),
        exchange("/a", &[("user-agent", "bot (anna@corp.org)")], "", &[], ""),
    ];
    for mut captured in cases {
        redactor().redact(&mut captured);
        let left = all_of(&captured);
        for secret in [
            "c2tfbGl2ZV9hYjEyY2QzNDo",
            "0343+6467",
            "eyJzdWIi",
            "SoapPw",
            "abc12345xyz",
            "bob%2540corp",
            "6vSgg12",
            "AbCdEfGh",
            "part2token99",
            "YW5uYUBjb3JwLm9yZw",
            "anna&commat;corp",
            "opensesame",
            "ab12cd34",
            "ab12cd35",
            "anna@corp",
        ] {
            assert!(!left.contains(secret), "{secret} is left in\n{left}");
        }
    }
}

/// Catches: a word that somebody has for a password, taken out of everybody's pages; and names that only look like a secret's.
#[test]
fn harmless_words_stay() {
    let mut redactor = redactor();
    let mut login = exchange("/login", &[FORM], "user=anna&password=products", &[], "");
    let mut other = exchange(
        "/products?compass=north&session=keynote-2024&ean=4006381300063",
        &[JSON],
        r#"{"username":"joe"}"#,
        &[HTML],
        "<a href=/products>products</a>",
    );
    redactor.redact(&mut login);
    let before = all_of(&other);
    redactor.redact(&mut other);
    assert_eq!(all_of(&other), before);
    assert!(!all_of(&login).contains("products"));
}

/// Catches: an address that is one user in one form and another in the next.
#[test]
fn an_address_has_one_stand_in_whatever_its_name() {
    let mut redactor = redactor();
    let stand_in = |redactor: &mut Redactor, name: &str| {
        let mut captured = exchange("/a", &[FORM], &format!("{name}=anna%40corp.org"), &[], "");
        redactor.redact(&mut captured);
        String::from_utf8(captured.body.bytes).unwrap().split('=').nth(1).unwrap().to_owned()
    };
    let first = stand_in(&mut redactor, "user%5Bemail%5D");
    assert_eq!(stand_in(&mut redactor, "session%5Bemail%5D"), first);
    assert_eq!(stand_in(&mut redactor, "password_reset%5Bemail%5D"), first);
}

/// Catches: a short secret of one user that is stored as it is, since it is the stand-in of another's.
#[test]
fn of_many_short_secrets_none_is_taken_for_a_stand_in() {
    let mut redactor = redactor();
    redactor.meets_stand_ins(false);
    for number in 100..1000 {
        let mut captured = exchange("/a", &[FORM], &format!("cvv={number}"), &[], "");
        redactor.redact(&mut captured);
        assert_ne!(captured.body.bytes, format!("cvv={number}").as_bytes());
    }
}

/// Catches: a text made of nothing but names, keys or parts, which takes minutes. (Linear, each is a few milliseconds.)
#[test]
fn no_text_takes_long() {
    for piece in ["?sid=", "eyJ", ":pin>", "-----BEGIN ", "\"password\":\"", "a@", "4111 ", "bearer "] {
        let mut captured =
            exchange("/a", &[("content-type", "text/plain")], &piece.repeat(400_000 / piece.len()), &[], "");
        let begun = std::time::Instant::now();
        redactor().redact(&mut captured);
        assert!(begun.elapsed().as_secs() < 20, "{piece}: {:?}", begun.elapsed());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 100, ..ProptestConfig::default() })]

    /// Catches: a panic, or bytes lost, on any bytes at all.
    #[test]
    fn any_bytes(uri in "/[ -~]{0,40}", body in proptest::collection::vec(any::<u8>(), 0..200), page in "([ -~]|token=|%40|\"password\":\"|<input name=csrf value=|@|&amp;){0,60}") {
        let mut captured = exchange(&uri, &[FORM], "", &[HTML], &page);
        captured.body = CapturedBody { size: body.len() as u64, bytes: body };
        let mut again = captured.clone();
        redactor().redact(&mut captured);
        redactor().redact(&mut again);
        prop_assert_eq!(all_of(&captured), all_of(&again));
    }

    /// Catches: a secret of unusual characters that is not found again in a page or an address.
    #[test]
    fn any_password_is_gone(password in "[a-zA-Z0-9@&<>\"' /%+é!-]{5,14}[a-z]{2}[0-9]{2}") {
        let typed: String = url::form_urlencoded::Serializer::new(String::new()).append_pair("password", &password).finish();
        let escaped = password.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;");
        let mut captured = exchange("/a", &[FORM], &typed, &[HTML], &format!("<p>you typed {escaped}, well</p>"));
        redactor().redact(&mut captured);
        let left = all_of(&captured);
        prop_assert!(!left.contains(&format!("typed {escaped},")), "{}", left);
        prop_assert!(!left.contains(&typed), "{}", left);
    }
}
