//! Which node a request leads to: its key, so that pages that differ only in data are one; of a form, with all its fields.

use restage_browser::{LoadedPage, button_target, request_uri};
use restage_html::{Button, Field, FieldKind, Form};
use restage_model::{Key, KeyRules, Param, Params};
use url::Url;

/// So many buttons of a form are looked at: lists have one for each row, and these are all alike.
const BUTTONS: usize = 64;

/// A form of a page, and where one of its buttons sends it.
#[derive(Clone, Debug)]
pub struct FormTarget<'a> {
    /// The form.
    pub form: &'a Form,
    /// Its place among the page's forms.
    pub at: usize,
    /// The button, where it has any.
    pub button: Option<&'a Button>,
    /// `GET` or `POST`.
    pub method: &'a str,
    /// Where it is sent, without what the fields of a `GET` add.
    pub url: Url,
    /// The id of its node.
    pub node: String,
}

/// The node that a link leads to.
pub fn link_node(rules: &KeyRules, uri: &str) -> String {
    named(rules, "GET", uri, &Params::default())
}

/// The forms of a page that stay on its site, once for each button that sends them.
pub fn form_targets<'a>(rules: &KeyRules, page: &'a LoadedPage) -> Vec<FormTarget<'a>> {
    let mut targets = Vec::new();
    for (at, form) in page.forms().iter().enumerate() {
        let own = page.form_targets()[at].clone();
        let buttons: Vec<Option<&Button>> = if form.buttons.is_empty() {
            vec![None]
        } else {
            form.buttons.iter().take(BUTTONS).map(Some).collect()
        };
        for button in buttons {
            let url = button.map_or_else(|| own.clone(), |button| button_target(page, at, button));
            let Some(url) = url.filter(|url| url.host_str() == page.url().host_str()) else { continue };
            if !matches!(url.scheme(), "http" | "https") {
                continue;
            }
            let method = button.and_then(|button| button.method.as_deref()).unwrap_or(&form.method);
            let node = form_node(rules, form, button, method, &url);
            targets.push(FormTarget { form, at, button, method, url, node });
        }
    }
    targets
}

/// The node that a form leads to: its method, where it is sent, and the names of all its fields, sent or not.
fn form_node(rules: &KeyRules, form: &Form, button: Option<&Button>, method: &str, url: &Url) -> String {
    let fields = form.fields.iter().filter(|field| field.kind != FieldKind::Submit);
    let mut params: Vec<Param> = fields.map(|field| Param::new(&field_name(field), &field.value)).collect();
    params.extend(button.filter(|button| !button.name.is_empty()).map(|b| Param::new(&b.name, &b.value)));
    let uri = if method == "GET" { url.path().to_owned() } else { request_uri(url) };
    named(rules, method, &uri, &Params(params))
}

/// The name of a field as its form is known by: lists have a box to tick for each row, named after what stands in it.
fn field_name(field: &Field) -> String {
    let rows = matches!(field.kind, FieldKind::Checkbox).then(|| field.name.split_once('[')).flatten();
    match rows {
        Some((list, key)) if !key.starts_with(']') => format!("{list}[{{key}}]"),
        _ => field.name.clone(),
    }
}

/// The key of a request, with numbers in the names of its parameters left out: `qty[17]` is `qty[{n}]`.
pub(crate) fn named(rules: &KeyRules, method: &str, uri: &str, fields: &Params) -> String {
    let (path, query) = uri.split_once('?').unwrap_or((uri, ""));
    let plain = |params: &Params| -> String {
        let pairs = params.0.iter().map(|p| (name_template(&p.name()), p.value()));
        Params(pairs.map(|(name, value)| Param::new(&name, &value)).collect()).encode()
    };
    let query = plain(&Params::parse(query));
    let uri = if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") };
    printable(Key::by(rules, method, &uri, &plain(fields)).to_string())
}

/// A name that a terminal can be shown, whatever a page calls its fields.
fn printable(name: String) -> String {
    if !name.contains(char::is_control) {
        return name;
    }
    let mut shown = String::with_capacity(name.len());
    for c in name.chars() {
        if c.is_control() {
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                shown.push_str(&format!("%{byte:02X}"));
            }
        } else {
            shown.push(c);
        }
    }
    shown
}

