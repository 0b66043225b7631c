<?php
// What was lent, by kind or by member, as a page or as a file.

require __DIR__ . '/lib.php';

need('keeper');
if (isset($_GET['by']) && in_array($_GET['by'], ['kind', 'member'], true)) {
    $_SESSION['report'] = $_GET['by'];
}
$by = $_SESSION['report'] ?? 'kind';
$loans = rows("SELECT l.days, l.price, l.state, t.kind, m.name AS member FROM loan l JOIN tool t ON t.id = l.tool
    LEFT JOIN member m ON m.id = l.member WHERE l.state <> 'asked' ORDER BY l.id");
$groups = [];
foreach ($loans as $loan) {
    $group = &$groups[$loan[$by] ?? 'left'];
    $group ??= ['loans' => 0, 'days' => 0, 'income' => 0, 'refused' => 0];
    if ($loan['state'] === 'refused') {
        $group['refused'] += 1;
        continue;
    }
    $group['loans'] += 1;
    $group['days'] += $loan['days'];
    $group['income'] += $loan['price'];
}
unset($group);
ksort($groups);
$isFile = ($_GET['as'] ?? '') === 'csv';
$lines = [];
foreach ($groups as $name => $group) {
    // Of some, everything was refused.
    $average = $group['loans'] > 0 || fault('all-refused') ? intdiv($group['days'], $group['loans']) : '-';
    $lines[] = [$name, $group['loans'], $average, $group['income'], $group['refused']];
}
if ($isFile) {
    header('Content-Type: text/csv');
    echo "$by;loans;days;income;refused\n";
    foreach ($lines as $line) {
        echo implode(';', $line), "\n";
    }
    exit;
}
$list = '';
foreach ($lines as [$name, $count, $average, $income, $refused]) {
    $list .= '<tr><td>' . text($name) . "</td><td>$count</td><td>$average</td><td>$income €</td><td>$refused</td></tr>";
}
page('Report by ' . $by, ($list === '' ? '<p>Nothing was lent.</p>' : "<table>$list</table>")
    . '<p><a href="report.php?by=kind">by kind</a> <a href="report.php?by=member">by member</a> <a href="report.php?as=csv">as a file</a></p>');
