<?php
$c = require __DIR__ . '/conf/db.php';
mysqli_query($l, 'SELECT * FROM ' . $c['db']['prefix'] . 'users');