/// A text of a page without what no drawing and no terminal can show.
pub(crate) fn readable(text: &str) -> String {
    let is_odd = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    text.chars().map(|c| if is_odd(c) { ' ' } else { c }).collect()
}

/// The name of a parameter without the ids in it: numbers in brackets, or behind `_`, `-`, `.` or `:`.
pub fn name_template(name: &str) -> String {
    let mut template = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, from) = rest.split_at(start);
        let end = from.find(|c: char| !c.is_ascii_digit()).unwrap_or(from.len());
        let (number, after) = from.split_at(end);
        template.push_str(before);
        let opened = template.ends_with(['[', '_', '-', '.', ':']);
        let closed = after.is_empty() || after.starts_with([']', '_', '-', '.', ':', '[']);
        template.push_str(if opened && closed { "{n}" } else { number });
        rest = after;
    }
    template.push_str(rest);
    template
}

#[cfg(test)]
mod tests {
    use restage_html::Page;

    use super::*;

    fn nodes(html: &str) -> Vec<String> {
        let url = Url::parse("http://shop.example/cart?x=1").unwrap();
        let page = LoadedPage::new(url, Page::of(html.as_bytes()));
        form_targets(&KeyRules::default(), &page).into_iter().map(|target| target.node).collect()
    }

    /// Catches: each row of a list as a form of its own; forms to one address as one.
    #[test]
    fn a_form_is_known_by_where_it_goes_and_its_fields() {
        assert_eq!(
            nodes(
                "<form method=post action=/cart/7><input name='qty[17]'><input type=checkbox name=gift></form>"
            ),
            ["POST /cart/{n}?gift&qty[{n}]"]
        );
        assert_eq!(
            nodes("<form method=post><input name=a></form><form method=post><input name=b></form>"),
            ["POST /cart?a&x", "POST /cart?b&x"]
        );
        let rows = |names: &[&str]| {
            let boxes: String =
                names.iter().map(|name| format!("<input type=checkbox name='del[{name}]'>")).collect();
            nodes(&format!(
                "<form method=post action=/users>{boxes}<button name='fn[delete]'>x</button></form>"
            ))
        };
        assert_eq!(rows(&["ada", "bob"]), ["POST /users?del[{key}]&fn[delete]"]);
        assert_eq!(rows(&["ada", "bob"]), rows(&["cid"]));
        assert_eq!(nodes("<form action=/find?old=1><input name=q></form>"), ["GET /find?q"]);
        assert!(nodes("<form action=//other.example/><input name=q></form>").is_empty());
        assert!(nodes("<form action=mailto:a@b.example><input name=q></form>").is_empty());
    }

    /// Catches: a button that sends the form elsewhere, or says by its name what is done, is overlooked.
    #[test]
    fn each_button_is_a_way_of_its_own() {
        let html = "<form method=post action=/a><input name=x><button name=save>Save</button><button formaction=/b>Other</button></form>";
        assert_eq!(nodes(html), ["POST /a?save&x", "POST /b?x"]);
    }

    /// Catches: a page that writes into the user's terminal by what it calls its fields.
    #[test]
    fn control_characters_are_not_part_of_a_name() {
        assert_eq!(
            nodes("<form method=post action=/a><input name='x\u{1b}[2J\u{7}'></form>"),
            ["POST /a?x%1B[2J%07"]
        );
        assert_eq!(readable("a\u{1b}[1m\nb"), "a [1m\nb");
    }

    #[test]
    fn names_lose_their_ids_and_keep_their_numbers() {
        for (name, expected) in [
            ("qty[17]", "qty[{n}]"),
            ("item-3-name", "item-{n}-name"),
            ("address2", "address2"),
            ("form-0-id", "form-{n}-id"),
            ("h2o", "h2o"),
            ("q", "q"),
            ("row_12", "row_{n}"),
        ] {
            assert_eq!(name_template(name), expected);
        }
    }
}
