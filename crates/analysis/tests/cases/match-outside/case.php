<?php
preg_match('~^t=(.*)$~', $_SERVER['QUERY_STRING'], $found);
mysql_query('SELECT * FROM ' . $found[1]);
