<?php
$d = new SQLite3('x');
$d->exec('INSERT OR REPLACE INTO a VALUES (1)');
$d->querySingle('SELECT x FROM b');
