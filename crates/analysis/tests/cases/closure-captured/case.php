<?php
$t = 'users';
$f = function ($id) use ($t) { return mysql_query("SELECT * FROM $t WHERE i = $id"); };
$f(1);
