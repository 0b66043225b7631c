//! Files for hurl, one a session: hurl keeps the cookies of a file.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::export::quote::{above, comment};
use crate::export::script::{Body, Script, ScriptSession, ScriptStep, Text, ValueSource};

/// Spells a session.
pub(crate) fn write(script: &Script, session: &ScriptSession) -> String {
    let mut out = format!(
        "# The session {} of the suite {}, written by `restage export`.\n# hurl --variable base={} {}.hurl\n",
        comment(&session.name),
        comment(&script.suite),
        script.base,
        comment(&session.name)
    );
    for step in &session.steps {
        entry(step, session.agent.as_deref(), &mut out);
    }
    out
}

fn entry(step: &ScriptStep, agent: Option<&str>, out: &mut String) {
    out.push_str(&above(step, "#"));
    out.push_str(&format!("{} {{{{base}}}}{}\n", step.method, step.uri.spell(address, variable)));
    if let Some(agent) = agent {
        out.push_str(&format!("user-agent: {}\n", escaped(agent)));
    }
    for (name, value) in &step.headers {
        out.push_str(&format!("{name}: {}\n", spelled(value)));
    }
    match &step.body {
        Body::None => {}
        Body::Form(fields) => {
            out.push_str("[FormParams]\n");
            for (name, value) in fields {
                out.push_str(&format!("{}: {}\n", key(name), spelled(value)));
            }
        }
        Body::Text(text) => {
            out.push_str(&format!("base64,{};\n# {}\n", STANDARD.encode(text), first_line(text)))
        }
        Body::Bytes(bytes) => out.push_str(&format!("base64,{};\n", STANDARD.encode(bytes))),
    }
    match step.status {
        Some(status) => out.push_str(&format!("HTTP {status}\n")),
        None => out.push_str("# no answer was recorded\n"),
    }
    if !step.captures.is_empty() {
        out.push_str("[Captures]\n");
    }
    for capture in &step.captures {
        out.push_str(&format!("{}: {}\n", capture.variable, query(&capture.place)));
    }
}

fn query(place: &ValueSource) -> String {
    let path = match place {
        ValueSource::Input(name, nth) => format!("string((//input[@name='{name}'])[{}]/@value)", nth + 1),
        ValueSource::Meta(name) => format!("string(//meta[@name='{name}']/@content)"),
        ValueSource::Json(names) => {
            let path: String = names.iter().map(|name| format!("['{name}']")).collect();
            return format!("jsonpath \"${}\"", quoted(&path));
        }
    };
    format!("xpath \"{}\"", quoted(&path))
}

fn spelled(text: &Text) -> String {
    text.spell(escaped, variable)
}

fn variable(name: &str) -> String {
    format!("{{{{{name}}}}}")
}

/// A value: all but a comment's beginning, line ends and what looks like a variable stands for itself.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('#', "\\#").replace("{{", "\\u{7b}\\u{7b}");
    let mut out: String = text
        .chars()
        .map(|c| match c {
            '\n' => "\\n".to_owned(),
            '\r' => "\\r".to_owned(),
            '\t' => "\\t".to_owned(),
            c if c.is_control() => format!("\\u{{{:x}}}", u32::from(c)),
            c => c.to_string(),
        })
        .collect();
    // Spaces at either end would be taken for layout.
    if let Some(rest) = out.strip_prefix(' ') {
        out = format!("\\u{{20}}{rest}");
    }
    if let Some(rest) = out.strip_suffix(' ') {
        out = format!("{rest}\\u{{20}}");
    }
    out
}

/// A field's name: colons and spaces end one.
fn key(name: &str) -> String {
    let wordy = |c: char| c.is_alphanumeric() || "_-.[]@$".contains(c);
    name.chars()
        .map(|c| if wordy(c) { c.to_string() } else { format!("\\u{{{:x}}}", u32::from(c)) })
        .collect()
}

/// An address: encoded already, but for what hurl would read as its own.
fn address(text: &str) -> String {
    text.replace('#', "%23").replace('{', "%7B").replace('}', "%7D").replace(' ', "%20")
}

fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

fn first_line(text: &str) -> String {
    comment(&text.lines().next().unwrap_or_default().chars().take(100).collect::<String>())
}
