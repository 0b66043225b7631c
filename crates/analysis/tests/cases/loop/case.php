<?php
$q = 'INSERT INTO a VALUES ';
while ($r = f()) $q .= "($r), ";
mysqli_query($l, substr($q, 0, -2));
