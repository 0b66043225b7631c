<?php
mysql_query('INSERT IGNORE INTO a VALUES (1)');
mysql_query('UPDATE LOW_PRIORITY b SET x = 1');
mysql_query('DELETE QUICK FROM c');
mysql_query('UPDATE IGNORE d SET x = 1');
mysql_query('REPLACE DELAYED INTO e VALUES (1)');
mysql_query('SELECT SQL_CALC_FOUND_ROWS * FROM f');
