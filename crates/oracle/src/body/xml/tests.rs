use proptest::prelude::*;

use super::*;

fn said(expected: &str, actual: &str) -> Vec<String> {
    let found = xml_differences(expected.as_bytes(), actual.as_bytes());
    found.into_iter().map(|d| d.to_string()).collect()
}

fn feed(titles: &[&str]) -> String {
    let items: String =
        titles.iter().map(|t| format!("\n  <item><title>{t}</title><link/></item>")).collect();
    format!("<?xml version=\"1.0\"?>\n<rss version=\"2.0\"><channel>{items}\n</channel></rss>")
}

#[test]
fn elements_are_named_by_their_path() {
    assert_eq!(
        said(&feed(&["x", "y", "a"]), &feed(&["x", "y", "b"])),
        [r#"/rss/channel/item[3]/title text "a" became "b""#]
    );
    assert_eq!(said(&feed(&["x", "y"]), &feed(&["n", "x", "y"])), ["/rss/channel/item[1] appeared"]);
    assert_eq!(said(&feed(&["x", "y", "z"]), &feed(&["x", "z"])), ["/rss/channel/item[2] is gone"]);
    assert_eq!(said("<a><b/></a>", "<a><c/></a>"), ["/a/b is gone", "/a/c appeared"]);
    assert_eq!(said("<a/>", "<b/>"), ["/a is gone", "/b appeared"]);
    assert_eq!(said("<a>x<b/>y</a>", "<a>x<b/></a>"), [r#"/a text "y" is gone"#]);
}

#[test]
fn attributes_are_named() {
    assert_eq!(
        said(r#"<a x="1" y="2" z="3"/>"#, r#"<a y="4" z="3" w="5"/>"#),
        [
            r#"/a attribute w="5" appeared"#,
            r#"/a attribute x="1" is gone"#,
            r#"/a attribute y "2" became "4""#,
        ]
    );
    assert_eq!(said(r#"<a x=""/>"#, "<a/>"), [r#"/a attribute x="" is gone"#]);
}

#[test]
fn what_means_nothing_is_not_seen() {
    for (a, b) in [
        (r#"<a x="1" y="2"/>"#, r#"<a y='2' x='1'></a>"#),
        ("<a> <b> x  y </b>\n</a>", "<a><b>x y</b></a>"),
        ("<a>x<!-- c -->y</a>", "<a>xy</a>"),
        ("<a>&lt;&#65;&amp;</a>", "<a><![CDATA[<A&]]></a>"),
        ("<?xml version=\"1.0\"?><!DOCTYPE a><a/>", "\u{feff}<a/>"),
        ("<a>&own;</a>", "<a >&own;</a >"),
    ] {
        assert_eq!(said(a, b), Vec::<String>::new(), "{a} {b}");
    }
    assert_eq!(said("<s:a xmlns:s='u'/>", "<t:a xmlns:t='u'/>").len(), 2, "prefixes are as written");
}

#[test]
fn latin_1_is_told_apart() {
    let body = |byte: u8| [&b"<?xml version='1.0' encoding='ISO-8859-1'?><a>"[..], &[byte], b"</a>"].concat();
    assert_eq!(xml_differences(&body(0xe9), &body(0xe8)).len(), 1);
}

#[test]
fn what_is_not_well_formed_is_said_with_its_place() {
    let why = |actual: &str| said("<a/>", actual).concat();
    assert_eq!(
        why("<a>\n <b></a>"),
        "no longer well-formed XML: ill-formed document: expected `</b>`, but `</a>` was found at line 2 column 5"
    );
    assert_eq!(why("<a>"), "no longer well-formed XML: <a> is not closed at line 1 column 4");
    assert!(why("<a/><b/>").contains("a second root element at line 1 column 5"));
    assert!(why("<a/>x").contains("text outside of the root element"));
    assert!(why("").contains("there is no element"));
    assert!(why("<a x='1' x='2'/>").contains("no longer well-formed XML"));
    assert!(said("<a>", "<a/>").concat().starts_with("now well-formed XML; was not: <a>"));
    assert_eq!(said("<a>\n<b>", "<a>\n<c>"), [r#"line 2 "<b>" became "<c>""#]);
}

#[test]
fn what_nests_too_deep_is_text() {
    let deep = |inside: &str| format!("{}{inside}{}", "<a>".repeat(50_000), "</a>".repeat(50_000));
    assert_eq!(said(&deep("1"), &deep("2")).len(), 1);
    assert!(said(&deep("1"), &deep("1")).is_empty());
}

fn xml() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        "[ab]{1,2} ?",
        Just("<!-- c -->".to_owned()),
        Just("&amp;".to_owned()),
        "[12]".prop_map(|v| format!("<e x=\"{v}\" y='1'/>")),
    ];
    let inner = leaf.prop_recursive(3, 16, 4, |inner| {
        ("[pq]", prop::collection::vec(inner, 0..4))
            .prop_map(|(name, c)| format!("<{name}>{}</{name}>", c.concat()))
    });
    prop::collection::vec(inner, 0..4).prop_map(|children| format!("<r>{}</r>", children.concat()))
}

proptest! {
    #[test]
    fn reflexive_and_symmetric(a in xml(), b in xml()) {
        prop_assert_eq!(said(&a, &format!("\n{a}\n<!-- -->")), Vec::<String>::new());
        prop_assert_eq!(said(&a, &b).is_empty(), said(&b, &a).is_empty());
        let shown = |body: &str| Node::read(body.as_bytes()).unwrap().to_string();
        prop_assert_eq!(said(&a, &b).is_empty(), shown(&a) == shown(&b));
    }

    #[test]
    fn any_bytes_are_compared(a in prop::collection::vec(any::<u8>(), 0..60), b in prop::collection::vec(any::<u8>(), 0..60)) {
        prop_assert_eq!(xml_differences(&a, &b).is_empty(), xml_differences(&b, &a).is_empty());
    }

    #[test]
    fn nearly_xml_is_compared(a in "(<a>|</a>|<b x='1'/>|&#|&amp;|<!\\[CDATA\\[|\\]\\]>|<!--|-->|<\\?|x|é|\"|=|\n){0,12}", b in "(<a>|</a>|<b|x=|'|/>|<!DOCTYPE|\\[|>|&){0,12}") {
        prop_assert_eq!(said(&a, &b).is_empty(), said(&b, &a).is_empty());
        prop_assert!(said(&a, &a).is_empty());
    }
}
