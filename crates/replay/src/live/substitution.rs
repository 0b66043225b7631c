//! Values that no form, link or redirect accounts for: a script sent them along. Each is traced to the response that
//! held it, wherever in the request it stands: path, query, form, JSON, header fields.

use restage_model::{Param, Params, Substitution};

use crate::live::history::{History, RequestValue, Traced};
use crate::live::origin::{Looks, nouns, scalars};

/// Header fields whose values are the browser's own.
const BROWSERS_OWN: &[&str] = &[
    "accept",
    "accept-encoding",
    "accept-language",
    "baggage",
    "cache-control",
    "content-type",
    "dnt",
    "host",
    "origin",
    "pragma",
    "priority",
    "range",
    "sentry-trace",
    "traceparent",
    "tracestate",
    "upgrade-insecure-requests",
    "user-agent",
    "x-request-id",
    "x-requested-with",
];

/// Replaces values of one request by live ones, and notes each.
pub(crate) struct Substituter<'a> {
    history: &'a History<'a>,
    nouns: Vec<String>,
    /// What was replaced.
    pub(crate) substitutions: Vec<Substitution>,
    /// What the live application no longer has, the first of it.
    pub(crate) gone: Option<String>,
}

impl<'a> Substituter<'a> {
    /// For a request to an address.
    pub(crate) fn new(history: &'a History<'a>, uri: &str) -> Self {
        let nouns = nouns(uri.split('?').next().unwrap_or_default());
        Self { history, nouns, substitutions: Vec::new(), gone: None }
    }

    /// An address: as a whole where a response held it, else piece by piece.
    pub(crate) fn address(&mut self, uri: &str) -> String {
        if let Some(live) = self.whole_address(uri) {
            return live;
        }
        let (path, query) = uri.split_once('?').map_or((uri, None), |(path, query)| (path, Some(query)));
        let mut live = self.path(path);
        if let Some(query) = query {
            let mut params = Params::parse(query);
            let changed = self.params("query parameter", &mut params, &[]);
            live.push('?');
            live.push_str(&if changed { params.encode() } else { query.to_owned() });
        }
        live
    }

    fn whole_address(&mut self, uri: &str) -> Option<String> {
        let carried = RequestValue { name: "", value: uri, in_path: false, nouns: &[] };
        let found = match self.history.trace(&carried) {
            Traced::Found(found) => found,
            Traced::Gone(why) => {
                self.gone.get_or_insert(format!("{why}, which was its address"));
                return None;
            }
            Traced::Nowhere => return None,
        };
        if !found.live.starts_with('/') || found.live.starts_with("//") {
            return None;
        }
        if found.live != uri {
            self.substitutions.push(Substitution {
                target: "address".to_owned(),
                recorded: uri.to_owned(),
                live: found.live.clone(),
                source: found.source,
                why: found.why,
            });
        }
        Some(found.live)
    }

    fn path(&mut self, path: &str) -> String {
        let mut before = "";
        let mut pieces = Vec::new();
        for segment in path.split('/') {
            let (stem, rest) = segment.split_at(segment.find('.').unwrap_or(segment.len()));
            let live = self.value("path", before, stem, true);
            if Looks::of(stem).is_none() && !segment.is_empty() {
                before = segment;
            }
            pieces.push(live.map_or_else(|| segment.to_owned(), |live| format!("{live}{rest}")));
        }
        pieces.join("/")
    }

    /// Parameters, but for those that are settled already. Whether any was replaced.
    pub(crate) fn params(&mut self, what: &str, params: &mut Params, settled: &[bool]) -> bool {
        // What a request speaks of is often said by a parameter: `action=delete-comment&id=16`.
        let said: Vec<String> = params.0.iter().map(Param::value).collect();
        let before = self.nouns.len();
        self.nouns
            .extend(said.iter().filter(|v| v.len() <= 40 && Looks::of(v).is_none()).flat_map(|v| nouns(v)));
        let mut changed = false;
        for (at, param) in params.0.iter_mut().enumerate() {
            if settled.get(at).copied().unwrap_or(false) {
                continue;
            }
            let (name, value) = (param.name(), &said[at]);
            if let Some(live) = self.value(what, &name, value, false) {
                param.set_value(&live);
                changed = true;
            }
        }
        self.nouns.truncate(before);
        changed
    }

