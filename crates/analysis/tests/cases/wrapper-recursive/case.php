<?php
function run($q, $n) { if ($n) return run($q, $n - 1); return mysql_query($q); }
run('SELECT * FROM a', 3);
