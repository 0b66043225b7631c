//! What a shopper sees of a page: its links, its forms, the files it refers to.

use html5gum::{StartTag, Token, Tokenizer};

/// A page as far as a shopper cares.
#[derive(Debug, Default)]
pub(super) struct Page {
    pub(super) links: Vec<Link>,
    pub(super) forms: Vec<Form>,
    /// Stylesheets, icons and pictures, in the order of the page.
    pub(super) files: Vec<File>,
}

/// Something to click.
#[derive(Debug, Default)]
pub(super) struct Link {
    pub(super) id: String,
    pub(super) href: String,
    pub(super) text: String,
}

/// A file that a browser loads with the page.
#[derive(Debug)]
pub(super) struct File {
    pub(super) address: String,
    pub(super) is_stylesheet: bool,
}

/// A form as the page gives it.
#[derive(Debug, Default)]
pub(super) struct Form {
    pub(super) id: String,
    pub(super) action: String,
    pub(super) is_post: bool,
    pub(super) fields: Vec<Field>,
}

/// A field of a form.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) kind: FieldKind,
}

/// What a field is, and holds.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum FieldKind {
    Hidden(String),
    Text { value: String, longest: Option<usize> },
    Radio { value: String, label: String, checked: bool },
    Tick { value: String, checked: bool },
    Select(Vec<SelectOption>),
}

/// One of a select's options.
#[derive(Debug, PartialEq, Eq, Default)]
pub(super) struct SelectOption {
    pub(super) value: String,
    pub(super) label: String,
    pub(super) selected: bool,
}

/// Reads a page. The shop's pages are well formed; of others, as much as can be made out.
pub(super) fn read_page(html: &str) -> Page {
    let mut reader = Reader::default();
    for Ok(token) in Tokenizer::new(html) {
        match token {
            Token::StartTag(tag) => reader.open(&Tag(tag)),
            Token::EndTag(tag) => reader.close(&tag.name),
            Token::String(text) => reader.text(&String::from_utf8_lossy(&text)),
            _ => {}
        }
    }
    reader.page
}

struct Tag(StartTag<()>);

impl Tag {
    fn get(&self, name: &str) -> Option<String> {
        let value = self.0.attributes.get(name.as_bytes())?;
        Some(String::from_utf8_lossy(value).into_owned())
    }

    fn text(&self, name: &str) -> String {
        self.get(name).unwrap_or_default()
    }

    fn has(&self, name: &str) -> bool {
        self.0.attributes.contains_key(name.as_bytes())
    }
}

/// What text met now belongs to.
#[derive(Debug, Default, PartialEq, Eq)]
enum Within {
    #[default]
    Nothing,
    Link,
    Textarea,
    Option,
    RadioLabel,
}

#[derive(Default)]
struct Reader {
    page: Page,
    within: Within,
}

impl Reader {
    fn open(&mut self, tag: &Tag) {
        match &tag.0.name[..] {
            b"a" => {
                self.page.links.push(Link {
                    id: tag.text("id"),
                    href: tag.text("href"),
                    text: String::new(),
                });
                self.within = Within::Link;
            }
            b"link" => self.file(tag.text("href"), tag.text("rel") == "stylesheet"),
            b"img" => self.file(tag.text("src"), false),
            b"form" => self.page.forms.push(Form {
                id: tag.text("id"),
                action: tag.text("action"),
                is_post: tag.text("method").eq_ignore_ascii_case("post"),
                fields: Vec::new(),
            }),
            b"input" => self.input(tag),
            b"textarea" => {
                let longest = tag.get("maxlength").and_then(|text| text.parse().ok());
                self.field(tag, FieldKind::Text { value: String::new(), longest });
                self.within = Within::Textarea;
            }
            b"select" => self.field(tag, FieldKind::Select(Vec::new())),
            b"option" => {
                if let Some(FieldKind::Select(options)) = self.last_kind() {
                    let value = tag.text("value");
                    options.push(SelectOption { value, label: String::new(), selected: tag.has("selected") });
                    self.within = Within::Option;
                }
            }
            _ => {}
        }
    }

    fn close(&mut self, name: &[u8]) {
        if matches!(name, b"a" | b"textarea" | b"option" | b"label") {
            self.within = Within::Nothing;
        }
    }

    fn text(&mut self, text: &str) {
        match (&self.within, self.page.links.last_mut()) {
            (Within::Nothing, _) => return,
            (Within::Link, Some(link)) => return link.text.push_str(text),
            _ => {}
        }
        match self.last_kind() {
            Some(FieldKind::Text { value, .. }) => value.push_str(text),
            Some(FieldKind::Radio { label, .. }) => label.push_str(text.trim()),
            Some(FieldKind::Select(options)) => {
                if let Some(option) = options.last_mut() {
                    option.label.push_str(text);
                }
            }
            _ => {}
        }
    }

    fn input(&mut self, tag: &Tag) {
        let (value, checked) = (tag.text("value"), tag.has("checked"));
        let kind = match tag.text("type").as_str() {
            "hidden" => FieldKind::Hidden(value),
            "radio" => {
                self.within = Within::RadioLabel;
                FieldKind::Radio { value, label: String::new(), checked }
            }
            "checkbox" => FieldKind::Tick { value, checked },
            _ => FieldKind::Text { value, longest: tag.get("maxlength").and_then(|text| text.parse().ok()) },
        };
        self.field(tag, kind);
    }

    fn field(&mut self, tag: &Tag, kind: FieldKind) {
        if let Some(form) = self.page.forms.last_mut() {
            form.fields.push(Field { name: tag.text("name"), kind });
        }
    }

    fn file(&mut self, address: String, is_stylesheet: bool) {
        self.page.files.push(File { address, is_stylesheet });
    }

    fn last_kind(&mut self) -> Option<&mut FieldKind> {
        Some(&mut self.page.forms.last_mut()?.fields.last_mut()?.kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_forms_and_files_are_found() {
        let page = read_page(
            "<link rel='stylesheet' href='/s.css'><a id=x href='/a?b=1&amp;c=2'>Salt &amp; <b>Iron</b></a>
             <form id='f' method='post' action='/go'><input type=hidden name=csrf value=t>
             <label><input type=radio name=r value=5 checked> 5 stars</label>
             <textarea name=c maxlength=12>hello</textarea>
             <select name=s><option value=1>One</option><option value=2 selected>Two</option></select></form>",
        );
        assert_eq!((page.links[0].href.as_str(), page.links[0].text.as_str()), ("/a?b=1&c=2", "Salt & Iron"));
        assert!(page.files[0].is_stylesheet && page.forms[0].is_post);
        let kinds: Vec<&FieldKind> = page.forms[0].fields.iter().map(|field| &field.kind).collect();
        assert_eq!(kinds[0], &FieldKind::Hidden("t".to_owned()));
        let (value, label) = ("5".to_owned(), "5 stars".to_owned());
        assert_eq!(kinds[1], &FieldKind::Radio { value, label, checked: true });
        assert_eq!(kinds[2], &FieldKind::Text { value: "hello".to_owned(), longest: Some(12) });
        let FieldKind::Select(options) = kinds[3] else { panic!("{kinds:?}") };
        assert!(options[1].selected && options[1].label == "Two");
    }
}
