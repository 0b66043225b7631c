//! A suite as requests to be sent by another tool.

use restage_model::{Exchange, Headers, Params, Request, Suite};

use crate::export::origin::{Answered, origin};
use crate::reduce::is_token;
use crate::source::{ExchangeSource, SourceError, body_text};

/// Where the application is taken to be, where no request says.
const SOMEWHERE: &str = "http://127.0.0.1:8080";

/// A suite as requests to be sent.
#[derive(Clone, Debug)]
pub struct Script {
    /// The suite's name.
    pub suite: String,
    /// The application, as it was recorded.
    pub base: String,
    /// Its sessions.
    pub sessions: Vec<ScriptSession>,
}

/// A session as requests to be sent.
#[derive(Clone, Debug)]
pub struct ScriptSession {
    /// Its name.
    pub name: String,
    /// The `User-Agent` of its requests, where they have one.
    pub agent: Option<String>,
    /// Its requests.
    pub steps: Vec<ScriptStep>,
}

/// A request to be sent.
#[derive(Clone, Debug)]
pub struct ScriptStep {
    /// Its place in the session, from 1.
    pub number: usize,
    /// `GET`, `POST`, …
    pub method: String,
    /// Path and query.
    pub uri: Text,
    /// The fields that matter to an application; cookies are the tool's business.
    pub headers: Vec<(String, Text)>,
    /// Its body.
    pub body: Body,
    /// The status that was recorded, where there was an answer.
    pub status: Option<u16>,
    /// Whether nobody ever sent it, so that no answer is known.
    pub generated: bool,
    /// What later steps need of its answer.
    pub captures: Vec<Capture>,
    /// What a reader should know.
    pub notes: Vec<String>,
}

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Sent as it is.
    Plain(String),
    /// A variable.
    Variable {
        /// Its name.
        name: String,
        /// What it was when it was recorded.
        recorded: String,
    },
}

/// A text with variables in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text(pub Vec<Piece>);

impl Text {
    /// A text as it is.
    pub fn plain(text: impl Into<String>) -> Self {
        Self(vec![Piece::Plain(text.into())])
    }

    /// A variable alone.
    fn variable(name: String, recorded: &str) -> Self {
        Self(vec![Piece::Variable { name, recorded: recorded.to_owned() }])
    }

    /// As it was recorded.
    pub fn recorded(&self) -> String {
        let recorded = self.0.iter().map(|piece| match piece {
            Piece::Plain(text) | Piece::Variable { recorded: text, .. } => text.as_str(),
        });
        recorded.collect()
    }

    /// It, spelled: what is as it is by one function, variables by another.
    pub fn spell(&self, plain: impl Fn(&str) -> String, variable: impl Fn(&str) -> String) -> String {
        let spelled = self.0.iter().map(|piece| match piece {
            Piece::Plain(text) => plain(text),
            Piece::Variable { name, .. } => variable(name),
        });
        spelled.collect()
    }
}

/// A request's body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// None.
    None,
    /// The fields of a URL-encoded form.
    Form(Vec<(String, Text)>),
    /// Text, sent as it is.
    Text(String),
    /// Bytes that are no text.
    Bytes(Vec<u8>),
}

/// A value of an answer that later steps need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capture {
    /// The variable it becomes.
    pub variable: String,
    /// Where it is.
    pub place: ValueSource,
}

/// Where in an answer a value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueSource {
    /// The value of the n-th input of a name, from 0.
    Input(String, usize),
    /// The content of the first meta element of a name.
    Meta(String),
    /// A field of a JSON object, by the names that lead to it.
    Json(Vec<String>),
}

impl Script {
    /// Reads a suite.
    pub fn of(suite: &Suite, source: &dyn ExchangeSource) -> Result<Self, SourceError> {
        let mut base = None;
        let mut sessions = Vec::new();
        for session in &suite.sessions {
            let mut steps: Vec<ScriptStep> = Vec::new();
            let mut answered: Vec<Answered> = Vec::new();
            let mut agent = None;
            for id in &session.exchanges {
                let exchange = source.exchange(*id)?;
                if base.is_none() {
                    base = exchange.request.headers.get("host").map(|host| format!("http://{host}"));
                }
                if agent.is_none() {
                    agent = exchange.request.headers.get("user-agent").map(Headers::readable);
                }
                let agent = agent.as_deref();
                let step =
                    Reader { source, agent, answered: &answered, steps: &mut steps }.read(&exchange)?;
                steps.push(step);
                answered.push(Answered::of(&exchange, source)?);
            }
            sessions.push(ScriptSession { name: session.name.clone(), agent, steps });
        }
        Ok(Self { suite: suite.name.clone(), base: base.unwrap_or_else(|| SOMEWHERE.to_owned()), sessions })
    }
}

