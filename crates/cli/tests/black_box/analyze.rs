//! What the source of a PHP application says of its state, without a project.

use std::path::Path;

use crate::support::{json, run, stderr, stdout};

/// A wrapper with a prefix, a session variable, and a statement that nobody can know.
fn application(folder: &Path) {
    std::fs::create_dir(folder.join("inc")).unwrap();
    let files = [
        (
            "inc/db.php",
            "<?php\ndefine('PREFIX', 'shop_');\nfunction run($sql, $values = []) {\n    global $pdo;\n    $s = $pdo->prepare($sql);\n    $s->execute($values);\n    return $s;\n}\n",
        ),
        (
            "cart.php",
            "<?php\nrequire 'inc/db.php';\n$pdo = new PDO('sqlite:shop.db');\n$_SESSION['cart'] = $_POST['book'];\nrun('INSERT INTO ' . PREFIX . 'lines (book) VALUES (?)', [$_SESSION['cart']]);\n$rows = run(\"SELECT * FROM \" . PREFIX . \"lines l JOIN \" . PREFIX . \"books b ON b.id = l.book\");\n",
        ),
        ("broken.php", "<?php\nfunction (\n"),
    ];
    for (name, text) in files {
        std::fs::write(folder.join(name), text).unwrap();
    }
}

/// Catches: a table that is not named, a wrapper whose callers are not followed, a place that is another one, a file that does not
/// parse and ends it all.
#[test]
fn variables_and_tables_are_named_with_their_places() {
    let folder = tempfile::tempdir().unwrap();
    application(folder.path());
    let output = run(folder.path(), &["analyze", "."]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    insta::assert_snapshot!(stdout(&output));

    let found = json(folder.path(), &["analyze", "."]);
    let table = |name: &str| {
        let tables = found["tables"].as_array().unwrap();
        tables.iter().find(|table| table["name"] == name).unwrap_or_else(|| panic!("{name}: {found}")).clone()
    };
    let lines = |of: &serde_json::Value| -> Vec<u64> {
        of.as_array().unwrap().iter().map(|place| place["line"].as_u64().unwrap()).collect()
    };
    assert_eq!(lines(&table("shop_lines")["definitions"]), [5], "{found}");
    assert_eq!(lines(&table("shop_lines")["uses"]), [6], "{found}");
    assert_eq!(lines(&table("shop_books")["uses"]), [6], "{found}");
    assert_eq!(found["share"], 100.0);

    let output = run(folder.path(), &["analyze", "nowhere"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("nowhere"), "{}", stderr(&output));
}
