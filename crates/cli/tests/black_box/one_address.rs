//! Six forms of one page that all lead to one address: each step submits the form that the user submitted.

use std::path::Path;

use crate::own_app::start_script;
use crate::support::{Recording, agent, json, project, restage, run, stderr, stdout};

const APP: &str = include_str!("../apps/office.py");
const CONFIG: &str = r#"
[app]
command = "exec python3 office.py {port}"
[app.next]
env = { RELEASE = "2" }
"#;

/// What the user typed and clicked on, in each of the six forms.
const TYPED: [&[(&str, &str)]; 6] = [
    &[("name", "Ada"), ("mail", "")],
    &[("street", "Main St"), ("city", "Ulm")],
    &[("code", "one"), ("repeated", "one")],
    &[("text", "Good"), ("do", "comment")],
    &[("text", "Bad"), ("do", "report")],
    &[("do", "leave")],
];

/// The hidden values of the form at a place of a page.
fn hidden(page: &str, form: usize) -> Vec<(&str, &str)> {
    let form = page.split("<form").nth(form + 1).unwrap();
    let fields = form.split("type=\"hidden\" name=\"").skip(1);
    fields.map(|field| (field.split('"').next().unwrap(), field.split('"').nth(2).unwrap())).collect()
}

fn record(folder: &Path) {
    let (app, upstream) = start_script(folder, "office.py");
    let args = ["record", "--json", "--listen", "127.0.0.1:0", "--upstream", &upstream];
    let recording = Recording::start(restage(folder, &args));
    let (agent, url) = (agent(), recording.url("/index.php"));
    let mut answer = agent.get(&url).call().unwrap();
    let cookie = answer.headers().get("set-cookie").unwrap().to_str().unwrap().to_owned();
    let cookie = cookie.split(';').next().unwrap();
    let mut page = answer.body_mut().read_to_string().unwrap();
    for (at, typed) in TYPED.iter().enumerate() {
        let sent = [&hidden(&page, at)[..], typed].concat();
        let post = agent.post(&url).header("cookie", cookie).header("referer", &url);
        page = post.send_form(sent).unwrap().body_mut().read_to_string().unwrap();
    }
    let tally = recording.stop();
    assert_eq!((&tally["seen"], &tally["stored"]), (&7.into(), &7.into()));
    drop(app);
}

/// What the application has received since it was last asked.
fn received(folder: &Path) -> Vec<String> {
    let log = folder.join("received.log");
    let lines = std::fs::read_to_string(&log).unwrap().lines().map(str::to_owned).collect();
    std::fs::remove_file(log).unwrap();
    lines
}

/// What each step sends to a release with these hidden values.
fn expected(version: &str, part: &str) -> Vec<String> {
    let line = |typed: &&[(&str, &str)]| {
        let typed: String = typed.iter().map(|(name, value)| format!("&{name}={value}")).collect();
        format!("version={version}&part={part}&token=TOKEN{typed}")
    };
    TYPED.iter().map(line).collect()
}

/// Catches: a hidden value that has changed makes another form the one that is submitted, with fields that the user never
/// sent and without those she typed.
#[test]
fn each_step_submits_the_form_that_the_user_submitted() {
    let folder = project(&[("office.py", APP), ("restage.toml", CONFIG)]);
    let folder = folder.path();
    record(folder);
    assert_eq!(received(folder), expected("1", "winter"));

    let baseline = json(folder, &["baseline"]);
    assert_eq!(baseline["stale"], 0, "{baseline}");
    let twice = [expected("1", "winter"), expected("1", "winter")].concat();
    assert_eq!(received(folder), twice, "the baseline and its check");

    let next = run(folder, &["test", "--app", "next"]);
    let text = stdout(&next);
    // The form that is gone is sent whole, as it was recorded; but for it, what was typed is all there.
    let mut wanted = expected("2", "spring");
    wanted[2] = expected("1", "winter").remove(2);
    assert_eq!(received(folder), wanted, "{text}{}", stderr(&next));
    assert_eq!(next.status.code(), Some(1), "{text}");
    assert_eq!(text.matches("no longer has the form to /index.php").count(), 1, "{text}");
}