/// Reads the next request of a session.
struct Reader<'a> {
    source: &'a dyn ExchangeSource,
    agent: Option<&'a str>,
    answered: &'a [Answered],
    steps: &'a mut Vec<ScriptStep>,
}

impl Reader<'_> {
    fn read(&mut self, exchange: &Exchange) -> Result<ScriptStep, SourceError> {
        let request = &exchange.request;
        let mut notes = Vec::new();
        let uri = self.uri(request, &mut notes);
        let headers = self.headers(request, &mut notes);
        let body = self.body(request, &mut notes)?;
        if !exchange.origin.is_recorded() {
            notes.push(exchange.origin.to_string());
        }
        if request.body.cut {
            notes.push("the body was recorded in part only".to_owned());
        }
        Ok(ScriptStep {
            number: self.steps.len() + 1,
            method: request.method.clone(),
            uri,
            headers,
            body,
            status: exchange.response.as_ref().map(|r| r.status),
            generated: exchange.origin.is_generated(),
            captures: Vec::new(),
            notes,
        })
    }

    fn uri(&mut self, request: &Request, notes: &mut Vec<String>) -> Text {
        let query = request.query();
        if query.is_empty() {
            return Text::plain(&request.uri);
        }
        let mut pieces = Vec::new();
        let mut plain = format!("{}?", request.path());
        for (place, raw) in query.split('&').enumerate() {
            let before = if place == 0 { "" } else { "&" };
            let pair = Params::parse(raw).pairs().pop();
            match pair.and_then(|(name, value)| self.variable(&name, &value, notes)) {
                Some(variable) => {
                    let (name, recorded) = raw.split_once('=').unwrap_or((raw, ""));
                    plain.push_str(&format!("{before}{name}="));
                    pieces.push(Piece::Plain(std::mem::take(&mut plain)));
                    pieces.push(Piece::Variable { name: variable, recorded: recorded.to_owned() });
                }
                None => plain.push_str(&format!("{before}{raw}")),
            }
        }
        if !plain.is_empty() {
            pieces.push(Piece::Plain(plain));
        }
        Text(pieces)
    }

    fn headers(&mut self, request: &Request, notes: &mut Vec<String>) -> Vec<(String, Text)> {
        let mut kept = Vec::new();
        for (name, value) in request.headers.iter() {
            // What the tools send by themselves, and what is said once for the session.
            let usual = match name {
                "content-type" => value.starts_with("application/x-www-form-urlencoded"),
                "accept" => value.starts_with("text/html") || value == "*/*",
                "user-agent" => self.agent == Some(Headers::readable(value).as_str()),
                _ => false,
            };
            let matters = matches!(name, "accept" | "content-type" | "authorization" | "user-agent")
                || name.starts_with("x-") && !name.starts_with("x-forwarded");
            if !matters || usual {
                continue;
            }
            let value = Headers::readable(value);
            let text = match self.variable(name, &value, notes) {
                Some(variable) => Text::variable(variable, &value),
                None => Text::plain(value),
            };
            kept.push((name.to_owned(), text));
        }
        kept
    }

    fn body(&mut self, request: &Request, notes: &mut Vec<String>) -> Result<Body, SourceError> {
        if request.body.id.is_none() {
            return Ok(Body::None);
        }
        if request.headers.media_type().as_deref() == Some("application/x-www-form-urlencoded") {
            let form = body_text(self.source, &request.body)?;
            let fields = Params::parse(&form).pairs().into_iter();
            let fields = fields.map(|(name, value)| match self.variable(&name, &value, notes) {
                Some(variable) => (name, Text::variable(variable, &value)),
                None => (name, Text::plain(value)),
            });
            return Ok(Body::Form(fields.collect()));
        }
        Ok(match String::from_utf8(self.source.body(&request.body)?) {
            Ok(text) => Body::Text(text),
            Err(bytes) => Body::Bytes(bytes.into_bytes()),
        })
    }

    /// The variable that stands for a value which an earlier answer held. A token whose origin is not known is noted.
    fn variable(&mut self, name: &str, value: &str, notes: &mut Vec<String>) -> Option<String> {
        if !is_token(value) {
            return None;
        }
        let Some((step, place)) = origin(self.answered, value) else {
            notes.push(format!(
                "`{name}` looks like a token and is sent as it was recorded: its origin is not known"
            ));
            return None;
        };
        let captures = &mut self.steps[step].captures;
        if let Some(known) = captures.iter().find(|capture| capture.place == place) {
            return Some(known.variable.clone());
        }
        let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let variable = format!("{plain}_{}", step + 1);
        let taken = captures.iter().filter(|capture| capture.variable.starts_with(&variable)).count();
        let variable = if taken == 0 { variable } else { format!("{variable}_{}", taken + 1) };
        captures.push(Capture { variable: variable.clone(), place });
        Some(variable)
    }
}
