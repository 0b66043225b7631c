<?php
$prefix = 'p_';
function all() { global $prefix; return mysql_query("SELECT * FROM {$prefix}a"); }
function one() { return mysql_query('SELECT * FROM ' . $GLOBALS['prefix'] . 'b'); }
