//! What a user can do with a page: its links, its forms and what their fields hold.

use std::collections::HashMap;

use crate::forms::{Button, Choice, Field, FieldKind, Form, InputType};
use crate::tag_scan::{Attributes, Visitor, scan};
use crate::tokens::{Attrs, Token, Tokens};

/// A link, or anything else that makes a browser ask for another page (a frame).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Where it leads, as written.
    pub href: String,
    /// What the user clicks on: its text, or its image's alternative text or title.
    pub text: String,
    /// Whether nobody clicks on it: a frame, or where a page goes by itself, which a browser asks for without being told.
    pub frame: bool,
}

/// A `meta` element with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meta {
    /// Its `name` or `property`.
    pub name: String,
    /// Its `content`.
    pub content: String,
}

/// The links, forms, metas and title of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Its title.
    pub title: String,
    /// Its links, in order.
    pub links: Vec<Link>,
    /// What it shows or runs, which a browser asks for by itself: images, scripts, styles. The text of an
    /// image is its alternative text; where there is none, and of the others, it is the element's name.
    pub resources: Vec<Link>,
    /// Its forms, in order.
    pub forms: Vec<Form>,
    /// Its metas, in order.
    pub metas: Vec<Meta>,
    /// What relative addresses are relative to, where the page says so.
    pub base: Option<String>,
}

impl Page {
    /// Reads a page.
    pub fn of(html: &[u8]) -> Self {
        let mut reader = Reader::default();
        if scan(html, &mut reader) { reader.finish() } else { Self::from_tokens(&Tokens::of(html)) }
    }

    /// Reads a page that is tokenized already.
    pub fn from_tokens(tokens: &Tokens) -> Self {
        let mut reader = Reader::default();
        for token in tokens.iter() {
            match token {
                Token::Open { name, attrs, .. } => reader.open_tag(name, attrs),
                Token::Close { name } => reader.close(name),
                Token::Text(text) => reader.text(&String::from_utf8_lossy(text)),
                Token::Comment(_) | Token::Doctype(_) => {}
            }
        }
        reader.finish()
    }
}

/// Attributes, whoever has read them.
pub(crate) trait ReadAttrs: Copy {
    fn text(self, name: &str) -> Option<String>;
    fn has(self, name: &str) -> bool;
}

impl ReadAttrs for Attrs<'_> {
    fn text(self, name: &str) -> Option<String> {
        Attrs::text(self, name)
    }

    fn has(self, name: &str) -> bool {
        Attrs::has(self, name)
    }
}

impl ReadAttrs for Attributes<'_> {
    fn text(self, name: &str) -> Option<String> {
        Attributes::text(self, name)
    }

    fn has(self, name: &str) -> bool {
        Attributes::has(self, name)
    }
}

/// What is being collected text for.
enum Collecting {
    Title,
    Option { value: Option<String>, selected: bool },
    Textarea(Field, Option<String>),
    Button(Button, Option<String>),
}

/// A select being read, and the `form` attribute it had.
type OpenSelect = (Field, Option<String>);

#[derive(Default)]
pub(crate) struct Reader {
    pub(crate) page: Page,
    /// The link being read, by its place.
    link: Option<usize>,
    /// The form being read, by its place.
    form: Option<usize>,
    select: Option<OpenSelect>,
    collecting: Option<(Collecting, String)>,
    /// Fields that name their form by its id, wherever they stand.
    elsewhere: Vec<(String, Field)>,
    /// Buttons that do.
    buttons_elsewhere: Vec<(String, Button)>,
}

impl Visitor for Reader {
    fn open(&mut self, name: &[u8], attrs: Attributes<'_>) {
        self.open_tag(name, attrs);
    }

    fn close(&mut self, name: &[u8]) {
        match name {
            b"a" => self.end_link(),
            b"title" | b"option" | b"textarea" => self.end_collecting(),
            b"button" => self.end_button(),
            b"select" => self.end_select(),
            b"form" => {
                self.end_select();
                self.end_button();
                self.form = None;
            }
            _ => {}
        }
    }

    fn wants_text(&self) -> bool {
        self.link.is_some() || self.collecting.is_some()
    }

    fn text(&mut self, text: &str) {
        if let Some(link) = self.link {
            self.page.links[link].text.push_str(text);
        }
        if let Some((_, collected)) = &mut self.collecting {
            collected.push_str(text);
        }
    }
}

