<?php
// A tool, which is selected by looking at it.

require __DIR__ . '/lib.php';

$tool = row('SELECT id, name, kind, state, damage FROM tool WHERE id = ?', [(int) ($_GET['id'] ?? 0)]);
if ($tool === null) {
    http_response_code(404);
    page('No such tool', '');
    exit;
}
$_SESSION['tool'] = (int) $tool['id'];
$user = user();
$notes = '';
foreach (rows('SELECT n.body, m.name FROM note n JOIN member m ON m.id = n.member WHERE n.tool = ? ORDER BY n.id', [$tool['id']]) as $note) {
    $notes .= '<li>' . text($note['body']) . ' (' . text($note['name']) . ')</li>';
}
$do = '';
if ($user !== null) {
    $do = match ($tool['state']) {
        'there' => '<p><a href="borrow.php">Borrow it</a></p>',
        'out', 'kept' => '<p><a href="borrow.php">Borrow it</a> <a href="waiting.php">Wait for it</a></p>',
        default => '',
    };
    $do .= '<p><a href="compare.php?add=' . $tool['id'] . '">Compare</a></p>';
}
$damage = $tool['state'] === 'broken' ? '<p>Broken: ' . text($tool['damage'] ?? 'unknown') . '</p>' : '';
page($tool['name'], '<p>' . text($tool['kind']) . ', ' . text($tool['state']) . "</p>$damage$do<ul>$notes</ul>");
