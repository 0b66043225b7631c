//! Arbitrary pages, and edits of them.

use proptest::prelude::*;
use restage_model::Headers;
use restage_oracle::Document;

/// A piece of a page.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-c]{1,3} [a-c]{1,2}",
        Just("  \n ".to_owned()),
        Just("15 November 2026".to_owned()),
        Just("16 November 2026, 8:31 pm".to_owned()),
        Just("15 <b>November</b> 2026".to_owned()),
        Just("<!-- note -->".to_owned()),
        Just("<script>var a = '<p>';</script>".to_owned()),
        Just("<object><p>x</object>".to_owned()),
        Just("<noscript>".to_owned()),
        "[ab]".prop_map(|v| format!("<a href=/{v} class=k>go</a>")),
        "[ab]".prop_map(|v| format!("<a class=k href='/{v}'>go</a>")),
        "[ab]".prop_map(|v| format!("<input name={v} value=1 checked>")),
        "[ab]".prop_map(|v| format!("<INPUT type=text name={v} value=1>")),
        Just("<p>".to_owned()),
        Just("</p>".to_owned()),
        Just("<div style='x'>".to_owned()),
        Just("&amp;&lt;".to_owned()),
        Just("&nbsp;".to_owned()),
        Just(" ".to_owned()),
        "[ab]{1,2}",
        Just("<b>".to_owned()),
        Just("</b>".to_owned()),
        Just("<font color=red>".to_owned()),
        Just("<td width=3>".to_owned()),
        Just("<tr align=left>".to_owned()),
        Just("<br>".to_owned()),
        "[ab]".prop_map(|v| format!("<select name={v}>")),
        Just("</select>".to_owned()),
        "[12]".prop_map(|v| format!("<option value={v}>x")),
        "[12]".prop_map(|v| format!("<option value={v} selected>x")),
        "[ab]".prop_map(|v| format!("<img src={v}.png alt=p width=3>")),
        "[ab]".prop_map(|v| format!("<a href='javascript:{v}()' onclick={v}()>")),
        Just("</a>".to_owned()),
        Just("<style>p { color: red }</style>".to_owned()),
        Just("<textarea name=t><b>".to_owned()),
        Just("</textarea>".to_owned()),
        Just("<svg><title>t</title></svg>".to_owned()),
        Just("<!DOCTYPE html>".to_owned()),
        "\\PC{1,3}",
        Just("<b".to_owned()),
    ]
}

fn page() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(piece(), 0..14)
}

/// A page, and the same with up to three pieces replaced, dropped or added.
pub(crate) fn pages() -> impl Strategy<Value = (String, String)> {
    (
        page(),
        prop::collection::vec((any::<prop::sample::Index>(), prop::option::of(piece()), any::<bool>()), 0..3),
    )
        .prop_map(|(page, edits)| {
            let mut edited = page.clone();
            for (at, new, insert) in edits {
                let at = at.index(edited.len() + 1);
                if at < edited.len() && !insert {
                    edited.remove(at);
                }
                if let Some(new) = new {
                    edited.insert(at.min(edited.len()), new);
                }
            }
            (page.concat(), edited.concat())
        })
}

/// A page, read.
pub(crate) fn document(html: &str) -> Document<'_> {
    let headers = [("content-type".to_owned(), "text/html".to_owned())].into_iter().collect::<Headers>();
    Document::of(&headers, html.as_bytes())
}