impl Reader {
    pub(crate) fn open_tag(&mut self, name: &[u8], attrs: impl ReadAttrs) {
        match name {
            b"a" | b"area" => {
                self.end_link();
                if let Some(href) = attrs.text("href") {
                    let text = attrs.text("alt").unwrap_or_default();
                    self.page.links.push(Link { href: trimmed(&href), text, frame: false });
                    self.link = (name == b"a").then(|| self.page.links.len() - 1);
                }
            }
            b"iframe" | b"frame" => {
                if let Some(src) = attrs.text("src") {
                    let text = attrs.text("name").unwrap_or_default();
                    self.page.links.push(Link { href: trimmed(&src), text, frame: true });
                }
            }
            b"img" => {
                let alt = attrs.text("alt");
                if let (Some(link), Some(alt)) = (self.link, &alt) {
                    self.page.links[link].text.push_str(alt);
                }
                self.resource(attrs.text("src"), alt, "img");
            }
            b"script" => self.resource(attrs.text("src"), None, "script"),
            b"link" => self.resource(attrs.text("href"), None, "link"),
            b"base" => self.page.base = self.page.base.take().or_else(|| attrs.text("href")),
            b"title" if self.page.title.is_empty() => self.collect(Collecting::Title),
            b"meta" => {
                if let (Some(name), Some(content)) =
                    (attrs.text("name").or_else(|| attrs.text("property")), attrs.text("content"))
                {
                    self.page.metas.push(Meta { name, content });
                }
            }
            b"form" if self.form.is_none() => {
                self.page.forms.push(Form {
                    id: attrs.text("id"),
                    name: attrs.text("name").filter(|name| !name.is_empty()),
                    method: method(&attrs.text("method").unwrap_or_default()),
                    action: attrs.text("action").map(|a| trimmed(&a)).unwrap_or_default(),
                    fields: Vec::new(),
                    buttons: Vec::new(),
                    multipart: attrs
                        .text("enctype")
                        .is_some_and(|given| given.trim().eq_ignore_ascii_case("multipart/form-data")),
                });
                self.form = Some(self.page.forms.len() - 1);
            }
            b"input" => {
                if let Some(field) = input(attrs) {
                    self.add(field, attrs.text("form"));
                }
                let kind = attrs.text("type").unwrap_or_default().trim().to_ascii_lowercase();
                if matches!(kind.as_str(), "submit" | "image") {
                    let image = kind == "image";
                    let text = attrs.text(if image { "alt" } else { "value" }).unwrap_or_default();
                    let button = Button { text: collapsed(&text), image, ..button(attrs) };
                    self.add_button(button, attrs.text("form"));
                }
            }
            b"button" => {
                let kind = attrs.text("type").unwrap_or_default();
                // Anything but these two submits the form.
                if !["button", "reset"].iter().any(|other| kind.trim().eq_ignore_ascii_case(other)) {
                    let button = button(attrs);
                    if !button.name.is_empty() {
                        let (name, value) = (button.name.clone(), button.value.clone());
                        let disabled = attrs.has("disabled");
                        let field = Field { disabled, ..field(name, FieldKind::Submit, value) };
                        self.add(field, attrs.text("form"));
                    }
                    self.collect(Collecting::Button(button, attrs.text("form")));
                }
            }
            b"textarea" => {
                if let Some(name) = attrs.text("name").filter(|n| !n.is_empty()) {
                    let (disabled, required) = (attrs.has("disabled"), attrs.has("required"));
                    let longest = longest(attrs);
                    let field = Field {
                        disabled,
                        required,
                        longest,
                        input: InputType::Lines,
                        ..field(name, FieldKind::Text, String::new())
                    };
                    self.collect(Collecting::Textarea(field, attrs.text("form")));
                }
            }
            b"select" => {
                self.end_select();
                if let Some(name) = attrs.text("name").filter(|n| !n.is_empty()) {
                    let (disabled, multiple) = (attrs.has("disabled"), attrs.has("multiple"));
                    let required = attrs.has("required");
                    let select = field(name, FieldKind::Select, String::new());
                    let field = Field { disabled, multiple, required, ..select };
                    self.select = Some((field, attrs.text("form")));
                }
            }
            b"option" => {
                let selected = attrs.has("selected");
                self.collect(Collecting::Option { value: attrs.text("value"), selected });
            }
            _ => {}
        }
    }

    fn finish(mut self) -> Page {
        self.end_link();
        self.end_select();
        self.end_collecting();
        if !self.elsewhere.is_empty() || !self.buttons_elsewhere.is_empty() {
            let mut forms: HashMap<String, usize> = HashMap::new();
            for (at, form) in self.page.forms.iter().enumerate() {
                if let Some(id) = &form.id {
                    forms.entry(id.clone()).or_insert(at);
                }
            }
            for (id, field) in std::mem::take(&mut self.elsewhere) {
                if let Some(&form) = forms.get(&id) {
                    self.page.forms[form].fields.push(field);
                }
            }
            for (id, button) in std::mem::take(&mut self.buttons_elsewhere) {
                if let Some(&form) = forms.get(&id) {
                    self.page.forms[form].buttons.push(button);
                }
            }
        }
        self.page
    }

