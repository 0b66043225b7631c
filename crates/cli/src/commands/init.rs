//! `restage init`: a commented `restage.toml`, guessing what can be guessed.

use std::io::Read;
use std::path::{Path, PathBuf};

use crate::cli::Global;
use crate::config::FILE;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::progress::note;

/// Write a commented restage.toml, guessing what can be guessed
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  cd my-application && restage init\n  restage init --nginx")]
pub(crate) struct Args {
    /// Replace a restage.toml that is there
    #[arg(long)]
    force: bool,
    /// Print it, write nothing
    #[arg(long)]
    print: bool,
    /// Print instead how nginx logs what `restage import` needs: cookies and what forms send, too
    #[arg(long, conflicts_with_all = ["force", "print", "apache"])]
    nginx: bool,
    /// Print instead how Apache does
    #[arg(long, conflicts_with_all = ["force", "print"])]
    apache: bool,
}

const NGINX: &str = include_str!("../log_formats/nginx.conf");
const APACHE: &str = include_str!("../log_formats/apache.conf");

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    if args.nginx || args.apache {
        output::line(if args.nginx { NGINX } else { APACHE }.trim_end());
        return Ok(Outcome::Well);
    }
    let folder = match &global.project {
        Some(folder) => folder.clone(),
        None => std::env::current_dir()?,
    };
    let guess = Guess::of(&folder);
    let text = render(&guess);
    let path = folder.join(FILE);
    if args.print {
        output::line(text.trim_end());
        return Ok(Outcome::Well);
    }
    if path.exists() && !args.force {
        return Err(Failure::user(format!(
            "{} is there already\n  hint: --force replaces it, --print shows what would be written",
            path.display()
        )));
    }
    std::fs::write(&path, &text)
        .map_err(|e| Failure::environment(format!("cannot write {}: {e}", path.display())))?;
    if global.json {
        output::json(
            &serde_json::json!({ "wrote": path, "kind": guess.kind, "command": guess.command, "sqlite": guess.sqlite, "folders": guess.folders }),
        );
        return Ok(Outcome::Well);
    }
    output::line(&format!("wrote {}", path.display()));
    match guess.kind {
        Some(kind) => output::line(&format!("  it looks like {kind}: {}", guess.command)),
        None => output::line("  say in [app] how to start the application"),
    }
    for path in guess.sqlite.iter().chain(&guess.folders) {
        output::line(&format!("  state: {}", path.display()));
    }
    note(
        global,
        "next: look it over, start the application, then `restage record --upstream http://127.0.0.1:PORT`",
    );
    Ok(Outcome::Well)
}

