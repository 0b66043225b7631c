//! The `restage.toml` that `restage init` writes.

use std::path::PathBuf;

use restage_state::ServerKind;

use super::guess::Guess;
use crate::detect::FoundKind;

/// A commented `restage.toml` with every setting, and what was guessed of the application.
pub fn settings_template(guess: &Guess) -> String {
    let list = |paths: &[PathBuf]| {
        let quoted: Vec<String> =
            paths.iter().map(|p| toml::Value::String(p.display().to_string()).to_string()).collect();
        format!("[{}]", quoted.join(", "))
    };
    let comment = |is_guess: bool| if is_guess { "" } else { "# " };
    let from = |paths: &[PathBuf]| -> String {
        let known = guess.origins.iter().filter(|(path, _)| paths.contains(path));
        known.map(|(path, from)| format!("# {}: {from}\n", path.display())).collect()
    };
    let command = toml::Value::String(guess.command.clone()).to_string();
    format!(
        r#"# How restage runs this application, and what data it keeps. Paths are relative to this file.

[app]                          # the version under test
command = {command}            # {{port}} is replaced by a free port
# address = "http://127.0.0.1:8080"  # instead of a command: where it already runs
# dir = "."                    # its working folder
ready = "/"                    # requested until it answers
ready-timeout = "30s"
timeout = "30s"                # for one request
# stop-timeout = "5s"          # to end by itself after SIGTERM, before it is killed
# grain = "1s"                 # if it has timestamps in seconds: keeps writes as far apart as recorded
# restart = "each-session"     # if it caches its data in memory: a new process for each session
# clock = "recorded"           # its clock shows the time each step was recorded at; needs libfaketime
{env}# logs = ["var/error.log"]     # its log files: searched for errors, as its output is

# [app.baseline]               # the trusted version, if it differs from [app]
# dir = "../my-application-v1"

[state]                        # the data that the application keeps: restored before each session
{folders_from}{folders_comment}folders = {folders}      # including the SQLite files in them
{sqlite_from}{sqlite_comment}sqlite = {sqlite}
{mariadb}{postgres}# hook = "scripts/state"       # a program for other data: called with save NAME, restore NAME, remove NAME

[sessions]                     # how recorded requests become sessions
by = ["cookie", "ip+agent"]    # or "cookie:PHPSESSID", "header:x-user", "user", "ip"
idle = "45m"                   # a longer pause starts a new session
# bots = false                 # true keeps the sessions of crawlers and monitors
# hosts = ["shop.example"]     # the application's host names; requests to others are left out
# leave-out = {{ classes = ["image", "style", "script", "font"], paths = ["/health", "/assets/*"], invalid = true, static-pages = ["/about"] }}

# [replay]
# groups = "auto"              # sessions of users who met are found and replayed together; "off", or lists: [["s3", "s4"]]
# hosts = ["192.168.1.20:8080"]  # where an app with an address may be, beside this machine

# [keys]                       # a page's key is its method, path and parameter names; numbers and ids become {{n}}
# templates = ["/book/{{slug}}"] # paths with other values in them
# parameters = ["page", "/wiki.php?do"]  # whose values lead to different pages; most are learned from the traffic
# data = ["/list.php?tab"]     # whose values do not, whatever was learned

# [map]                        # how `restage map` explores the application
# home = "/"                   # where users begin
# [map.values]                 # what is typed into fields that no session filled in, by their names
# voucher = "SPRING"
# [map.types]                  # the same by their types
# date = "2026-01-15"

[oracle]
default = "C-WD | N+I"         # text without dates, or tags with important attributes
# state = true                 # compare the data that each session leaves behind
# headers = true               # compare response headers
# fail-on = "text"             # fail on this kind and on worse: error, data, flow, form, link, text, looks; all by default

# [oracle.json]
# unordered = false            # ignore the order of arrays
# tolerance = 0.0              # the relative difference that numbers may have

# [[oracle.rules]]             # another oracle for some pages: the first rule that matches a page's key applies
# key = "GET /book/*"          # as in reports; * stands for anything
# oracle = "N+F | C-WD"

# [[ignore]]                   # a difference that never matters on some pages: `restage ignore` writes these
# key = "GET /"                # or a list of keys
# difference = 'text "Visitors: #" became "Visitors: #"*'    # as in reports; * is anything, # any number

# [comparators.mine]           # a comparator of your own, for use in oracles: "mine | C-WD"
# text = "words"               # none, words-without-dates, words (white space collapsed), exact
# tags = "names"               # none, names, important (attributes), all (attributes)
# closing = false              # compare closing tags
# style = false                # compare style tags and attributes
# layout = false               # compare layout tags and attributes
# links = true                 # compare links and images with their attributes, in any order
# forms = "offered"            # none, offered, selected: compare inputs and choices, in any order
# in-place = false             # compare where text and tags are, relative to each other

# [redact]                     # secrets are not stored: passwords, card numbers, e-mail addresses, session ids, tokens
# secrets = {{ file = "../secrets.env", env = ["ADMIN_PASSWORD"] }}  # passwords of accounts that existed before
# names = ["iban"]             # more names whose values are secret
# patterns = ['\d{{3}}-\d{{2}}-\d{{4}}']  # more values that are secret
# keep = ["token_type"]        # names and values that are not secret
# off = false                  # true stores everything as it is

# [facts]                      # what `--facts` looks at
# folders = ["src"]            # the application's own code; where nothing is named, `dir` of [app]

# [record]
# upstream = "http://127.0.0.1:8080"
# listen = "127.0.0.1:9090"
# host = "auto"                # the Host header sent: auto, preserve (the client's), upstream, or a name
# body-limit = 16777216        # store at most this many bytes of each body
"#,
        env = environment(guess),
        mariadb = databases(guess, ServerKind::Mariadb),
        postgres = databases(guess, ServerKind::Postgres),
        folders_from = from(&guess.folders),
        sqlite_from = from(&guess.sqlite),
        folders_comment = comment(!guess.folders.is_empty()),
        folders =
            if guess.folders.is_empty() { r#"["data", "uploads"]"#.to_owned() } else { list(&guess.folders) },
        sqlite_comment = comment(!guess.sqlite.is_empty()),
        sqlite = if guess.sqlite.is_empty() { r#"["app.db"]"#.to_owned() } else { list(&guess.sqlite) },
    )
}

/// The databases on servers of one kind; an example where there are none.
fn databases(guess: &Guess, wanted: ServerKind) -> String {
    let mut said = String::new();
    let mut addresses = Vec::new();
    for database in &guess.databases {
        let FoundKind::Server { kind, address, shown } = &database.kind else { continue };
        if *kind == wanted {
            let password =
                database.password.as_ref().map(|password| format!("; {password}")).unwrap_or_default();
            said.push_str(&format!("# {shown}: {}{password}\n", database.from));
            addresses.push(toml::Value::String(address.clone()).to_string());
        }
    }
    let key = if wanted == ServerKind::Mariadb { "mariadb" } else { "postgres" };
    match addresses.as_slice() {
        [] if wanted == ServerKind::Mariadb => {
            "# mariadb = \"mysql://user:${DB_PASSWORD}@127.0.0.1:3306/shop\"     # or a list; ${NAME} is from the environment, ${FILE:NAME} from a file of the application\n"
                .to_owned()
        }
        [] => "# postgres = \"postgres://user:${.env:DB_PASSWORD}@127.0.0.1:5432/shop\"\n".to_owned(),
        [one] => format!("{said}{key} = {one}\n"),
        several => format!("{said}{key} = [{}]\n", several.join(", ")),
    }
}

/// What is added to the environment: an example, which is of use under `--jobs` where the application takes the name of its database from there.
fn environment(guess: &Guess) -> String {
    match guess.databases.iter().find_map(|database| database.variable.as_ref()) {
        Some(variable) => format!(
            "# env = {{ {variable} = \"{{database}}\" }}  # for --jobs: {{database}} is the name of its database, another for each copy of the app\n"
        ),
        None => "# env = { APP_ENV = \"test\" }\n".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::config::{Config, FILE};
    use super::*;

    #[test]
    fn what_is_commented_out_is_right_too() {
        let folder = tempfile::tempdir().unwrap();
        let text = settings_template(&Guess::of(folder.path()));
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
        std::fs::write(folder.path().join(FILE), settings_template(&Guess::of(folder.path()))).unwrap();
        let config = Config::read(&folder.path().join(FILE)).unwrap();
        assert!(config.app(None).unwrap().command.unwrap().contains("manage.py"));
        assert_eq!(config.state.folders, [PathBuf::from("media")]);
        assert_eq!(config.state.sqlite, [PathBuf::from("db.sqlite3")]);
        assert_eq!(config.sessions, restage_capture::SessionRules::default());
    }
}
