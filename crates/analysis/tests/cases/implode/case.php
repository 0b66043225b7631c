<?php
$t = array('a', 'b');
mysqli_query($l, 'SELECT * FROM ' . implode(', ', $t));