/// What a look at the folder tells.
struct Guess {
    kind: Option<&'static str>,
    command: String,
    sqlite: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

impl Guess {
    fn of(folder: &Path) -> Self {
        let has = |name: &str| folder.join(name).exists();
        let (kind, command) = if has("manage.py") {
            (Some("Django"), "python3 manage.py runserver --noreload 127.0.0.1:{port}")
        } else if has("bin/rails") {
            (Some("Rails"), "bin/rails server -b 127.0.0.1 -p {port}")
        } else if has("artisan") {
            (Some("Laravel"), "php artisan serve --host=127.0.0.1 --port={port} --no-reload")
        } else if has("public/index.php") {
            (Some("PHP"), "php -S 127.0.0.1:{port} -t public")
        } else if has("index.php") {
            (Some("PHP"), "php -S 127.0.0.1:{port}")
        } else if has("package.json") {
            (Some("Node"), "PORT={port} npm start")
        } else if mentions(&folder.join("app.py"), "flask")
            || mentions(&folder.join("requirements.txt"), "flask")
        {
            (Some("Flask"), "flask run --no-reload --host 127.0.0.1 --port {port}")
        } else {
            (None, "./start-my-application --port {port}")
        };
        let mut sqlite = Vec::new();
        find_sqlite(folder, Path::new(""), 0, &mut sqlite);
        sqlite.sort();
        let wanted = ["data", "uploads", "storage", "media", "var", "wp-content/uploads"];
        let folders: Vec<PathBuf> =
            wanted.iter().map(PathBuf::from).filter(|f| folder.join(f).is_dir()).collect();
        // A database in a folder of the state is found there.
        sqlite.retain(|file| !folders.iter().any(|f| file.starts_with(f)));
        Self { kind, command: command.to_owned(), sqlite, folders }
    }
}

fn mentions(file: &Path, word: &str) -> bool {
    std::fs::read_to_string(file).is_ok_and(|text| text.to_ascii_lowercase().contains(word))
}

/// Looks for SQLite files by their first bytes, not far down.
fn find_sqlite(root: &Path, below: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(root.join(below)) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let path = below.join(&name);
        let Ok(kind) = entry.file_type() else { continue };
        let skipped = name
            .to_str()
            .is_some_and(|n| n.starts_with('.') || n == "node_modules" || n == "vendor" || n == "target");
        if kind.is_dir() && depth < 3 && !skipped {
            find_sqlite(root, &path, depth + 1, found);
        } else if kind.is_file() && found.len() < 10 {
            let mut head = [0; 16];
            let is_sqlite =
                std::fs::File::open(root.join(&path)).and_then(|mut f| f.read_exact(&mut head)).is_ok()
                    && &head == b"SQLite format 3\0";
            if is_sqlite {
                found.push(path);
            }
        }
    }
}

