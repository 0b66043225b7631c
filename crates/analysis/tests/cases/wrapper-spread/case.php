<?php
function run($q, ...$args) { mysql_query(vsprintf($q, $args)); }
function all(...$a) { run(...$a); }
all('SELECT * FROM %s', 'users');
