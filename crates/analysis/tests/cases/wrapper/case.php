<?php
function db_query($q) { return mysql_query($q); }
db_query('SELECT * FROM a');
