<?php
$_SESSION['grφίe'] = 1;
mysql_query('SELECT * FROM a WHERE x = "δ"');
