<?php
// Broken tools: mended, at somebody's cost or nobody's, or scrapped.

require __DIR__ . '/lib.php';

need('keeper');
if (sent()) {
    $tool = row('SELECT id, name, state FROM tool WHERE id = ?', [(int) ($_POST['tool'] ?? 0)]);
    if ($tool === null || $tool['state'] !== 'broken') {
        tell('That tool is not broken');
        redirect('repairs.php');
    }
    $last = row('SELECT member FROM loan WHERE tool = ? ORDER BY id DESC', [$tool['id']]);
    if (($_POST['do'] ?? '') === 'scrap') {
        change("UPDATE tool SET state = 'retired' WHERE id = ?", [$tool['id']]);
        foreach (rows('SELECT member FROM waiting WHERE tool = ?', [$tool['id']]) as $waiting) {
            notice($waiting['member'], "{$tool['name']} is no more");
        }
        change('DELETE FROM waiting WHERE tool = ?', [$tool['id']]);
    } else {
        $cost = max(0, (int) ($_POST['cost'] ?? 0));
        if ($cost > 0 && ($last !== null || fault('broken-by-nobody'))) {
            change('UPDATE member SET fees = fees + ? WHERE id = ?', [$cost, $last['member']]);
            notice($last['member'], "{$tool['name']} cost $cost €");
        }
        $next = first_waiting((int) $tool['id']);
        change('UPDATE tool SET state = ?, damage = NULL WHERE id = ?', [$next === null ? 'there' : 'kept', $tool['id']]);
        if ($next !== null) {
            notice($next['member'], 'A tool that you waited for is there');
        }
    }
    redirect('repairs.php');
}
$list = '';
foreach (rows("SELECT id, name, damage FROM tool WHERE state = 'broken' ORDER BY id") as $tool) {
    $last = row('SELECT m.name FROM loan l JOIN member m ON m.id = l.member WHERE l.tool = ? ORDER BY l.id DESC', [$tool['id']]);
    $list .= '<li>' . text("{$tool['name']}: " . ($tool['damage'] ?? 'unknown') . ($last === null ? '' : ", last with {$last['name']}"))
        . '<form method="post" action="repairs.php">' . token() . "<input type=\"hidden\" name=\"tool\" value=\"{$tool['id']}\">"
        . '<input name="cost" value="0"><button name="do" value="mend">Mended</button><button name="do" value="scrap">Scrap</button></form></li>';
}
page('Repairs', $list === '' ? '<p>Nothing is broken.</p>' : "<ul>$list</ul>");
