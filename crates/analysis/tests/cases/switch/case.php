<?php
switch ($_GET['x']) {
 case 1: $t = 'a'; break;
 case 2: $t = 'b'; break;
 default: $t = 'c';
}
mysqli_query($l, "SELECT * FROM $t");
