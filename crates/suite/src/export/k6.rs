//! A script for k6: a function a session, all of them in each iteration.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::export::quote::{above, agent, comment, headers, javascript, javascript_text, members};
use crate::export::script::{Body, Script, ScriptStep, ValueSource};

/// Spells a suite.
pub(crate) fn write(script: &Script) -> String {
    let mut out = format!(
        "// The suite {}, written by `restage export`.\n// k6 run -e BASE={} FILE\n\
         import http from 'k6/http';\nimport encoding from 'k6/encoding';\nimport {{ check, group }} from 'k6';\n\n\
         const base = __ENV.BASE || {};\n\n\
         export default function () {{\n",
        comment(&script.suite),
        script.base,
        javascript(&script.base)
    );
    for session in &script.sessions {
        out.push_str(&format!(
            "  group({}, () => {{\n    // Cookies of its own.\n    const jar = new http.CookieJar();\n    const agent = {};\n    let answer;\n",
            javascript(&session.name),
            agent(session)
        ));
        for step in &session.steps {
            request(step, &mut out);
        }
        out.push_str("  });\n");
    }
    out.push_str("}\n");
    out
}

fn request(step: &ScriptStep, out: &mut String) {
    out.push_str(&above(step, "    //"));
    let body = match &step.body {
        Body::None => "null".to_owned(),
        Body::Form(fields) => {
            let fields = fields.iter().map(|(name, value)| {
                format!(
                    "encodeURIComponent({}) + '=' + encodeURIComponent({})",
                    javascript(name),
                    javascript_text(value, "")
                )
            });
            format!("[\n      {},\n    ].join('&')", fields.collect::<Vec<_>>().join(",\n      "))
        }
        Body::Text(text) => javascript(text),
        Body::Bytes(bytes) => format!("encoding.b64decode({})", javascript(&STANDARD.encode(bytes))),
    };
    out.push_str(&format!(
        "    answer = http.request({}, base + {}, {body}, {{\n      jar, redirects: 0, headers: {{ {} }},\n    }});\n",
        javascript(&step.method),
        javascript_text(&step.uri, "encodeURIComponent"),
        headers(step).join(", ")
    ));
    if let Some(status) = step.status {
        out.push_str(&format!(
            "    check(answer, {{ 'step {}: {status}': (a) => a.status === {status} }});\n",
            step.number
        ));
    }
    for capture in &step.captures {
        let value = match &capture.place {
            ValueSource::Input(name, nth) => {
                format!(
                    "answer.html().find({}).eq({nth}).attr('value')",
                    javascript(&format!("input[name='{name}']"))
                )
            }
            ValueSource::Meta(name) => {
                format!("answer.html().find({}).attr('content')", javascript(&format!("meta[name='{name}']")))
            }
            ValueSource::Json(names) => format!("answer.json(){}", members(names)),
        };
        out.push_str(&format!("    const {} = {value};\n", capture.variable));
    }
}
