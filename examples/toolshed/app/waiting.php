<?php
// Waiting for the selected tool, and what one waits for.

require __DIR__ . '/lib.php';

const MOST_WAITING = 3;

$user = need();
if (sent()) {
    if (($_POST['do'] ?? '') === 'stop') {
        $id = (int) ($_POST['waiting'] ?? 0);
        $waiting = row('SELECT id, tool FROM waiting WHERE id = ? AND member = ?', [$id, $user['id']]);
        if ($waiting === null) {
            tell('You do not wait for that');
        } else {
            change('DELETE FROM waiting WHERE id = ?', [$id]);
            // Kept for nobody any more, or for the next.
            $next = first_waiting((int) $waiting['tool']);
            if ($next === null) {
                change("UPDATE tool SET state = 'there' WHERE id = ? AND state = 'kept'", [$waiting['tool']]);
            } elseif (row("SELECT id FROM tool WHERE id = ? AND state = 'kept'", [$waiting['tool']]) !== null) {
                notice($next['member'], 'A tool that you waited for is there');
            }
        }
        redirect('waiting.php');
    }
    $tool = isset($_SESSION['tool']) ? row('SELECT id, state FROM tool WHERE id = ?', [$_SESSION['tool']]) : null;
    $mine = rows('SELECT tool FROM waiting WHERE member = ?', [$user['id']]);
    if ($tool === null) {
        tell('No tool is selected');
    } elseif ($tool['state'] === 'there') {
        tell('It is there: borrow it');
    } elseif (in_array($tool['state'], ['broken', 'retired'], true)) {
        tell('Nobody knows when it will be there');
    } elseif (in_array($tool['id'], array_column($mine, 'tool'))) {
        tell('You wait for it already');
    } elseif (count($mine) >= MOST_WAITING) {
        tell('You wait for ' . MOST_WAITING . ' tools already');
    } elseif (row("SELECT id FROM loan WHERE tool = ? AND member = ? AND state = 'out'", [$tool['id'], $user['id']]) !== null) {
        tell('You have it yourself');
    } else {
        change('INSERT INTO waiting (tool, member) VALUES (?, ?)', [$tool['id'], $user['id']]);
        tell('We tell you when it is there');
    }
    redirect('waiting.php');
}
$list = '';
foreach (rows('SELECT w.id, w.tool, t.name, t.state FROM waiting w JOIN tool t ON t.id = w.tool WHERE w.member = ? ORDER BY w.id', [$user['id']]) as $waiting) {
    $before = row('SELECT count(*) AS n FROM waiting WHERE tool = ? AND id < ?', [$waiting['tool'], $waiting['id']])['n'];
    $who = row("SELECT m.name FROM loan l JOIN member m ON m.id = l.member WHERE l.tool = ? AND l.state = 'out'", [$waiting['tool']]);
    $status = match (true) {
        $waiting['state'] === 'kept' && $before == 0 => 'it is there for you',
        $waiting['state'] === 'out' => ($who['name'] ?? 'somebody') . " has it, $before before you",
        $waiting['state'] === 'there' || $waiting['state'] === 'kept' => "$before before you",
        fault('waiting-for-broken') => $who['name'] . ' broke it',
        default => $waiting['state'],
    };
    $list .= '<li>' . text("{$waiting['name']}: $status") . '<form method="post" action="waiting.php">' . token()
        . "<input type=\"hidden\" name=\"waiting\" value=\"{$waiting['id']}\"><button name=\"do\" value=\"stop\">Stop waiting</button></form></li>";
}
$wait = isset($_SESSION['tool']) ? '<form method="post" action="waiting.php">' . token() . '<button name="do" value="wait">Wait for the selected tool</button></form>' : '';
page('Waiting', "<ul>$list</ul>$wait");
