//! Forms and their fields.

/// What kind of control a field is, as far as it matters to what a browser sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// `<input type=hidden>`: the application's own value.
    Hidden,
    /// A text, number, date, … input or a `textarea`: what the user types.
    Text,
    /// A check box.
    Checkbox,
    /// One of a group of radio buttons.
    Radio,
    /// A `select`.
    Select,
    /// A file chooser.
    File,
    /// A submit button, image or `button`: sent where it was the one clicked.
    Submit,
}

/// What a text input expects, as its `type` says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum InputType {
    /// Any text on one line, and whatever is no text input.
    #[default]
    Text,
    /// A `textarea`: any text on several lines.
    Lines,
    /// `password`.
    Password,
    /// `email`.
    Email,
    /// `number` and `range`.
    Number,
    /// `tel`.
    Telephone,
    /// `url`.
    Url,
    /// `search`.
    Search,
    /// `date`.
    Date,
    /// `datetime-local`.
    DateTime,
    /// `month`.
    Month,
    /// `week`.
    Week,
    /// `time`.
    Time,
    /// `color`.
    Color,
}

impl InputType {
    /// The type that an `input` names.
    pub fn named(name: &str) -> Self {
        match name {
            "password" => Self::Password,
            "email" => Self::Email,
            "number" | "range" => Self::Number,
            "tel" => Self::Telephone,
            "url" => Self::Url,
            "search" => Self::Search,
            "date" => Self::Date,
            "datetime-local" => Self::DateTime,
            "month" => Self::Month,
            "week" => Self::Week,
            "time" => Self::Time,
            "color" => Self::Color,
            _ => Self::Text,
        }
    }

    /// Its name in HTML; that of the element where it is no `input`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Lines => "textarea",
            Self::Password => "password",
            Self::Email => "email",
            Self::Number => "number",
            Self::Telephone => "tel",
            Self::Url => "url",
            Self::Search => "search",
            Self::Date => "date",
            Self::DateTime => "datetime-local",
            Self::Month => "month",
            Self::Week => "week",
            Self::Time => "time",
            Self::Color => "color",
        }
    }
}

/// One choice of a `select`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What is sent.
    pub value: String,
    /// What is shown.
    pub text: String,
    /// Whether it is chosen when the page opens.
    pub selected: bool,
}

/// A named control of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// What kind of control it is.
    pub kind: FieldKind,
    /// Its value when the page opens; for a check box or radio button, the value it sends when checked.
    pub value: String,
    /// Whether a check box or radio button is checked when the page opens.
    pub checked: bool,
    /// The choices of a `select`.
    pub choices: Vec<Choice>,
    /// Whether it is switched off when the page opens: a browser does not send it.
    pub disabled: bool,
    /// Whether a `select` takes several choices, or none.
    pub multiple: bool,
    /// What it expects, where it is typed into.
    pub input: InputType,
    /// Whether the form is not sent without it.
    pub required: bool,
    /// The least that it takes (`min`), where it says so.
    pub least: Option<String>,
    /// The most that it takes (`max`).
    pub most: Option<String>,
    /// How many characters it takes (`maxlength`).
    pub longest: Option<usize>,
}

impl Field {
    /// What a browser sends for it when the user touches nothing; `None` where it sends nothing.
    pub fn untouched(&self) -> Option<&str> {
        if self.disabled {
            return None;
        }
        match self.kind {
            FieldKind::Hidden | FieldKind::Text => Some(&self.value),
            FieldKind::Checkbox | FieldKind::Radio => self.checked.then_some(self.value.as_str()),
            FieldKind::Select => {
                let first = self.choices.first().filter(|_| !self.multiple);
                let chosen = self.choices.iter().find(|c| c.selected).or(first);
                chosen.map(|c| c.value.as_str())
            }
            FieldKind::File | FieldKind::Submit => None,
        }
    }
}

/// What submits a form: a button, with a name or without one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Button {
    /// Its name; empty where it sends nothing.
    pub name: String,
    /// What it sends where it has a name.
    pub value: String,
    /// What the user reads on it.
    pub text: String,
    /// Where it sends the form, where it says so itself (`formaction`).
    pub action: Option<String>,
    /// How it sends the form, where it says so itself (`formmethod`): `GET` or `POST`.
    pub method: Option<String>,
    /// Whether it is an image, which sends where it was clicked: `NAME.x` and `NAME.y`.
    pub image: bool,
}

/// A form: where it goes and what it carries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Form {
    /// Its `id`, where it has one.
    pub id: Option<String>,
    /// Its `name`, where it has one.
    pub name: Option<String>,
    /// `GET` or `POST`.
    pub method: String,
    /// Its `action`; empty where the form goes to its own page.
    pub action: String,
    /// Its fields in order; those without a name, which are never sent, are left out.
    pub fields: Vec<Field>,
    /// What submits it, in order; those with a name are among the fields, too.
    pub buttons: Vec<Button>,
    /// Whether it is sent in parts (`enctype`), as forms with files are.
    pub multipart: bool,
}

impl Form {
    /// The fields of a name.
    pub fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Field> {
        self.fields.iter().filter(move |f| f.name == name)
    }
}
