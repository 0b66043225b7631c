//! Pictures of maps: whatever a page calls itself, the file is valid, harmless, and shows everything.

use std::collections::BTreeSet;

use proptest::prelude::*;
use quick_xml::Reader;
use quick_xml::events::Event;
use restage_site::{EdgeKind, NodeKind, Site, SiteEdge, SiteField, SiteNode, SiteUser, dot, svg};

mod sites;

/// Any text: markup, quotes, escapes of all kinds, control characters, directions, characters that are none.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-z/{}]{0,12}",
        2 => any::<String>(),
        1 => Just("\"><script>alert(1)</script><a b=\"".to_owned()),
        1 => Just("]]>&lt;\\N\\\"\\".to_owned()),
        1 => Just("\u{0}\u{1b}[2J\u{202e}\u{fffe}\r\n".to_owned()),
        1 => "[a-z ]{300,400}",
    ]
}

fn kinds() -> impl Strategy<Value = EdgeKind> {
    prop_oneof![
        Just(EdgeKind::Link),
        Just(EdgeKind::Submit),
        Just(EdgeKind::Redirect),
        Just(EdgeKind::Frame),
        Just(EdgeKind::Script)
    ]
}

/// Any map of up to 12 nodes; ids that occur twice, edges that lead nowhere, users that nobody knows.
fn any_site() -> impl Strategy<Value = Site> {
    let users = || proptest::collection::btree_set(texts(), 0..3);
    let fields = proptest::collection::vec(texts(), 0..4);
    let node = (texts(), any::<bool>(), any::<bool>(), texts(), fields, users()).prop_map(
        |(id, dynamic, is_form, title, fields, users)| SiteNode {
            id,
            dynamic,
            kind: if is_form { NodeKind::Form } else { NodeKind::Page },
            title,
            fields: fields.into_iter().map(|name| SiteField { name, ..SiteField::default() }).collect(),
            users,
            ..SiteNode::default()
        },
    );
    let nodes = proptest::collection::vec(node, 0..12);
    let edges = proptest::collection::vec((0_usize..13, 0_usize..13, kinds(), texts(), users()), 0..40);
    (nodes, edges, proptest::option::of(0_usize..13), proptest::collection::vec(texts(), 0..3)).prop_map(
        |(nodes, edges, home, users)| {
            let id = |at: usize| {
                nodes.get(at).map_or_else(|| "nowhere".to_owned(), |node: &SiteNode| node.id.clone())
            };
            let edges = edges.into_iter().map(|(from, to, kind, label, users)| SiteEdge {
                from: id(from),
                to: id(to),
                kind,
                label,
                users,
                ..SiteEdge::default()
            });
            Site {
                home: home.map(id),
                users: users.into_iter().map(|name| SiteUser { name, session: None, steps: 0 }).collect(),
                edges: edges.collect(),
                nodes,
            }
        },
    )
}

/// The names of an SVG's elements and attributes; an error where it is no XML.
fn names(svg: &str) -> Result<(BTreeSet<String>, BTreeSet<String>), String> {
    let mut reader = Reader::from_str(svg);
    reader.config_mut().check_end_names = true;
    let (mut elements, mut attributes, mut depth) = (BTreeSet::new(), BTreeSet::new(), 0_i32);
    loop {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Start(tag) | Event::Empty(tag) => {
                depth += 1;
                elements.insert(String::from_utf8_lossy(tag.name().as_ref()).into_owned());
                for attribute in tag.attributes() {
                    let attribute = attribute.map_err(|error| error.to_string())?;
                    attributes.insert(String::from_utf8_lossy(attribute.key.as_ref()).into_owned());
                }
            }
            Event::End(_) => depth -= 1,
            Event::Eof if depth == 0 => return Ok((elements, attributes)),
            Event::Eof => return Err("elements are not closed".to_owned()),
            _ => {}
        }
    }
}

fn is_xml_character(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

/// Reads Graphviz's language as its scanner does: names, numbers, quoted strings, signs. The strings that it has.
fn dot_strings(dot: &str) -> Result<Vec<String>, String> {
    let (mut strings, mut chars) = (Vec::new(), dot.chars().peekable());
    while let Some(c) = chars.next() {
        if c != '"' {
            if !(c.is_ascii_alphanumeric() || " \n_[]{};,=->".contains(c)) {
                return Err(format!("{c:?} outside of a string"));
            }
            continue;
        }
        let mut string = String::new();
        loop {
            match chars.next().ok_or("a string does not end")? {
                '"' => break,
                '\\' => match chars.next().ok_or("a string does not end")? {
                    c @ ('"' | '\\' | 'n') => string.extend(['\\', c]),
                    c => return Err(format!("the escape {c:?}")),
                },
                '\0' => return Err("a zero".to_owned()),
                c => string.push(c),
            }
        }
        strings.push(string);
    }
    Ok(strings)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 300, ..ProptestConfig::default() })]

    /// Catches: a title that breaks the picture, or that puts a script, a link or a handler into it.
    #[test]
    fn any_map_is_a_valid_and_harmless_svg(site in any_site()) {
        let picture = svg(&site);
        let (elements, attributes) = names(&picture).map_err(TestCaseError::fail)?;
        let known = ["svg", "g", "path", "rect", "text", "tspan", "title", "style", "defs", "marker"];
        prop_assert!(elements.iter().all(|name| known.contains(&name.as_str())), "{:?}", elements);
        prop_assert!(attributes.iter().all(|name| !name.starts_with("on") && !name.contains("href")), "{:?}", attributes);
        prop_assert!(picture.chars().all(is_xml_character));
        prop_assert!(!picture.contains("NaN") && !picture.contains("inf "));
        prop_assert_eq!(picture, svg(&site));
    }

    /// Catches: a label that ends its string, or that Graphviz reads as an escape or an entity of its own.
    #[test]
    fn any_map_is_valid_for_graphviz(site in any_site()) {
        let strings = dot_strings(&dot(&site)).map_err(TestCaseError::fail)?;
        for string in strings {
            prop_assert!(!string.replace("&amp;", "").contains('&'), "{}", string);
        }
    }
}

/// Catches: a node that is not in the picture, or whose full name cannot be read anywhere in it.
#[test]
fn every_node_is_drawn_and_named_in_full() {
    let site = sites::web_like(3, 120);
    let (picture, graph) = (svg(&site), dot(&site));
    for node in &site.nodes {
        let escaped = node.id.replace('&', "&amp;");
        assert!(picture.contains(&format!("<title>{escaped}\n")), "{}", node.id);
        assert!(graph.contains(&escaped), "{}", node.id);
    }
    assert_eq!(
        picture.matches("<g class=\"n\"><title>").count(),
        site.nodes.len() + picture.matches("nodes that the same pages lead to</title>").count()
    );
    // Each node is in one rank.
    let ranks: usize =
        graph.lines().filter(|line| line.contains("rank=same")).map(|line| line.matches(" n").count()).sum();
    assert_eq!(ranks, site.nodes.len());
}

/// Catches: a legend that does not say for whom a colour is, or pages and forms, static and dynamic, that look alike.
#[test]
fn the_legend_names_what_occurs() {
    let picture = svg(&sites::web_like(3, 60));
    for text in [
        "everyone",
        "anonymous",
        "clerk, customer",
        "static page",
        ">form<",
        "redirect",
        "On every page",
        "not reached from home",
    ] {
        assert!(picture.contains(text), "{text}");
    }
    assert!(!picture.contains("script&#39;s request") && !picture.contains(">frame<"));
    assert!(svg(&Site::default()).contains("The map is empty."));
}
