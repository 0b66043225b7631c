<?php
pg_query_params($c, 'SELECT * FROM a WHERE i = $1', [1]);
pg_prepare($c, 'n', 'DELETE FROM b');
pg_insert($c, 'd', $row);
pg_select($c, 'e', $row);
