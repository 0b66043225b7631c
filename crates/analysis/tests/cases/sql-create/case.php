<?php
mysqli_query($db, "CREATE TABLE IF NOT EXISTS a (i INT)");
mysqli_query($db, "CREATE TEMPORARY TABLE b AS SELECT * FROM a");
