<?php
$t = match($x) { 1 => 'a', default => 'b' };
mysqli_query($l, "SELECT * FROM $t");
