//! A shell script that calls curl; each session has cookies of its own.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::export::quote::{comment, shell};
use crate::export::script::{Body, Script, ScriptStep};

/// Spells a suite.
pub(crate) fn write(script: &Script) -> String {
    let mut out = format!(
        "#!/bin/sh\n# The suite {}, written by `restage export`. Needs curl; ends with 1 where a status is another.\n\
         base=${{BASE:-{}}}\n{}",
        comment(&script.suite),
        script.base,
        PROLOGUE
    );
    for session in &script.sessions {
        out.push_str(&format!(
            "\n# session {}\nbegin {} {}\n",
            comment(&session.name),
            shell(&session.name),
            shell(session.agent.as_deref().unwrap_or_default())
        ));
        for step in &session.steps {
            request(step, &mut out);
        }
    }
    out.push_str("\nexit \"$failed\"\n");
    out
}

const PROLOGUE: &str = r#"failed=0
jar=$(mktemp)
body=$(mktemp)
trap 'rm -f "$jar" "$body"' EXIT

# Forgets all cookies: begin SESSION AGENT
begin() {
    session=$1 agent=$2
    : > "$jar"
}

# Sends a request and checks its status, or takes any: send STEP STATUS CURL-ARGUMENTS...
send() {
    step=$1 expected=$2
    shift 2
    status=$(curl --silent --output /dev/null --write-out '%{http_code}' --user-agent "$agent" \
        --cookie "$jar" --cookie-jar "$jar" "$@")
    if [ "$expected" != any ] && [ "$status" != "$expected" ]; then
        echo "$session step $step: status $expected became $status"
        failed=1
    fi
}
"#;

fn request(step: &ScriptStep, out: &mut String) {
    for capture in &step.captures {
        let name = comment(&capture.variable);
        out.push_str(&format!(
            "# its answer holds a token ({name}) that later steps send as it was recorded\n"
        ));
    }
    for note in &step.notes {
        out.push_str(&format!("# {}\n", comment(note)));
    }
    let status = match step.status {
        None if step.generated => "any".to_owned(),
        status => format!("{:03}", status.unwrap_or(0)),
    };
    let mut words = vec![format!("send {} {status}", step.number)];
    if step.method != "GET" {
        words.push(format!("--request {}", shell(&step.method)));
    }
    for (name, value) in &step.headers {
        words.push(format!("--header {}", shell(&format!("{name}: {}", value.recorded()))));
    }
    match &step.body {
        Body::None => {}
        Body::Form(fields) => words.extend(fields.iter().map(|(name, value)| {
            let encoded = restage_model::Param::new(name, "");
            let name = restage_model::Params(vec![encoded]).encode();
            format!("--data-urlencode {}", shell(&format!("{name}{}", value.recorded())))
        })),
        Body::Text(text) => words.push(format!("--data-raw {}", shell(text))),
        Body::Bytes(bytes) => {
            out.push_str(&format!("echo {} | base64 -d > \"$body\"\n", STANDARD.encode(bytes)));
            words.push("--data-binary @\"$body\"".to_owned());
        }
    }
    words.push(format!("\"$base\"{}", shell(&step.uri.recorded())));
    out.push_str(&format!("{}\n", words.join(" \\\n    ")));
}
