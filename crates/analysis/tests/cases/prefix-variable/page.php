<?php
include 'config.php';
mysql_query("SELECT * FROM ${prefix}info");
mysql_query("DELETE FROM {$prefix}audit WHERE x = 1");