    fn add(&mut self, field: Field, form: Option<String>) {
        match (form, self.form) {
            (Some(id), _) => self.elsewhere.push((id, field)),
            (None, Some(form)) => self.page.forms[form].fields.push(field),
            // A control outside of every form is a script's business.
            (None, None) => {}
        }
    }

    fn add_button(&mut self, button: Button, form: Option<String>) {
        match (form, self.form) {
            (Some(id), _) => self.buttons_elsewhere.push((id, button)),
            (None, Some(form)) => self.page.forms[form].buttons.push(button),
            (None, None) => {}
        }
    }

    fn resource(&mut self, address: Option<String>, text: Option<String>, element: &str) {
        if let Some(href) = address.map(|a| trimmed(&a)).filter(|a| !a.is_empty()) {
            let text = text.filter(|t| !t.trim().is_empty()).unwrap_or_else(|| element.to_owned());
            self.page.resources.push(Link { href, text, frame: false });
        }
    }

    fn collect(&mut self, what: Collecting) {
        self.end_collecting();
        self.collecting = Some((what, String::new()));
    }

    fn end_link(&mut self) {
        if let Some(link) = self.link.take() {
            let text = &mut self.page.links[link].text;
            *text = collapsed(text);
        }
    }

    fn end_button(&mut self) {
        if matches!(self.collecting, Some((Collecting::Button(..), _))) {
            self.end_collecting();
        }
    }

    fn end_collecting(&mut self) {
        let Some((what, text)) = self.collecting.take() else { return };
        match what {
            Collecting::Title => self.page.title = collapsed(&text),
            Collecting::Option { value, selected } => {
                if let Some((select, _)) = &mut self.select {
                    let text = collapsed(&text);
                    let value = value.unwrap_or_else(|| text.clone());
                    select.choices.push(Choice { value, text, selected });
                }
            }
            Collecting::Textarea(mut field, form) => {
                // The standard drops a newline right after the start tag.
                field.value = text.strip_prefix('\n').unwrap_or(&text).to_owned();
                self.add(field, form);
            }
            Collecting::Button(mut button, form) => {
                button.text = collapsed(&text);
                self.add_button(button, form);
            }
        }
    }

    fn end_select(&mut self) {
        if self.select.is_some() {
            self.end_collecting();
        }
        if let Some((field, form)) = self.select.take() {
            self.add(field, form);
        }
    }
}

fn field(name: String, kind: FieldKind, value: String) -> Field {
    Field {
        name,
        kind,
        value,
        checked: false,
        choices: Vec::new(),
        disabled: false,
        multiple: false,
        input: InputType::Text,
        required: false,
        least: None,
        most: None,
        longest: None,
    }
}

fn button(attrs: impl ReadAttrs) -> Button {
    Button {
        name: attrs.text("name").unwrap_or_default(),
        value: attrs.text("value").unwrap_or_default(),
        text: String::new(),
        action: attrs.text("formaction").map(|action| trimmed(&action)),
        method: attrs.text("formmethod").map(|given| method(&given)),
        image: false,
    }
}

fn method(given: &str) -> String {
    if given.trim().eq_ignore_ascii_case("post") { "POST" } else { "GET" }.to_owned()
}

fn input(attrs: impl ReadAttrs) -> Option<Field> {
    let name = attrs.text("name").filter(|n| !n.is_empty())?;
    let given = attrs.text("type").unwrap_or_default().trim().to_ascii_lowercase();
    let kind = match given.as_str() {
        "hidden" => FieldKind::Hidden,
        "checkbox" => FieldKind::Checkbox,
        "radio" => FieldKind::Radio,
        "file" => FieldKind::File,
        "submit" | "image" => FieldKind::Submit,
        "reset" | "button" => return None,
        _ => FieldKind::Text,
    };
    let fallback = if matches!(kind, FieldKind::Checkbox | FieldKind::Radio) { "on" } else { "" };
    let value = attrs.text("value").unwrap_or_else(|| fallback.to_owned());
    let (checked, disabled) = (attrs.has("checked"), attrs.has("disabled"));
    let field = field(name, kind, value);
    if kind != FieldKind::Text {
        let required = attrs.has("required");
        return Some(Field { checked, disabled, required, ..field });
    }
    Some(Field {
        disabled,
        input: InputType::named(&given),
        required: attrs.has("required"),
        least: attrs.text("min"),
        most: attrs.text("max"),
        longest: longest(attrs),
        ..field
    })
}

