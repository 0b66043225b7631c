<?php
$p = file_get_contents('prefix');
mysql_query("SELECT * FROM {$p}employees, `{$p}groups`");
