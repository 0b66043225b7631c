<?php
// The keeper's desk: loans that were asked for are handed out or refused.

require __DIR__ . '/lib.php';

need('keeper');
if (sent()) {
    $loan = row('SELECT l.id, l.tool, l.member, l.state, t.state AS tool_state FROM loan l JOIN tool t ON t.id = l.tool WHERE l.id = ?', [(int) ($_POST['loan'] ?? 0)]);
    if ($loan === null) {
        tell('There is no such loan');
    } elseif ($loan['state'] !== 'asked') {
        tell('That was decided already');
    } elseif (($_POST['do'] ?? '') === 'refuse') {
        change("UPDATE loan SET state = 'refused' WHERE id = ?", [$loan['id']]);
        notice($loan['member'], 'What you asked for was refused');
    } elseif ($loan['tool_state'] === 'out') {
        tell('Somebody has that tool');
    } elseif (in_array($loan['tool_state'], ['broken', 'retired'], true)) {
        tell('That tool cannot be lent');
    } else {
        if ($loan['tool_state'] === 'kept') {
            change('DELETE FROM waiting WHERE tool = ? AND member = ?', [$loan['tool'], $loan['member']]);
        }
        change("UPDATE loan SET state = 'out', handed_out = '2026-01-01' WHERE id = ?", [$loan['id']]);
        change("UPDATE tool SET state = 'out' WHERE id = ?", [$loan['tool']]);
    }
    redirect('desk.php');
}
$asked = rows("SELECT l.id, l.days, l.member, t.name, t.state, m.name AS who, m.blocked FROM loan l JOIN tool t ON t.id = l.tool
    JOIN member m ON m.id = l.member WHERE l.state = 'asked' ORDER BY l.id");
$anyDecided = row("SELECT id FROM loan WHERE state IN ('out', 'refused')") !== null;
$list = '';
foreach ($asked as $loan) {
    $warning = $loan['blocked'] ? ' (blocked meanwhile)' : '';
    if ($loan['state'] !== 'there' && $loan['state'] !== 'kept') {
        $warning .= " (the tool is {$loan['state']})";
    }
    $list .= '<li>' . text("{$loan['who']}: {$loan['name']}, {$loan['days']} days$warning") . '<form method="post" action="desk.php">' . token()
        . "<input type=\"hidden\" name=\"loan\" value=\"{$loan['id']}\">"
        . '<button name="do" value="hand-out">Hand out</button><button name="do" value="refuse">Refuse</button></form></li>';
}
$longest = '';
if (count($asked) > 0 || ($anyDecided && fault('empty-queue'))) {
    $longest = '<p>The longest is for ' . max(array_column($asked, 'days')) . ' days.</p>';
}
page('Desk', "$longest<ul>$list</ul>");
