<?php
session_start();
require __DIR__ . '/lib.php';
$db = new PDO('sqlite::memory:');
$db->exec('CREATE TABLE cart (id INTEGER, n TEXT)');
$insert = $db->prepare('INSERT INTO cart VALUES (?, ?)');
$insert->execute([1, 'a']);
$insert->execute([2, 'b']);
foreach ($db->query('SELECT * FROM cart') as $row) {
    echo $row['n'], "\n";
}
$_SESSION['cart'] = ['a' => ['count' => ($_SESSION['cart']['a']['count'] ?? 0) + 1]];
$_SESSION['long'] = str_repeat('x', 300);
echo total(1, 2), "\n";
try {
    $db->query('SELECT * FROM nothing');
} catch (PDOException $e) {
    echo basename($e->getFile()), $e->getLine(), "\n", $e->getTraceAsString(), "\n";
}
echo $undefined;
fopen('/nonexistent/x', 'r');
@file_get_contents('/nonexistent/y');
print_r(error_get_last());
$old = new SQLite3(':memory:');
$old->query('SELECT * FROM none');
mkdir('/');
var_dump(filesize(__FILE__), is_writable(__FILE__), count(get_included_files()), json_encode(getallheaders()));
include 'missing.php';
throw new RuntimeException('the end');
