//! Texts as literals of other languages.

use crate::export::{Body, Piece, ScriptSession, ScriptStep, Text};

/// A shell word.
pub(crate) fn shell(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// A JavaScript string.
pub(crate) fn javascript(text: &str) -> String {
    let json = serde_json::Value::from(text).to_string();
    // Line ends to JavaScript, once, and not to JSON; and the end of a script, were it in a page.
    json.replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029").replace("</", "<\\/")
}

/// A text with variables as a JavaScript expression; `around` is called on variables.
pub(crate) fn javascript_text(text: &Text, around: &str) -> String {
    let spelled = text.0.iter().map(|piece| match piece {
        Piece::Plain(plain) => javascript(plain),
        Piece::Variable { name, .. } if around.is_empty() => name.clone(),
        Piece::Variable { name, .. } => format!("{around}({name})"),
    });
    spelled.collect::<Vec<_>>().join(" + ")
}

/// The header that a session's requests have in common, as a JavaScript object.
pub(crate) fn agent(session: &ScriptSession) -> String {
    let agent = session.agent.as_deref().map(|agent| format!(" 'user-agent': {} ", javascript(agent)));
    format!("{{{}}}", agent.unwrap_or_default())
}

/// A request's headers, as members of a JavaScript object.
pub(crate) fn headers(step: &ScriptStep) -> Vec<String> {
    let own = step.headers.iter();
    let own = own.map(|(name, value)| format!("{}: {}", javascript(name), javascript_text(value, "")));
    let form = matches!(step.body, Body::Form(_))
        .then(|| "'content-type': 'application/x-www-form-urlencoded'".to_owned());
    std::iter::once("...agent".to_owned()).chain(own).chain(form).collect()
}

/// The part of a JSON value that the names lead to, as JavaScript behind the value.
pub(crate) fn members(names: &[String]) -> String {
    names.iter().map(|name| format!("[{}]", javascript(name))).collect()
}

/// What is said above a step: its number and the notes, each on a line that begins with `mark`.
pub(crate) fn above(step: &ScriptStep, mark: &str) -> String {
    let notes = step.notes.iter().map(|note| format!("{mark} {}\n", comment(note)));
    std::iter::once(format!("\n{mark} step {}\n", step.number)).chain(notes).collect()
}

/// A comment's text: one line of it.
pub(crate) fn comment(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