fn longest(attrs: impl ReadAttrs) -> Option<usize> {
    attrs.text("maxlength")?.trim().parse().ok()
}

fn trimmed(address: &str) -> String {
    address.trim().to_owned()
}

fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: a spider that types a word into a date, or sends a file's name in place of the file.
    #[test]
    fn fields_say_what_they_expect() {
        let page = Page::of(
            b"<iframe src=/f></iframe><form enctype='Multipart/Form-Data'><input name=a type=Date min=2026-01-01 required>\
              <textarea name=b maxlength=9></textarea><input name=c></form>",
        );
        assert!(page.links[0].frame && page.forms[0].multipart);
        let [a, b, c] = &page.forms[0].fields[..] else { panic!("{:?}", page.forms) };
        assert_eq!((a.input, a.required, a.least.as_deref()), (InputType::Date, true, Some("2026-01-01")));
        assert_eq!((b.input, b.longest), (InputType::Lines, Some(9)));
        assert_eq!((c.input, c.required), (InputType::Text, false));
    }

    #[test]
    fn links_have_the_text_that_is_clicked() {
        let page = Page::of(
            b"<a href=' /a '>One <b>two</b>\n three</a><a href=/b><img alt=Logo></a><a name=x>no</a>",
        );
        let links: Vec<_> = page.links.iter().map(|l| (l.href.as_str(), l.text.as_str())).collect();
        assert_eq!(links, [("/a", "One two three"), ("/b", "Logo")]);
    }

    #[test]
    fn resources_are_what_a_browser_asks_for_by_itself() {
        let page = Page::of(
            b"<link rel=stylesheet href=/s.css><a href=/b><img src=/l.png alt=Logo></a><img src='/p.php?1' alt=''>\
              <script src=/j.js></script><script>1</script><img src=''>",
        );
        let found: Vec<_> = page.resources.iter().map(|l| (l.href.as_str(), l.text.as_str())).collect();
        let expected = [("/s.css", "link"), ("/l.png", "Logo"), ("/p.php?1", "img"), ("/j.js", "script")];
        assert_eq!(found, expected);
    }

    #[test]
    fn forms_hold_what_a_browser_would_send() {
        let page = Page::of(
            b"<form action=/go method=post id=f><input type=hidden name=t value=1><input name=q>\
              <select name=s><option>a<option value=2 selected>b</select><textarea name=n>\nhi</textarea>\
              <input type=checkbox name=c checked><button name=go value=1>Go</button><input name=off value=1 disabled></form>\
              <input form=f name=late value=x><input name=orphan>",
        );
        let form = &page.forms[0];
        assert_eq!((form.method.as_str(), form.action.as_str()), ("POST", "/go"));
        let untouched: Vec<_> = form.fields.iter().map(|f| (f.name.as_str(), f.untouched())).collect();
        assert_eq!(
            untouched,
            [
                ("t", Some("1")),
                ("q", Some("")),
                ("s", Some("2")),
                ("n", Some("hi")),
                ("c", Some("on")),
                ("go", None),
                ("off", None),
                ("late", Some("x")),
            ]
        );
    }

    /// Catches: a button without a name, which is all that tells two forms apart, is overlooked.
    #[test]
    fn buttons_are_known_by_what_is_written_on_them() {
        let page = Page::of(
            b"<form name=a id=b method=post><button><b>Save</b> all</button><button name=go value=2 formaction=/x formmethod=get>Go\
              </button><input type=submit value=Send><input type=image name=i alt=Buy><button type=button>no</button></form>\
              <button form=b>Late</button><form><select name=m multiple><option>x</select></form>",
        );
        let form = &page.forms[0];
        assert_eq!((form.name.as_deref(), form.id.as_deref()), (Some("a"), Some("b")));
        let buttons: Vec<_> = form.buttons.iter().map(|b| (b.name.as_str(), b.text.as_str())).collect();
        assert_eq!(buttons, [("", "Save all"), ("go", "Go"), ("", "Send"), ("i", "Buy"), ("", "Late")]);
        let go = &form.buttons[1];
        assert_eq!((go.action.as_deref(), go.method.as_deref()), (Some("/x"), Some("GET")));
        assert!(form.buttons[3].image && form.fields.len() == 2);
        assert_eq!(page.forms[1].fields[0].untouched(), None);
    }

    #[test]
    fn an_unclosed_form_and_an_unclosed_link() {
        let page = Page::of(b"<title>T</title><form action=a><input name=x value=1><a href=b>text");
        assert_eq!(page.title, "T");
        assert_eq!(page.forms[0].fields.len(), 1);
        assert_eq!(page.links[0].text, "text");
    }
}
