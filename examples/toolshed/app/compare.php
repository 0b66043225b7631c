<?php
// Up to three tools beside one another, as they were chosen in this session.

require __DIR__ . '/lib.php';

const MOST = 3;

need();
$chosen = $_SESSION['compare'] ?? [];
if (isset($_GET['add'])) {
    $id = (int) $_GET['add'];
    if (in_array($id, $chosen, true)) {
        tell('It is there already');
    } elseif (row('SELECT id FROM tool WHERE id = ?', [$id]) === null) {
        tell('There is no such tool');
    } else {
        $chosen[] = $id;
        if (count($chosen) > MOST) {
            array_shift($chosen);
        }
    }
}
if (isset($_GET['remove'])) {
    $chosen = array_values(array_diff($chosen, [(int) $_GET['remove']]));
}
$_SESSION['compare'] = $chosen;
if ($chosen === []) {
    page('Compare', '<p>Nothing is chosen.</p>');
    exit;
}
$columns = '';
$most = null;
foreach ($chosen as $id) {
    $tool = row("SELECT id, name, kind, state FROM tool WHERE id = ? AND state <> 'retired'", [$id]);
    if ($tool === null && !fault('compare-retired')) {
        $columns .= '<li>no longer there</li>';
        continue;
    }
    $loans = row('SELECT count(*) AS n FROM loan WHERE tool = ?', [$id])['n'];
    if ($loans > 0 && ($most === null || $loans > $most[1])) {
        $most = [$tool['name'], $loans];
    }
    $columns .= '<li>' . text("{$tool['name']}, {$tool['kind']}, {$tool['state']}, $loans loans") . " <a href=\"compare.php?remove=$id\">remove</a></li>";
}
$favourite = count($chosen) > 1 && $most !== null ? '<p>Lent most: ' . text($most[0]) . '</p>' : '';
page('Compare', "<ul>$columns</ul>$favourite");