    /// A JSON text with its values replaced; all else keeps its bytes. `None` where nothing is to be replaced.
    pub(crate) fn json(&mut self, what: &str, text: &str) -> Option<String> {
        let mut out = String::new();
        let mut copied = 0;
        for scalar in scalars(text)? {
            let before = self.nouns.len();
            // An `id` in a `post` is about the post.
            self.nouns.extend(scalar.around.iter().flat_map(|key| nouns(key)));
            let from = self.substitutions.len();
            let live = self.value(what, &scalar.key, &scalar.value, false);
            self.nouns.truncate(before);
            let Some(live) = live else { continue };
            for substitution in &mut self.substitutions[from..] {
                substitution.target = format!("{what} {}", scalar.path);
            }
            out.push_str(&text[copied..scalar.span.start]);
            let number = !scalar.is_string && live.parse::<serde_json::Number>().is_ok();
            out.push_str(&if number { live } else { serde_json::Value::from(live).to_string() });
            copied = scalar.span.end;
        }
        if copied == 0 {
            return None;
        }
        out.push_str(&text[copied..]);
        Some(out)
    }

    /// A header field's value: all of it, or what follows a scheme, as in `Bearer TOKEN` or `Token token="TOKEN"`.
    pub(crate) fn header(&mut self, name: &str, value: &str) -> Option<String> {
        if BROWSERS_OWN.contains(&name) || name.starts_with("sec-") || name.starts_with("x-forwarded-") {
            return None;
        }
        let whole = value.trim();
        if !whole.contains(['"', ' ', '%']) {
            return self.value("header", name, whole, false);
        }
        if whole.contains('%') && !whole.contains(['"', ' ']) {
            return self.value("header", name, whole, false).or_else(|| self.encoded_header(name, whole));
        }
        // The last piece that could be one.
        let piece = whole.rsplit(['"', ' ', '=', ',']).find(|p| Looks::of(p) == Some(Looks::Token))?;
        let piece = whole.rsplit([' ', '"']).find(|p| p.starts_with(piece)).unwrap_or(piece);
        let live = self.value("header", name, piece, false)?;
        Some(value.replacen(piece, &live, 1))
    }

    /// A value that a page held as it is, and a script sends encoded.
    fn encoded_header(&mut self, name: &str, value: &str) -> Option<String> {
        let decoded = percent_encoding::percent_decode_str(value).decode_utf8().ok()?;
        let live = self.value("header", name, &decoded, false)?;
        Some(percent_encoding::utf8_percent_encode(&live, percent_encoding::NON_ALPHANUMERIC).to_string())
    }

    /// The live value in place of a recorded one; `None` where it stays.
    pub(crate) fn value(&mut self, what: &str, name: &str, value: &str, in_path: bool) -> Option<String> {
        if value.starts_with(['{', '[']) && value.len() > 2 {
            return self.json(&format!("{what} {name}"), value);
        }
        let carried = RequestValue { name, value, in_path, nouns: &self.nouns };
        match self.history.trace(&carried) {
            Traced::Nowhere => None,
            Traced::Gone(why) => {
                self.gone.get_or_insert(format!("{why}, which was sent as {}", target(what, name)));
                None
            }
            Traced::Found(found) if found.live == value => None,
            Traced::Found(found) => {
                self.substitutions.push(Substitution {
                    target: target(what, name),
                    recorded: value.to_owned(),
                    live: found.live.clone(),
                    source: found.source,
                    why: found.why,
                });
                Some(found.live)
            }
        }
    }
}

fn target(what: &str, name: &str) -> String {
    match (what, name) {
        (what, "") => what.to_owned(),
        ("path", name) => format!("path after {name}"),
        (what, name) => format!("{what} {name}"),
    }
}