fn render(guess: &Guess) -> String {
    let list = |paths: &[PathBuf]| {
        let quoted: Vec<String> =
            paths.iter().map(|p| toml::Value::String(p.display().to_string()).to_string()).collect();
        format!("[{}]", quoted.join(", "))
    };
    let comment = |is_guess: bool| if is_guess { "" } else { "# " };
    let command = toml::Value::String(guess.command.clone()).to_string();
    format!(
        r#"# restage: how to run this application and what it keeps. Paths are relative to this file.

[app]                          # the version under test
command = {command}            # {{port}} is replaced by a free port
# address = "http://127.0.0.1:8080"  # in place of a command: it runs already
# dir = "."                    # where it runs
ready = "/"                    # asked for until it answers
ready-timeout = "30s"
timeout = "30s"                # for one request
# grain = "1s"                 # where it goes by the second: keeps writes apart as they were recorded
# restart = "each-session"      # where it keeps in memory what its files contradict: a new process for each session
# clock = "recorded"           # its clock shows when each step was recorded; needs libfaketime
# env = {{ APP_ENV = "test" }}
# logs = ["var/error.log"]     # files that it logs to: read for errors, as its output is

# [app.baseline]               # the trusted version, where it differs from [app]
# dir = "../my-application-v1"

[state]                        # what the application keeps: put back before each session
{folders_comment}folders = {folders}      # SQLite files in them are found and handled as such
{sqlite_comment}sqlite = {sqlite}
# mariadb = "mysql://user:${{DB_PASSWORD}}@127.0.0.1:3306/shop"     # or a list; ${{NAME}} comes from the environment
# postgres = "postgres://user:${{DB_PASSWORD}}@127.0.0.1:5432/shop"
# hook = "scripts/state"       # a program that is called with save NAME, restore NAME, remove NAME for what else there is

[sessions]                     # how recorded requests become sessions
by = ["cookie", "ip+agent"]    # or "cookie:PHPSESSID", "header:x-user", "user", "ip"
idle = "45m"                   # a longer pause begins a new session
# bots = false                 # whether the sessions of crawlers and monitors are kept in
# hosts = ["shop.example"]     # the application's own names, where the traffic has others
# leave-out = {{ classes = ["image", "style", "script", "font"], paths = ["/health", "/assets/*"], invalid = true, static-pages = ["/about"] }}

# [keys]                       # pages are named by method, path and parameters; numbers and ids are known
# templates = ["/book/{{slug}}"] # paths with other values in them

[oracle]
default = "C-WD | N+I"         # text without dates, or tags with important attributes
# state = true                 # whether the data that a session leaves behind is compared, too
# headers = true               # whether headers worth comparing are compared

# [oracle.json]
# unordered = false            # whether arrays are the same in any order
# tolerance = 0.0              # how far numbers may be apart, in parts of the bigger one

# [[oracle.rules]]             # other pages, other oracles: the first rule that matches a step's key decides
# key = "GET /book/*"          # as reports name pages; * stands for anything
# oracle = "N+F | C-WD"

# [[ignore]]                   # what never matters on some pages: `restage ignore` writes these
# key = "GET /"                # or a list of keys
# difference = 'text "Visitors: #" became "Visitors: #"*'    # as reports say it; * is anything, # any number

# [comparators.mine]           # a comparator of your own, for use in oracles: "mine | C-WD"
# text = "words"               # none, words-without-dates, words (white space collapsed), exact
# tags = "names"               # none, names, important (attributes), all (attributes)
# closing = false              # whether closing tags count
# style = false                # whether style tags and attributes count
# layout = false               # whether layout tags and attributes count
# links = true                 # links and images with their attributes, in any order
# forms = "offered"            # none, offered, selected: inputs and choices, in any order
# in-place = false             # whether text and tags count in their place among each other

# [redact]                     # passwords, card numbers, e-mail addresses, session ids, tokens: stand-ins are stored
# secrets = {{ file = "../secrets.env", env = ["ADMIN_PASSWORD"] }}  # what opens accounts that were there before
# names = ["iban"]             # further names whose values are secret
# patterns = ['\d{{3}}-\d{{2}}-\d{{4}}']  # further values that are
# keep = ["token_type"]        # names and values that are no secrets
# off = false                  # true stores all as it is

# [record]
# upstream = "http://127.0.0.1:8080"
# listen = "127.0.0.1:9090"
# host = "auto"                # the Host sent: auto, preserve (the client's), upstream, or a name
# body-limit = 16777216        # bytes of a body that are stored
"#,
        folders_comment = comment(!guess.folders.is_empty()),
        folders =
            if guess.folders.is_empty() { r#"["data", "uploads"]"#.to_owned() } else { list(&guess.folders) },
        sqlite_comment = comment(!guess.sqlite.is_empty()),
        sqlite = if guess.sqlite.is_empty() { r#"["app.db"]"#.to_owned() } else { list(&guess.sqlite) },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    #[test]
    fn what_is_commented_out_is_right_too() {
        let folder = tempfile::tempdir().unwrap();
        let text = render(&Guess::of(folder.path()));
        let a = text.find("# [[oracle.rules]]").unwrap();
        let b = text.find("# [record]").unwrap();
        let uncommented: Vec<&str> = text[a..b].lines().map(|l| l.trim_start_matches("# ")).collect();
        let path = folder.path().join(FILE);
        std::fs::write(&path, uncommented.join("\n")).unwrap();
        let config = Config::read(&path).unwrap();
        assert_eq!(config.oracle_rules().unwrap().rules[0].1.to_string(), "N+F | C-WD");
        assert_eq!(config.ignore_rules().unwrap().len(), 1);
    }

    #[test]
    fn what_is_written_is_read_back_with_the_guesses_in_it() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("manage.py"), "").unwrap();
        std::fs::create_dir(folder.path().join("media")).unwrap();
        std::fs::write(folder.path().join("db.sqlite3"), b"SQLite format 3\0 and more").unwrap();
        std::fs::write(folder.path().join(FILE), render(&Guess::of(folder.path()))).unwrap();
        let config = Config::read(&folder.path().join(FILE)).unwrap();
        assert!(config.app(None).unwrap().command.unwrap().contains("manage.py"));
        assert_eq!(config.state.folders, [PathBuf::from("media")]);
        assert_eq!(config.state.sqlite, [PathBuf::from("db.sqlite3")]);
        assert_eq!(config.sessions, restage_capture::SessionRules::default());
    }
}
