//! `restage init` in the folders of applications that nobody wrote for it: what it says, and what it writes.

use std::path::Path;

use crate::prints::{FILTERS, printed};
use crate::support::{project, run, stderr};

/// What `init` prints in a folder of these files, and what it writes of the command and the state.
fn initialized(files: &[(&str, &str)]) -> String {
    let folder = project(files);
    let said = printed(folder.path(), &["init"]);
    // What is written is read again, passwords filled in.
    let read = run(folder.path(), &["sessions"]);
    assert!(stderr(&read).starts_with("error: there is no store at "), "{}", stderr(&read));
    format!("{said}----- restage.toml -----\n{}", written(folder.path()))
}

fn written(folder: &Path) -> String {
    let text = std::fs::read_to_string(folder.join("restage.toml")).unwrap();
    let command = text.lines().filter(|line| line.starts_with("command = ") || line.starts_with("# env = "));
    let state =
        text.lines().skip_while(|line| !line.starts_with("[state]")).take_while(|line| !line.is_empty());
    command.chain(state).map(|line| format!("{line}\n")).collect()
}

macro_rules! assert_initializes {
    ($name:literal, $files:expr) => {
        insta::with_settings!({
            filters => FILTERS.to_vec(),
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_snapshot!($name, initialized(&$files));
        })
    };
}

/// As its installer writes it.
const WORDPRESS: &str = r"<?php
/**
 * The base configuration for WordPress
 * define( 'DB_NAME', 'in a comment' );
 */
// ** Database settings - You can get this info from your web host ** //
define( 'DB_NAME', 'blog' );

/** Database username */
define( 'DB_USER', 'blogger' );
define( 'DB_PASSWORD', 'pa$$ w@rd' );
define( 'DB_HOST', 'localhost:3307' );
define( 'DB_CHARSET', 'utf8mb4' );
define( 'AUTH_KEY', 'put your unique phrase here' );
$table_prefix = 'wp_';
if ( ! defined( 'ABSPATH' ) ) {
    define( 'ABSPATH', __DIR__ . '/' );
}
require_once ABSPATH . 'wp-settings.php';
";

/// As `rails new --database postgresql` writes it.
const RAILS: &str = r#"# PostgreSQL. Versions 9.5 and up are supported.
default: &default
  adapter: postgresql
  encoding: unicode
  # For details on connection pooling, see Rails configuration guide
  # https://guides.rubyonrails.org/configuring.html#database-pooling
  max_connections: <%= ENV.fetch("RAILS_MAX_THREADS") { 5 } %>

development:
  <<: *default
  database: shop_development
  # The password associated with the PostgreSQL role (username).
  #password:
  username: <%= ENV.fetch("SHOP_DATABASE_USER", "shop") %>
  password: <%= ENV["SHOP_DATABASE_PASSWORD"] %>
  host: localhost

test:
  <<: *default
  database: shop_test
"#;

const MANAGE: &str = "import os\nos.environ.setdefault('DJANGO_SETTINGS_MODULE', 'shop.settings')\n";

/// Catches: a state that is not found, and a suite that then runs on what the session before left; passwords in `restage.toml`;
/// a command that cannot start anything, and nothing said of it.
#[test]
fn what_init_finds() {
    assert_initializes!(
        "init-wordpress",
        [
            ("wp-config.php", WORDPRESS),
            ("wp-settings.php", "<?php"),
            ("index.php", "<?php"),
            ("wp-includes/functions.php", "<?php session_start();"),
            ("wp-content/uploads/2026/11/a.txt", ""),
        ]
    );
    assert_initializes!(
        "init-django-database-url",
        [
            ("manage.py", MANAGE),
            (
                "shop/settings.py",
                "import environ\nenv = environ.Env()\nDATABASES = {\n    'default': env.db(),\n}\n"
            ),
            (
                ".env",
                "DEBUG=on\nexport DATABASE_URL=\"postgres://shop:s3cret@127.0.0.1:5432/shop\"  # local\n"
            ),
            ("media/a.png", ""),
        ]
    );
    assert_initializes!(
        "init-rails",
        [
            ("bin/rails", ""),
            ("config/database.yml", RAILS),
            ("storage/.keep", ""),
            (".env", "SHOP_DATABASE_PASSWORD=s3cret\n")
        ]
    );
    assert_initializes!(
        "init-node-without-start",
        [
            ("package.json", r#"{"name": "shop", "main": "lib/shop.js", "scripts": {"test": "jest"}}"#),
            ("server.js", "")
        ]
    );
}

/// Catches: other ways to say the same that are not understood; what is seen and cannot be read, passed over in silence.
#[test]
fn what_init_finds_elsewhere() {
    let fields = "DATABASES = {\n    'default': {\n        'ENGINE': 'django.db.backends.mysql',\n        'NAME': os.environ.get('DB_NAME', 'shop'),\n        \
        'USER': config('DB_USER', default='shop'),\n        'PASSWORD': 'in-the-file',\n        'HOST': '',\n    }\n}\n";
    assert_initializes!(
        "init-django-fields",
        [("manage.py", MANAGE), ("shop/settings/base.py", fields), (".env", "DB_NAME=store")]
    );
    assert_initializes!(
        "init-php-sessions",
        [
            ("index.php", "<?php require 'config.php'; session_start();"),
            (
                "config.php",
                "<?php $dbhost = '127.0.0.1'; $dbname = 'forum'; $dbuser = 'forum'; $dbpasswd = 'x1';"
            ),
        ]
    );
    assert_initializes!(
        "init-laravel",
        [
            ("artisan", ""),
            (
                ".env",
                "APP_NAME=Shop\nDB_CONNECTION=mysql\nDB_HOST=127.0.0.1\nDB_PORT=3306\nDB_DATABASE=shop\nDB_USERNAME=root\nDB_PASSWORD=\n"
            ),
        ]
    );
    assert_initializes!(
        "init-unreadable",
        [
            ("manage.py", MANAGE),
            ("shop/settings.py", "DATABASES = {'default': make_database(), 'log': env.db('LOG_URL')}\n"),
            (".env", "MONGO_URL=mongodb://127.0.0.1/shop\n"),
        ]
    );
    assert_initializes!("init-node-nothing", [("package.json", r#"{"name": "shop"}"#)]);
}

/// Catches: a folder of sessions that no snapshot from before the first session has, so that putting that back takes it from under the
/// application.
#[test]
fn the_folder_of_phps_sessions_is_there_from_the_beginning() {
    let folder = project(&[("index.php", "<?php session_start();")]);
    assert!(run(folder.path(), &["init", "--print"]).status.success());
    assert!(!folder.path().join(".php-sessions").exists());
    assert!(run(folder.path(), &["init"]).status.success());
    assert_eq!(
        std::fs::read_to_string(folder.path().join(".php-sessions/.gitignore")).unwrap(),
        "*\n!.gitignore\n"
    );
}
