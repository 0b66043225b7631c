<?php
// A guest book on a database server, as somebody else would write one: PHP, sessions in files, ids from the database.
// Environment: DSN, DB_USER, DB_PASSWORD for the database, SESSIONS for the folder of PHP's sessions, SLOW for the
// milliseconds that each request takes, FAULT=1 loses the last word of an entry.
if (getenv('SLOW')) {
    usleep(1000 * (int) getenv('SLOW'));
}
session_save_path(getenv('SESSIONS') ?: 'sessions');
session_start();
$db = new PDO(getenv('DSN'), getenv('DB_USER'), getenv('DB_PASSWORD') ?: null, [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
$show = fn (string $body) => print("<!DOCTYPE html><title>Guests</title>$body");
$to = function (string $address) {
    header("Location: $address");
    http_response_code(303);
};
$token = fn () => "<input type=hidden name=token value={$_SESSION['token']}>";
$_SESSION['token'] ??= bin2hex(random_bytes(12));
$posted = $_SERVER['REQUEST_METHOD'] === 'POST';
if ($posted && ($_POST['token'] ?? '') !== $_SESSION['token']) {
    http_response_code(403);
    $show('<h1>Wrong token</h1>');
} elseif ($path === '/login' && $posted) {
    $find = $db->prepare('SELECT id FROM guest WHERE name = ?');
    $find->execute([$_POST['name']]);
    $id = $find->fetchColumn();
    if ($id === false) {
        $db->prepare('INSERT INTO guest (name) VALUES (?)')->execute([$_POST['name']]);
        $find->execute([$_POST['name']]);
        $id = $find->fetchColumn();
    }
    $_SESSION['guest'] = $id;
    $to('/');
} elseif ($path === '/write' && $posted) {
    $text = getenv('FAULT') ? preg_replace('/ \S+$/', '', $_POST['text']) : $_POST['text'];
    $db->prepare('INSERT INTO entry (guest, text) VALUES (?, ?)')->execute([$_SESSION['guest'], $text]);
    $last = $db->query('SELECT max(id) FROM entry')->fetchColumn();
    $to("/entry/$last");
} elseif ($path === '/leave' && $posted) {
    // Their entries go with them, by the foreign key.
    $db->prepare('DELETE FROM guest WHERE id = ?')->execute([$_SESSION['guest']]);
    unset($_SESSION['guest']);
    $to('/');
} elseif (preg_match('#^/entry/(\d+)$#', $path, $found)) {
    $find = $db->prepare('SELECT e.id, e.text, g.name FROM entry e JOIN guest g ON g.id = e.guest WHERE e.id = ?');
    $find->execute([$found[1]]);
    [$id, $text, $name] = $find->fetch(PDO::FETCH_NUM) ?: ['?', 'nothing', 'nobody'];
    $show("<h1>Entry $id</h1><p>" . htmlspecialchars("$name: $text") . '</p><a href=/>All</a>');
} elseif (isset($_SESSION['guest'])) {
    $all = '';
    foreach ($db->query('SELECT e.id, g.name, e.text FROM entry e JOIN guest g ON g.id = e.guest ORDER BY e.id') as $row) {
        $all .= "<li><a href=/entry/{$row[0]}>" . htmlspecialchars("{$row[1]}: {$row[2]}") . '</a>';
    }
    $show("<h1>Guests</h1><ul>$all</ul><form method=post action=/write>{$token()}<textarea name=text></textarea><button>Write</button></form>"
        . "<form method=post action=/leave>{$token()}<button>Leave for good</button></form>");
} else {
    $show("<h1>Welcome</h1><form method=post action=/login>{$token()}<input name=name><button>Come in</button></form>");
}
