//! An application of `tests/apps/`, with a probe or without.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use restage_facts::{FileOutline, ProbeSetting, Record, StepFacts, Want, probes};
use tempfile::TempDir;

/// Whether an interpreter is there. Without it the test proves nothing: it says so, and fails in CI.
pub(crate) fn is_there(command: &str) -> bool {
    let there = Command::new("sh")
        .args(["-c", command])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !there {
        assert!(
            std::env::var("CI").as_deref() != Ok("true"),
            "`{command}` fails: scripts/test installs what is missing"
        );
        eprintln!("SKIPPED, NOTHING WAS TESTED: `{command}` fails on this machine");
    }
    there
}

/// How an application is started.
pub(crate) struct Plan<'a> {
    /// The folder in `tests/apps/`.
    pub(crate) app: &'a str,
    /// With `{port}`.
    pub(crate) command: &'a str,
    /// The probe's name; none to run the application as it is.
    pub(crate) probe: Option<&'a str>,
    pub(crate) want: &'a [Want],
    /// More variables, after those of the probe.
    pub(crate) variables: &'a [(&'a str, &'a str)],
}

pub(crate) struct Application {
    process: Child,
    port: u16,
    pub(crate) folder: TempDir,
}

/// What came back, without what differs between any two answers.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<String>,
    pub(crate) body: String,
    pub(crate) cookie: Option<String>,
}

pub(crate) fn app_folder(app: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/apps").join(app)
}

impl Application {
    pub(crate) fn start(plan: &Plan<'_>) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut variables: BTreeMap<String, String> =
            std::env::vars().filter(|(name, _)| name == "PATH" || name == "HOME").collect();
        if let Some(name) = plan.probe {
            let probe = probes().iter().find(|probe| probe.name == name).expect("a probe");
            let place = folder.path().join("a probe");
            for (file, text) in probe.files {
                let path = place.join(file);
                fs::create_dir_all(path.parent().expect("a folder")).expect("made");
                fs::write(&path, text).expect("written");
                let mode = if text.starts_with("#!") { 0o755 } else { 0o644 };
                fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("set");
            }
            variables.extend((probe.environment)(&ProbeSetting {
                folder: place.to_str().expect("text").to_owned(),
                facts: folder.path().join("facts").to_str().expect("text").to_owned(),
                want: plan.want.to_vec(),
                roots: vec![app_folder(plan.app).to_str().expect("text").to_owned()],
                inherited: variables.clone(),
            }));
        }
        variables
            .extend(plan.variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        let port =
            TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port").port();
        let sessions = folder.path().join("sessions");
        fs::create_dir_all(&sessions).expect("made");
        let command = plan
            .command
            .replace("{port}", &port.to_string())
            .replace("{sessions}", sessions.to_str().expect("text"));
        let log = fs::File::create(folder.path().join("log")).expect("a log");
        let process = Command::new("sh")
            .args(["-c", &format!("exec {command}")])
            .current_dir(app_folder(plan.app))
            .env_clear()
            .envs(&variables)
            .stdout(log.try_clone().expect("a log"))
            .stderr(log)
            .process_group(0)
            .spawn()
            .expect("starts");
        let mut application = Self { process, port, folder };
        application
            .wait("it listens", |application| TcpStream::connect(("127.0.0.1", application.port)).is_ok());
        application
    }

    fn wait(&mut self, what: &str, mut done: impl FnMut(&mut Self) -> bool) {
        let begun = Instant::now();
        while !done(self) {
            let log = fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
            assert!(begun.elapsed() < Duration::from_secs(60), "not until {what}: {log}");
            std::thread::park_timeout(Duration::from_millis(5));
        }
    }

    /// Opens a connection and sends a request, as that of a step where one is named.
    pub(crate) fn send(&self, path: &str, step: Option<&str>, cookie: Option<&str>) -> TcpStream {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("connects");
        let step = step.map(|step| format!("Restage-Step: {step}\r\n")).unwrap_or_default();
        let cookie = cookie.map(|cookie| format!("Cookie: {cookie}\r\n")).unwrap_or_default();
        let request = format!("GET {path} HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n{step}{cookie}\r\n");
        stream.write_all(request.as_bytes()).expect("sent");
        stream
    }

    pub(crate) fn receive(mut stream: TcpStream) -> Answer {
        let mut bytes = Vec::new();
        // An application that dies closes the connection any way it can.
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_default();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default();
        let mut headers = Vec::new();
        let mut cookie = None;
        for line in head.lines().skip(1) {
            let (name, value) = line.split_once(':').unwrap_or((line, ""));
            match name.to_ascii_lowercase().as_str() {
                "date" => {}
                "set-cookie" => {
                    cookie = value.trim().split(';').next().map(str::to_owned);
                    headers.push(format!("{name}: {}", value.split('=').next().unwrap_or_default()));
                }
                _ => headers.push(line.to_owned()),
            }
        }
        Answer { status, headers, body: body.to_owned(), cookie }
    }

    pub(crate) fn get(&self, path: &str, step: Option<&str>, cookie: Option<&str>) -> Answer {
        Self::receive(self.send(path, step, cookie))
    }

    /// What the probe has written, once so many steps are there.
    pub(crate) fn facts(&mut self, steps: usize) -> (Vec<StepFacts>, Vec<FileOutline>) {
        let file = self.folder.path().join("facts");
        let read = |file: &Path| -> Vec<Record> {
            let text = fs::read(file).unwrap_or_default();
            text.split_inclusive(|byte| *byte == b'\n')
                .filter(|line| line.ends_with(b"\n"))
                .map(|line| Record::parse(line).expect("of the protocol"))
                .collect()
        };
        let is_step = |record: &Record| matches!(record, Record::Step(_));
        self.wait("it has written its facts", |_| {
            read(&file).iter().filter(|record| is_step(record)).count() >= steps
        });
        let (mut found, mut files) = (Vec::new(), Vec::new());
        for record in read(&file) {
            match record {
                Record::Step(step) => found.push(*step),
                Record::File(outline) => files.push(outline),
            }
        }
        assert_eq!(found.len(), steps, "a record a step");
        (found, files)
    }
}

impl Drop for Application {
    fn drop(&mut self) {
        // The group is the application's own: its workers go with it.
        let _ = Command::new("kill").args(["-9", "--", &format!("-{}", self.process.id())]).status();
        let _ = self.process.wait();
    }
}

/// `[first, last]` runs as lines.
pub(crate) fn lines(facts: &StepFacts, file: &str) -> Vec<(u32, u32)> {
    facts.lines.get(file).map(|lines| lines.runs()).unwrap_or_default()
}

/// Statements as `text | rows | file:line`.
pub(crate) fn statements(facts: &StepFacts) -> Vec<String> {
    let place = |fact: &restage_facts::SqlFact| {
        format!("{}:{}", fact.file.as_deref().unwrap_or("?"), fact.line.unwrap_or_default())
    };
    facts
        .sql
        .iter()
        .map(|fact| {
            let came = match (&fact.error, fact.rows) {
                (Some(_), _) => "error".to_owned(),
                (None, Some(rows)) => rows.to_string(),
                (None, None) => "?".to_owned(),
            };
            format!("{} | {came} | {}", fact.text, place(fact))
        })
        .collect()
}

/// Errors as `type file:line`.
pub(crate) fn errors(facts: &StepFacts) -> Vec<String> {
    facts
        .errors
        .iter()
        .map(|fact| {
            format!(
                "{} {}:{}",
                fact.r#type,
                fact.file.as_deref().unwrap_or("?"),
                fact.line.unwrap_or_default()
            )
        })
        .collect()
}
