<?php
// Logging in.

require __DIR__ . '/lib.php';

$error = '';
if (sent()) {
    $found = row('SELECT id FROM member WHERE name = ? AND password = ?', [$_POST['name'] ?? '', $_POST['password'] ?? '']);
    if ($found !== null) {
        $_SESSION['user'] = $found['id'];
        tell('Welcome back');
        redirect('index.php');
    }
    $error = '<p>There is no such member.</p>';
} elseif (user() !== null) {
    redirect('index.php');
}
page('Log in', "$error<form method=\"post\" action=\"login.php\">" . token()
    . '<input name="name"><input type="password" name="password"><button>Log in</button></form>');
