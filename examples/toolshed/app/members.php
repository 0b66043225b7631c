<?php
// The members, one of whom the keeper has selected.

require __DIR__ . '/lib.php';

$user = need('keeper');
if (isset($_GET['id'])) {
    $_SESSION['member'] = (int) $_GET['id'];
}
if (sent() && isset($_SESSION['member'])) {
    $do = $_POST['do'] ?? 'block';
    $member = row('SELECT id, fees FROM member WHERE id = ?', [$_SESSION['member']]);
    if ($member === null) {
        tell('There is no such member');
    } elseif ($do === 'paid' && $member['fees'] > 0) {
        change('UPDATE member SET fees = 0 WHERE id = ?', [$member['id']]);
        notice($member['id'], 'Your fees are paid');
    } elseif ($do === 'paid') {
        tell('Nothing is owed');
    } elseif ($do === 'leave') {
        if ($member['id'] === $user['id']) {
            tell('Not yourself');
        } elseif (row("SELECT id FROM loan WHERE member = ? AND state = 'out'", [$member['id']]) !== null) {
            tell('There are tools to be returned');
        } else {
            change('DELETE FROM waiting WHERE member = ?', [$member['id']]);
            change("DELETE FROM loan WHERE member = ? AND state = 'asked'", [$member['id']]);
            change('DELETE FROM member WHERE id = ?', [$member['id']]);
            if (!fault('selected-left')) {
                unset($_SESSION['member']);
            }
        }
    } else {
        change('UPDATE member SET blocked = 1 - blocked WHERE id = ?', [$member['id']]);
    }
    redirect('members.php');
}
$list = '';
foreach (rows('SELECT id, name, blocked, fees FROM member ORDER BY id') as $member) {
    $list .= "<li><a href=\"members.php?id={$member['id']}\">" . text($member['name']) . '</a>'
        . ($member['blocked'] ? ' (blocked)' : '') . ($member['fees'] > 0 ? " (owes {$member['fees']} €)" : '') . '</li>';
}
$selected = '';
if (isset($_SESSION['member'])) {
    $member = row('SELECT id, name, phone, fees FROM member WHERE id = ?', [$_SESSION['member']]);
    if ($member !== null || fault('selected-left')) {
        $loans = row('SELECT count(*) AS n FROM loan WHERE member = ?', [$_SESSION['member']]);
        $phone = fault('no-phone') ? htmlspecialchars($member['phone']) : text($member['phone'] ?? 'none');
        $selected = '<h2>' . text($member['name']) . "</h2><p>{$loans['n']} loans, phone: $phone</p><form method=\"post\" action=\"members.php\">"
            . token() . '<button name="do" value="block">Block or let in again</button>'
            . ($member['fees'] > 0 ? '<button name="do" value="paid">Has paid</button>' : '')
            . '<button name="do" value="leave">Leaves</button></form>';
    }
}
page('Members', "<ul>$list</ul>$selected");
