//! What can be guessed of an application by its files: how it starts, and where it keeps its data.

use std::io::Read;
use std::path::{Path, PathBuf};

use crate::detect::{
    Application, FoundDatabase, FoundKind, NodeStart, PhpSessions, databases, node_start, php_sessions,
    wordpress_content,
};

/// Folders in which applications keep data.
const FOLDERS: &[&str] = &[
    "data",
    "uploads",
    "storage",
    "media",
    "var",
    "instance",
    "public/uploads",
    "public/system",
    "wp-content/uploads",
];

/// What is written where nothing is known of how an application starts.
const UNKNOWN_COMMAND: &str = "./start-my-application --port {port}";

/// What an application's folder tells of it.
#[derive(Clone, Debug)]
pub struct Guess {
    /// Its framework, where that is known.
    pub framework: Option<&'static str>,
    /// What starts it.
    pub command: String,
    /// Its SQLite files that are in none of the folders.
    pub sqlite: Vec<PathBuf>,
    /// Folders that it keeps data in.
    pub folders: Vec<PathBuf>,
    /// Its databases on servers.
    pub databases: Vec<FoundDatabase>,
    /// Folders of these that the command needs and that are not there: a snapshot from before it first ran would have none.
    pub to_make: Vec<PathBuf>,
    /// Where some of these were found, by path.
    pub origins: Vec<(PathBuf, String)>,
    /// What was seen and could not be read, and what else there is to say.
    pub notes: Vec<String>,
}

impl Guess {
    /// Looks at the files there are, and at the environment.
    pub fn of(folder: &Path) -> Self {
        Self::in_environment(folder, &|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
    }

    /// Looks at the files there are, in an environment of these variables.
    pub(crate) fn in_environment(folder: &Path, environment: &dyn Fn(&str) -> Option<String>) -> Self {
        let application = Application::new(folder, environment);
        let (framework, command, note) = start(folder, &application);
        let mut guess = Self {
            framework,
            command: command.unwrap_or_else(|| UNKNOWN_COMMAND.to_owned()),
            sqlite: Vec::new(),
            folders: FOLDERS.iter().map(PathBuf::from).filter(|f| folder.join(f).is_dir()).collect(),
            databases: Vec::new(),
            to_make: Vec::new(),
            origins: Vec::new(),
            notes: note.into_iter().collect(),
        };
        find_sqlite(folder, Path::new(""), 0, &mut guess.sqlite);
        guess.sqlite.sort();
        guess.add_databases(&application);
        guess.add_php(&application);
        // A database in a folder of the state is found there.
        let folders = &guess.folders;
        guess.sqlite.retain(|file| !folders.iter().any(|f| file.starts_with(f)));
        guess.on_one_line();
        guess
    }

    /// Whether it found nothing that the application keeps.
    pub fn has_no_state(&self) -> bool {
        self.sqlite.is_empty() && self.folders.is_empty() && self.databases.is_empty()
    }

    /// Whether it knows how the application starts.
    pub fn knows_command(&self) -> bool {
        self.command != UNKNOWN_COMMAND
    }

    /// Settings may hold anything: a line break would end a comment in `restage.toml`.
    fn on_one_line(&mut self) {
        let has_control = |path: &PathBuf| path.to_string_lossy().contains(char::is_control);
        self.sqlite.retain(|path| !has_control(path));
        self.folders.retain(|path| !has_control(path));
        let origins = self.origins.iter_mut().map(|(_, text)| text);
        let databases = self.databases.iter_mut().flat_map(FoundDatabase::texts_mut);
        for text in origins.chain(databases).chain(&mut self.notes) {
            if text.contains(char::is_control) {
                *text = text.replace(char::is_control, " ");
            }
        }
    }

    fn add_databases(&mut self, application: &Application<'_>) {
        let (found, notes) = databases(application);
        self.notes.extend(notes);
        for database in found {
            match &database.kind {
                FoundKind::Server { .. } => self.databases.push(database),
                FoundKind::Sqlite(path) => {
                    let there = application.folder.join(path).exists();
                    let said = if there {
                        database.from.clone()
                    } else {
                        format!("{}; it is not there yet", database.from)
                    };
                    self.origins.push((path.clone(), said));
                    if !self.sqlite.contains(path) {
                        self.sqlite.push(path.clone());
                    }
                }
            }
        }
    }

    fn add_php(&mut self, application: &Application<'_>) {
        match self.framework {
            Some("WordPress") => {
                let content =
                    wordpress_content(application).map(|content| PathBuf::from(content).join("uploads"));
                if let Some(uploads) = content.filter(|path| application.folder.join(path).is_dir())
                    && !self.folders.contains(&uploads)
                {
                    self.origins.push((uploads.clone(), "WP_CONTENT_DIR in wp-config.php".to_owned()));
                    self.folders.push(uploads);
                }
            }
            Some("PHP") => match php_sessions(application) {
                Some(PhpSessions::Named(folder, file)) => {
                    self.origins.push((folder.clone(), format!("the folder of PHP's sessions in {file}")));
                    if !self.folders.iter().any(|known| folder.starts_with(known)) {
                        self.folders.push(folder);
                    }
                }
                Some(PhpSessions::Unnamed(folder, file)) => {
                    let shown = folder.display();
                    let why = format!(
                        "{file} uses PHP's sessions: `command` keeps them here, and not with those of all other applications"
                    );
                    self.command = self.command.replacen(
                        "php ",
                        &format!("php -d session.save_path=\"$PWD/{shown}\" "),
                        1,
                    );
                    self.command = format!("mkdir -p {shown} && exec {}", self.command);
                    self.origins.push((folder.clone(), why));
                    self.to_make.push(folder.clone());
                    self.folders.push(folder);
                }
                None => {}
            },
            _ => {}
        }
    }
}

/// Which framework it is, what starts it, and what there is to say of that.
fn start(
    folder: &Path,
    application: &Application<'_>,
) -> (Option<&'static str>, Option<String>, Option<String>) {
    let has = |name: &str| folder.join(name).exists();
    let (framework, command) = if has("manage.py") {
        ("Django", "python3 manage.py runserver --noreload 127.0.0.1:{port}")
    } else if has("bin/rails") {
        // A server that the developer runs has the usual pid file, and so would a second copy.
        ("Rails", "bin/rails server -b 127.0.0.1 -p {port} -P tmp/pids/restage-{port}.pid")
    } else if has("artisan") {
        ("Laravel", "php artisan serve --host=127.0.0.1 --port={port} --no-reload")
    } else if has("wp-settings.php") {
        ("WordPress", "php -S 127.0.0.1:{port}")
    } else if has("public/index.php") {
        ("PHP", "php -S 127.0.0.1:{port} -t public")
    } else if has("index.php") {
        ("PHP", "php -S 127.0.0.1:{port}")
    } else if let Some(package) = application.read("package.json") {
        let NodeStart { command, note } = node_start(folder, &package);
        return (Some("Node"), command, note);
    } else if mentions(&folder.join("app.py"), "flask") || mentions(&folder.join("requirements.txt"), "flask")
    {
        ("Flask", "flask run --no-reload --host 127.0.0.1 --port {port}")
    } else {
        return (None, None, None);
    };
    (Some(framework), Some(command.to_owned()), None)
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
