<?php
$m = new mysqli('h');
$m->query('SELECT * FROM a');
$m->real_query('SELECT * FROM b');
mysqli_prepare($m, 'UPDATE c SET x = ?');
