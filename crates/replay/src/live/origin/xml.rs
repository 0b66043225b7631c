//! Values in XML, by their path: feeds, SOAP, the answers of older scripts. Character data may hold a page.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use restage_html::Page;

use restage_browser::without_numbers;

use super::html;
use super::value::{Looks, noun};
use super::value_index::{HeldValue, ValueIndex};

/// An element being read: its name, where its values begin, its own text and the first one in it that is no value.
struct Open {
    name: String,
    from: usize,
    text: String,
    label: String,
}

/// Adds the values of an XML text, as far as it is well formed.
pub(super) fn collect(text: &str, index: &mut ValueIndex) {
    let mut reader = Reader::from_str(text);
    let mut stack: Vec<Open> = Vec::new();
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) if stack.len() < 128 => open(&tag, &mut stack, index),
            Ok(Event::Empty(tag)) if stack.len() < 128 => {
                open(&tag, &mut stack, index);
                close(&mut stack, index);
            }
            Ok(Event::End(_)) => close(&mut stack, index),
            Ok(Event::Text(said)) => push(&mut stack, &said.decode().unwrap_or_default()),
            Ok(Event::CData(said)) => push(&mut stack, &said.decode().unwrap_or_default()),
            Ok(Event::GeneralRef(entity)) => {
                let name = entity.decode().unwrap_or_default();
                let resolved = quick_xml::escape::unescape(&format!("&{name};")).map(|t| t.into_owned());
                push(&mut stack, &resolved.unwrap_or_default());
            }
            Ok(Event::Eof) | Err(_) => break,
            Ok(_) => {}
        }
    }
}

fn push(stack: &mut [Open], text: &str) {
    if let Some(open) = stack.last_mut() {
        open.text.push_str(text);
    }
}

fn open(tag: &BytesStart<'_>, stack: &mut Vec<Open>, index: &mut ValueIndex) {
    let name = String::from_utf8_lossy(tag.name().as_ref()).into_owned();
    let from = index.len();
    stack.push(Open { name, from, text: String::new(), label: String::new() });
    for attribute in tag.attributes().flatten() {
        let key = String::from_utf8_lossy(attribute.key.as_ref()).into_owned();
        let raw = String::from_utf8_lossy(&attribute.value).into_owned();
        let value = quick_xml::escape::unescape(&raw).map(|v| v.into_owned()).unwrap_or(raw);
        if Looks::of(&value).is_some() {
            add(stack, &format!("@{key}"), &key, &value, index);
        }
    }
}

fn close(stack: &mut Vec<Open>, index: &mut ValueIndex) {
    let Some(closed) = stack.last() else { return };
    let (text, name, from) = (closed.text.trim().to_owned(), closed.name.clone(), closed.from);
    if Looks::of(&text).is_some() {
        add(stack, "", &name, &text, index);
    } else if text.contains('<') && text.contains('>') {
        let path = path(stack);
        html::collect_all(text.as_bytes(), &Page::of(text.as_bytes()), &format!("XML {path}: "), index);
    } else if let [.., parent, _] = stack.as_mut_slice()
        && parent.label.is_empty()
        && (1..=80).contains(&text.len())
    {
        parent.label = without_numbers(&text);
    }
    if let Some(closed) = stack.pop() {
        index.label_from(from, &closed.label);
    }
}

fn path(stack: &[Open]) -> String {
    stack.iter().map(|open| format!("/{}", open.name)).collect()
}

fn add(stack: &[Open], attribute: &str, name: &str, value: &str, index: &mut ValueIndex) {
    let around = stack.iter().map(|open| noun(&open.name)).filter(|n| !n.is_empty()).collect();
    index.add(HeldValue { around, ..HeldValue::new(format!("XML {}{attribute}", path(stack)), name, value) });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(text: &str) -> ValueIndex {
        let mut index = ValueIndex::default();
        collect(text, &mut index);
        index
    }

    #[test]
    fn a_feeds_item_is_known_by_its_title() {
        let was = index(
            "<rss><item><title>A</title><link>/?p=5&amp;k=1</link></item><item><title>B</title><link>/?p=6</link></item></rss>",
        );
        let is = index("<rss><item><title>B</title><link>/?p=9</link></item></rss>");
        let held = was.of_value("/?p=6").next().unwrap();
        assert_eq!((held.place.as_str(), held.label.as_str()), ("XML /rss/item/link", "B"));
        assert_eq!(was.counterpart(held, &is).unwrap().0, "/?p=9");
        assert!(was.of_value("/?p=5&k=1").next().is_some());
    }

    /// Catches: the page in an answer of WordPress' `admin-ajax.php` is not looked into.
    #[test]
    fn a_page_in_character_data_is_a_page() {
        let text = "<wp_ajax><response action='add-comment_16'><comment id='16'><response_data>\
                    <![CDATA[<a href='/c?del=16&_wpnonce=ab12cd34ef'>x</a>]]></response_data></comment></response></wp_ajax>";
        let index = index(text);
        let id = index.of_value("16").find(|h| h.place.ends_with("@id")).unwrap();
        assert!(id.is_about("comment", &[]));
        assert!(index.of_value("ab12cd34ef").next().unwrap().place.contains("_wpnonce"));
    }
}
