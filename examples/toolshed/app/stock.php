<?php
// The keeper's tools: added, made of another kind, retired.

require __DIR__ . '/lib.php';

/** A tool is not lent any more; who asked for it is told so. */
function retire(int $id): int
{
    if (row("SELECT id FROM tool WHERE id = ? AND state = 'out'", [$id]) !== null) {
        tell('Somebody has that tool');
        return 0;
    }
    foreach (rows("SELECT id, member FROM loan WHERE tool = ? AND state = 'asked'", [$id]) as $loan) {
        change("UPDATE loan SET state = 'refused' WHERE id = ?", [$loan['id']]);
        notice($loan['member'], 'What you asked for is not lent any more');
    }
    return change("UPDATE tool SET state = 'retired' WHERE id = ?", [$id]);
}

need('keeper');
if (sent()) {
    $id = (int) ($_POST['tool'] ?? 0);
    match ($_POST['do'] ?? '') {
        'add' => trim($_POST['name'] ?? '') === '' ? tell('What is it called?') : change("INSERT INTO tool (name, kind, state) VALUES (?, ?, 'there')", [trim($_POST['name'] ?? ''), $_POST['kind'] ?? 'hand']),
        'kind' => change('UPDATE tool SET kind = ? WHERE id = ?', [$_POST['kind'] ?? 'hand', $id]),
        'retire' => retire($id),
        default => 0,
    };
    redirect('stock.php');
}
$list = '';
foreach (rows('SELECT id, name, kind, state FROM tool ORDER BY id') as $tool) {
    $hidden = token() . "<input type=\"hidden\" name=\"tool\" value=\"{$tool['id']}\">";
    $list .= '<li>' . text("{$tool['name']}, {$tool['kind']}, {$tool['state']}")
        . "<form method=\"post\" action=\"stock.php\">$hidden<input name=\"kind\" value=\"" . text($tool['kind'])
        . '"><button name="do" value="kind">Change</button></form>'
        . "<form method=\"post\" action=\"stock.php\">$hidden<button name=\"do\" value=\"retire\">Retire</button></form></li>";
}
page('Stock', "<ul>$list</ul><form method=\"post\" action=\"stock.php\">" . token()
    . '<input name="name"><input name="kind" value="hand"><button name="do" value="add">Add</button></form>');
