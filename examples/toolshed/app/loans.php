<?php
// What a member has borrowed: taken back before it is handed out, kept for longer, or returned.

require __DIR__ . '/lib.php';

/** What a returned tool is from now on: broken, kept for who waits for it, or there. */
function put_back(int $tool, string $damage): void
{
    if ($damage !== '') {
        change("UPDATE tool SET state = 'broken', damage = ? WHERE id = ?", [$damage, $tool]);
        return;
    }
    $next = first_waiting($tool);
    change('UPDATE tool SET state = ? WHERE id = ?', [$next === null ? 'there' : 'kept', $tool]);
    if ($next !== null) {
        notice($next['member'], 'A tool that you waited for is there');
    }
}

$user = need();
if (sent()) {
    $loan = row('SELECT id, tool, state, handed_out, extended, days FROM loan WHERE id = ? AND member = ?', [(int) ($_POST['loan'] ?? 0), $user['id']]);
    $do = $_POST['do'] ?? '';
    if ($loan === null) {
        tell('There is no such loan');
    } elseif ($do === 'return' && ($loan['state'] === 'out' || fault('return-before-handover'))) {
        $day = new DateTimeImmutable($loan['handed_out'] ?? throw new LogicException('a loan was returned that was not handed out'));
        $damage = trim($_POST['damage'] ?? '');
        change("UPDATE loan SET state = 'back' WHERE id = ?", [$loan['id']]);
        put_back((int) $loan['tool'], $damage);
        if ($damage !== '') {
            change('UPDATE member SET fees = fees + 10 WHERE id = ?', [$user['id']]);
            tell('Thank you for telling us');
        } else {
            tell('Returned, handed out in ' . $day->format('Y'));
        }
    } elseif ($do === 'extend' && ($loan['state'] === 'out' || fault('extend-returned'))) {
        if (first_waiting((int) $loan['tool']) !== null) {
            tell('Somebody waits for it');
        } elseif ($loan['extended'] >= 2) {
            tell('Only twice');
        } else {
            // How much of the loan is left to be used, in percent.
            $left = $loan['state'] === 'back' ? 0 : $loan['days'];
            $share = intdiv(700, $left);
            change('UPDATE loan SET days = days + 7, extended = extended + 1 WHERE id = ?', [$loan['id']]);
            tell("A week more, $share %");
        }
    } elseif ($do === 'cancel' && $loan['state'] === 'asked') {
        change('DELETE FROM loan WHERE id = ?', [$loan['id']]);
        tell('Cancelled');
    } else {
        tell('That cannot be done now');
    }
    redirect('loans.php');
}
$list = '';
$owed = 0;
$loans = rows('SELECT l.id, l.days, l.state, l.price, t.name FROM loan l JOIN tool t ON t.id = l.tool WHERE l.member = ? ORDER BY l.id', [$user['id']]);
foreach ($loans as $loan) {
    $form = '';
    if ($loan['state'] === 'asked') {
        $form = '<button name="do" value="cancel">cancel</button>';
    } elseif ($loan['state'] === 'out') {
        $form = '<input name="damage" value=""><button name="do" value="return">return</button><button name="do" value="extend">a week more</button>';
        $owed += $loan['price'];
    }
    $list .= '<li>' . text("{$loan['name']}, {$loan['days']} days, {$loan['price']} €, {$loan['state']}")
        . ($form === '' ? '' : '<form method="post" action="loans.php">' . token() . "<input type=\"hidden\" name=\"loan\" value=\"{$loan['id']}\">$form</form>")
        . '</li>';
}
$sum = $owed > 0 ? "<p>For what you have: $owed €</p>" : '';
$sum .= $user['fees'] > 0 ? "<p>Fees: {$user['fees']} €</p>" : '';
page('My loans', "$sum<ul>$list</ul>");
