//! Values in pages: fields, metas, links' parameters and paths, `data-` attributes; and those in the scripts of pages.

use std::collections::HashMap;

use percent_encoding::percent_decode_str;
use restage_html::{Field, FieldKind, Form, Link, Outline, OutlineBuilder, Page, Spot, Token, Tokens};
use restage_model::{Key, Param, Params};

use restage_browser::without_numbers;

use super::value::{Looks, noun, nouns};
use super::value_index::{HeldValue, ValueIndex};
use super::{header, json, script};

/// Adds the values of a piece of a page, those of its links too.
pub(super) fn collect_all(html: &[u8], page: &Page, within: &str, index: &mut ValueIndex) {
    collect(html, page, within, index);
    collect_links(page, within, index, &|_| Vec::new());
}

/// Adds the values in a page's links. `beside` reads the text beside each of several links, which are given by their places
/// on the page: links of one text are told apart by it.
pub(super) fn collect_links(
    page: &Page,
    within: &str,
    index: &mut ValueIndex,
    beside: &dyn Fn(&[usize]) -> Vec<String>,
) {
    let mut of_text: HashMap<&str, Vec<(usize, std::ops::Range<usize>)>> = HashMap::new();
    for (at, link) in page.links.iter().enumerate() {
        let from = index.len();
        in_link(link, within, index);
        if index.len() > from {
            of_text.entry(&link.text).or_default().push((at, from..index.len()));
        }
    }
    for link in &page.resources {
        in_link(link, within, index);
    }
    for links in of_text.values().filter(|links| links.len() > 1) {
        let places: Vec<usize> = links.iter().map(|(at, _)| *at).collect();
        for ((_, held), text) in links.iter().zip(beside(&places)).filter(|(_, text)| !text.is_empty()) {
            held.clone().for_each(|at| index.stands_in_row(at, text.clone()));
        }
    }
}

/// Adds the values of a page, but for those in its links: there are many, and they are seldom asked for.
pub(super) fn collect(html: &[u8], page: &Page, within: &str, index: &mut ValueIndex) {
    for form in &page.forms {
        form_fields(form, within, index);
    }
    for meta in &page.metas {
        index.add(HeldValue::new(format!("{within}meta {}", meta.name), &meta.name, &meta.content));
    }
    elements(html, within, index);
}

fn form_fields(form: &Form, within: &str, index: &mut ValueIndex) {
    let action = Key::of("", form.action.split('?').next().unwrap_or_default(), "");
    let action = action.as_str().trim();
    // What the page's own values in a form are tells it from others like it: the book, in a list of books.
    let own = |f: &&Field| f.kind == FieldKind::Hidden && Looks::of(&f.value) != Some(Looks::Token);
    let label: Vec<&str> = form.fields.iter().filter(own).take(4).map(|f| f.value.as_str()).collect();
    let around: Vec<String> = nouns(action);
    for field in &form.fields {
        let place = format!("{within}field {} of the form to {action}", field.name);
        let is_own = own(&field);
        let label = if is_own { String::new() } else { label.join(", ") };
        index.add(HeldValue {
            label,
            around: around.clone(),
            ..HeldValue::new(place, &field.name, &field.value)
        });
    }
}

fn in_link(link: &Link, within: &str, index: &mut ValueIndex) {
    let href = link.href.split('#').next().unwrap_or_default();
    if script_of(href).is_some() {
        return;
    }
    let (path, query) = href.split_once('?').unwrap_or((href, ""));
    // Ids and tokens have one or the other.
    if !href.bytes().any(|b| b.is_ascii_digit() || b.is_ascii_uppercase()) {
        return;
    }
    let key = Key::of("", href, "");
    let key = key.as_str().trim();
    let mut add = |place: String, name: &str, value: &str, in_path: bool| {
        let (label, around) = (link.text.clone(), nouns(path));
        index.add(HeldValue { label, around, in_path, ..HeldValue::new(place, name, value) });
    };
    for (name, value) in header::in_path(path) {
        add(format!("{within}link to {key}: path after {name}"), &name, value, true);
    }
    for param in &Params::parse(query).0 {
        let (name, value) = (Param::name(param), Param::value(param));
        if Looks::of(&value).is_some() {
            add(format!("{within}link to {key}: parameter {name}"), &name, &value, false);
        }
    }
}

