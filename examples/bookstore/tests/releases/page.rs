//! A page as a user sees it: text, links and forms.

use html5gum::{StartTag, Token, Tokenizer};

#[derive(Debug, Default)]
pub(crate) struct Page {
    /// The words of the page, one space between any two.
    pub(crate) text: String,
    pub(crate) links: Vec<Link>,
    pub(crate) forms: Vec<Form>,
    /// Stylesheets, icons and pictures.
    pub(crate) files: Vec<String>,
}

#[derive(Debug)]
pub(crate) struct Link {
    pub(crate) href: String,
    pub(crate) text: String,
}

#[derive(Debug)]
pub(crate) struct Form {
    pub(crate) id: String,
    pub(crate) action: String,
    pub(crate) is_post: bool,
    pub(crate) fields: Vec<Field>,
    pub(crate) buttons: Vec<Button>,
}

#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) kind: Kind,
}

#[derive(Debug)]
pub(crate) enum Kind {
    /// Anything that holds text, hidden or not.
    Text(String),
    /// A value that is sent when it is chosen or ticked.
    Choice { value: String, chosen: bool },
    /// Values and labels, and which is selected.
    Select { options: Vec<(String, String)>, selected: usize },
}

#[derive(Debug)]
pub(crate) struct Button {
    pub(crate) name: String,
    pub(crate) value: String,
    pub(crate) label: String,
}

impl Page {
    pub(crate) fn read(html: &str) -> Page {
        let mut page = Page::default();
        let mut within = Vec::new();
        for Ok(token) in Tokenizer::new(html) {
            match token {
                Token::StartTag(tag) => {
                    let tag = Tag(tag);
                    page.open(&tag);
                    within.push(tag.name());
                }
                Token::EndTag(tag) => {
                    let name = String::from_utf8_lossy(&tag.name).into_owned();
                    if let Some(place) = within.iter().rposition(|open| *open == name) {
                        within.truncate(place);
                    }
                }
                Token::String(text) => page.add_text(&String::from_utf8_lossy(&text), &within),
                _ => {}
            }
        }
        page.text = page.text.split_whitespace().collect::<Vec<_>>().join(" ");
        page
    }

    pub(crate) fn form(&self, id: &str) -> Option<&Form> {
        self.forms.iter().find(|form| form.id == id)
    }

    /// The address of the first link of this text.
    pub(crate) fn link(&self, text: &str) -> Option<&str> {
        self.links.iter().find(|link| link.text.trim() == text).map(|link| link.href.as_str())
    }

    fn open(&mut self, tag: &Tag) {
        match tag.name().as_str() {
            "a" => self.links.push(Link { href: tag.get("href"), text: String::new() }),
            "link" => self.files.push(tag.get("href")),
            "img" => self.files.push(tag.get("src")),
            "form" => self.forms.push(Form {
                id: tag.get("id"),
                action: tag.get("action"),
                is_post: tag.get("method") == "post",
                fields: Vec::new(),
                buttons: Vec::new(),
            }),
            "button" => {
                if let Some(form) = self.forms.last_mut() {
                    let label = String::new();
                    form.buttons.push(Button { name: tag.get("name"), value: tag.get("value"), label });
                }
            }
            "input" if matches!(tag.get("type").as_str(), "radio" | "checkbox") => {
                self.field(tag, Kind::Choice { value: tag.get("value"), chosen: tag.has("checked") });
            }
            "input" => self.field(tag, Kind::Text(tag.get("value"))),
            "textarea" => self.field(tag, Kind::Text(String::new())),
            "select" => self.field(tag, Kind::Select { options: Vec::new(), selected: 0 }),
            "option" => {
                if let Some(Kind::Select { options, selected }) = self.last_kind() {
                    if tag.has("selected") {
                        *selected = options.len();
                    }
                    options.push((tag.get("value"), String::new()));
                }
            }
            _ => {}
        }
    }

    fn add_text(&mut self, text: &str, within: &[String]) {
        self.text.push_str(text);
        self.text.push(' ');
        for element in within {
            match (element.as_str(), self.links.last_mut(), self.forms.last_mut()) {
                ("a", Some(link), _) => link.text.push_str(text),
                ("button", _, Some(form)) => form.buttons.iter_mut().last().unwrap().label.push_str(text),
                ("textarea", _, Some(form)) => {
                    if let Kind::Text(value) = &mut form.fields.last_mut().unwrap().kind {
                        value.push_str(text);
                    }
                }
                ("option", _, Some(form)) => {
                    if let Kind::Select { options, .. } = &mut form.fields.last_mut().unwrap().kind {
                        options.last_mut().unwrap().1.push_str(text);
                    }
                }
                _ => {}
            }
        }
    }

    fn field(&mut self, tag: &Tag, kind: Kind) {
        if let Some(form) = self.forms.last_mut() {
            form.fields.push(Field { name: tag.get("name"), kind });
        }
    }

    fn last_kind(&mut self) -> Option<&mut Kind> {
        Some(&mut self.forms.last_mut()?.fields.last_mut()?.kind)
    }
}

impl Form {
    /// The names of the fields in their order, each once.
    pub(crate) fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.fields.iter().map(|field| field.name.as_str()).collect();
        names.dedup();
        names
    }

    /// What the form sends once it is filled in: texts, the values of choices (or the labels of options),
    /// and `on` or `off` for boxes. Panics if it has no such field.
    pub(crate) fn filled(&self, wishes: &[(&str, &str)]) -> Vec<(String, String)> {
        for (name, _) in wishes {
            assert!(self.names().contains(name), "no field {name} in {self:#?}");
        }
        let sent = self.fields.iter().filter_map(|field| {
            let wish = wishes.iter().find(|(name, _)| *name == field.name).map(|(_, wish)| *wish);
            let value = match (&field.kind, wish) {
                (Kind::Text(value), wish) => wish.unwrap_or(value).to_owned(),
                (Kind::Choice { value, chosen }, None) => chosen.then(|| value.clone())?,
                (Kind::Choice { value, .. }, Some(wish)) => {
                    (wish == "on" || wish == value).then(|| value.clone())?
                }
                (Kind::Select { options, selected }, None) => options.get(*selected)?.0.clone(),
                (Kind::Select { options, .. }, Some(wish)) => {
                    let option = options.iter().find(|(value, label)| value == wish || label == wish);
                    option.unwrap_or_else(|| panic!("no option {wish} in {options:?}")).0.clone()
                }
            };
            Some((field.name.clone(), value))
        });
        sent.collect()
    }
}

struct Tag(StartTag<()>);

impl Tag {
    fn name(&self) -> String {
        String::from_utf8_lossy(&self.0.name).into_owned()
    }

    fn get(&self, name: &str) -> String {
        let value = self.0.attributes.get(name.as_bytes());
        value.map(|value| String::from_utf8_lossy(value).into_owned()).unwrap_or_default()
    }

    fn has(&self, name: &str) -> bool {
        self.0.attributes.contains_key(name.as_bytes())
    }
}
