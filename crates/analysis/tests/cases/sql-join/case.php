<?php
mysqli_query($db, "SELECT a.x FROM a JOIN b ON a.i = b.i LEFT JOIN c USING (i), d");
