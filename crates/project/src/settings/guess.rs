//! What can be guessed of an application by its files: how it starts, and where it keeps its data.

use std::io::Read;
use std::path::{Path, PathBuf};

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
}

impl Guess {
    /// Looks at the files there are.
    pub fn of(folder: &Path) -> Self {
        let has = |name: &str| folder.join(name).exists();
        let (framework, command) = if has("manage.py") {
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
        Self { framework, command: command.to_owned(), sqlite, folders }
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
