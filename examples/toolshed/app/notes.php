<?php
// Notes on the tool that is selected.

require __DIR__ . '/lib.php';

$user = need();
if (!isset($_SESSION['tool'])) {
    page('Notes', '<p>No tool is selected.</p>');
    exit;
}
$tool = row("SELECT id, name FROM tool WHERE id = ? AND state <> 'retired'", [$_SESSION['tool']]);
if ($tool === null && !fault('retired-selection')) {
    unset($_SESSION['tool']);
    page('Notes', '<p>The tool that was selected is gone.</p>');
    exit;
}
if (sent()) {
    change('INSERT INTO note (tool, member, body) VALUES (?, ?, ?)', [$tool['id'], $user['id'], trim($_POST['body'] ?? '')]);
    tell('Noted');
    redirect('tool.php?id=' . $tool['id']);
}
page('Notes on ' . $tool['name'], '<form method="post" action="notes.php">' . token()
    . '<input name="body"><button>Add</button></form>');
