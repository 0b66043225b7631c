<?php
foreach ($_GET as $k => $x) $w[] = "$k = '$x'";
mysqli_query($l, 'SELECT * FROM a WHERE ' . implode(' AND ', $w));
