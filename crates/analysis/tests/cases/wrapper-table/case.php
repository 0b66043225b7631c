<?php
function count_of($t) { return mysql_query("SELECT COUNT(*) FROM $t"); }
count_of('a');
count_of('b');
