//! What the probe for PHP costs a request: the tool shed without it, with it, and with plain Xdebug as the papers used it.
//!
//! A member logs in and looks at four pages over and over: a session, some twenty lines of SQL statements and a few hundred lines of code
//! each. All variants run at once on ports of their own and are asked in turns, so that what disturbs one disturbs all. Every
//! answer must be the one that the application gives without a probe.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use clap::Parser;
use restage_bench::{Rounds, Server, Table, Trouble, free_port, run_program, wait_for_quiet};
use restage_facts::{ProbeSetting, Want, probes};

/// What the probe for PHP costs a request
#[derive(Debug, Parser)]
struct Args {
    /// How often each variant is measured
    #[arg(long, value_name = "N", default_value_t = 5)]
    rounds: usize,
    /// Requests of a variant in each round
    #[arg(long, value_name = "N", default_value_t = 200)]
    requests: usize,
}

const PAGES: &[&str] = &["/index.php", "/tool.php?id=1", "/notes.php", "/loans.php"];
/// Xdebug alone, as a test suite of PHP uses it: what ran is written when the script ends.
const PLAIN: &str = "<?php xdebug_start_code_coverage(FLAGS);
register_shutdown_function(function () {
    file_put_contents(getenv('COVERAGE'), json_encode(xdebug_get_code_coverage()) . \"\\n\", FILE_APPEND);
});";

/// How the application runs.
enum Variant {
    Bare,
    Probe(&'static [Want]),
    Xdebug(&'static str),
}

const VARIANTS: &[(&str, Variant)] = &[
    ("without a probe", Variant::Bare),
    ("probe: session, statements, errors", Variant::Probe(&[Want::Session, Want::Sql, Want::Errors])),
    ("probe: lines too (--facts)", Variant::Probe(&[Want::Lines, Want::Session, Want::Sql, Want::Errors])),
    (
        "probe: lines and branches too",
        Variant::Probe(&[Want::Lines, Want::Branches, Want::Session, Want::Sql, Want::Errors]),
    ),
    ("plain Xdebug: lines", Variant::Xdebug("XDEBUG_CC_UNUSED")),
    ("plain Xdebug: lines and branches", Variant::Xdebug("XDEBUG_CC_UNUSED | XDEBUG_CC_BRANCH_CHECK")),
];

fn main() -> ExitCode {
    run_program(|args: Args| measure(&args))
}

fn measure(args: &Args) -> Result<(), Trouble> {
    let mut apps =
        VARIANTS.iter().map(|(name, variant)| App::start(name, variant)).collect::<Result<Vec<_>, _>>()?;
    let mut rounds: Vec<Rounds> = VARIANTS.iter().map(|_| Rounds::default()).collect();
    let expected: Vec<String> = PAGES.iter().map(|page| apps[0].get(page)).collect::<Result<_, _>>()?;
    let mut quiet = 0;
    for _ in 0..args.rounds {
        quiet += usize::from(wait_for_quiet());
        for (app, rounds) in apps.iter_mut().zip(&mut rounds) {
            let begun = Instant::now();
            for number in 0..args.requests {
                let page = number % PAGES.len();
                if app.get(PAGES[page])? != expected[page] {
                    return Err(format!("{}: {} is another page", app.server.name, PAGES[page]).into());
                }
            }
            rounds.add(begun.elapsed().as_secs_f64() * 1000.0 / args.requests as f64);
        }
    }
    let mut table = Table::new(1, &["", "ms a request", "to none"]);
    for ((name, _), one) in VARIANTS.iter().zip(&rounds) {
        let ratio = one.ratio_to(&rounds[0]);
        table.row(vec![(*name).to_owned(), format!("{:.2}", one.median()), format!("{ratio:.2}")]);
    }
    println!(
        "{} requests a round, {} rounds, {quiet} of them begun on a quiet machine\n\n{table}",
        args.requests, args.rounds
    );
    Ok(())
}

/// The tool shed, with a member logged in.
struct App {
    server: Server,
    cookie: String,
    requests: usize,
    _folder: tempfile::TempDir,
}

impl App {
    fn start(name: &str, variant: &Variant) -> Result<Self, Trouble> {
        let folder = tempfile::tempdir()?;
        let root = folder.path();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/toolshed/app");
        let app = root.join("app");
        fs::create_dir(&app)?;
        for entry in fs::read_dir(source)? {
            let entry = entry?;
            fs::copy(entry.path(), app.join(entry.file_name()))?;
        }
        fs::create_dir(root.join("sessions"))?;
        let made = Command::new("php").arg("setup.php").current_dir(&app).stdout(Stdio::null()).status()?;
        if !made.success() {
            return Err("php setup.php fails: is there PHP with SQLite?".into());
        }
        let port = free_port()?;
        let mut command = format!("exec php -d session.save_path=../sessions -S 127.0.0.1:{port}");
        let mut variables = BTreeMap::from([("COVERAGE".to_owned(), text(&root.join("coverage")))]);
        match variant {
            Variant::Bare => {}
            Variant::Probe(want) => variables.extend(probe(root, &app, want)?),
            Variant::Xdebug(flags) => {
                let prepended = root.join("plain.php");
                fs::write(&prepended, PLAIN.replace("FLAGS", flags))?;
                // Where Xdebug is switched on already, PHP says so once and goes on.
                command = command.replace(
                    "php ",
                    &format!(
                        "php -d zend_extension=xdebug -d xdebug.mode=coverage -d auto_prepend_file={} ",
                        text(&prepended)
                    ),
                );
            }
        }
        let mut shell = Command::new("sh");
        shell.args(["-c", &command]).current_dir(&app).envs(&variables);
        shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let server = Server::start(name, port, &mut shell)?;
        let mut app = Self { server, cookie: String::new(), requests: 0, _folder: folder };
        app.log_in()?;
        Ok(app)
    }

    fn log_in(&mut self) -> Result<(), Trouble> {
        let (head, page) = self.ask("GET", "/login.php", "")?;
        self.take_cookie(&head);
        let token =
            between(&page, "name=\"token\" value=\"", "\"").ok_or("the form to log in has no token")?;
        let (head, _) =
            self.ask("POST", "/login.php", &format!("name=mia&password=mia-secret&token={token}"))?;
        self.take_cookie(&head);
        let (_, page) = self.ask("GET", "/index.php", "")?;
        if page.contains("Welcome back") {
            Ok(())
        } else {
            Err(format!("{}: nobody is logged in", self.server.name).into())
        }
    }

    fn take_cookie(&mut self, head: &str) {
        if let Some(cookie) = between(head, "Set-Cookie: ", ";") {
            cookie.clone_into(&mut self.cookie);
        }
    }

    fn get(&mut self, page: &str) -> Result<String, Trouble> {
        let (_, page) = self.ask("GET", page, "")?;
        // The token is drawn for each user.
        let token = between(&page, "name=\"token\" value=\"", "\"").map(str::to_owned);
        Ok(token.map_or(page.clone(), |token| page.replace(&token, "TOKEN")))
    }

    fn ask(&mut self, method: &str, path: &str, body: &str) -> Result<(String, String), Trouble> {
        self.requests += 1;
        let address: SocketAddr = self.server.address();
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: shed\r\nConnection: close\r\nRestage-Step: bench/s1/{}\r\nCookie: {}\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{body}",
            self.requests,
            self.cookie,
            body.len()
        );
        stream.write_all(request.as_bytes())?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, page) = answer.split_once("\r\n\r\n").ok_or("an answer has no end of its header")?;
        Ok((head.to_owned(), page.to_owned()))
    }
}

/// Puts the probe's files into a folder; the variables that bring it in.
fn probe(root: &Path, app: &Path, want: &[Want]) -> Result<Vec<(String, String)>, Trouble> {
    let probe = probes().iter().find(|probe| probe.name == "php").ok_or("there is no probe for PHP")?;
    let folder: PathBuf = root.join("probe");
    for (name, content) in probe.files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap_or(&folder))?;
        fs::write(&path, content)?;
        let mode = if content.starts_with("#!") { 0o755 } else { 0o644 };
        fs::set_permissions(&path, fs::Permissions::from_mode(mode))?;
    }
    Ok((probe.environment)(&ProbeSetting {
        folder: text(&folder),
        facts: text(&root.join("facts")),
        want: want.to_vec(),
        roots: vec![text(app)],
        inherited: std::env::vars().collect(),
    }))
}

fn between<'t>(text: &'t str, before: &str, after: &str) -> Option<&'t str> {
    let rest = &text[text.find(before)? + before.len()..];
    Some(&rest[..rest.find(after)?])
}

fn text(path: &Path) -> String {
    path.display().to_string()
}
