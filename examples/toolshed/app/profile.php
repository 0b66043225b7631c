<?php
// What a member says of herself, and how she wants to see lists.

require __DIR__ . '/lib.php';

$user = need();
$error = '';
if (sent()) {
    switch ($_POST['do'] ?? '') {
        case 'phone':
            $phone = preg_replace('/[ \/-]/', '', $_POST['phone'] ?? '');
            if ($phone !== '' && !preg_match('/^\+?\d{4,}$/', $phone)) {
                $error = 'That is no number';
                break;
            }
            change('UPDATE member SET phone = ? WHERE id = ?', [$phone === '' ? null : $phone, $user['id']]);
            tell('Changed');
            redirect('profile.php');
        case 'password':
            $known = row('SELECT password FROM member WHERE id = ?', [$user['id']])['password'];
            $new = $_POST['new'] ?? '';
            if (!hash_equals($known, $_POST['old'] ?? '')) {
                $error = 'That is not your password';
            } elseif (strlen($new) < 6) {
                $error = 'Six characters at least';
            } elseif ($new === $known) {
                $error = 'That is the old one';
            } else {
                change('UPDATE member SET password = ? WHERE id = ?', [$new, $user['id']]);
                tell('Changed');
                redirect('profile.php');
            }
            break;
        case 'size':
            $size = (int) ($_POST['size'] ?? 20);
            $_SESSION['size'] = fault('no-size') ? $size : max(2, min(50, $size));
            redirect('index.php');
    }
}
$loans = rows('SELECT state, count(*) AS n FROM loan WHERE member = ? GROUP BY state ORDER BY state', [$user['id']]);
$history = '';
foreach ($loans as $loan) {
    $history .= '<li>' . text("{$loan['state']}: {$loan['n']}") . '</li>';
}
$phone = row('SELECT phone FROM member WHERE id = ?', [$user['id']])['phone'];
page('Me', ($error === '' ? '' : '<p class="error">' . text($error) . '</p>')
    . ($user['blocked'] ? '<p>You are blocked.</p>' : '') . "<ul>$history</ul>"
    . '<form method="post" action="profile.php">' . token() . '<input name="phone" value="' . text($phone ?? '') . '"><button name="do" value="phone">Change</button></form>'
    . '<form method="post" action="profile.php">' . token() . '<input type="password" name="old"><input type="password" name="new"><button name="do" value="password">Change</button></form>'
    . '<form method="post" action="profile.php">' . token() . '<input name="size" value="' . ($_SESSION['size'] ?? 20) . '"><button name="do" value="size">Tools on a page</button></form>');