/// What a script takes from elements themselves: `data-` attributes, what a click runs, and fields outside of forms.
fn elements(html: &[u8], within: &str, index: &mut ValueIndex) {
    let tokens = Tokens::of(html);
    let mut script: Option<bool> = None;
    let mut forms = 0_usize;
    let mut outline = OutlineBuilder::default();
    let mut in_rows: Vec<(usize, Spot)> = Vec::new();
    for token in tokens.iter() {
        match token {
            Token::Open { name, attrs, .. } => {
                let spot = outline.open(name);
                script = None;
                match name {
                    b"script" if attrs.get("src").is_none() => {
                        script = Some(attrs.get("type").is_some_and(|t| t.ends_with(b"json")));
                    }
                    b"form" => forms += 1,
                    _ => {}
                }
                let tag = String::from_utf8_lossy(name);
                let id = || without_numbers(&attrs.text("id").unwrap_or_default());
                let before = index.len();
                for (attribute, value) in attrs.iter() {
                    let value = || String::from_utf8_lossy(value).into_owned();
                    if let Some(data) = attribute.strip_prefix(b"data-") {
                        let data = String::from_utf8_lossy(data);
                        in_data(&tag, &id(), &data, &value(), within, index);
                    } else if attribute.starts_with(b"on") {
                        let handler = String::from_utf8_lossy(attribute);
                        let from = index.len();
                        script::collect_handler(&value(), &format!("{within}{handler} of {tag}: "), index);
                        index.are_clicked(from);
                    } else if attribute == b"href"
                        && let Some(run) = script_of(&value())
                    {
                        let from = index.len();
                        script::collect_handler(&run, &format!("{within}link of {tag}: "), index);
                        index.are_clicked(from);
                    }
                }
                in_rows.extend((before..index.len()).map(|at| (at, spot)));
                if name == b"input"
                    && forms == 0
                    && let (Some(called), Some(value)) =
                        (attrs.text("name").or_else(|| attrs.text("id")), attrs.text("value"))
                {
                    index.add(HeldValue::new(
                        format!("{within}field {called} outside of forms"),
                        &called,
                        &value,
                    ));
                }
            }
            Token::Text(text) => match script {
                None => outline.text(&String::from_utf8_lossy(text)),
                Some(false) => script::collect(&String::from_utf8_lossy(text), within, index),
                Some(true) => {
                    json::collect(&String::from_utf8_lossy(text), &format!("{within}script: "), index);
                }
            },
            Token::Close { name } => {
                outline.close(name);
                script = None;
                if name == b"form" {
                    forms = forms.saturating_sub(1);
                }
            }
            Token::Comment(_) | Token::Doctype(_) => {}
        }
    }
    label_by_rows(&outline.finish(), in_rows, index);
}

/// The script in an address: `javascript:open(17)`.
fn script_of(href: &str) -> Option<String> {
    const SCHEME: &str = "javascript:";
    let (scheme, script) = href.trim_start().split_at_checked(SCHEME.len())?;
    let decoded = || percent_decode_str(script).decode_utf8_lossy().into_owned();
    scheme.eq_ignore_ascii_case(SCHEME).then(decoded)
}

/// Names values after the row that they stand in: each of several that stand in places of one name.
fn label_by_rows(outline: &Outline, in_rows: Vec<(usize, Spot)>, index: &mut ValueIndex) {
    let mut places: HashMap<String, Vec<(usize, Spot, String)>> = HashMap::new();
    for (at, spot) in in_rows {
        if let Some((place, value)) = index.get(at) {
            places.entry(place.to_owned()).or_default().push((at, spot, value.to_owned()));
        }
    }
    for held in places.into_values() {
        let mut values: HashMap<&str, usize> = HashMap::new();
        let alike: Vec<(Spot, usize)> = held
            .iter()
            .map(|(_, spot, value)| {
                let next = values.len();
                (*spot, *values.entry(value.as_str()).or_insert(next))
            })
            .collect();
        // Of one value, all of the page would be the row.
        if values.len() < 2 {
            continue;
        }
        for ((at, ..), text) in held.iter().zip(outline.beside(&alike)) {
            index.stands_in_row(*at, text);
        }
    }
}

fn in_data(tag: &str, id: &str, data: &str, value: &str, within: &str, index: &mut ValueIndex) {
    let of = if id.is_empty() { tag.to_owned() } else { format!("{tag}#{id}") };
    let place = format!("{within}data-{data} of {of}");
    if Looks::of(value).is_some() {
        // `data-id` of `<li id="comment-16">` is about a comment.
        let around = nouns(id).into_iter().chain([noun(tag)]).collect();
        index.add(HeldValue { around, ..HeldValue::new(place, data, value) });
    } else if value.starts_with(['{', '[']) {
        json::collect(value, &format!("{place}: "), index);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(html: &str, value: &str) -> Option<String> {
        let mut index = ValueIndex::default();
        collect_all(html.as_bytes(), &Page::of(html.as_bytes()), "", &mut index);
        index.of_value(value).next().map(|h| h.place.clone())
    }

    #[test]
    fn every_kind_of_place_on_a_page_is_known() {
        let page = "<meta name=csrf-token content=aa11bb22cc><body data-user-id=7 data-cfg='{\"k\":\"bb22cc33dd\"}'>\
                    <form method=post action=/buy/3><input type=hidden name=t value=cc33dd44ee></form>\
                    <a href='/del/9?_wpnonce=dd44ee55ff'>Delete</a><input name=loose value=ee55ff66aa>\
                    <button onclick=\"go('ff66aa77bb')\">x</button>\
                    <script type=application/json>{\"a\":{\"t\":\"0a1b2c3d4e\"}}</script>\
                    <script>if (a < b) { var k = \"1b2c3d4e5f\"; }</script>";
        for (value, expected) in [
            ("aa11bb22cc", "meta csrf-token"),
            ("7", "data-user-id of body"),
            ("bb22cc33dd", "data-cfg of body: JSON $.k"),
            ("cc33dd44ee", "field t of the form to /buy/{n}"),
            ("9", "link to /del/{n}?_wpnonce: path after del"),
            ("dd44ee55ff", "link to /del/{n}?_wpnonce: parameter _wpnonce"),
            ("ee55ff66aa", "field loose outside of forms"),
            ("ff66aa77bb", "script call go argument 1"),
            ("0a1b2c3d4e", "script: JSON $.a.t"),
            ("1b2c3d4e5f", "script k"),
        ] {
            assert_eq!(place(page, value).as_deref(), Some(expected));
        }
    }
}
