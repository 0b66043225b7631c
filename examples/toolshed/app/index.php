<?php
// All tools: those of a kind, those that are searched for, so many on a page. What was chosen is remembered.

require __DIR__ . '/lib.php';

const ORDERS = ['name' => 'name, id', 'kind' => 'kind, id', 'number' => 'id'];

$user = user();
if ($user !== null && isset($_GET['seen'])) {
    change('UPDATE notice SET seen = 1 WHERE id = ? AND member = ?', [(int) $_GET['seen'], $user['id']]);
}
if (isset($_GET['kind'])) {
    if ($_GET['kind'] === '') {
        unset($_SESSION['kind']);
    } else {
        $_SESSION['kind'] = $_GET['kind'];
    }
}
if (isset($_GET['order']) && isset(ORDERS[$_GET['order']])) {
    $_SESSION['order'] = $_GET['order'];
}
$where = "state <> 'retired'";
$values = [];
if (isset($_SESSION['kind'])) {
    $where .= ' AND kind = ?';
    $values[] = $_SESSION['kind'];
}
$search = trim($_GET['q'] ?? '');
if ($search !== '') {
    $where .= ' AND name LIKE ?';
    $values[] = "%$search%";
}
$tools = rows("SELECT id, name, kind, state FROM tool WHERE $where ORDER BY " . ORDERS[$_SESSION['order'] ?? 'number'], $values);
$size = $_SESSION['size'] ?? 20;
$pages = max(1, (int) ceil(count($tools) / $size));
$page = min($pages, max(1, (int) ($_GET['page'] ?? 1)));
$list = '';
foreach (array_slice($tools, ($page - 1) * $size, $size) as $tool) {
    $list .= "<li><a href=\"tool.php?id={$tool['id']}\">" . text($tool['name']) . '</a> '
        . text($tool['kind']) . ', ' . text($tool['state']) . '</li>';
}
$more = '';
for ($number = 1; $pages > 1 && $number <= $pages; $number++) {
    $more .= $number === $page ? " $number" : " <a href=\"index.php?page=$number\">$number</a>";
}
$found = '';
if ($search !== '') {
    $first = fault('nothing-found') ? $tools[0]['name'] : $tools[0]['name'] ?? 'none';
    $found = '<p>' . text(count($tools) . " found, first $first") . '</p>';
}
$kinds = '<a href="index.php?kind=">all</a>';
$counts = array_column(rows("SELECT kind, count(*) AS n FROM tool WHERE state <> 'retired' GROUP BY kind ORDER BY kind"), 'n', 'kind');
foreach ($counts as $kind => $count) {
    $kinds .= ' <a href="index.php?kind=' . rawurlencode($kind) . '">' . text("$kind ($count)") . '</a>';
}
if (isset($_SESSION['kind'])) {
    $count = fault('kind-gone') ? $counts[$_SESSION['kind']] : $counts[$_SESSION['kind']] ?? 0;
    $kinds .= '<p>' . text("Only {$_SESSION['kind']}: $count") . '</p>';
}
$notices = '';
if ($user !== null) {
    foreach (rows('SELECT id, body FROM notice WHERE member = ? AND seen = 0 ORDER BY id', [$user['id']]) as $notice) {
        $notices .= '<li>' . text($notice['body']) . " <a href=\"index.php?seen={$notice['id']}\">ok</a></li>";
    }
}
page('Tools', ($notices === '' ? '' : "<ul class=\"notices\">$notices</ul>")
    . '<form action="index.php"><input name="q" value="' . text($search) . "\"><button>Search</button></form><p>$kinds</p>"
    . '<p><a href="index.php?order=name">by name</a> <a href="index.php?order=kind">by kind</a> <a href="index.php?order=number">by number</a></p>'
    . "$found<ul>$list</ul>" . ($more === '' ? '' : "<p>$more</p>"));
