//! A test file for Playwright: a test a session, by its requests alone, without a browser.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::export::quote::{above, agent, comment, headers, javascript, javascript_text, members};
use crate::export::script::{Body, Script, ScriptStep, ValueSource};

/// Spells a suite.
pub(crate) fn write(script: &Script) -> String {
    let mut out = format!(
        "// The suite {}, written by `restage export`.\n// BASE={} npx playwright test FILE\n\
         const {{ test, expect }} = require('@playwright/test');\n\n\
         const base = process.env.BASE || {};\n{PROLOGUE}",
        comment(&script.suite),
        script.base,
        javascript(&script.base)
    );
    for session in &script.sessions {
        // Each test's `request` has cookies of its own.
        out.push_str(&format!(
            "\ntest({}, async ({{ request }}) => {{\n  const agent = {};\n  let answer;\n",
            javascript(&session.name),
            agent(session)
        ));
        for step in &session.steps {
            send(step, &mut out);
        }
        out.push_str("});\n");
    }
    out
}

const PROLOGUE: &str = r#"
// The attribute of the n-th element of a page that has this name, in plain text.
function valueOf(page, element, name, attribute, nth) {
  const attributes = (tag) => Object.fromEntries(
    [...tag.matchAll(/([^\s"'<>\/=]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g)]
      .map((m) => [m[1].toLowerCase(), m[2] ?? m[3] ?? m[4]]));
  const tags = page.match(new RegExp('<' + element + '\\b[^>]*>', 'gi')) || [];
  const found = tags.map(attributes).filter((a) => a.name === name)[nth];
  const names = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" };
  return ((found || {})[attribute] || '').replace(/&(amp|lt|gt|quot|#39|#x27);/g, (_, n) => names[n]);
}
"#;

fn send(step: &ScriptStep, out: &mut String) {
    out.push_str(&above(step, "  //"));
    let mut options = vec![format!("method: {}", javascript(&step.method)), "maxRedirects: 0".to_owned()];
    match &step.body {
        Body::None => {}
        Body::Form(fields) => {
            let fields = fields
                .iter()
                .map(|(name, value)| format!("[{}, {}]", javascript(name), javascript_text(value, "")));
            let fields = fields.collect::<Vec<_>>().join(",\n      ");
            options.push(format!("data: new URLSearchParams([\n      {fields},\n    ]).toString()"));
        }
        Body::Text(text) => options.push(format!("data: {}", javascript(text))),
        Body::Bytes(bytes) => {
            options.push(format!("data: Buffer.from({}, 'base64')", javascript(&STANDARD.encode(bytes))));
        }
    }
    options.push(format!("headers: {{ {} }}", headers(step).join(", ")));
    out.push_str(&format!(
        "  answer = await request.fetch(base + {}, {{\n    {},\n  }});\n",
        javascript_text(&step.uri, "encodeURIComponent"),
        options.join(",\n    ")
    ));
    if let Some(status) = step.status {
        out.push_str(&format!("  expect(answer.status(), 'step {}').toBe({status});\n", step.number));
    }
    for capture in &step.captures {
        let value = match &capture.place {
            ValueSource::Input(name, nth) => {
                format!("valueOf(await answer.text(), 'input', {}, 'value', {nth})", javascript(name))
            }
            ValueSource::Meta(name) => {
                format!("valueOf(await answer.text(), 'meta', {}, 'content', 0)", javascript(name))
            }
            ValueSource::Json(names) => format!("(await answer.json()){}", members(names)),
        };
        out.push_str(&format!("  const {} = {value};\n", capture.variable));
    }
}
